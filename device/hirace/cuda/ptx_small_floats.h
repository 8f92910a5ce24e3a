// PTX's 16-bit numbers, alone and in pairs (PTX ISA, "Fundamental Types", "Half Precision Floating-Point
// Instructions").
//
// An operation computes in 32 bits and rounds once more. For sums, products and quotients the result is that of
// one rounding, because a float has more than twice their digits; fused operations compute in 64 bits.
#pragma once

#include "ptx.h"
#include "small_float.h"

namespace hirace::cpu::ptx {

template <int exponent_bits>
struct Small {
  using Format = SmallFloat<exponent_bits>;
  std::uint16_t bits;

  Small() = default;
  explicit Small(float value) : bits(Format::from_float(value)) {}
  explicit Small(double value) : bits(Format::pack(value)) {}
  template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
  explicit Small(T value) : bits(Format::pack(static_cast<double>(value))) {}
  template <int others>
  explicit Small(Small<others> value) : Small(static_cast<float>(value)) {}

  explicit operator float() const { return Format::to_float(bits); }
  explicit operator double() const { return Format::to_float(bits); }
  Small operator-() const {
    Small negative = *this;
    negative.bits ^= 0x8000;
    return negative;
  }
};
using f16 = Small<5>;
using bf16 = Small<8>;

template <class Element>
struct Two {
  Element low, high;
  Two operator-() const { return {-low, -high}; }
};
using f16x2 = Two<f16>;
using bf16x2 = Two<bf16>;

template <class T>
constexpr bool is_small = false;
template <int exponent_bits>
constexpr bool is_small<Small<exponent_bits>> = true;
template <class Element>
constexpr bool is_small<Two<Element>> = true;

// A function of wider numbers, for each element.
template <class Wide, class Function, int exponent_bits, class... More>
inline Small<exponent_bits> each(const Function& function, Small<exponent_bits> first, More... more) {
  return Small<exponent_bits>(function(static_cast<Wide>(first), static_cast<Wide>(more)...));
}
template <class Wide, class Function, class Element, class... More>
inline Two<Element> each(const Function& function, Two<Element> first, More... more) {
  return {each<Wide>(function, first.low, more.low...), each<Wide>(function, first.high, more.high...)};
}

#define HIRACE_PTX_SMALL_OPERATOR(sign)                                       \
  template <class T, class = std::enable_if_t<is_small<T>>>                   \
  inline T operator sign(T a, T b) {                                          \
    return each<float>([](float x, float y) { return x sign y; }, a, b);      \
  }
HIRACE_PTX_SMALL_OPERATOR(+)
HIRACE_PTX_SMALL_OPERATOR(-)
HIRACE_PTX_SMALL_OPERATOR(*)
#undef HIRACE_PTX_SMALL_OPERATOR

#define HIRACE_PTX_SMALL_COMPARISON(sign)                                      \
  template <int exponent_bits>                                                 \
  inline bool operator sign(Small<exponent_bits> a, Small<exponent_bits> b) {  \
    return static_cast<float>(a) sign static_cast<float>(b);                   \
  }
HIRACE_PTX_SMALL_COMPARISON(<)
HIRACE_PTX_SMALL_COMPARISON(<=)
HIRACE_PTX_SMALL_COMPARISON(>)
HIRACE_PTX_SMALL_COMPARISON(>=)
HIRACE_PTX_SMALL_COMPARISON(==)
HIRACE_PTX_SMALL_COMPARISON(!=)
#undef HIRACE_PTX_SMALL_COMPARISON

// A number with the functions of the C++ library: itself, or a float.
template <class T>
inline auto widened(T value) {
  if constexpr (is_small<T>) return static_cast<float>(value);
  else return value;
}

// `cvt` of two numbers to a pair, the second one lowest.
template <class Pair, class Element>
inline Pair pair_of(f32 high, f32 low) {
  return {Element(low), Element(high)};
}
template <class T>
inline T rectified(T value) {
  if constexpr (std::is_floating_point_v<T>) return value < 0 ? T{0} : value;
  else return each<float>([](float x) { return x < 0 ? 0.0f : x; }, value);
}
// To one of the directions that the mode names. Integers of 64 bits are rounded to doubles in the same one.
template <class To, HalfRounding rounding, class From>
inline To directed(From value) {
  constexpr Rounding same = rounding == HalfRounding::to_zero ? Rounding::to_zero : rounding == HalfRounding::up ? Rounding::up : Rounding::down;
  To result;
  if constexpr (std::is_integral_v<From>) result.bits = To::Format::pack(rounded_to<double>(value, same), rounding);
  else result.bits = To::Format::pack(static_cast<double>(value), rounding);
  return result;
}
template <class Pair, class Element, HalfRounding rounding>
inline Pair directed_pair_of(f32 high, f32 low) {
  return {directed<Element, rounding>(low), directed<Element, rounding>(high)};
}
// `.satfinite`: the greatest number instead of an infinite one.
template <int exponent_bits>
inline Small<exponent_bits> finite(Small<exponent_bits> value) {
  constexpr std::uint16_t infinity = Small<exponent_bits>::Format::infinity;
  if ((value.bits & 0x7fff) == infinity) --value.bits;
  return value;
}
template <class Element>
inline Two<Element> finite(Two<Element> value) {
  return {finite(value.low), finite(value.high)};
}

// `cvt` to tf32: ten bits of the fraction are left. `added` to the others rounds; infinities stay.
inline f32 tf32_of(f32 value, std::uint32_t added) {
  return bits_as<f32>(value != value ? 0x7fffffffu : (bits_as<std::uint32_t>(value) + added) & ~0x1fffu);
}
// Half of the last bit rounds away from zero.
inline f32 tf32_rna(f32 value) { return tf32_of(value, 0x1000); }
inline f32 tf32_rz(f32 value) { return tf32_of(value, 0); }
// Half of the last bit rounds to an even one.
inline f32 tf32_rn(f32 value) { return tf32_of(value, 0xfff + (bits_as<std::uint32_t>(value) >> 13 & 1)); }
inline f32 finite_tf32(f32 value) {
  const auto bits = bits_as<std::uint32_t>(value);
  return (bits & 0x7fffffff) == 0x7f800000 ? bits_as<f32>(bits - 0x2000) : value;
}

}  // namespace hirace::cpu::ptx
