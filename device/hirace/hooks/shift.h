// Shifts by a count that is not a number in the source.
//
//   a << n  →  hirace::shift_left(a, n)
//   a >> n  →  hirace::shift_right(a, n)
//
// A GPU clamps the count to the width of the number, so that nothing is left of it but its sign (PTX ISA, `shl`
// and `shr`). A CPU takes the count modulo the width. C++ defines neither, but programs rely on the former: the
// padding against bank conflicts in many scans shifts by more than 32.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "backend.h"

namespace hirace {

namespace detail {

// Integers, and enumerations that convert to them.
template <class T>
constexpr bool is_shifted = std::is_integral_v<T> || (std::is_enum_v<T> && std::is_convertible_v<T, int>);
template <class Value, class Count>
constexpr bool are_shifted = is_shifted<std::decay_t<Value>> && is_shifted<std::decay_t<Count>>;

// The count as the instruction takes it, an unsigned number of 32 bits.
template <class Count>
HIRACE_HOOK constexpr std::uint32_t shift_count(Count count) {
  return static_cast<std::uint32_t>(count);
}

}  // namespace detail

template <class Value, class Count, std::enable_if_t<detail::are_shifted<Value, Count>, int> = 0>
HIRACE_HOOK constexpr auto shift_left(Value value, Count count) {
  using Result = decltype(+value);
  using Bits = std::make_unsigned_t<Result>;
  const std::uint32_t places = detail::shift_count(count);
  return places < 8 * sizeof(Result) ? static_cast<Result>(static_cast<Bits>(value) << places) : Result{0};
}
template <class Value, class Count, std::enable_if_t<detail::are_shifted<Value, Count>, int> = 0>
HIRACE_HOOK constexpr auto shift_right(Value value, Count count) {
  using Result = decltype(+value);
  constexpr std::uint32_t width = 8 * sizeof(Result);
  const std::uint32_t places = detail::shift_count(count);
  const Result number = value;
  if (places < width) return static_cast<Result>(number >> places);
  return number < 0 ? static_cast<Result>(-1) : Result{0};
}

// Operators of classes.
template <class Value, class Count, std::enable_if_t<!detail::are_shifted<Value, Count>, int> = 0>
HIRACE_HOOK constexpr decltype(auto) shift_left(Value&& value, Count&& count) {
  return std::forward<Value>(value) << std::forward<Count>(count);
}
template <class Value, class Count, std::enable_if_t<!detail::are_shifted<Value, Count>, int> = 0>
HIRACE_HOOK constexpr decltype(auto) shift_right(Value&& value, Count&& count) {
  return std::forward<Value>(value) >> std::forward<Count>(count);
}

}  // namespace hirace
