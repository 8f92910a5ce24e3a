// PTX's arithmetic on the CPU (PTX ISA, "Integer Arithmetic Instructions", "Floating-Point Instructions",
// "Logic and Shift Instructions").
#pragma once

#include <cstring>
#include <limits>

#include "cmath.h"
#include "conversions.h"
#include "directed_rounding.h"
#include "integers.h"
#include "ptx.h"
#include "ptx_small_floats.h"

namespace hirace::cpu::ptx {

template <class T>
using Wide = std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, s32, u32>,
                                std::conditional_t<std::is_signed_v<T>, s64, u64>>;
template <class T>
constexpr unsigned bits_of = 8 * sizeof(T);
template <class T>
using Unsigned = typename std::make_unsigned<T>::type;

// Integers wrap around, signed ones as well.
#define HIRACE_PTX_WRAPPING(name, sign)                                                                   \
  template <class T>                                                                                      \
  inline T name(T a, T b) {                                                                               \
    if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<u64>(a) sign static_cast<u64>(b)); \
    else return a sign b;                                                                                 \
  }
HIRACE_PTX_WRAPPING(add, +)
HIRACE_PTX_WRAPPING(sub, -)
HIRACE_PTX_WRAPPING(mul, *)
#undef HIRACE_PTX_WRAPPING

template <class T>
inline T mad(T a, T b, T c) {
  return add<T>(mul<T>(a, b), c);
}
template <class T>
inline T fma(T a, T b, T c) {
  if constexpr (is_small<T>) return each<double>([](double x, double y, double z) { return std::fma(x, y, z); }, a, b, c);
  else return std::fma(a, b, c);
}
template <class T>
inline T mul_hi(T a, T b) {
  __extension__ using Product = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  return static_cast<T>(static_cast<Product>(a) * static_cast<Product>(b) >> bits_of<T>);
}
template <class T>
inline T mad_hi(T a, T b, T c) {
  return add<T>(mul_hi<T>(a, b), c);
}
template <class T>
inline Wide<T> mul_wide(T a, T b) {
  return static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b);
}
template <class T>
inline Wide<T> mad_wide(T a, T b, Wide<T> c) {
  return add<Wide<T>>(mul_wide<T>(a, b), c);
}

// On the device a division by zero gives all bits set, without a trap.
template <class T>
inline T div(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) return static_cast<T>(-1);
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return sub<T>(0, a);
  }
  return static_cast<T>(a / b);
}
template <class T>
inline T rem(T a, T b) {
  if (b == 0) return a;
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
  return static_cast<T>(a % b);
}

// Of a number and a NaN, the number.
template <class T>
inline T min(T a, T b) {
  if constexpr (std::is_integral_v<T>) return a < b ? a : b;
  else if constexpr (is_small<T>) return each<float>(min<float>, a, b);
  else return std::fmin(a, b);
}
template <class T>
inline T max(T a, T b) {
  if constexpr (std::is_integral_v<T>) return a < b ? b : a;
  else if constexpr (is_small<T>) return each<float>(max<float>, a, b);
  else return std::fmax(a, b);
}
template <class T>
inline T neg(T a) {
  if constexpr (std::is_integral_v<T>) return sub<T>(0, a);
  else return -a;
}
template <class T>
inline T abs(T a) {
  if constexpr (std::is_integral_v<T>) return a < 0 ? neg<T>(a) : a;
  else if constexpr (is_small<T>) return each<float>(abs<float>, a);
  else return std::fabs(a);
}

template <class T>
inline T bit_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
inline T bit_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
inline T bit_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
inline T bit_not(T a) {
  return static_cast<T>(~a);
}

// A shift by the width or more gives zero, or the sign.
template <class T>
inline T shl(T a, u32 count) {
  return count >= bits_of<T> ? T{0} : static_cast<T>(static_cast<u64>(a) << count);
}
template <class T>
inline T shr(T a, u32 count) {
  if (count >= bits_of<T>) return static_cast<T>(a < 0 ? -1 : 0);
  return static_cast<T>(a >> count);
}

inline u64 low_bits(u32 count) { return count >= 64 ? ~u64{0} : (u64{1} << count) - 1; }

template <class T>
inline T bfe(T a, u32 position, u32 length) {
  position &= 0xff;
  length &= 0xff;
  if (length == 0) return 0;
  const T field = shr<T>(a, position);
  const u32 there = position >= bits_of<T> ? 0 : bits_of<T> - position;
  if (length >= there) return field;
  const T low = static_cast<T>(static_cast<u64>(field) & low_bits(length));
  const bool negative = std::is_signed_v<T> && (static_cast<u64>(field) >> (length - 1) & 1) != 0;
  return negative ? static_cast<T>(static_cast<u64>(low) | ~low_bits(length)) : low;
}
template <class T>
inline T bfi(T a, T b, u32 position, u32 length) {
  position &= 0xff;
  length &= 0xff;
  if (position >= bits_of<T>) return b;
  const u64 field = low_bits(length) << position;
  return static_cast<T>((static_cast<u64>(b) & ~field) | (static_cast<u64>(a) << position & field));
}

template <class T>
inline T brev(T a) {
  return static_cast<T>(__brevll(static_cast<Unsigned<T>>(a)) >> (64 - bits_of<T>));
}
template <class T>
inline u32 clz(T a) {
  return static_cast<u32>(__clzll(static_cast<s64>(static_cast<Unsigned<T>>(a)))) - (64 - bits_of<T>);
}
template <class T>
inline u32 popc(T a) {
  return static_cast<u32>(__popcll(static_cast<Unsigned<T>>(a)));
}
// Each bit of the result is the table entry that the operands' bits index.
template <class T>
inline T lop3(T a, T b, T c, T table) {
  T result = 0;
  for (unsigned entry = 0; entry < 8; ++entry) {
    if ((table >> entry & 1) == 0) continue;
    result |= ((entry & 4) != 0 ? a : ~a) & ((entry & 2) != 0 ? b : ~b) & ((entry & 1) != 0 ? c : ~c);
  }
  return result;
}

// The upper or lower half of the pair high:low, shifted.
template <class T>
inline T shf_l(T low, T high, u32 count) {
  return static_cast<T>(((u64{high} << 32 | low) << count) >> 32);
}
template <class T>
inline T shf_r(T low, T high, u32 count) {
  return static_cast<T>((u64{high} << 32 | low) >> count);
}
template <class T>
inline T shf_l_wrap(T low, T high, T count) {
  return shf_l<T>(low, high, count & 31);
}
template <class T>
inline T shf_r_wrap(T low, T high, T count) {
  return shf_r<T>(low, high, count & 31);
}
template <class T>
inline T shf_l_clamp(T low, T high, T count) {
  return shf_l<T>(low, high, count < 32 ? count : 32);
}
template <class T>
inline T shf_r_clamp(T low, T high, T count) {
  return shf_r<T>(low, high, count < 32 ? count : 32);
}

template <class T>
inline T select(T a, T b, bool first) {
  return first ? a : b;
}

#define HIRACE_PTX_COMPARE(name, sign)   \
  template <class T>                     \
  inline bool compare_##name(T a, T b) { \
    return a sign b;                     \
  }
HIRACE_PTX_COMPARE(eq, ==)
HIRACE_PTX_COMPARE(lt, <)
HIRACE_PTX_COMPARE(le, <=)
HIRACE_PTX_COMPARE(gt, >)
HIRACE_PTX_COMPARE(ge, >=)
HIRACE_PTX_COMPARE(lo, <)
HIRACE_PTX_COMPARE(ls, <=)
HIRACE_PTX_COMPARE(hi, >)
HIRACE_PTX_COMPARE(hs, >=)
#undef HIRACE_PTX_COMPARE
// Unlike in C++, != with a NaN is false.
template <class T>
inline bool compare_ne(T a, T b) {
  return a < b || b < a;
}

// Comparisons that are true if an operand is a NaN, and those that ask for one.
#define HIRACE_PTX_COMPARE_UNORDERED(name, opposite) \
  template <class T>                                 \
  inline bool compare_##name(T a, T b) {             \
    return !(a opposite b);                          \
  }
HIRACE_PTX_COMPARE_UNORDERED(ltu, >=)
HIRACE_PTX_COMPARE_UNORDERED(leu, >)
HIRACE_PTX_COMPARE_UNORDERED(gtu, <=)
HIRACE_PTX_COMPARE_UNORDERED(geu, <)
#undef HIRACE_PTX_COMPARE_UNORDERED
template <class T>
inline bool compare_neu(T a, T b) {
  return !(a == b);
}
template <class T>
inline bool compare_equ(T a, T b) {
  return !compare_ne<T>(a, b);
}
template <class T>
inline bool compare_nan(T a, T b) {
  return a != a || b != b;
}
template <class T>
inline bool compare_num(T a, T b) {
  return !compare_nan<T>(a, b);
}

// `.ftz` and `.sat`.
inline f32 flush(f32 value) { return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value; }
template <int exponent_bits>
inline Small<exponent_bits> flush(Small<exponent_bits> value) {
  if ((value.bits & Small<exponent_bits>::Format::infinity) == 0) value.bits &= 0x8000;
  return value;
}
template <class Element>
inline Two<Element> flush(Two<Element> value) {
  return {flush(value.low), flush(value.high)};
}
template <class T>
inline T saturate(T value) {
  if constexpr (is_small<T>) return each<float>(saturate<float>, value);
  else return value > T{0} ? (value < T{1} ? value : T{1}) : T{0};
}

// Directed rounding.
#define HIRACE_PTX_DIRECTED(mode, rounding)                          \
  template <class T>                                                 \
  inline T add_##mode(T a, T b) {                                    \
    return add_to<T>(a, b, Rounding::rounding);                      \
  }                                                                  \
  template <class T>                                                 \
  inline T sub_##mode(T a, T b) {                                    \
    return add_to<T>(a, -b, Rounding::rounding);                     \
  }                                                                  \
  template <class T>                                                 \
  inline T mul_##mode(T a, T b) {                                    \
    return multiply_to<T>(a, b, Rounding::rounding);                 \
  }                                                                  \
  template <class T>                                                 \
  inline T fma_##mode(T a, T b, T c) {                               \
    return fma_to<T>(a, b, c, Rounding::rounding);                   \
  }                                                                  \
  template <class T>                                                 \
  inline T div_##mode(T a, T b) {                                    \
    return divide_to<T>(a, b, Rounding::rounding);                   \
  }                                                                  \
  template <class T>                                                 \
  inline T rcp_##mode(T a) {                                         \
    return divide_to<T>(1, a, Rounding::rounding);                   \
  }                                                                  \
  template <class T>                                                 \
  inline T sqrt_##mode(T a) {                                        \
    return root_to<T>(a, Rounding::rounding);                        \
  }
HIRACE_PTX_DIRECTED(rz, to_zero)
HIRACE_PTX_DIRECTED(rm, down)
HIRACE_PTX_DIRECTED(rp, up)
#undef HIRACE_PTX_DIRECTED

// More precise than the approximations of the device.
#define HIRACE_PTX_FUNCTION(name, result) \
  template <class T>                      \
  inline T name(T a) {                    \
    return result;                        \
  }
HIRACE_PTX_FUNCTION(rcp, 1 / a)
HIRACE_PTX_FUNCTION(sqrt, std::sqrt(a))
HIRACE_PTX_FUNCTION(rsqrt, 1 / std::sqrt(a))
HIRACE_PTX_FUNCTION(sin, std::sin(a))
HIRACE_PTX_FUNCTION(cos, std::cos(a))
HIRACE_PTX_FUNCTION(lg2, std::log2(a))
#undef HIRACE_PTX_FUNCTION
template <class T>
inline T ex2(T a) {
  if constexpr (is_small<T>) return each<float>(ex2<float>, a);
  else return std::exp2(a);
}
template <class T>
inline T tanh(T a) {
  if constexpr (is_small<T>) return each<float>(tanh<float>, a);
  else return std::tanh(a);
}
// The first operand gives the sign.
template <class T>
inline T copysign(T a, T b) {
  return std::copysign(b, a);
}
// The NaN that instructions return: all bits but the sign (PTX ISA, "Floating-Point Instructions").
inline f32 canonical_nan() {
  constexpr u32 bits = 0x7fffffff;
  f32 value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
inline T min_nan(T a, T b) {
  if constexpr (is_small<T>) return each<float>(min_nan<float>, a, b);
  else return compare_nan<T>(a, b) ? static_cast<T>(canonical_nan()) : min<T>(a, b);
}
template <class T>
inline T max_nan(T a, T b) {
  if constexpr (is_small<T>) return each<float>(max_nan<float>, a, b);
  else return compare_nan<T>(a, b) ? static_cast<T>(canonical_nan()) : max<T>(a, b);
}
template <class T>
inline T sad(T a, T b, T c) {
  return add<T>(c, a < b ? sub<T>(b, a) : sub<T>(a, b));
}
template <class T>
inline T cnot(T a) {
  return a == 0 ? 1 : 0;
}
}  // namespace hirace::cpu::ptx
