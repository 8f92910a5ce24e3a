// CUDA's mathematical functions that <math.h> lacks, and min and max.
//
// Intrinsics such as __sinf are less exact on a device; here they are as exact as the functions
// that they are named after.
#pragma once

#include "cmath.h"

#include <stdlib.h>

#include <limits>

// As many overloads as CUDA has, so that mixed calls resolve to the same ones.
#define HIRACE_MIN_MAX(result, a_type, b_type)                              \
  inline constexpr result min(a_type a, b_type b) {                         \
    return static_cast<result>(a) < static_cast<result>(b) ? static_cast<result>(a) : static_cast<result>(b); \
  }                                                                         \
  inline constexpr result max(a_type a, b_type b) {                         \
    return static_cast<result>(a) > static_cast<result>(b) ? static_cast<result>(a) : static_cast<result>(b); \
  }
#define HIRACE_MIN_MAX_MIXED(type)                              \
  HIRACE_MIN_MAX(type, type, type)                              \
  HIRACE_MIN_MAX(unsigned type, unsigned type, unsigned type)   \
  HIRACE_MIN_MAX(unsigned type, type, unsigned type)            \
  HIRACE_MIN_MAX(unsigned type, unsigned type, type)

HIRACE_MIN_MAX_MIXED(int)
HIRACE_MIN_MAX_MIXED(long)
HIRACE_MIN_MAX_MIXED(long long)
#undef HIRACE_MIN_MAX_MIXED
#undef HIRACE_MIN_MAX

// Between a NaN and a number, the number is the result, as in fmin.
#define HIRACE_MIN_MAX_FLOAT(type, a_type, b_type, fmin_name, fmax_name) \
  inline type min(a_type a, b_type b) { return fmin_name(a, b); }        \
  inline type max(a_type a, b_type b) { return fmax_name(a, b); }
HIRACE_MIN_MAX_FLOAT(float, float, float, ::fminf, ::fmaxf)
HIRACE_MIN_MAX_FLOAT(double, double, double, ::fmin, ::fmax)
HIRACE_MIN_MAX_FLOAT(double, float, double, ::fmin, ::fmax)
HIRACE_MIN_MAX_FLOAT(double, double, float, ::fmin, ::fmax)
#undef HIRACE_MIN_MAX_FLOAT

inline unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
inline unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

inline float rsqrtf(float x) { return 1.0f / ::sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / ::sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline float rcbrtf(float x) { return 1.0f / ::cbrtf(x); }
inline double rcbrt(double x) { return 1.0 / ::cbrt(x); }
inline float fdividef(float x, float y) { return x / y; }

// Exact where the plain product with pi would lose the period.
inline double sinpi(double x) {
  const double r = ::remainder(x, 2.0);
  return ::sin(M_PI * (r > 0.5 ? 1.0 - r : r < -0.5 ? -1.0 - r : r));
}
inline double cospi(double x) { return sinpi(0.5 - ::fabs(::remainder(x, 2.0))); }
inline float sinpif(float x) { return static_cast<float>(sinpi(x)); }
inline float cospif(float x) { return static_cast<float>(cospi(x)); }
inline float sinpi(float x) { return sinpif(x); }
inline float cospi(float x) { return cospif(x); }
inline double tanpi(double x) { return sinpi(x) / cospi(x); }
inline float tanpif(float x) { return static_cast<float>(tanpi(x)); }
inline void sincospi(double x, double* s, double* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
inline void sincospif(float x, float* s, float* c) {
  *s = sinpif(x);
  *c = cospif(x);
}
#if !defined(_GNU_SOURCE)
inline void sincos(double x, double* s, double* c) {
  *s = ::sin(x);
  *c = ::cos(x);
}
inline void sincosf(float x, float* s, float* c) {
  *s = ::sinf(x);
  *c = ::cosf(x);
}
#endif
inline void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
#if !defined(__GLIBC__) || !defined(_GNU_SOURCE)
inline double exp10(double x) { return ::pow(10.0, x); }
inline float exp10f(float x) { return ::powf(10.0f, x); }
#endif
inline float exp10(float x) { return exp10f(x); }

inline double norm3d(double a, double b, double c) { return ::hypot(::hypot(a, b), c); }
inline double norm4d(double a, double b, double c, double d) { return ::hypot(::hypot(a, b), ::hypot(c, d)); }
inline double norm(int count, const double* p) {
  double length = 0;
  for (int i = 0; i < count; ++i) length = ::hypot(length, p[i]);
  return length;
}
inline float normf(int count, const float* p) {
  double length = 0;
  for (int i = 0; i < count; ++i) length = ::hypot(length, static_cast<double>(p[i]));
  return static_cast<float>(length);
}
inline double rhypot(double a, double b) { return 1.0 / ::hypot(a, b); }
inline double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
inline double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
inline double rnorm(int count, const double* p) { return 1.0 / norm(count, p); }
inline float norm3df(float a, float b, float c) { return static_cast<float>(norm3d(a, b, c)); }
inline float norm4df(float a, float b, float c, float d) { return static_cast<float>(norm4d(a, b, c, d)); }
inline float rhypotf(float a, float b) { return static_cast<float>(rhypot(a, b)); }
inline float rnorm3df(float a, float b, float c) { return static_cast<float>(rnorm3d(a, b, c)); }
inline float rnorm4df(float a, float b, float c, float d) { return static_cast<float>(rnorm4d(a, b, c, d)); }
inline float rnormf(int count, const float* p) { return 1.0f / normf(count, p); }

inline double normcdf(double x) { return 0.5 * ::erfc(-x * M_SQRT1_2); }
inline float normcdff(float x) { return static_cast<float>(normcdf(x)); }
// exp(x^2) * erfc(x). From 10 on, the first terms of the asymptotic series are exact enough
// (Abramowitz and Stegun, 7.1.23).
inline double erfcx(double x) {
  if (!(x >= 10.0)) return ::exp(x * x) * ::erfc(x);
  double term = 1, sum = 1;
  for (int n = 1; n <= 16; ++n) sum += term *= -(2 * n - 1) / (2 * x * x);
  return sum / (x * ::sqrt(M_PI));
}
inline float erfcxf(float x) { return static_cast<float>(erfcx(x)); }

namespace hirace::cpu {

// Instead of Acklam's rational start values: Newton steps from a rough start give double precision
// and are harder to get wrong.
inline double inverse_normal(double p) {
  if (p <= 0.0) return p == 0.0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  if (p >= 1.0) return p == 1.0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  // Abramowitz and Stegun, 26.2.23: an error below 4.5e-4.
  const bool lower = p < 0.5;
  const double tail = lower ? p : 1.0 - p;
  const double t = ::sqrt(-2.0 * ::log(tail));
  double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  // Newton's method on the logarithm of the tail converges for tiny tails as well.
  for (int step = 0; step < 4; ++step) {
    const double q = 0.5 * ::erfc(x * M_SQRT1_2);
    const double density = ::exp(-0.5 * x * x) * 0.3989422804014327;
    x += (::log(q) - ::log(tail)) * q / density;
  }
  return lower ? -x : x;
}

}  // namespace hirace::cpu

inline double normcdfinv(double p) { return hirace::cpu::inverse_normal(p); }
inline float normcdfinvf(float p) { return static_cast<float>(normcdfinv(p)); }
// 1 - x would lose small arguments, so erf itself is inverted there, by Newton's method.
inline double erfinv(double x) {
  if (::fabs(x) >= 0.5) return ::copysign(normcdfinv(0.5 * (1.0 - ::fabs(x))) * M_SQRT1_2, x);
  double y = x * 0.886226925452758;
  for (int step = 0; step < 5; ++step) y += (x - ::erf(y)) * 0.886226925452758 * ::exp(y * y);
  return x == 0 ? x : y;
}
inline float erfinvf(float x) { return static_cast<float>(erfinv(x)); }
inline double erfcinv(double x) { return -normcdfinv(0.5 * x) * M_SQRT1_2; }
inline float erfcinvf(float x) { return static_cast<float>(erfcinv(x)); }

// Modified Bessel functions of the first kind (Abramowitz and Stegun, 9.6.10 and 9.7.1).
namespace hirace::cpu {

inline double bessel_i(int order, double x) {
  const double magnitude = ::fabs(x);
  const double sign = order == 1 && x < 0 ? -1 : 1;
  double term, sum;
  if (magnitude < 30.0) {
    term = sum = order == 0 ? 1.0 : magnitude / 2;
    for (int k = 1; term > sum * 1e-17; ++k) sum += term *= magnitude * magnitude / (4.0 * k * (k + order));
    return sign * sum;
  }
  term = sum = 1;
  for (int k = 1; k <= 20; ++k) sum += term *= ((2 * k - 1) * (2 * k - 1) - 4.0 * order) / (8 * k * magnitude);
  // In two halves, because the exponential alone overflows first.
  const double half = ::exp(magnitude / 2);
  return sign * (half / ::sqrt(2 * M_PI * magnitude) * sum) * half;
}

}  // namespace hirace::cpu

inline double cyl_bessel_i0(double x) { return hirace::cpu::bessel_i(0, x); }
inline double cyl_bessel_i1(double x) { return hirace::cpu::bessel_i(1, x); }
inline float cyl_bessel_i0f(float x) { return static_cast<float>(cyl_bessel_i0(x)); }
inline float cyl_bessel_i1f(float x) { return static_cast<float>(cyl_bessel_i1(x)); }

// The names without `f` take floats as well.
#define HIRACE_FLOAT_OVERLOAD(name, function) \
  inline float name(float x) { return function(x); }
HIRACE_FLOAT_OVERLOAD(rcbrt, rcbrtf)
HIRACE_FLOAT_OVERLOAD(normcdf, normcdff)
HIRACE_FLOAT_OVERLOAD(normcdfinv, normcdfinvf)
HIRACE_FLOAT_OVERLOAD(erfcx, erfcxf)
HIRACE_FLOAT_OVERLOAD(erfinv, erfinvf)
HIRACE_FLOAT_OVERLOAD(erfcinv, erfcinvf)
HIRACE_FLOAT_OVERLOAD(cyl_bessel_i0, cyl_bessel_i0f)
HIRACE_FLOAT_OVERLOAD(cyl_bessel_i1, cyl_bessel_i1f)
HIRACE_FLOAT_OVERLOAD(j0, ::j0f)
HIRACE_FLOAT_OVERLOAD(j1, ::j1f)
HIRACE_FLOAT_OVERLOAD(y0, ::y0f)
HIRACE_FLOAT_OVERLOAD(y1, ::y1f)
#undef HIRACE_FLOAT_OVERLOAD
inline void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }

inline float saturate(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
inline float __saturatef(float x) { return saturate(x); }

inline float __sinf(float x) { return ::sinf(x); }
inline float __cosf(float x) { return ::cosf(x); }
inline float __tanf(float x) { return ::tanf(x); }
inline void __sincosf(float x, float* s, float* c) { sincosf(x, s, c); }
inline float __expf(float x) { return ::expf(x); }
inline float __exp10f(float x) { return exp10f(x); }
inline float __logf(float x) { return ::logf(x); }
inline float __log2f(float x) { return ::log2f(x); }
inline float __log10f(float x) { return ::log10f(x); }
inline float __powf(float x, float y) { return ::powf(x, y); }
// A divisor of more than 2^126 gives zero (CUDA C++ Programming Guide, "Intrinsic Functions").
inline float __fdividef(float x, float y) {
  const bool flushed = ::fabsf(y) > 0x1p126f && ::fabsf(y) <= std::numeric_limits<float>::max();
  return flushed ? x * 0.0f : x / y;
}
inline float __tanhf(float x) { return ::tanhf(x); }
