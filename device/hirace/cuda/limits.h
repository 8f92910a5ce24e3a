// The number limits of <limits>, which nvcc's own headers do not include.
#pragma once

#include <type_traits>

namespace hirace::cpu {

template <class T>
struct Limits {
  static_assert(std::is_arithmetic_v<T>);

  static constexpr T infinity() { return static_cast<T>(__builtin_inf()); }
  static constexpr T quiet_nan() { return static_cast<T>(__builtin_nan("")); }

  // The greatest finite number.
  static constexpr T max() {
    if constexpr (std::is_same_v<T, float>) {
      return __FLT_MAX__;
    } else if constexpr (std::is_same_v<T, double>) {
      return __DBL_MAX__;
    } else if constexpr (std::is_signed_v<T>) {
      using Bits = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<Bits>(~Bits{0}) >> 1);
    } else {
      return static_cast<T>(~T{0});
    }
  }

  // The least finite number.
  static constexpr T lowest() {
    if constexpr (std::is_floating_point_v<T>) {
      return -max();
    } else {
      return static_cast<T>(~max());
    }
  }
};

}  // namespace hirace::cpu
