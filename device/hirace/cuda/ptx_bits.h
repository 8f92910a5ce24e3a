// PTX's integer instructions with carries, of bits and of several bytes (PTX ISA, "Extended-Precision Integer
// Arithmetic Instructions", "Integer Arithmetic Instructions").
#pragma once

#include "ptx_arithmetic.h"

namespace hirace::cpu::ptx {

inline s32 add_saturated(s64 a, s64 b) {
  const s64 sum = a + b, lowest = std::numeric_limits<s32>::min(), highest = std::numeric_limits<s32>::max();
  return static_cast<s32>(sum < lowest ? lowest : sum > highest ? highest : sum);
}
template <class T>
inline T add_sat(T a, T b) {
  return add_saturated(a, b);
}
template <class T>
inline T sub_sat(T a, T b) {
  return add_saturated(a, -s64{b});
}

// With a carry in and out. A borrow is a carry, too.
template <class T>
inline T add_with_carry(T a, T b, bool in, bool& out) {
  __extension__ using Wider = unsigned __int128;
  const Wider sum = Wider{static_cast<Unsigned<T>>(a)} + static_cast<Unsigned<T>>(b) + (in ? 1 : 0);
  out = (sum >> bits_of<T> & 1) != 0;
  return static_cast<T>(sum);
}
template <class T>
inline T sub_with_borrow(T a, T b, bool in, bool& out) {
  __extension__ using Wider = unsigned __int128;
  const Wider difference = Wider{static_cast<Unsigned<T>>(a)} - static_cast<Unsigned<T>>(b) - (in ? 1 : 0);
  out = (difference >> bits_of<T> & 1) != 0;
  return static_cast<T>(difference);
}

// The sum of the products of four bytes.
template <class First, class Second, class Sum>
inline Sum dp4a(b32 a, b32 b, Sum c) {
  using Left = std::conditional_t<std::is_signed_v<First>, s8, u8>;
  using Right = std::conditional_t<std::is_signed_v<Second>, s8, u8>;
  for (int at = 0; at < 32; at += 8) c = add<Sum>(c, static_cast<Sum>(s32{static_cast<Left>(a >> at)} * s32{static_cast<Right>(b >> at)}));
  return c;
}

// The most significant bit that differs from the sign, or all bits set.
template <class T>
inline u32 bfind(T a) {
  const T plain = a < 0 ? bit_not<T>(a) : a;
  return plain == 0 ? 0xffffffffu : bits_of<T> - 1 - clz<T>(plain);
}
template <class T>
inline u32 bfind_shiftamt(T a) {
  const u32 found = bfind<T>(a);
  return found == 0xffffffffu ? found : bits_of<T> - 1 - found;
}
// So many bits from a position on.
template <class T>
inline T bmsk_clamp(T position, T width) {
  return shl<T>(static_cast<T>(low_bits(width < 32 ? width : 32)), position);
}
template <class T>
inline T bmsk_wrap(T position, T width) {
  return bmsk_clamp<T>(position & 31, width & 31);
}
// The sign of a number of so many bits, extended; zeros for unsigned numbers.
template <class T>
inline T szext_clamp(T a, u32 width) {
  if (width >= 32) return a;
  return width == 0 ? T{0} : shr<T>(static_cast<T>(static_cast<u32>(a) << (32 - width)), 32 - width);
}
template <class T>
inline T szext_wrap(T a, u32 width) {
  return szext_clamp<T>(a, width & 31);
}

#define HIRACE_PTX_TEST(name, condition)  \
  template <class T>                      \
  inline bool test_##name(T a) {          \
    return condition;                     \
  }
HIRACE_PTX_TEST(finite, std::isfinite(a))
HIRACE_PTX_TEST(infinite, std::isinf(a))
HIRACE_PTX_TEST(number, !std::isnan(a))
HIRACE_PTX_TEST(notanumber, std::isnan(a))
HIRACE_PTX_TEST(normal, std::isnormal(a))
HIRACE_PTX_TEST(subnormal, std::fpclassify(a) == FP_SUBNORMAL)
#undef HIRACE_PTX_TEST

}  // namespace hirace::cpu::ptx
