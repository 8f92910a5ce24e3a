// What CUDA's classes for numbers of 8, 6 and 4 bits have in common: conversions, all of them explicit, from
// and to other numbers. Numbers that are too great become the greatest one.
#pragma once

#include <type_traits>

#include "../toolkit/cuda_bf16.h"
#include "conversions.h"
#include "device_types.h"
#include "tiny_float.h"
#include "vector_types.h"

namespace hirace::cpu {

// For a conversion that rounds once: away from zero if the double nearest to an integer is closer to zero.
template <class Value>
double not_below(Value value) {
  if constexpr (std::is_integral_v<Value> && sizeof(Value) == 8) {
    return rounded_to<double>(value, value < Value{0} ? Rounding::down : Rounding::up);
  } else {
    return static_cast<double>(value);
  }
}

template <class Format>
struct TinyNumber {
  // CUDA's name for the code.
  unsigned char __x;

  TinyNumber() = default;
  template <class Value, class = std::enable_if_t<std::is_convertible_v<Value, float>>>
  explicit TinyNumber(Value value) : __x(Format::pack(not_below(value))) {}

  template <class Value, class = std::enable_if_t<std::is_arithmetic_v<Value>>>
  explicit operator Value() const {
    if constexpr (std::is_same_v<Value, bool>) {
      return Format::is_nonzero(__x);
    } else if constexpr (std::is_integral_v<Value>) {
      return to_integer<Value>(std::trunc(Format::unpack(__x)));
    } else {
      return Format::unpack(__x);
    }
  }
  explicit operator __half() const { return __half(Format::unpack(__x)); }
  explicit operator __nv_bfloat16() const { return __nv_bfloat16(Format::unpack(__x)); }
};

// Codes of a vector, the first one in the low bits.
template <class Format, class Storage, class... Values>
Storage pack_codes(const Values&... values) {
  unsigned codes = 0;
  int shift = 0;
  ((codes |= unsigned{Format::pack(static_cast<double>(values))} << shift, shift += Format::stride), ...);
  return static_cast<Storage>(codes);
}
template <class Format>
float unpack_code(unsigned codes, int index) {
  return Format::unpack(static_cast<unsigned char>(codes >> index * Format::stride & ((1u << Format::stride) - 1)));
}

template <class Format, class Storage>
struct alignas(sizeof(Storage)) TinyPair {
  Storage __x;

  TinyPair() = default;
  explicit TinyPair(__half2 a) : __x(pack_codes<Format, Storage>(a.x, a.y)) {}
  explicit TinyPair(__nv_bfloat162 a) : __x(pack_codes<Format, Storage>(a.x, a.y)) {}
  explicit TinyPair(float2 a) : __x(pack_codes<Format, Storage>(a.x, a.y)) {}
  explicit TinyPair(double2 a) : __x(pack_codes<Format, Storage>(a.x, a.y)) {}

  explicit operator float2() const { return {unpack_code<Format>(__x, 0), unpack_code<Format>(__x, 1)}; }
  explicit operator __half2() const { return {__half(unpack_code<Format>(__x, 0)), __half(unpack_code<Format>(__x, 1))}; }
  explicit operator __nv_bfloat162() const {
    return {__nv_bfloat16(unpack_code<Format>(__x, 0)), __nv_bfloat16(unpack_code<Format>(__x, 1))};
  }
};

template <class Format, class Storage>
struct alignas(sizeof(Storage)) TinyFour {
  Storage __x;

  TinyFour() = default;
  TinyFour(__half2 low, __half2 high) : __x(pack_codes<Format, Storage>(low.x, low.y, high.x, high.y)) {}
  TinyFour(__nv_bfloat162 low, __nv_bfloat162 high) : __x(pack_codes<Format, Storage>(low.x, low.y, high.x, high.y)) {}
  explicit TinyFour(float4 a) : __x(pack_codes<Format, Storage>(a.x, a.y, a.z, a.w)) {}
  explicit TinyFour(double4 a) : __x(pack_codes<Format, Storage>(a.x, a.y, a.z, a.w)) {}
  explicit TinyFour(double4_16a a) : __x(pack_codes<Format, Storage>(a.x, a.y, a.z, a.w)) {}
  explicit TinyFour(double4_32a a) : __x(pack_codes<Format, Storage>(a.x, a.y, a.z, a.w)) {}

  explicit operator float4() const {
    return {unpack_code<Format>(__x, 0), unpack_code<Format>(__x, 1), unpack_code<Format>(__x, 2), unpack_code<Format>(__x, 3)};
  }
};

}  // namespace hirace::cpu

#define HIRACE_TINY_TYPE(name, base, ...)                  \
  struct name : ::hirace::cpu::base<__VA_ARGS__> {         \
    using Base = ::hirace::cpu::base<__VA_ARGS__>;         \
    using Base::Base;                                      \
  };

// The types for one format: `name` is that of a number, `pair` and `four` those of vectors.
#define HIRACE_TINY_TYPES(format, name, pair, pair_storage, four, four_storage) \
  HIRACE_TINY_TYPE(name, TinyNumber, format)                                    \
  HIRACE_TINY_TYPE(pair, TinyPair, format, pair_storage)                        \
  HIRACE_TINY_TYPE(four, TinyFour, format, four_storage)
