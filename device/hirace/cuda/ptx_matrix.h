// PTX's matrix instructions for warps (PTX ISA, "Warp Level Matrix Instructions").
//
// The last lane to arrive computes the results of all lanes.
#pragma once

#include "../libraries/wmma/whole_warp.h"
#include "ptx_conversions.h"

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

// `stmatrix`, with the same places: each row is gathered from the lanes that have it, and then written by the lane that
// names its place, so that the write is checked like any other.
struct StoredRow : WholeWarpLane {
  int matrices;
  bool transposed;
  std::uint32_t given[4];
  std::uint16_t row[8];
};

inline void combine_stores(LaneData* const* data, std::uint32_t lanes) {
  if (lanes != matrix_lanes) return;
  set_whole(data, lanes);
  for (int lane = 0; lane < 32; ++lane) {
    const StoredRow& from = *static_cast<StoredRow*>(data[lane]);
    for (int matrix = 0; matrix < from.matrices; ++matrix) {
      for (int half = 0; half < 2; ++half) {
        const int column = lane % 4 * 2 + half;
        const int row = from.transposed ? column : lane / 4, at = from.transposed ? lane / 4 : column;
        static_cast<StoredRow*>(data[8 * matrix + row])->row[at] = static_cast<std::uint16_t>(from.given[matrix] >> 16 * half);
      }
    }
  }
}
template <bool transposed, class... Values>
inline StoredRow gathered_row(SiteId site, Values... values) {
  StoredRow lane{{}, sizeof...(values), transposed, {values...}, {}};
  join_whole_warp(site, "stmatrix", lane, combine_stores);
  return lane;
}
inline void store_row(void* place, const StoredRow& row) {
  if (lane_number() < 8u * static_cast<unsigned>(row.matrices)) std::memcpy(place, row.row, sizeof row.row);
}

// `movmatrix`: the transposed matrix, of whose rows four lanes have a register each, as of those that `ldmatrix` loads.
struct MovedLane : WholeWarpLane {
  std::uint32_t given, result;
};
inline void combine_moved(LaneData* const* data, std::uint32_t lanes) {
  if (lanes != matrix_lanes) return;
  set_whole(data, lanes);
  for (int lane = 0; lane < 32; ++lane) {
    std::uint32_t& to = static_cast<MovedLane*>(data[lane])->result;
    to = 0;
    for (int half = 0; half < 2; ++half) {
      const int row = lane % 4 * 2 + half, column = lane / 4;
      const std::uint32_t from = static_cast<MovedLane*>(data[4 * row + column / 2])->given;
      to |= (from >> 16 * (column % 2) & 0xffff) << 16 * half;
    }
  }
}
template <class = void>
inline std::uint32_t transposed_matrix(SiteId site, std::uint32_t given) {
  MovedLane lane{{}, given, 0};
  join_whole_warp(site, "movmatrix", lane, combine_moved);
  return lane.result;
}

// The element types of `mma`: how many are in a register, and their values.
template <class Element>
struct Halves {
  using Word = std::uint32_t;
  static constexpr int in_register = 2;
  static f32 value(Word word, int at) { return Element::Format::to_float(static_cast<std::uint16_t>(word >> 16 * at)); }
};
template <class Integer>
struct Bytes {
  using Word = std::uint32_t;
  static constexpr int in_register = 4;
  static s32 value(Word word, int at) { return static_cast<Integer>(word >> 8 * at); }
};
template <bool is_signed>
struct Nibbles {
  using Word = std::uint32_t;
  static constexpr int in_register = 8;
  static s32 value(Word word, int at) {
    const s32 digits = static_cast<s32>(word >> 4 * at & 0xf);
    return is_signed && digits >= 8 ? digits - 16 : digits;
  }
};
template <class Tiny>
struct TinyFloats {
  using Word = std::uint32_t;
  static constexpr int in_register = 4;
  static f32 value(Word word, int at) { return static_cast<f32>(Tiny::unpack(static_cast<u8>(word >> 8 * at))); }
};
struct Tf32 {
  using Word = std::uint32_t;
  static constexpr int in_register = 1;
  // The hardware ignores the last 13 bits of the fraction.
  static f32 value(Word word, int) { return bits_as<f32>(word & ~0x1fffu); }
};
struct Doubles {
  using Word = double;
  static constexpr int in_register = 1;
  static f64 value(Word word, int) { return word; }
};

// Sums of integers wrap around, or stop at the limits of the type (`.satfinite`).
template <class Sum>
using Total = std::conditional_t<std::is_integral_v<Sum>, s64, Sum>;
template <class Sum, bool saturates>
inline Sum sum_of(Total<Sum> total) {
  constexpr s64 lowest = std::numeric_limits<s32>::min(), highest = std::numeric_limits<s32>::max();
  if constexpr (saturates) return static_cast<Sum>(total < lowest ? lowest : total > highest ? highest : total);
  else return static_cast<Sum>(total);
}

// The registers of one lane: of a matrix A of 8 or 16 rows, of a k x 8 matrix B, and of the accumulators.
template <class Word, class Sum, int rows, int times>
struct ProductLane : WholeWarpLane {
  Word a[rows / 8 * times], b[times];
  Sum c[rows / 4];
};

// `mma.m8n8k…` and `mma.m16n8k…`: A and B have groups of four lanes for a row of A or a column of B. A lane has, for
// each 4 * in_register of the k, in_register elements; of 16 rows it has r and r + 8 (PTX ISA, "Matrix Fragments for
// mma.m16n8k16" and the others).
template <class Left, class Right, class Sum, int rows, int inner, bool saturates>
inline void combine_product(LaneData* const* data, std::uint32_t lanes) {
  if (lanes != matrix_lanes) return;
  set_whole(data, lanes);
  constexpr int times = inner / (4 * Left::in_register), halves = rows / 8;
  using Lane = ProductLane<typename Left::Word, Sum, rows, times>;
  const auto of = [&](int lane) -> Lane& { return *static_cast<Lane*>(data[lane]); };
  for (int lane = 0; lane < 32; ++lane) {
    for (int which = 0; which < 2 * halves; ++which) {
      const int row = lane / 4, upper = which / 2, column = lane % 4 * 2 + which % 2;
      Total<Sum> sum = of(lane).c[which];
      for (int time = 0; time < times; ++time) {
        for (int in_group = 0; in_group < 4; ++in_group) {
          const auto a = of(4 * row + in_group).a[halves * time + upper], b = of(4 * column + in_group).b[time];
          for (int at = 0; at < Left::in_register; ++at) sum += Left::value(a, at) * Right::value(b, at);
        }
      }
      of(lane).c[which] = sum_of<Sum, saturates>(sum);
    }
  }
}

template <class Left, class Right, class Sum, int rows, int inner, bool saturates, class Word, std::size_t of_a, std::size_t of_b,
          std::size_t of_c>
inline auto product(SiteId site, const Word (&a)[of_a], const Word (&b)[of_b], const Sum (&c)[of_c]) {
  ProductLane<Word, Sum, rows, inner / (4 * Left::in_register)> lane{};
  static_assert(sizeof a == sizeof lane.a && sizeof b == sizeof lane.b && sizeof c == sizeof lane.c, "the registers hold the elements");
  std::memcpy(lane.a, a, sizeof a);
  std::memcpy(lane.b, b, sizeof b);
  std::memcpy(lane.c, c, sizeof c);
  join_whole_warp(site, "mma", lane, combine_product<Left, Right, Sum, rows, inner, saturates>);
  return lane;
}

}  // namespace hirace::cpu::ptx
