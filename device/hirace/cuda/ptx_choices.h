// PTX's choices between numbers, and values that stand for conditions (PTX ISA, "min", "max", "set", "atom").
#pragma once

#include "ptx_arithmetic.h"

namespace hirace::cpu::ptx {

// `set`: all bits, or 1.0.
template <class T>
inline T set_if(bool condition) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(condition ? -1 : 0);
  else return T(condition ? 1.0f : 0.0f);
}
// The same for each element of a pair. Integers have 16 bits for each.
template <class T, class Test, class Element>
inline T set_each(const Test& test, Two<Element> a, Two<Element> b) {
  const bool low = test(a.low, b.low), high = test(a.high, b.high);
  if constexpr (std::is_integral_v<T>) return static_cast<T>((low ? 0xffffu : 0u) | (high ? 0xffff0000u : 0u));
  else return {set_if<Element>(low), set_if<Element>(high)};
}

// `.xorsign.abs`: the choice between the magnitudes, with the product of the signs.
#define HIRACE_PTX_XORSIGN(name)                                                                          \
  template <class T>                                                                                      \
  inline T name##_xorsign(T a, T b) {                                                                     \
    if constexpr (is_small<T>) {                                                                          \
      return each<float>(name##_xorsign<float>, a, b);                                                    \
    } else {                                                                                              \
      const T chosen = name<T>(std::fabs(a), std::fabs(b));                                               \
      return chosen != chosen || std::signbit(a) == std::signbit(b) ? chosen : -chosen;                   \
    }                                                                                                     \
  }
HIRACE_PTX_XORSIGN(min)
HIRACE_PTX_XORSIGN(max)
HIRACE_PTX_XORSIGN(min_nan)
HIRACE_PTX_XORSIGN(max_nan)
#undef HIRACE_PTX_XORSIGN

// Atomic operations whose choice is that of `min` and `max`.
template <class T>
inline T atomic_min(void* address, T value) {
  return raw::detail::exchange_with(static_cast<T*>(address), [=](T old) { return min<T>(old, value); });
}
template <class T>
inline T atomic_max(void* address, T value) {
  return raw::detail::exchange_with(static_cast<T*>(address), [=](T old) { return max<T>(old, value); });
}

}  // namespace hirace::cpu::ptx
