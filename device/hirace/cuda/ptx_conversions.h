// PTX's conversions on the CPU (PTX ISA, "Data Movement and Conversion Instructions").
#pragma once

#include <cstring>

#include "ptx_arithmetic.h"
#include "tiny_float.h"

namespace hirace::cpu::ptx {

template <class To, class From>
inline To convert(From value) {
  return static_cast<To>(value);
}
template <class To, class From>
inline To convert_saturated(From value) {
  __extension__ using Any = __int128;
  const Any lowest = std::numeric_limits<To>::lowest(), highest = std::numeric_limits<To>::max();
  return static_cast<To>(Any{value} < lowest ? lowest : Any{value} > highest ? highest : Any{value});
}
// To integers, and to whole numbers of the same type.
#define HIRACE_PTX_ROUNDED(mode, function)       \
  template <class To, class From>                \
  inline To round_##mode(From value) {           \
    return to_integer<To>(std::function(widened(value))); \
  }                                              \
  template <class To, class From>                \
  inline To integral_##mode(From value) {        \
    return static_cast<To>(std::function(widened(value))); \
  }
HIRACE_PTX_ROUNDED(nearest, nearbyint)
HIRACE_PTX_ROUNDED(to_zero, trunc)
HIRACE_PTX_ROUNDED(down, floor)
HIRACE_PTX_ROUNDED(up, ceil)
#undef HIRACE_PTX_ROUNDED

#define HIRACE_PTX_CONVERTED(mode, rounding)                 \
  template <class To, class From>                            \
  inline To converted_##mode(From value) {                   \
    return rounded_to<To>(value, Rounding::rounding);        \
  }
HIRACE_PTX_CONVERTED(rz, to_zero)
HIRACE_PTX_CONVERTED(rm, down)
HIRACE_PTX_CONVERTED(rp, up)
#undef HIRACE_PTX_CONVERTED

// Numbers of 8 bits in pairs, the second operand lowest. Too great ones become the greatest number.
using e4m3x2 = TinyFloat<4, 3, TinySpecials::nan_only>;
using e5m2x2 = TinyFloat<5, 2, TinySpecials::ieee>;
template <class Tiny>
inline b16 tiny_pair(f32 high, f32 low) {
  return static_cast<b16>(Tiny::pack(high) << 8 | Tiny::pack(low));
}
template <class Tiny>
inline b16 tiny_pair_of_halves(f16x2 pair) {
  return tiny_pair<Tiny>(static_cast<f32>(pair.high), static_cast<f32>(pair.low));
}
template <class Tiny>
inline f16x2 halves_of_tiny_pair(b16 pair) {
  return {f16(Tiny::unpack(static_cast<u8>(pair))), f16(Tiny::unpack(static_cast<u8>(pair >> 8)))};
}

// Packs values, the first one lowest, and unpacks them.
template <class Whole, class Part, class... Parts>
inline Whole pack(Parts... parts) {
  const Part all[] = {parts...};
  static_assert(sizeof all == sizeof(Whole), "parts make up the whole");
  Whole whole;
  std::memcpy(&whole, all, sizeof whole);
  return whole;
}
template <class Part, class Whole>
inline Part part(Whole whole, int index) {
  Part all[sizeof(Whole) / sizeof(Part)];
  std::memcpy(all, &whole, sizeof whole);
  return all[index];
}

}  // namespace hirace::cpu::ptx
