// The numbers of cuBLAS and cuFFT: real, complex, and small ones, which are computed with as larger ones.
#pragma once

#include "../../cuda/cmath.h"
#include "../../toolkit/cuComplex.h"
#include "../../toolkit/cuda_bf16.h"
#include "../../toolkit/cuda_fp16.h"

namespace hirace::cpu {

// A complex number; float2 and double2 have the same layout.
template <class Real>
struct __attribute__((may_alias)) BlasComplex {
  Real x, y;
  BlasComplex() = default;
  constexpr BlasComplex(Real real, Real imaginary = 0) : x(real), y(imaginary) {}
  template <class Other>
  explicit constexpr BlasComplex(const BlasComplex<Other>& other) : x(static_cast<Real>(other.x)), y(static_cast<Real>(other.y)) {}

  friend BlasComplex operator+(const BlasComplex& a, const BlasComplex& b) { return {a.x + b.x, a.y + b.y}; }
  friend BlasComplex operator-(const BlasComplex& a, const BlasComplex& b) { return {a.x - b.x, a.y - b.y}; }
  friend BlasComplex operator*(const BlasComplex& a, const BlasComplex& b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
  friend BlasComplex operator/(const BlasComplex& a, const BlasComplex& b) {
    const Real norm = b.x * b.x + b.y * b.y;
    return {(a.x * b.x + a.y * b.y) / norm, (a.y * b.x - a.x * b.y) / norm};
  }
  friend BlasComplex& operator+=(BlasComplex& a, const BlasComplex& b) { return a = a + b; }
  friend BlasComplex& operator-=(BlasComplex& a, const BlasComplex& b) { return a = a - b; }
  friend bool operator==(const BlasComplex& a, const BlasComplex& b) { return a.x == b.x && a.y == b.y; }
};

// How a type of cuBLAS is computed with: `Number` has its layout, `Sum` its sums, `Real` its absolute values.
template <class T>
struct BlasType {
  using Number = T;
  using Real = T;
  using Sum = std::conditional_t<std::is_same_v<T, float>, double, T>;
};
template <>
struct BlasType<float2> {
  using Number = BlasComplex<float>;
  using Real = float;
  using Sum = BlasComplex<double>;
};
template <>
struct BlasType<double2> {
  using Number = BlasComplex<double>;
  using Real = double;
  using Sum = BlasComplex<double>;
};
template <>
struct BlasType<__half> {
  using Number = __half;
  using Real = float;
  using Sum = float;
};
template <>
struct BlasType<__nv_bfloat16> {
  using Number = __nv_bfloat16;
  using Real = float;
  using Sum = float;
};
template <>
struct BlasType<signed char> {
  using Number = signed char;
  using Real = int;
  using Sum = int;
};

template <class T>
using BlasNumber = typename BlasType<T>::Number;
template <class T>
using BlasSum = typename BlasType<T>::Sum;
template <class T>
using BlasReal = typename BlasType<T>::Real;

template <class Number>
constexpr bool is_blas_complex = false;
template <class Real>
constexpr bool is_blas_complex<BlasComplex<Real>> = true;

template <class Number>
Number conjugate(const Number& number, bool conjugates = true) {
  if constexpr (is_blas_complex<Number>) {
    return conjugates ? Number(number.x, -number.y) : number;
  } else {
    return number;
  }
}
template <class Number>
double magnitude(const Number& number) {
  if constexpr (is_blas_complex<Number>) {
    return ::hypot(static_cast<double>(number.x), static_cast<double>(number.y));
  } else {
    return ::fabs(static_cast<double>(number));
  }
}
// What BLAS compares and adds up in place of magnitudes.
template <class Number>
double taxicab_magnitude(const Number& number) {
  if constexpr (is_blas_complex<Number>) {
    return ::fabs(static_cast<double>(number.x)) + ::fabs(static_cast<double>(number.y));
  } else {
    return ::fabs(static_cast<double>(number));
  }
}

template <class T>
BlasNumber<T>* numbers(T* pointer) {
  return reinterpret_cast<BlasNumber<T>*>(pointer);
}
template <class T>
const BlasNumber<T>* numbers(const T* pointer) {
  return reinterpret_cast<const BlasNumber<T>*>(pointer);
}

}  // namespace hirace::cpu
