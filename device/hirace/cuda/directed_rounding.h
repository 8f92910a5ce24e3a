// Arithmetic with a chosen rounding mode (CUDA Math API, "Single Precision Intrinsics" and
// "Double Precision Intrinsics"): __fadd_rz, __dmul_ru, __fmaf_rd and so on.
//
// The processor always rounds to nearest: switching its mode would need compiler flags that the program is
// not built with. Instead the sign of `exact result - nearest` is computed exactly, in a type with more than
// twice the digits, and the nearest result moves by one step if it is on the wrong side.
#pragma once

#include <limits>

#include "cmath.h"
#include "conversions.h"
#include "vector_types.h"

namespace hirace::cpu {

// A type in which the product of two `T` is exact, and which has a larger exponent.
template <class T>
struct Wider {
  using Type = double;
};
template <>
struct Wider<double> {
#ifdef __SIZEOF_FLOAT128__
  __extension__ using Type = __float128;
#else
  using Type = long double;
  static_assert(__LDBL_MANT_DIG__ >= 2 * __DBL_MANT_DIG__,
                "hirace: directed rounding of doubles needs a floating-point type of 128 bits");
#endif
};
template <class T>
using WiderThan = typename Wider<T>::Type;

// NaN is not comparable and has no sign.
template <class T>
inline int sign_of(T x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

// The sign of a + b - nearest. The sum in the wider type may be rounded as well; the lost part then
// decides (Knuth, TAOCP 2, 4.2.2, theorem B).
template <class T>
inline int side_of_sum(WiderThan<T> a, WiderThan<T> b, T nearest) {
  using Wide = WiderThan<T>;
  const Wide sum = a + b;
  if (sum != nearest) return sign_of(sum - nearest);
  const Wide of_b = sum - a, of_a = sum - of_b;
  return sign_of((a - of_a) + (b - of_b));
}

// `nearest` is the exact result rounded to nearest, `side` the sign of the difference.
template <class T>
inline T moved_to(T nearest, int side, Rounding rounding) {
  if (side == 0) return nearest;
  // A zero result has the sign of the exact one.
  const bool positive = !std::signbit(nearest);
  const bool down = rounding == Rounding::down || (rounding == Rounding::to_zero && positive);
  if (side > 0 && !down) return std::nextafter(nearest, std::numeric_limits<T>::infinity());
  if (side < 0 && down) return std::nextafter(nearest, -std::numeric_limits<T>::infinity());
  return nearest;
}

// Opposite numbers add up to +0, but to -0 when rounding down.
template <class T>
inline T sum_to(T nearest, int side, Rounding rounding, bool opposite) {
  if (nearest == 0 && side == 0 && opposite) return rounding == Rounding::down ? T(-0.0) : T(0.0);
  return moved_to(nearest, side, rounding);
}

template <class T>
inline T add_to(T a, T b, Rounding rounding) {
  const T nearest = a + b;
  return sum_to(nearest, side_of_sum<T>(a, b, nearest), rounding, std::signbit(a) != std::signbit(b));
}

template <class T>
inline T multiply_to(T a, T b, Rounding rounding) {
  const T nearest = a * b;
  return moved_to(nearest, sign_of(WiderThan<T>(a) * b - nearest), rounding);
}

template <class T>
inline T fma_to(T a, T b, T c, Rounding rounding) {
  const T nearest = std::fma(a, b, c);
  const WiderThan<T> product = WiderThan<T>(a) * b;
  const bool negative = std::signbit(a) != std::signbit(b);
  return sum_to(nearest, side_of_sum<T>(product, c, nearest), rounding, negative != std::signbit(c));
}

// Whether a - quotient * b is positive; exact, because both terms are exact in the wider type.
template <class T>
inline T divide_to(T a, T b, Rounding rounding) {
  const T nearest = a / b;
  return moved_to(nearest, sign_of(a - WiderThan<T>(nearest) * b) * sign_of(b), rounding);
}

template <class T>
inline T root_to(T a, Rounding rounding) {
  const T nearest = std::sqrt(a);
  return moved_to(nearest, sign_of(a - WiderThan<T>(nearest) * nearest), rounding);
}

}  // namespace hirace::cpu

#define HIRACE_NEAREST(type, f, fma_name, fma_function)                                  \
  inline type __##f##add_rn(type a, type b) { return a + b; }                            \
  inline type __##f##sub_rn(type a, type b) { return a - b; }                            \
  inline type __##f##mul_rn(type a, type b) { return a * b; }                            \
  inline type __##f##div_rn(type a, type b) { return a / b; }                            \
  inline type __##f##rcp_rn(type a) { return 1 / a; }                                    \
  inline type __##f##sqrt_rn(type a) { return std::sqrt(a); }                            \
  inline type fma_name##_rn(type a, type b, type c) { return fma_function(a, b, c); }
#define HIRACE_DIRECTED(type, f, fma_name, mode, rounding)                                                            \
  inline type __##f##add_##mode(type a, type b) { return hirace::cpu::add_to(a, b, hirace::cpu::Rounding::rounding); }  \
  inline type __##f##sub_##mode(type a, type b) { return hirace::cpu::add_to(a, -b, hirace::cpu::Rounding::rounding); } \
  inline type __##f##mul_##mode(type a, type b) { return hirace::cpu::multiply_to(a, b, hirace::cpu::Rounding::rounding); } \
  inline type __##f##div_##mode(type a, type b) { return hirace::cpu::divide_to(a, b, hirace::cpu::Rounding::rounding); } \
  inline type __##f##rcp_##mode(type a) { return hirace::cpu::divide_to(type(1), a, hirace::cpu::Rounding::rounding); } \
  inline type __##f##sqrt_##mode(type a) { return hirace::cpu::root_to(a, hirace::cpu::Rounding::rounding); }           \
  inline type fma_name##_##mode(type a, type b, type c) {                                                             \
    return hirace::cpu::fma_to(a, b, c, hirace::cpu::Rounding::rounding);                                             \
  }
#define HIRACE_ROUNDED(type, f, fma_name, fma_function)      \
  HIRACE_NEAREST(type, f, fma_name, fma_function)            \
  HIRACE_DIRECTED(type, f, fma_name, rz, to_zero)            \
  HIRACE_DIRECTED(type, f, fma_name, ru, up)                 \
  HIRACE_DIRECTED(type, f, fma_name, rd, down)
HIRACE_ROUNDED(float, f, __fmaf, ::fmaf)
HIRACE_ROUNDED(double, d, __fma, ::fma)
#undef HIRACE_ROUNDED
#undef HIRACE_DIRECTED
#undef HIRACE_NEAREST

#define HIRACE_FMA_IEEE(mode) \
  inline float __fmaf_ieee_##mode(float a, float b, float c) { return __fmaf_##mode(a, b, c); }
HIRACE_FMA_IEEE(rn)
HIRACE_FMA_IEEE(rz)
HIRACE_FMA_IEEE(ru)
HIRACE_FMA_IEEE(rd)
#undef HIRACE_FMA_IEEE

// Two floats at a time.
#define HIRACE_PAIRS(mode)                                                                                          \
  inline float2 __fadd2_##mode(float2 a, float2 b) { return {__fadd_##mode(a.x, b.x), __fadd_##mode(a.y, b.y)}; }   \
  inline float2 __fmul2_##mode(float2 a, float2 b) { return {__fmul_##mode(a.x, b.x), __fmul_##mode(a.y, b.y)}; }   \
  inline float2 __ffma2_##mode(float2 a, float2 b, float2 c) {                                                      \
    return {__fmaf_##mode(a.x, b.x, c.x), __fmaf_##mode(a.y, b.y, c.y)};                                            \
  }
HIRACE_PAIRS(rn)
HIRACE_PAIRS(rz)
HIRACE_PAIRS(ru)
HIRACE_PAIRS(rd)
#undef HIRACE_PAIRS

// Rounded once: the double quotient is far closer than half a step of a float.
inline float __frsqrt_rn(float x) { return static_cast<float>(1 / std::sqrt(static_cast<double>(x))); }
