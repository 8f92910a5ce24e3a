// PTX's matrix instructions for warps (PTX ISA, "Warp Level Matrix Instructions").
//
// The last lane to arrive computes the results of all lanes.
#pragma once

#include "../libraries/wmma/whole_warp.h"
#include "ptx_small_floats.h"

namespace hirace::cpu::ptx {

// `ldmatrix` of 8 x 8 matrices: lane 8m + r names row r of matrix m.
struct RowsLane : WholeWarpLane {
  const void* row;
  int matrices;
  bool transposed;
  std::uint32_t result[4];
};

inline std::uint16_t element_of(LaneData* const* data, int matrix, int row, int column) {
  std::uint16_t value;
  std::memcpy(&value, static_cast<const char*>(static_cast<RowsLane*>(data[8 * matrix + row])->row) + 2 * column, sizeof value);
  return value;
}

inline void combine_rows(LaneData* const* data, std::uint32_t lanes) {
  if (lanes != matrix_lanes) return;
  set_whole(data, lanes);
  for (int lane = 0; lane < 32; ++lane) {
    RowsLane& to = *static_cast<RowsLane*>(data[lane]);
    for (int matrix = 0; matrix < to.matrices; ++matrix) {
      const auto at = [&](int column) {
        return to.transposed ? element_of(data, matrix, column, lane / 4) : element_of(data, matrix, lane / 4, column);
      };
      to.result[matrix] = at(lane % 4 * 2) | std::uint32_t{at(lane % 4 * 2 + 1)} << 16;
    }
  }
}

template <int count, bool transposed>
inline RowsLane load_matrices(SiteId site, const void* row) {
  RowsLane lane;
  lane.row = row;
  lane.matrices = count;
  lane.transposed = transposed;
  join_whole_warp(site, "ldmatrix", lane, combine_rows);
  return lane;
}

// `stmatrix`, with the same places.
inline void combine_stores(LaneData* const* data, std::uint32_t lanes) {
  if (lanes != matrix_lanes) return;
  set_whole(data, lanes);
  for (int lane = 0; lane < 32; ++lane) {
    const RowsLane& from = *static_cast<RowsLane*>(data[lane]);
    for (int matrix = 0; matrix < from.matrices; ++matrix) {
      for (int half = 0; half < 2; ++half) {
        const int column = lane % 4 * 2 + half;
        const auto value = static_cast<std::uint16_t>(from.result[matrix] >> 16 * half);
        const int row = from.transposed ? column : lane / 4, at = from.transposed ? lane / 4 : column;
        void* const place = const_cast<void*>(static_cast<RowsLane*>(data[8 * matrix + row])->row);
        std::memcpy(static_cast<char*>(place) + 2 * at, &value, sizeof value);
      }
    }
  }
}
template <bool transposed, class... Values>
inline void store_matrices(SiteId site, void* row, Values... values) {
  RowsLane lane{{}, row, sizeof...(values), transposed, {values...}};
  join_whole_warp(site, "stmatrix", lane, combine_stores);
}

// The element types of `mma`: how many are in a register, and their values.
template <class Element>
struct Halves {
  static constexpr int in_register = 2;
  static f32 value(std::uint32_t word, int at) { return Element::Format::to_float(static_cast<std::uint16_t>(word >> 16 * at)); }
};
template <class Integer>
struct Bytes {
  static constexpr int in_register = 4;
  static s32 value(std::uint32_t word, int at) { return static_cast<Integer>(word >> 8 * at); }
};
struct Tf32 {
  static constexpr int in_register = 1;
  // The hardware ignores the last 13 bits of the fraction.
  static f32 value(std::uint32_t word, int) { return bits_as<f32>(word & ~0x1fffu); }
};

// The registers of one lane: of a 16 x k matrix A, of a k x 8 matrix B, and of the 16 x 8 accumulators.
template <class Sum>
struct ProductLane : WholeWarpLane {
  std::uint32_t a[4], b[2];
  Sum c[4];
};

// `mma.m16n8k…`: A and B have groups of four lanes for a row of A or a column of B. A lane has, for each 4 * in_register
// of the k, in_register elements; A has rows r and r + 8 (PTX ISA, "Matrix Fragments for mma.m16n8k16").
template <class Left, class Right, class Sum, int inner>
inline void combine_product(LaneData* const* data, std::uint32_t lanes) {
  if (lanes != matrix_lanes) return;
  set_whole(data, lanes);
  constexpr int each_time = 4 * Left::in_register, times = inner / each_time;
  const auto of = [&](int lane) -> ProductLane<Sum>& { return *static_cast<ProductLane<Sum>*>(data[lane]); };
  static_assert(times * 2 <= 4, "A has at most four registers");
  for (int lane = 0; lane < 32; ++lane) {
    for (int which = 0; which < 4; ++which) {
      const int row = lane / 4, upper = which / 2, column = lane % 4 * 2 + which % 2;
      Sum& sum = of(lane).c[which];
      for (int time = 0; time < times; ++time) {
        for (int in_group = 0; in_group < 4; ++in_group) {
          const std::uint32_t a = of(4 * row + in_group).a[2 * time + upper], b = of(4 * column + in_group).b[time];
          for (int at = 0; at < Left::in_register; ++at) sum += Left::value(a, at) * Right::value(b, at);
        }
      }
    }
  }
}

template <class Left, class Right, class Sum, int inner, std::size_t of_a, std::size_t of_b>
inline ProductLane<Sum> product(SiteId site, const std::uint32_t (&a)[of_a], const std::uint32_t (&b)[of_b], const Sum (&c)[4]) {
  static_assert(of_a == 2 * of_b && of_b * 4 * Left::in_register == inner, "the registers hold a row's elements");
  ProductLane<Sum> lane{};
  std::memcpy(lane.a, a, sizeof a);
  std::memcpy(lane.b, b, sizeof b);
  std::memcpy(lane.c, c, sizeof c);
  join_whole_warp(site, "mma", lane, combine_product<Left, Right, Sum, inner>);
  return lane;
}

// `mma.m8n8k4` of f64: an element of A and of B, two of the accumulators.
struct DoubleProductLane : WholeWarpLane {
  double a, b, c[2];
};
inline void combine_double_product(LaneData* const* data, std::uint32_t lanes) {
  if (lanes != matrix_lanes) return;
  set_whole(data, lanes);
  const auto of = [&](int lane) -> DoubleProductLane& { return *static_cast<DoubleProductLane*>(data[lane]); };
  for (int lane = 0; lane < 32; ++lane) {
    for (int which = 0; which < 2; ++which) {
      const int column = lane % 4 * 2 + which;
      for (int at = 0; at < 4; ++at) of(lane).c[which] += of(lane / 4 * 4 + at).a * of(4 * column + at).b;
    }
  }
}
inline DoubleProductLane double_product(SiteId site, double a, double b, const double (&c)[2]) {
  DoubleProductLane lane{};
  lane.a = a;
  lane.b = b;
  std::memcpy(lane.c, c, sizeof c);
  join_whole_warp(site, "mma", lane, combine_double_product);
  return lane;
}

}  // namespace hirace::cpu::ptx
