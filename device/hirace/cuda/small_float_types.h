// Classes for 16-bit numbers and pairs of them, as cuda_fp16.h and cuda_bf16.h declare them (CUDA
// Math API, "Half Precision Intrinsics" and "Bfloat16 Precision Intrinsics").
//
// Arithmetic uses float and then rounds again, which gives the correctly rounded result for +, -,
// *, / and square roots: a float has more than twice the digits.
#pragma once

#include "small_float.h"

#define HIRACE_SMALL_FLOAT_TYPES(scalar, pair, exponent_bits)                                     \
  struct scalar##_raw {                                                                           \
    unsigned short x;                                                                             \
  };                                                                                              \
  struct alignas(4) pair##_raw {                                                                  \
    unsigned short x, y;                                                                          \
  };                                                                                              \
  struct scalar {                                                                                 \
    using Format = ::hirace::cpu::SmallFloat<exponent_bits>;                                      \
    scalar() = default;                                                                           \
    constexpr scalar(const scalar##_raw& raw) : __x(raw.x) {}                                     \
    scalar(float value) : __x(Format::from_float(value)) {}                                       \
    scalar(double value) : __x(Format::pack(value)) {}                                            \
    scalar(short value) : scalar(static_cast<float>(value)) {}                                    \
    scalar(unsigned short value) : scalar(static_cast<float>(value)) {}                           \
    scalar(int value) : scalar(static_cast<double>(value)) {}                                     \
    scalar(unsigned int value) : scalar(static_cast<double>(value)) {}                            \
    scalar(long value) : scalar(static_cast<double>(value)) {}                                    \
    scalar(unsigned long value) : scalar(static_cast<double>(value)) {}                           \
    scalar(long long value) : scalar(static_cast<double>(value)) {}                               \
    scalar(unsigned long long value) : scalar(static_cast<double>(value)) {}                      \
    operator scalar##_raw() const { return {__x}; }                                               \
    operator float() const { return Format::to_float(__x); }                                      \
    operator bool() const { return (__x & 0x7fff) != 0; }                                         \
    operator short() const { return ::hirace::cpu::to_integer<short>(to_zero()); }                \
    operator unsigned short() const { return ::hirace::cpu::to_integer<unsigned short>(to_zero()); } \
    operator int() const { return ::hirace::cpu::to_integer<int>(to_zero()); }                    \
    operator unsigned int() const { return ::hirace::cpu::to_integer<unsigned int>(to_zero()); }  \
    operator long() const { return ::hirace::cpu::to_integer<long>(to_zero()); }                  \
    operator unsigned long() const { return ::hirace::cpu::to_integer<unsigned long>(to_zero()); } \
    operator long long() const { return ::hirace::cpu::to_integer<long long>(to_zero()); }        \
    operator unsigned long long() const { return ::hirace::cpu::to_integer<unsigned long long>(to_zero()); } \
    template <class Value>                                                                        \
    std::enable_if_t<std::is_arithmetic_v<Value>, scalar&> operator=(Value value) {               \
      return *this = scalar(value);                                                               \
    }                                                                                             \
    /* What atomic functions do, operators or not. */                                             \
    friend scalar hirace_add(scalar a, scalar b) {                                                \
      return scalar(Format::to_float(a.__x) + Format::to_float(b.__x));                           \
    }                                                                                             \
                                                                                                  \
   private:                                                                                       \
    float to_zero() const { return std::trunc(Format::to_float(__x)); }                           \
    unsigned short __x;                                                                           \
  };                                                                                              \
  static_assert(sizeof(scalar) == 2 && std::is_trivially_copyable_v<scalar>, "as on the device"); \
  struct alignas(4) pair {                                                                        \
    pair() = default;                                                                             \
    pair(const scalar& low, const scalar& high) : x(low), y(high) {}                              \
    pair(const pair##_raw& raw) : x(scalar##_raw{raw.x}), y(scalar##_raw{raw.y}) {}               \
    operator pair##_raw() const {                                                                 \
      return {static_cast<scalar##_raw>(x).x, static_cast<scalar##_raw>(y).x};                    \
    }                                                                                             \
    friend pair hirace_add(pair a, pair b) { return {hirace_add(a.x, b.x), hirace_add(a.y, b.y)}; } \
    scalar x, y;                                                                                  \
  };                                                                                              \
  static_assert(sizeof(pair) == 4 && std::is_trivially_copyable_v<pair>, "as on the device");

#define HIRACE_SMALL_FLOAT_BINARY(scalar, pair, sign)                                                              \
  inline scalar operator sign(const scalar& a, const scalar& b) {                                                  \
    return scalar(static_cast<float>(a) sign static_cast<float>(b));                                               \
  }                                                                                                                \
  inline scalar& operator sign##=(scalar& a, const scalar& b) { return a = a sign b; }                             \
  inline pair operator sign(const pair& a, const pair& b) { return {a.x sign b.x, a.y sign b.y}; }                 \
  inline pair& operator sign##=(pair& a, const pair& b) { return a = a sign b; }

#define HIRACE_SMALL_FLOAT_COMPARISON(scalar, pair, sign)                     \
  inline bool operator sign(const scalar& a, const scalar& b) {               \
    return static_cast<float>(a) sign static_cast<float>(b);                  \
  }                                                                           \
  inline bool operator sign(const pair& a, const pair& b) { return a.x sign b.x && a.y sign b.y; }

#define HIRACE_SMALL_FLOAT_UNARY(scalar, pair)                                             \
  inline scalar operator+(const scalar& a) { return a; }                                   \
  inline scalar operator-(const scalar& a) {                                               \
    return scalar##_raw{static_cast<unsigned short>(static_cast<scalar##_raw>(a).x ^ 0x8000)}; \
  }                                                                                        \
  inline scalar& operator++(scalar& a) { return a = scalar(static_cast<float>(a) + 1); }   \
  inline scalar& operator--(scalar& a) { return a = scalar(static_cast<float>(a) - 1); }   \
  inline scalar operator++(scalar& a, int) {                                               \
    const scalar old = a;                                                                  \
    ++a;                                                                                   \
    return old;                                                                            \
  }                                                                                        \
  inline scalar operator--(scalar& a, int) {                                               \
    const scalar old = a;                                                                  \
    --a;                                                                                   \
    return old;                                                                            \
  }                                                                                        \
  inline pair operator+(const pair& a) { return a; }                                       \
  inline pair operator-(const pair& a) { return {-a.x, -a.y}; }

#define HIRACE_SMALL_FLOAT_OPERATORS(scalar, pair)   \
  HIRACE_SMALL_FLOAT_BINARY(scalar, pair, +)         \
  HIRACE_SMALL_FLOAT_BINARY(scalar, pair, -)         \
  HIRACE_SMALL_FLOAT_BINARY(scalar, pair, *)         \
  HIRACE_SMALL_FLOAT_BINARY(scalar, pair, /)         \
  HIRACE_SMALL_FLOAT_COMPARISON(scalar, pair, ==)    \
  HIRACE_SMALL_FLOAT_COMPARISON(scalar, pair, !=)    \
  HIRACE_SMALL_FLOAT_COMPARISON(scalar, pair, <)     \
  HIRACE_SMALL_FLOAT_COMPARISON(scalar, pair, <=)    \
  HIRACE_SMALL_FLOAT_COMPARISON(scalar, pair, >)     \
  HIRACE_SMALL_FLOAT_COMPARISON(scalar, pair, >=)    \
  HIRACE_SMALL_FLOAT_UNARY(scalar, pair)
