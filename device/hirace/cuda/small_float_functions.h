// Functions on 16-bit numbers, for a `scalar` called `name` in CUDA's functions and a `pair` of
// them (CUDA Math API, as in small_float_types.h).
#pragma once

#include "cmath.h"

#include "small_float_types.h"
#include "vector_types.h"

#define HIRACE_SMALL_FLOAT_ROUNDED(scalar, name, suffix, rounding)                                     \
  inline scalar __float2##name##suffix(float a) {                                                      \
    return scalar##_raw{scalar::Format::pack(a, ::hirace::cpu::HalfRounding::rounding)};               \
  }

#define HIRACE_SMALL_FLOAT_INTEGER(scalar, name, type, word)                                           \
  inline type __##name##2##word##_rn(scalar a) {                                                       \
    return ::hirace::cpu::to_integer<type>(std::nearbyint(static_cast<float>(a)));                     \
  }                                                                                                    \
  inline type __##name##2##word##_rz(scalar a) {                                                       \
    return ::hirace::cpu::to_integer<type>(std::trunc(static_cast<float>(a)));                         \
  }                                                                                                    \
  inline type __##name##2##word##_rd(scalar a) {                                                       \
    return ::hirace::cpu::to_integer<type>(std::floor(static_cast<float>(a)));                         \
  }                                                                                                    \
  inline type __##name##2##word##_ru(scalar a) {                                                       \
    return ::hirace::cpu::to_integer<type>(std::ceil(static_cast<float>(a)));                          \
  }                                                                                                    \
  inline scalar __##word##2##name##_rn(type a) { return scalar(a); }                                   \
  inline scalar __##word##2##name##_rz(type a) {                                                       \
    return scalar##_raw{scalar::Format::pack(static_cast<double>(a), ::hirace::cpu::HalfRounding::to_zero)}; \
  }                                                                                                    \
  inline scalar __##word##2##name##_rd(type a) {                                                       \
    return scalar##_raw{scalar::Format::pack(static_cast<double>(a), ::hirace::cpu::HalfRounding::down)}; \
  }                                                                                                    \
  inline scalar __##word##2##name##_ru(type a) {                                                       \
    return scalar##_raw{scalar::Format::pack(static_cast<double>(a), ::hirace::cpu::HalfRounding::up)}; \
  }

#define HIRACE_SMALL_FLOAT_CONVERSIONS(scalar, pair, name)                                             \
  inline scalar __float2##name(float a) { return scalar(a); }                                          \
  HIRACE_SMALL_FLOAT_ROUNDED(scalar, name, _rn, nearest)                                               \
  HIRACE_SMALL_FLOAT_ROUNDED(scalar, name, _rz, to_zero)                                               \
  HIRACE_SMALL_FLOAT_ROUNDED(scalar, name, _rd, down)                                                  \
  HIRACE_SMALL_FLOAT_ROUNDED(scalar, name, _ru, up)                                                    \
  inline scalar __double2##name(double a) { return scalar(a); }                                        \
  inline float __##name##2float(scalar a) { return static_cast<float>(a); }                            \
  inline pair __float2##name##2_rn(float a) { return {scalar(a), scalar(a)}; }                         \
  inline pair __floats2##name##2_rn(float a, float b) { return {scalar(a), scalar(b)}; }               \
  inline pair __float22##name##2_rn(float2 a) { return {scalar(a.x), scalar(a.y)}; }                   \
  inline float2 __##name##22float2(pair a) { return {static_cast<float>(a.x), static_cast<float>(a.y)}; } \
  inline float __low2float(pair a) { return static_cast<float>(a.x); }                                 \
  inline float __high2float(pair a) { return static_cast<float>(a.y); }                                \
  inline scalar __low2##name(pair a) { return a.x; }                                                   \
  inline scalar __high2##name(pair a) { return a.y; }                                                  \
  inline pair __low2##name##2(pair a) { return {a.x, a.x}; }                                           \
  inline pair __high2##name##2(pair a) { return {a.y, a.y}; }                                          \
  inline pair __lows2##name##2(pair a, pair b) { return {a.x, b.x}; }                                  \
  inline pair __highs2##name##2(pair a, pair b) { return {a.y, b.y}; }                                 \
  inline pair __lowhigh2highlow(pair a) { return {a.y, a.x}; }                                         \
  inline pair __##name##2##name##2(scalar a) { return {a, a}; }                                        \
  inline pair make_##name##2(scalar a, scalar b) { return {a, b}; }                                    \
  inline short __##name##_as_short(scalar a) {                                                         \
    return static_cast<short>(static_cast<scalar##_raw>(a).x);                                         \
  }                                                                                                    \
  inline unsigned short __##name##_as_ushort(scalar a) { return static_cast<scalar##_raw>(a).x; }      \
  inline scalar __short_as_##name(short a) { return scalar##_raw{static_cast<unsigned short>(a)}; }    \
  inline scalar __ushort_as_##name(unsigned short a) { return scalar##_raw{a}; }                       \
  HIRACE_SMALL_FLOAT_INTEGER(scalar, name, short, short)                                               \
  HIRACE_SMALL_FLOAT_INTEGER(scalar, name, unsigned short, ushort)                                     \
  HIRACE_SMALL_FLOAT_INTEGER(scalar, name, int, int)                                                   \
  HIRACE_SMALL_FLOAT_INTEGER(scalar, name, unsigned int, uint)                                         \
  HIRACE_SMALL_FLOAT_INTEGER(scalar, name, long long, ll)                                              \
  HIRACE_SMALL_FLOAT_INTEGER(scalar, name, unsigned long long, ull)

// Applies a function of floats to both types.
#define HIRACE_SMALL_FLOAT_2(scalar, pair, one, two, expression)                                       \
  inline scalar one(scalar first, scalar second) {                                                     \
    const float a = static_cast<float>(first), b = static_cast<float>(second);                         \
    return scalar(expression);                                                                         \
  }                                                                                                    \
  inline pair two(pair a, pair b) { return {one(a.x, b.x), one(a.y, b.y)}; }

#define HIRACE_SMALL_FLOAT_1(scalar, pair, one, two, expression)                                       \
  inline scalar one(scalar value) {                                                                    \
    const float a = static_cast<float>(value);                                                         \
    return scalar(expression);                                                                         \
  }                                                                                                    \
  inline pair two(pair a) { return {one(a.x), one(a.y)}; }

#define HIRACE_SMALL_FLOAT_TEST(scalar, pair, one, two, both, mask, expression)                        \
  inline bool one(scalar first, scalar second) {                                                       \
    const float a = static_cast<float>(first), b = static_cast<float>(second);                         \
    return expression;                                                                                 \
  }                                                                                                    \
  inline pair two(pair a, pair b) { return {scalar(one(a.x, b.x) ? 1.0f : 0.0f), scalar(one(a.y, b.y) ? 1.0f : 0.0f)}; } \
  inline bool both(pair a, pair b) { return one(a.x, b.x) && one(a.y, b.y); }                          \
  inline unsigned mask(pair a, pair b) { return (one(a.x, b.x) ? 0xffffu : 0u) | (one(a.y, b.y) ? 0xffff0000u : 0u); }

// Comparisons are false for NaN; those with a `u` are true.
#define HIRACE_SMALL_FLOAT_TESTS(scalar, pair, word, sign, unordered)                                  \
  HIRACE_SMALL_FLOAT_TEST(scalar, pair, __h##word, __h##word##2, __hb##word##2, __h##word##2_mask, a sign b) \
  HIRACE_SMALL_FLOAT_TEST(scalar, pair, __h##word##u, __h##word##u2, __hb##word##u2, __h##word##u2_mask, unordered)

#define HIRACE_SMALL_FLOAT_FUNCTIONS(scalar, pair)                                                     \
  HIRACE_SMALL_FLOAT_2(scalar, pair, __hadd, __hadd2, a + b)                                           \
  HIRACE_SMALL_FLOAT_2(scalar, pair, __hadd_rn, __hadd2_rn, a + b)                                     \
  HIRACE_SMALL_FLOAT_2(scalar, pair, __hsub, __hsub2, a - b)                                           \
  HIRACE_SMALL_FLOAT_2(scalar, pair, __hsub_rn, __hsub2_rn, a - b)                                     \
  HIRACE_SMALL_FLOAT_2(scalar, pair, __hmul, __hmul2, a * b)                                           \
  HIRACE_SMALL_FLOAT_2(scalar, pair, __hmul_rn, __hmul2_rn, a * b)                                     \
  HIRACE_SMALL_FLOAT_2(scalar, pair, __hdiv, __h2div, a / b)                                           \
  HIRACE_SMALL_FLOAT_2(scalar, pair, __hadd_sat, __hadd2_sat, ::hirace::cpu::saturated(a + b))         \
  HIRACE_SMALL_FLOAT_2(scalar, pair, __hsub_sat, __hsub2_sat, ::hirace::cpu::saturated(a - b))         \
  HIRACE_SMALL_FLOAT_2(scalar, pair, __hmul_sat, __hmul2_sat, ::hirace::cpu::saturated(a * b))         \
  HIRACE_SMALL_FLOAT_2(scalar, pair, __hmax, __hmax2, ::hirace::cpu::maximum(a, b))                        \
  HIRACE_SMALL_FLOAT_2(scalar, pair, __hmin, __hmin2, ::hirace::cpu::minimum(a, b))                        \
  HIRACE_SMALL_FLOAT_2(scalar, pair, __hmax_nan, __hmax2_nan, a != a || b != b ? NAN : std::fmax(a, b)) \
  HIRACE_SMALL_FLOAT_2(scalar, pair, __hmin_nan, __hmin2_nan, a != a || b != b ? NAN : std::fmin(a, b)) \
  inline scalar __hfma(scalar a, scalar b, scalar c) {                                                 \
    return scalar(static_cast<double>(static_cast<float>(a)) * static_cast<float>(b) + static_cast<float>(c)); \
  }                                                                                                    \
  inline pair __hfma2(pair a, pair b, pair c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; } \
  inline scalar __hfma_sat(scalar a, scalar b, scalar c) {                                             \
    return scalar(::hirace::cpu::saturated(static_cast<float>(__hfma(a, b, c))));                      \
  }                                                                                                    \
  inline pair __hfma2_sat(pair a, pair b, pair c) { return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)}; } \
  inline scalar __hfma_relu(scalar a, scalar b, scalar c) {                                            \
    const scalar sum = __hfma(a, b, c);                                                                \
    return static_cast<float>(sum) < 0 ? scalar(0.0f) : sum;                                           \
  }                                                                                                    \
  inline pair __hfma2_relu(pair a, pair b, pair c) { return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)}; } \
  HIRACE_SMALL_FLOAT_1(scalar, pair, __hneg, __hneg2, -a)                                              \
  HIRACE_SMALL_FLOAT_1(scalar, pair, __habs, __habs2, std::fabs(a))                                    \
  HIRACE_SMALL_FLOAT_1(scalar, pair, hsqrt, h2sqrt, std::sqrt(a))                                      \
  HIRACE_SMALL_FLOAT_1(scalar, pair, hrsqrt, h2rsqrt, 1 / std::sqrt(static_cast<double>(a)))           \
  HIRACE_SMALL_FLOAT_1(scalar, pair, hrcp, h2rcp, 1 / static_cast<double>(a))                          \
  HIRACE_SMALL_FLOAT_1(scalar, pair, hlog, h2log, std::log(static_cast<double>(a)))                    \
  HIRACE_SMALL_FLOAT_1(scalar, pair, hlog2, h2log2, std::log2(static_cast<double>(a)))                 \
  HIRACE_SMALL_FLOAT_1(scalar, pair, hlog10, h2log10, std::log10(static_cast<double>(a)))              \
  HIRACE_SMALL_FLOAT_1(scalar, pair, hexp, h2exp, std::exp(static_cast<double>(a)))                    \
  HIRACE_SMALL_FLOAT_1(scalar, pair, hexp2, h2exp2, std::exp2(static_cast<double>(a)))                 \
  HIRACE_SMALL_FLOAT_1(scalar, pair, hexp10, h2exp10, std::pow(10.0, static_cast<double>(a)))          \
  HIRACE_SMALL_FLOAT_1(scalar, pair, hsin, h2sin, std::sin(static_cast<double>(a)))                    \
  HIRACE_SMALL_FLOAT_1(scalar, pair, hcos, h2cos, std::cos(static_cast<double>(a)))                    \
  HIRACE_SMALL_FLOAT_1(scalar, pair, htanh, h2tanh, std::tanh(static_cast<double>(a)))                 \
  HIRACE_SMALL_FLOAT_1(scalar, pair, htanh_approx, h2tanh_approx, std::tanh(static_cast<double>(a)))   \
  /* Complex numbers: a * b + c, in the order in which the device adds. */                             \
  inline pair __hcmadd(pair a, pair b, pair c) {                                                       \
    const scalar real = __hfma(a.x, b.x, c.x), imaginary = __hfma(a.x, b.y, c.y);                      \
    return {__hfma(__hneg(a.y), b.y, real), __hfma(a.y, b.x, imaginary)};                              \
  }                                                                                                    \
  HIRACE_SMALL_FLOAT_1(scalar, pair, hceil, h2ceil, std::ceil(a))                                      \
  HIRACE_SMALL_FLOAT_1(scalar, pair, hfloor, h2floor, std::floor(a))                                   \
  HIRACE_SMALL_FLOAT_1(scalar, pair, htrunc, h2trunc, std::trunc(a))                                   \
  HIRACE_SMALL_FLOAT_1(scalar, pair, hrint, h2rint, std::nearbyint(a))                                 \
  HIRACE_SMALL_FLOAT_TESTS(scalar, pair, eq, ==, !(a < b || a > b))                                    \
  HIRACE_SMALL_FLOAT_TEST(scalar, pair, __hne, __hne2, __hbne2, __hne2_mask, a < b || a > b)           \
  HIRACE_SMALL_FLOAT_TEST(scalar, pair, __hneu, __hneu2, __hbneu2, __hneu2_mask, a != b)               \
  HIRACE_SMALL_FLOAT_TESTS(scalar, pair, lt, <, !(a >= b))                                             \
  HIRACE_SMALL_FLOAT_TESTS(scalar, pair, le, <=, !(a > b))                                             \
  HIRACE_SMALL_FLOAT_TESTS(scalar, pair, gt, >, !(a <= b))                                             \
  HIRACE_SMALL_FLOAT_TESTS(scalar, pair, ge, >=, !(a < b))                                             \
  inline bool __hisnan(scalar a) { return std::isnan(static_cast<float>(a)); }                         \
  inline pair __hisnan2(pair a) {                                                                      \
    return {scalar(__hisnan(a.x) ? 1.0f : 0.0f), scalar(__hisnan(a.y) ? 1.0f : 0.0f)};                 \
  }                                                                                                    \
  inline int __hisinf(scalar a) {                                                                      \
    const float value = static_cast<float>(a);                                                         \
    return std::isinf(value) ? (value < 0 ? -1 : 1) : 0;                                               \
  }

namespace hirace::cpu {

// Clamps to [0, 1]; NaN gives zero.
inline float saturated(float value) { return value > 0 ? (value < 1 ? value : 1) : 0; }

// Between a NaN and a number, the number is the result, even if the NaN is a signalling one.
inline float maximum(float a, float b) { return a != a ? b : b != b ? a : std::fmax(a, b); }
inline float minimum(float a, float b) { return a != a ? b : b != b ? a : std::fmin(a, b); }

}  // namespace hirace::cpu
