// Numbers of 8, 6 and 4 bits: their encoding, and the rounding of other numbers to them (OCP 8-bit
// Floating Point Specification; OCP Microscaling Formats; CUDA Math API, "FP8 Intrinsics" and so on).
#pragma once

#include <cstdint>
#include <limits>

#include "cmath.h"

namespace hirace::cpu {

// Which codes are no numbers. `ieee`: those with the greatest exponent are infinity and NaN. `nan_only`:
// the greatest magnitude is NaN. `none`: NaN becomes the greatest number.
enum class TinySpecials { ieee, nan_only, none };

// A sign, then exponent and fraction, in the low bits of a byte. A code of a vector of such numbers takes
// `stride` bits.
template <int exponent_bits, int fraction_bits, TinySpecials specials>
struct TinyFloat {
  using Code = std::uint8_t;
  static constexpr int stride = exponent_bits + fraction_bits < 4 ? 4 : 8;
  static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  static constexpr Code sign_bit = 1 << (exponent_bits + fraction_bits);
  static constexpr Code infinity = ((1 << exponent_bits) - 1) << fraction_bits;  // of `ieee`
  static constexpr Code nan = sign_bit - 1;                                     // of the others
  static constexpr Code largest = specials == TinySpecials::ieee ? infinity - 1 : specials == TinySpecials::nan_only ? nan - 1 : nan;
  static constexpr Code overflow = specials == TinySpecials::ieee ? infinity : nan;

  static float unpack(Code code) {
    const Code magnitude = code & (sign_bit - 1);
    float value;
    if (magnitude > largest) {
      if (magnitude != infinity || specials != TinySpecials::ieee) return std::numeric_limits<float>::quiet_NaN();
      value = std::numeric_limits<float>::infinity();
    } else {
      const int exponent = magnitude >> fraction_bits;
      const int fraction = magnitude & ((1 << fraction_bits) - 1);
      const int digits = exponent == 0 ? fraction : fraction + (1 << fraction_bits);
      value = std::ldexp(static_cast<float>(digits), (exponent == 0 ? 1 : exponent) - bias - fraction_bits);
    }
    return (code & sign_bit) != 0 ? -value : value;
  }

  // The nearest number, ties to even. Whether `saturate` decides what happens to numbers that are too great,
  // infinity among them: they become the greatest number.
  static Code pack(double value, bool saturate = true) {
    if (value != value) return nan;
    const Code sign = std::signbit(value) ? sign_bit : 0;
    const double magnitude = std::fabs(value);
    if (magnitude == std::numeric_limits<double>::infinity()) return sign | (saturate ? largest : overflow);
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    int field = exponent - 1 + bias;
    if (field < 1 || magnitude == 0) field = 1;
    const double scaled = std::ldexp(magnitude, fraction_bits + bias - field);
    double digits = std::floor(scaled);
    const double rest = scaled - digits;
    if (rest > 0.5 || (rest == 0.5 && std::fmod(digits, 2) != 0)) digits += 1;
    // A number that is rounded up to the next power of two carries into the exponent.
    const double code = std::ldexp(field - 1.0, fraction_bits) + digits;
    if (code > largest) return sign | (saturate ? largest : overflow);
    return sign | static_cast<Code>(code);
  }

  static bool is_nonzero(Code code) { return (code & (sign_bit - 1)) != 0; }
};

// A power of two, with no sign: scales of blocks of other numbers.
struct TinyScale {
  using Code = std::uint8_t;
  static constexpr int stride = 8;
  static constexpr int bias = 127;
  static constexpr Code nan = 0xff;

  static float unpack(Code code) {
    return code == nan ? std::numeric_limits<float>::quiet_NaN() : std::ldexp(1.0f, code - bias);
  }

  // Signs are dropped.
  static Code pack(double value, bool saturate = true, bool upwards = true) {
    if (value != value) return nan;
    const double magnitude = std::fabs(value);
    int code = nan;
    if (magnitude != std::numeric_limits<double>::infinity()) {
      int exponent = 0;
      const double fraction = std::frexp(magnitude, &exponent);
      code = magnitude == 0 ? 0 : exponent - 1 + bias + (upwards && fraction > 0.5);
      if (code < 0) code = 0;
    }
    return code >= nan ? (saturate ? nan - 1 : nan) : code;
  }

  static bool is_nonzero(Code) { return true; }
};

}  // namespace hirace::cpu
