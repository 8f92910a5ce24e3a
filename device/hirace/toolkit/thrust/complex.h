// thrust::complex: a number that converts to std::complex and back, whose functions are those of std::complex. It is a
// class of its own, as Thrust's is: programs overload functions and constructors for both.
#pragma once

#include <cmath>
#include <complex>
#include <istream>
#include <ostream>
#include <type_traits>

#include "detail/config.h"

namespace thrust {

template <class Number>
class complex {
 public:
  using value_type = Number;

  constexpr complex(const Number& real = Number(), const Number& imaginary = Number())
      : real_(real), imaginary_(imaginary) {}
  template <class Other>
  constexpr complex(const complex<Other>& other)
      : real_(static_cast<Number>(other.real())), imaginary_(static_cast<Number>(other.imag())) {}
  template <class Other>
  constexpr complex(const std::complex<Other>& other)
      : real_(static_cast<Number>(other.real())), imaginary_(static_cast<Number>(other.imag())) {}

  constexpr operator std::complex<Number>() const { return {real_, imaginary_}; }

  constexpr Number real() const { return real_; }
  constexpr Number imag() const { return imaginary_; }
  constexpr void real(Number value) { real_ = value; }
  constexpr void imag(Number value) { imaginary_ = value; }

  // By a number or a complex number.
  template <class Other>
  complex& operator+=(const Other& other) {
    return *this = *this + other;
  }
  template <class Other>
  complex& operator-=(const Other& other) {
    return *this = *this - other;
  }
  template <class Other>
  complex& operator*=(const Other& other) {
    return *this = *this * other;
  }
  template <class Other>
  complex& operator/=(const Other& other) {
    return *this = *this / other;
  }

 private:
  // As in std::complex, two numbers of an array stand side by side.
  alignas(2 * sizeof(Number)) Number real_;
  Number imaginary_;
};

namespace detail {

template <class First, class Second>
using wider_complex = complex<std::common_type_t<First, Second>>;

// A number that is no complex one, in an operation with a complex one.
template <class Scalar>
using if_scalar = std::enable_if_t<std::is_arithmetic_v<Scalar>>;

template <class Number>
std::complex<Number> standard(const complex<Number>& value) {
  return value;
}

}  // namespace detail

#define HIRACE_COMPLEX_OPERATOR(op)                                                                       \
  template <class First, class Second>                                                                    \
  detail::wider_complex<First, Second> operator op(const complex<First>& left, const complex<Second>& right) { \
    using Wide = detail::wider_complex<First, Second>;                                                    \
    return detail::standard(Wide(left)) op detail::standard(Wide(right));                                 \
  }                                                                                                       \
  template <class First, class Second, class = detail::if_scalar<Second>>                                 \
  detail::wider_complex<First, Second> operator op(const complex<First>& left, const Second& right) {     \
    using Wide = detail::wider_complex<First, Second>;                                                    \
    return detail::standard(Wide(left)) op static_cast<typename Wide::value_type>(right);                 \
  }                                                                                                       \
  template <class First, class Second, class = detail::if_scalar<First>>                                  \
  detail::wider_complex<First, Second> operator op(const First& left, const complex<Second>& right) {     \
    using Wide = detail::wider_complex<First, Second>;                                                    \
    return static_cast<typename Wide::value_type>(left) op detail::standard(Wide(right));                 \
  }

HIRACE_COMPLEX_OPERATOR(+)
HIRACE_COMPLEX_OPERATOR(-)
HIRACE_COMPLEX_OPERATOR(*)
HIRACE_COMPLEX_OPERATOR(/)
#undef HIRACE_COMPLEX_OPERATOR

template <class Number>
constexpr complex<Number> operator+(const complex<Number>& value) {
  return value;
}
template <class Number>
constexpr complex<Number> operator-(const complex<Number>& value) {
  return {-value.real(), -value.imag()};
}

#define HIRACE_COMPLEX_COMPARISON(op, joined)                                              \
  template <class First, class Second>                                                     \
  constexpr bool operator op(const complex<First>& left, const complex<Second>& right) {   \
    return left.real() op right.real() joined left.imag() op right.imag();                 \
  }                                                                                        \
  template <class First, class Second>                                                     \
  constexpr bool operator op(const complex<First>& left, const std::complex<Second>& right) { \
    return left op complex<Second>(right);                                                 \
  }                                                                                        \
  template <class First, class Second>                                                     \
  constexpr bool operator op(const std::complex<First>& left, const complex<Second>& right) { \
    return complex<First>(left) op right;                                                  \
  }                                                                                        \
  template <class First, class Second, class = detail::if_scalar<Second>>                  \
  constexpr bool operator op(const complex<First>& left, const Second& right) {            \
    return left op complex<Second>(right);                                                 \
  }                                                                                        \
  template <class First, class Second, class = detail::if_scalar<First>>                   \
  constexpr bool operator op(const First& left, const complex<Second>& right) {            \
    return complex<First>(left) op right;                                                  \
  }

HIRACE_COMPLEX_COMPARISON(==, &&)
HIRACE_COMPLEX_COMPARISON(!=, ||)
#undef HIRACE_COMPLEX_COMPARISON

template <class Number>
Number abs(const complex<Number>& value) {
  return std::abs(detail::standard(value));
}
template <class Number>
Number arg(const complex<Number>& value) {
  return std::arg(detail::standard(value));
}
template <class Number>
constexpr Number norm(const complex<Number>& value) {
  return value.real() * value.real() + value.imag() * value.imag();
}
template <class Number>
constexpr complex<Number> conj(const complex<Number>& value) {
  return {value.real(), -value.imag()};
}
template <class Number>
complex<Number> polar(const Number& magnitude, const Number& angle = Number()) {
  return {magnitude * std::cos(angle), magnitude * std::sin(angle)};
}

#define HIRACE_COMPLEX_FUNCTION(name)                    \
  template <class Number>                                \
  complex<Number> name(const complex<Number>& value) {   \
    return std::name(detail::standard(value));           \
  }

HIRACE_COMPLEX_FUNCTION(acos)
HIRACE_COMPLEX_FUNCTION(acosh)
HIRACE_COMPLEX_FUNCTION(asin)
HIRACE_COMPLEX_FUNCTION(asinh)
HIRACE_COMPLEX_FUNCTION(atan)
HIRACE_COMPLEX_FUNCTION(atanh)
HIRACE_COMPLEX_FUNCTION(cos)
HIRACE_COMPLEX_FUNCTION(cosh)
HIRACE_COMPLEX_FUNCTION(exp)
HIRACE_COMPLEX_FUNCTION(log)
HIRACE_COMPLEX_FUNCTION(log10)
HIRACE_COMPLEX_FUNCTION(proj)
HIRACE_COMPLEX_FUNCTION(sin)
HIRACE_COMPLEX_FUNCTION(sinh)
HIRACE_COMPLEX_FUNCTION(sqrt)
HIRACE_COMPLEX_FUNCTION(tan)
HIRACE_COMPLEX_FUNCTION(tanh)
#undef HIRACE_COMPLEX_FUNCTION

template <class First, class Second>
detail::wider_complex<First, Second> pow(const complex<First>& base, const complex<Second>& exponent) {
  using Wide = detail::wider_complex<First, Second>;
  return std::pow(detail::standard(Wide(base)), detail::standard(Wide(exponent)));
}
template <class First, class Second, class = detail::if_scalar<Second>>
detail::wider_complex<First, Second> pow(const complex<First>& base, const Second& exponent) {
  return pow(base, complex<Second>(exponent));
}
template <class First, class Second, class = detail::if_scalar<First>>
detail::wider_complex<First, Second> pow(const First& base, const complex<Second>& exponent) {
  return pow(complex<First>(base), exponent);
}

// As (1,2), or (1), or 1.
template <class Number, class Character, class Traits>
std::basic_istream<Character, Traits>& operator>>(std::basic_istream<Character, Traits>& stream, complex<Number>& value) {
  std::complex<Number> read;
  if (stream >> read) value = read;
  return stream;
}
template <class Number, class Character, class Traits>
std::basic_ostream<Character, Traits>& operator<<(std::basic_ostream<Character, Traits>& stream,
                                                  const complex<Number>& value) {
  return stream << detail::standard(value);
}

}  // namespace thrust
