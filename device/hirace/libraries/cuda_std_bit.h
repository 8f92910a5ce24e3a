// <cuda/std/bit>: the C++20 header, for C++17 as well.
#pragma once

#include <cstring>
#include <limits>
#include <type_traits>

#include "cuda_std.h"

#if __cplusplus >= 202002L
#include <bit>
#else
namespace cuda {
namespace std {

template <class To, class From>
To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From) && is_trivially_copyable_v<To> && is_trivially_copyable_v<From>, "reinterprets all bits");
  To to;
  ::std::memcpy(static_cast<void*>(&to), &from, sizeof to);
  return to;
}

template <class T>
constexpr int popcount(T x) {
  static_assert(is_unsigned_v<T>, "counts bits of unsigned integers");
  return __builtin_popcountll(x);
}
template <class T>
constexpr int countl_zero(T x) {
  static_assert(is_unsigned_v<T>, "counts bits of unsigned integers");
  constexpr int unused = 64 - numeric_limits<T>::digits;
  return x == 0 ? numeric_limits<T>::digits : __builtin_clzll(x) - unused;
}
template <class T>
constexpr int countr_zero(T x) {
  return x == 0 ? numeric_limits<T>::digits : __builtin_ctzll(x);
}
template <class T>
constexpr int countl_one(T x) {
  return countl_zero(static_cast<T>(~x));
}
template <class T>
constexpr int countr_one(T x) {
  return countr_zero(static_cast<T>(~x));
}
template <class T>
constexpr int bit_width(T x) {
  return numeric_limits<T>::digits - countl_zero(x);
}
template <class T>
constexpr bool has_single_bit(T x) {
  return popcount(x) == 1;
}
template <class T>
constexpr T bit_floor(T x) {
  return x == 0 ? T{0} : static_cast<T>(T{1} << (bit_width(x) - 1));
}
template <class T>
constexpr T bit_ceil(T x) {
  return x <= 1 ? T{1} : static_cast<T>(T{1} << bit_width(static_cast<T>(x - 1)));
}
template <class T>
constexpr T rotl(T x, int shift) {
  constexpr unsigned digits = numeric_limits<T>::digits;
  const unsigned left = static_cast<unsigned>(shift) % digits;
  return left == 0 ? x : static_cast<T>(x << left | x >> (digits - left));
}
template <class T>
constexpr T rotr(T x, int shift) {
  return rotl(x, -shift);
}

}  // namespace std
}  // namespace cuda
#endif
