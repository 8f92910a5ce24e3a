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
template <class A, class B>
constexpr bool are_shifted = is_shifted<std::decay_t<A>> && is_shifted<std::decay_t<B>>;

// The count as the instruction takes it, an unsigned number of 32 bits.
template <class B>
HIRACE_HOOK constexpr std::uint32_t shift_count(B count) {
  return static_cast<std::uint32_t>(count);
}

}  // namespace detail

template <class A, class B, std::enable_if_t<detail::are_shifted<A, B>, int> = 0>
HIRACE_HOOK constexpr auto shift_left(A value, B count) {
  using Result = decltype(+value);
  using Bits = std::make_unsigned_t<Result>;
  const std::uint32_t places = detail::shift_count(count);
  return places < 8 * sizeof(Result) ? static_cast<Result>(static_cast<Bits>(value) << places) : Result{0};
}
template <class A, class B, std::enable_if_t<detail::are_shifted<A, B>, int> = 0>
HIRACE_HOOK constexpr auto shift_right(A value, B count) {
  using Result = decltype(+value);
  constexpr std::uint32_t width = 8 * sizeof(Result);
  const std::uint32_t places = detail::shift_count(count);
  const Result number = value;
  if (places < width) return static_cast<Result>(number >> places);
  return number < 0 ? static_cast<Result>(-1) : Result{0};
}

// Operators of classes.
template <class A, class B, std::enable_if_t<!detail::are_shifted<A, B>, int> = 0>
HIRACE_HOOK constexpr decltype(auto) shift_left(A&& value, B&& count) {
  return std::forward<A>(value) << std::forward<B>(count);
}
template <class A, class B, std::enable_if_t<!detail::are_shifted<A, B>, int> = 0>
HIRACE_HOOK constexpr decltype(auto) shift_right(A&& value, B&& count) {
  return std::forward<A>(value) >> std::forward<B>(count);
}

}  // namespace hirace
