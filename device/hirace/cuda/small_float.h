// 16-bit numbers: their encoding, and the rounding of other numbers to them (IEEE 754; PTX ISA,
// "Fundamental Types", for bf16).
#pragma once

#include "cmath.h"
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "conversions.h"

namespace hirace::cpu {

enum class HalfRounding { nearest, to_zero, down, up };

// A format with a sign, `exponent_bits`, and the rest of the 16 bits for the fraction.
template <int exponent_bits>
struct SmallFloat {
  static constexpr int fraction_bits = 15 - exponent_bits;
  static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  static constexpr std::uint16_t infinity = ((1 << exponent_bits) - 1) << fraction_bits;
  static constexpr std::uint16_t nan = 0x7fff;  // the result of the device's conversions

  static double unpack(std::uint16_t bits) {
    const int exponent = (bits & infinity) >> fraction_bits;
    const int fraction = bits & ((1 << fraction_bits) - 1);
    double magnitude;
    if (exponent == (1 << exponent_bits) - 1) {
      magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    } else if (exponent == 0) {
      magnitude = std::ldexp(fraction, 1 - bias - fraction_bits);
    } else {
      magnitude = std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
    }
    return (bits >> 15) != 0 ? -magnitude : magnitude;
  }

  // Rounds once, whatever the exponent.
  static std::uint16_t pack(double value, HalfRounding rounding = HalfRounding::nearest) {
    if (value != value) return nan;
    const bool negative = std::signbit(value);
    const std::uint16_t sign = negative ? 0x8000 : 0;
    const double magnitude = std::fabs(value);
    if (magnitude == std::numeric_limits<double>::infinity()) return sign | infinity;
    const bool away = rounding == (negative ? HalfRounding::down : HalfRounding::up);
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    // The unit in the last place, at least that of subnormal numbers.
    int unit = exponent - 1 - fraction_bits;
    if (unit < 1 - bias - fraction_bits || magnitude == 0) unit = 1 - bias - fraction_bits;
    const double scaled = std::ldexp(magnitude, -unit);
    double whole = std::floor(scaled);
    const double rest = scaled - whole;
    if (rounding == HalfRounding::nearest) {
      if (rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2) != 0)) whole += 1;
    } else if (away && rest > 0) {
      whole += 1;
    }
    const double rounded = std::ldexp(whole, unit);
    if (rounded == 0) return sign;
    const double largest = std::ldexp((2 << fraction_bits) - 1, bias - fraction_bits);
    if (rounded > largest) {
      const bool stays = rounding != HalfRounding::nearest && !away;
      return sign | (stays ? infinity - 1 : infinity);
    }
    std::frexp(rounded, &exponent);
    int field = exponent - 1 + bias;
    if (field < 1) return sign | static_cast<std::uint16_t>(std::ldexp(rounded, bias - 1 + fraction_bits));
    const double fraction = std::ldexp(rounded, fraction_bits - (exponent - 1)) - (1 << fraction_bits);
    return static_cast<std::uint16_t>(sign | field << fraction_bits | static_cast<int>(fraction));
  }

  // The same by bits, for the common case: a float has the range of bf16, and of every half.
  static float to_float(std::uint16_t bits) {
    if constexpr (exponent_bits == 8) {
      return bits_as<float>(static_cast<std::uint32_t>(bits) << 16);
    } else {
      const std::uint32_t magnitude = bits & 0x7fffu;
      const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
      if (magnitude >= infinity) return bits_as<float>(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
      // A multiplication adjusts the exponent, which also handles subnormal numbers.
      const float scaled = bits_as<float>(magnitude << 13) * 0x1p112f;
      return bits_as<float>(sign | bits_as<std::uint32_t>(scaled));
    }
  }

  static std::uint16_t from_float(float value) {
    const std::uint32_t bits = bits_as<std::uint32_t>(value);
    if (value != value) return nan;
    if constexpr (exponent_bits == 8) {
      return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
    } else {
      const std::uint16_t sign = bits >> 16 & 0x8000;
      const std::uint32_t magnitude = bits & 0x7fffffffu;
      if (magnitude >= 0x477ff000u) return sign | infinity;
      if (magnitude < 0x38800000u) {
        // Adding a number whose last place is that of subnormal halves rounds to that place.
        const float rounded = bits_as<float>(magnitude) + 0.5f;
        return sign | static_cast<std::uint16_t>(bits_as<std::uint32_t>(rounded) - 0x3f000000u);
      }
      return sign | static_cast<std::uint16_t>((magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1)) >> 13);
    }
  }
};

}  // namespace hirace::cpu
