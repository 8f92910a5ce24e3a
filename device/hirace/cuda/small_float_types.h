// Classes for 16-bit numbers and pairs of them, as cuda_fp16.h and cuda_bf16.h declare them (CUDA
// Math API, "Half Precision Intrinsics" and "Bfloat16 Precision Intrinsics").
//
// Arithmetic uses float and then rounds again, which gives the correctly rounded result for +, -,
// *, / and square roots: a float has more than twice the digits.
#pragma once

#include "small_float.h"

// `other` is the other of the two types; its header defines the conversions between them.
#define HIRACE_SMALL_FLOAT_TYPES(scalar, pair, exponent_bits, other)                              \
  struct other;                                                                                   \
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
    explicit scalar(other value);                                                                 \
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
    scalar& operator=(const scalar##_raw& raw) {                                                  \
      __x = raw.x;                                                                                \
      return *this;                                                                               \
    }                                                                                             \
    volatile scalar& operator=(const scalar##_raw& raw) volatile {                                \
      __x = raw.x;                                                                                \
      return *this;                                                                               \
    }                                                                                             \
    operator scalar##_raw() const { return {__x}; }                                               \
    operator scalar##_raw() const volatile { return {__x}; }                                      \
    operator float() const { return Format::to_float(__x); }                                      \
    operator bool() const { return (__x & 0x7fff) != 0; }                                         \
    operator signed char() const { return ::hirace::cpu::to_integer<signed char>(to_zero()); }    \
    operator unsigned char() const { return ::hirace::cpu::to_integer<unsigned char>(to_zero()); } \
    operator char() const { return ::hirace::cpu::to_integer<char>(to_zero()); }                  \
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
    constexpr pair(const scalar& low, const scalar& high) : x(low), y(high) {}                              \
    pair(const pair##_raw& raw) : x(scalar##_raw{raw.x}), y(scalar##_raw{raw.y}) {}               \
    operator pair##_raw() const {                                                                 \
      return {static_cast<scalar##_raw>(x).x, static_cast<scalar##_raw>(y).x};                    \
    }                                                                                             \
    friend pair hirace_add(pair a, pair b) { return {hirace_add(a.x, b.x), hirace_add(a.y, b.y)}; } \
    scalar x, y;                                                                                  \
  };                                                                                              \
  static_assert(sizeof(pair) == 4 && std::is_trivially_copyable_v<pair>, "as on the device");

#define HIRACE_SMALL_FLOAT_BINARY(type, sign, expression)               \
  inline type operator sign(const type& a, const type& b) { return expression; } \
  inline type& operator sign##=(type& a, const type& b) { return a = a sign b; }

#define HIRACE_SMALL_FLOAT_STEP(type, sign, one)                            \
  inline type& operator sign##sign(type& a) { return a = a sign one; }      \
  inline type operator sign##sign(type& a, int) {                           \
    const type old = a;                                                     \
    sign##sign a;                                                           \
    return old;                                                             \
  }

#define HIRACE_SMALL_FLOAT_NUMBER_BINARY(scalar, sign) \
  HIRACE_SMALL_FLOAT_BINARY(scalar, sign, scalar(static_cast<float>(a) sign static_cast<float>(b)))
#define HIRACE_SMALL_FLOAT_NUMBER_COMPARISON(scalar, sign) \
  inline bool operator sign(const scalar& a, const scalar& b) { return static_cast<float>(a) sign static_cast<float>(b); }

#define HIRACE_SMALL_FLOAT_OPERATORS(scalar)                                                   \
  HIRACE_SMALL_FLOAT_NUMBER_BINARY(scalar, +)                                                  \
  HIRACE_SMALL_FLOAT_NUMBER_BINARY(scalar, -)                                                  \
  HIRACE_SMALL_FLOAT_NUMBER_BINARY(scalar, *)                                                  \
  HIRACE_SMALL_FLOAT_NUMBER_BINARY(scalar, /)                                                  \
  HIRACE_SMALL_FLOAT_NUMBER_COMPARISON(scalar, ==)                                             \
  HIRACE_SMALL_FLOAT_NUMBER_COMPARISON(scalar, !=)                                             \
  HIRACE_SMALL_FLOAT_NUMBER_COMPARISON(scalar, <)                                              \
  HIRACE_SMALL_FLOAT_NUMBER_COMPARISON(scalar, <=)                                             \
  HIRACE_SMALL_FLOAT_NUMBER_COMPARISON(scalar, >)                                              \
  HIRACE_SMALL_FLOAT_NUMBER_COMPARISON(scalar, >=)                                             \
  HIRACE_SMALL_FLOAT_STEP(scalar, +, scalar(1.0f))                                             \
  HIRACE_SMALL_FLOAT_STEP(scalar, -, scalar(1.0f))                                             \
  inline scalar operator+(const scalar& a) { return a; }                                       \
  inline scalar operator-(const scalar& a) {                                                   \
    return scalar##_raw{static_cast<unsigned short>(static_cast<scalar##_raw>(a).x ^ 0x8000)}; \
  }

// By the functions of small_float_functions.h, because a program can have these operators alone. Pairs
// are unequal if both of their halves are.
#define HIRACE_SMALL_FLOAT_PAIR_OPERATORS(scalar, pair)                           \
  HIRACE_SMALL_FLOAT_BINARY(pair, +, __hadd2(a, b))                               \
  HIRACE_SMALL_FLOAT_BINARY(pair, -, __hsub2(a, b))                               \
  HIRACE_SMALL_FLOAT_BINARY(pair, *, __hmul2(a, b))                               \
  HIRACE_SMALL_FLOAT_BINARY(pair, /, __h2div(a, b))                               \
  inline bool operator==(const pair& a, const pair& b) { return __hbeq2(a, b); }  \
  inline bool operator!=(const pair& a, const pair& b) { return __hbneu2(a, b); } \
  inline bool operator<(const pair& a, const pair& b) { return __hblt2(a, b); }   \
  inline bool operator<=(const pair& a, const pair& b) { return __hble2(a, b); }  \
  inline bool operator>(const pair& a, const pair& b) { return __hbgt2(a, b); }   \
  inline bool operator>=(const pair& a, const pair& b) { return __hbge2(a, b); }  \
  HIRACE_SMALL_FLOAT_STEP(pair, +, pair(scalar(1.0f), scalar(1.0f)))              \
  HIRACE_SMALL_FLOAT_STEP(pair, -, pair(scalar(1.0f), scalar(1.0f)))              \
  inline pair operator+(const pair& a) { return a; }                              \
  inline pair operator-(const pair& a) { return __hneg2(a); }
