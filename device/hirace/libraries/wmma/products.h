// The arithmetic of nvcuda::wmma: the last lane to arrive multiplies the matrices of all lanes.
//
// Sums are computed in order, in float for 16-bit factors and tf32; a GPU may round them differently.
#pragma once

#include <cstdint>

#include "fragment.h"
#include "whole_warp.h"

namespace hirace::cpu {

namespace small_numbers = wmma::experimental::precision;

template <class T>
constexpr bool is_bits = std::is_same_v<T, small_numbers::b1>;

// The factors of a product, as numbers.
template <class T>
using FactorNumber = std::conditional_t<
    std::is_same_v<T, double>, double,
    std::conditional_t<is_bits<T>, std::uint32_t,
                       std::conditional_t<is_one_of<T, signed char, unsigned char, small_numbers::s4, small_numbers::u4>, int, float>>>;

// The word in which all elements are `value`.
template <class T, class Value>
typename MatrixElement<T>::Stored filled(const Value& value) {
  if constexpr (is_bits<T>) {
    return (static_cast<unsigned int>(value) & 1) != 0 ? ~0u : 0u;
  } else if constexpr (MatrixElement<T>::per_word > 1) {
    return static_cast<typename MatrixElement<T>::Stored>((static_cast<unsigned int>(value) & 0xf) * 0x11111111u);
  } else {
    return static_cast<typename MatrixElement<T>::Stored>(value);
  }
}

// Element `i` of a word.
template <class T, class Stored>
FactorNumber<T> factor(const Stored& word, int i) {
  if constexpr (std::is_same_v<T, small_numbers::u4>) {
    return static_cast<int>(word >> 4 * i & 0xf);
  } else if constexpr (std::is_same_v<T, small_numbers::s4>) {
    const int digits = word >> 4 * i & 0xf;
    return digits < 8 ? digits : digits - 16;
  } else if constexpr (std::is_same_v<T, wmma::precision::tf32>) {
    return bits_as<float>(bits_as<std::uint32_t>(word) & 0xffffe000u);
  } else {
    return static_cast<FactorNumber<T>>(word);
  }
}

// Calls `body(row, column, element)` for the elements of the fragments of all lanes. Bits stay in words.
template <class Use, int m, int n, int k, class T, class Layout, class Lanes, class Body>
void each_element(const Lanes& fragments, const Body& body) {
  using Share = MatrixShare<Use, m, n, k, T, Layout>;
  constexpr int elements = is_bits<T> ? 1 : Share::per_word;
  for (int lane = 0; lane < 32; ++lane) {
    for (int word = 0; word < Share::words; ++word) {
      const auto place = Share::place(lane, word / Share::run);
      for (int i = 0; i < elements; ++i) {
        const int at = (place.at + word % Share::run) * elements + i;
        body(Share::by_rows ? place.line : at, Share::by_rows ? at : place.line, fragments(lane).x[word], i);
      }
    }
  }
}

template <int m, int n, int k, class Factor, class ALayout, class BLayout, class Out, class In>
struct MatrixProduct {
  using Number = FactorNumber<Factor>;
  using Sum = std::conditional_t<is_bits<Factor> || std::is_same_v<Number, int>, long long, Number>;

  struct Lane : WholeWarpLane {
    const wmma::fragment<wmma::matrix_a, m, n, k, Factor, ALayout>* a;
    const wmma::fragment<wmma::matrix_b, m, n, k, Factor, BLayout>* b;
    const wmma::fragment<wmma::accumulator, m, n, k, In>* c;
    wmma::fragment<wmma::accumulator, m, n, k, Out>* d;
    bool saturates = false, intersects = false;
  };

  static void combine(LaneData* const* data, std::uint32_t lanes) {
    if (lanes != matrix_lanes) return;
    set_whole(data, lanes);
    const auto lane = [&](int i) -> const Lane& { return *static_cast<Lane*>(data[i]); };
    constexpr int depth = is_bits<Factor> ? k / 32 : k;
    Number left[m][depth], right[depth][n];
    Sum sums[m][n];
    each_element<wmma::matrix_a, m, n, k, Factor, ALayout>([&](int i) -> auto& { return *lane(i).a; },
        [&](int row, int column, const auto& word, int i) { left[row][column] = factor<Factor>(word, i); });
    each_element<wmma::matrix_b, m, n, k, Factor, BLayout>([&](int i) -> auto& { return *lane(i).b; },
        [&](int row, int column, const auto& word, int i) { right[row][column] = factor<Factor>(word, i); });
    each_element<wmma::accumulator, m, n, k, In, void>([&](int i) -> auto& { return *lane(i).c; },
        [&](int row, int column, const In& word, int) { sums[row][column] = static_cast<Sum>(word); });
    for (int row = 0; row < m; ++row) {
      for (int column = 0; column < n; ++column) {
        for (int step = 0; step < depth; ++step) sums[row][column] += product(left[row][step], right[step][column], lane(0).intersects);
      }
    }
    each_element<wmma::accumulator, m, n, k, Out, void>([&](int i) -> auto& { return *lane(i).d; },
        [&](int row, int column, Out& word, int) { word = result(sums[row][column], lane(0).saturates); });
  }

 private:
  static Sum product(Number a, Number b, bool intersects) {
    if constexpr (is_bits<Factor>) {
      return __builtin_popcount(intersects ? a & b : a ^ b);
    } else {
      return static_cast<Sum>(a) * b;
    }
  }

  // Saturation, which only sums of halves and of int have, replaces what the type cannot represent.
  static Out result(Sum sum, bool saturates) {
    if constexpr (std::is_same_v<Out, int>) {
      if (saturates && sum > 0x7fffffffll) return 0x7fffffff;
      if (saturates && sum < -0x80000000ll) return -0x7fffffff - 1;
      return static_cast<int>(static_cast<std::uint32_t>(sum));
    } else if constexpr (std::is_same_v<Out, __half>) {
      constexpr float largest = 65504;
      if (saturates) sum = sum != sum ? 0 : sum > largest ? largest : sum < -largest ? -largest : sum;
      return __half(sum);
    } else {
      return static_cast<Out>(sum);
    }
  }
};

}  // namespace hirace::cpu
