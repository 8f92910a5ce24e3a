// PTX's conversions on the CPU (PTX ISA, "Data Movement and Conversion Instructions").
#pragma once

#include <cstring>

#include "ptx_arithmetic.h"

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
