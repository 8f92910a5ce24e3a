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

template <class = void>
inline s32 mad_hi_sat(s32 a, s32 b, s32 c) {
  return add_saturated(mul_hi<s32>(a, b), c);
}

// Products of the low 24 bits: 48 bits, of which the low or the high 32 bits are the result.
template <class T>
inline s64 product24(T a, T b) {
  const auto low = [](T x) { return static_cast<s64>(static_cast<T>(static_cast<T>(static_cast<Unsigned<T>>(x) << 8) >> 8)); };
  return low(a) * low(b);
}
template <class T>
inline T mul24_lo(T a, T b) {
  return static_cast<T>(product24<T>(a, b));
}
template <class T>
inline T mul24_hi(T a, T b) {
  return static_cast<T>(product24<T>(a, b) >> 16);
}
template <class T>
inline T mad24_lo(T a, T b, T c) {
  return add<T>(mul24_lo<T>(a, b), c);
}
template <class T>
inline T mad24_hi(T a, T b, T c) {
  return add<T>(mul24_hi<T>(a, b), c);
}
template <class = void>
inline s32 mad24_hi_sat(s32 a, s32 b, s32 c) {
  return add_saturated(mul24_hi<s32>(a, b), c);
}

// With a carry in and out. A difference is the sum with the complement: the carry says that there is no borrow, on which
// nvcc's divisions of 128 bits rely.
template <class T>
inline T add_with_carry(T a, T b, bool in, bool& out) {
  __extension__ using Wider = unsigned __int128;
  const Wider sum = Wider{static_cast<Unsigned<T>>(a)} + static_cast<Unsigned<T>>(b) + (in ? 1 : 0);
  out = (sum >> bits_of<T> & 1) != 0;
  return static_cast<T>(sum);
}
template <class T>
inline T sub_with_carry(T a, T b, bool in, bool& out) {
  return add_with_carry<T>(a, static_cast<T>(~b), in, out);
}

// The sum of the products of four bytes.
template <class First, class Second, class Sum>
inline Sum dp4a(b32 a, b32 b, Sum c) {
  using Left = std::conditional_t<std::is_signed_v<First>, s8, u8>;
  using Right = std::conditional_t<std::is_signed_v<Second>, s8, u8>;
  for (int at = 0; at < 32; at += 8) c = add<Sum>(c, static_cast<Sum>(s32{static_cast<Left>(a >> at)} * s32{static_cast<Right>(b >> at)}));
  return c;
}

// The sum of the products of two numbers of 16 bits and two bytes, from byte `from` on.
template <class First, class Second, class Sum>
inline Sum dp2a(b32 a, b32 b, Sum c, int from) {
  using Left = std::conditional_t<std::is_signed_v<First>, s16, u16>;
  using Right = std::conditional_t<std::is_signed_v<Second>, s8, u8>;
  for (int i = 0; i < 2; ++i) c = add<Sum>(c, static_cast<Sum>(s32{static_cast<Left>(a >> 16 * i)} * s32{static_cast<Right>(b >> 8 * (from + i))}));
  return c;
}
template <class First, class Second, class Sum>
inline Sum dp2a_lo(b32 a, b32 b, Sum c) {
  return dp2a<First, Second, Sum>(a, b, c, 0);
}
template <class First, class Second, class Sum>
inline Sum dp2a_hi(b32 a, b32 b, Sum c) {
  return dp2a<First, Second, Sum>(a, b, c, 2);
}

// Two integers of 16 bits.
template <class Integer>
struct IntegerPair {
  Integer low, high;
};
using u16x2 = IntegerPair<u16>;
using s16x2 = IntegerPair<s16>;
#define HIRACE_PTX_OF_PAIRS(name)                                          \
  template <class Pair>                                                    \
  inline Pair name##_pair(Pair a, Pair b) {                                \
    using Integer = decltype(a.low);                                       \
    return {name<Integer>(a.low, b.low), name<Integer>(a.high, b.high)};   \
  }
HIRACE_PTX_OF_PAIRS(add)
HIRACE_PTX_OF_PAIRS(min)
HIRACE_PTX_OF_PAIRS(max)
#undef HIRACE_PTX_OF_PAIRS
// `.relu`: the result is not negative.
#define HIRACE_PTX_RELU(name)                                              \
  template <class T>                                                       \
  inline T name##_relu(T a, T b) {                                         \
    if constexpr (std::is_integral_v<T>) return max<T>(name<T>(a, b), 0);  \
    else return max_pair<T>(name##_pair<T>(a, b), T{0, 0});                \
  }
HIRACE_PTX_RELU(min)
HIRACE_PTX_RELU(max)
#undef HIRACE_PTX_RELU

// `cvt.pack`: two numbers limited to so many bits, above which another word comes.
template <int bits, bool is_signed>
inline b32 pack_saturated(s32 a, s32 b, b32 above = 0) {
  constexpr s32 lowest = is_signed ? -(1 << (bits - 1)) : 0, highest = lowest + (1 << bits) - 1;
  const auto limited = [](s32 x) { return static_cast<b32>(x < lowest ? lowest : x > highest ? highest : x) & ((1u << bits) - 1); };
  const b32 upper = bits == 16 ? 0 : above << 2 * bits % 32;
  return upper | limited(a) << bits | limited(b);
}

// The position of the `offset`-th bit that is set, from `base` on; a negative one counts downwards.
inline b32 fns(b32 mask, u32 base, s32 offset) { return __fns(mask, base, offset); }

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
