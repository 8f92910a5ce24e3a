// CUDA's conversions and reinterpretations (CUDA Math API, "Type Casting Intrinsics").
#pragma once

#include "cmath.h"
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace hirace::cpu {

template <class To, class From>
inline To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "reinterprets all bits");
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// Rounding to integers as on the device: out of range clamps. NaN gives zero or, if one of the types has 64
// bits and the integer is no smaller than an `int`, its top bit (PTX ISA, "cvt").
template <class To, class From>
inline To to_integer(From x) {
  using Range = std::numeric_limits<To>;
  if (x != x) {
    constexpr bool top_bit = sizeof(To) == 8 || (sizeof(To) == 4 && sizeof(From) == 8);
    return top_bit ? static_cast<To>(std::make_unsigned_t<To>{1} << (8 * sizeof(To) - 1)) : To{0};
  }
  // The upper limit rounds up to a power of two, which is the first value too large.
  if (x >= static_cast<From>(Range::max())) return Range::max();
  if (x <= static_cast<From>(Range::lowest())) return Range::lowest();
  return static_cast<To>(x);
}

enum class Rounding { to_zero, up, down };

// A conversion that may lose bits, rounded in one direction.
template <class To, class From>
inline To rounded_to(From x, Rounding rounding) {
  const To nearest = static_cast<To>(x);
  // Signs of the difference: exact in long double for 64-bit integers and doubles.
  const long double lost = static_cast<long double>(x) - static_cast<long double>(nearest);
  const bool positive = nearest > 0;
  const bool down = rounding == Rounding::down || (rounding == Rounding::to_zero && positive);
  if (lost > 0 && !down) return std::nextafter(nearest, std::numeric_limits<To>::infinity());
  if (lost < 0 && down) return std::nextafter(nearest, -std::numeric_limits<To>::infinity());
  return nearest;
}

}  // namespace hirace::cpu

inline int __float_as_int(float x) { return hirace::cpu::bits_as<int>(x); }
inline unsigned int __float_as_uint(float x) { return hirace::cpu::bits_as<unsigned int>(x); }
inline float __int_as_float(int x) { return hirace::cpu::bits_as<float>(x); }
inline float __uint_as_float(unsigned int x) { return hirace::cpu::bits_as<float>(x); }
inline long long __double_as_longlong(double x) { return hirace::cpu::bits_as<long long>(x); }
inline double __longlong_as_double(long long x) { return hirace::cpu::bits_as<double>(x); }
inline int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
inline double __hiloint2double(int high, int low) {
  return hirace::cpu::bits_as<double>(std::uint64_t{static_cast<unsigned int>(high)} << 32 | static_cast<unsigned int>(low));
}

#define HIRACE_TO_INTEGER(from, name, to)                                                                      \
  inline to __##from##2##name##_rn(from x) { return hirace::cpu::to_integer<to>(std::nearbyint(x)); }          \
  inline to __##from##2##name##_rz(from x) { return hirace::cpu::to_integer<to>(std::trunc(x)); }              \
  inline to __##from##2##name##_ru(from x) { return hirace::cpu::to_integer<to>(std::ceil(x)); }               \
  inline to __##from##2##name##_rd(from x) { return hirace::cpu::to_integer<to>(std::floor(x)); }
HIRACE_TO_INTEGER(float, int, int)
HIRACE_TO_INTEGER(float, uint, unsigned int)
HIRACE_TO_INTEGER(float, ll, long long)
HIRACE_TO_INTEGER(float, ull, unsigned long long)
HIRACE_TO_INTEGER(double, int, int)
HIRACE_TO_INTEGER(double, uint, unsigned int)
HIRACE_TO_INTEGER(double, ll, long long)
HIRACE_TO_INTEGER(double, ull, unsigned long long)
#undef HIRACE_TO_INTEGER

#define HIRACE_TO_FLOAT(name, from, result, to)                                                                   \
  inline to __##name##2##result##_rn(from x) { return static_cast<to>(x); }                                            \
  inline to __##name##2##result##_rz(from x) { return hirace::cpu::rounded_to<to>(x, hirace::cpu::Rounding::to_zero); } \
  inline to __##name##2##result##_ru(from x) { return hirace::cpu::rounded_to<to>(x, hirace::cpu::Rounding::up); }      \
  inline to __##name##2##result##_rd(from x) { return hirace::cpu::rounded_to<to>(x, hirace::cpu::Rounding::down); }
HIRACE_TO_FLOAT(int, int, float, float)
HIRACE_TO_FLOAT(uint, unsigned int, float, float)
HIRACE_TO_FLOAT(ll, long long, float, float)
HIRACE_TO_FLOAT(ull, unsigned long long, float, float)
HIRACE_TO_FLOAT(ll, long long, double, double)
HIRACE_TO_FLOAT(ull, unsigned long long, double, double)
HIRACE_TO_FLOAT(double, double, float, float)
#undef HIRACE_TO_FLOAT

inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned int x) { return x; }
