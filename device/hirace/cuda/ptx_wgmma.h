// Products of matrices by warpgroups (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions").
//
// A warp computes its 16 of the 64 rows when it issues the instruction. To the order engine, what it reads of
// shared memory is read by the copiers of its lanes, until they wait for the products.
#pragma once

#include "../hooks/bytes.h"
#include "ptx_barriers.h"
#include "ptx_matrix.h"

namespace hirace::cpu::ptx {

// Where a matrix is in shared memory (PTX ISA, "Matrix Descriptor Format", "Strides"). A row of its canonical
// layouts has `width` bytes, whose pieces of 16 bytes are exchanged according to the address.
class MatrixInShared {
 public:
  MatrixInShared(u64 descriptor, bool outer_is_contiguous)
      : start_(field(descriptor, 0)), leading_(field(descriptor, 16)), stride_(field(descriptor, 32)), outer_is_contiguous_(outer_is_contiguous) {
    constexpr u32 widths[] = {16, 128, 64, 32};
    width_ = widths[descriptor >> 62];
  }

  // The piece with the element `outer` of a row or column, at byte `inner` of the sum. If the elements of rows are
  // contiguous instead of those of sums, these are 2 bytes each.
  const char* at(u32 outer, u32 inner) const {
    const u32 offset = outer_is_contiguous_ ? across(2 * outer, inner / 2) : along(outer, inner);
    const u32 address = start_ + offset, exchanged = (address >> 7 & (width_ / 16 - 1)) << 4;
    return static_cast<const char*>(shared_pointer(address ^ exchanged));
  }

 private:
  static u32 field(u64 descriptor, int from) { return static_cast<u32>(descriptor >> from & 0x3fff) << 4; }

  u32 along(u32 outer, u32 inner) const {
    const u32 row = outer / 8 * stride_ + outer % 8 * width_;
    return width_ == 16 ? row + inner / 16 * leading_ + inner % 16 : row + inner;
  }
  u32 across(u32 byte, u32 inner) const {
    const u32 next_row = width_ == 16 ? stride_ : leading_, next_eight = width_ == 16 ? leading_ : stride_;
    return byte / width_ * next_row + byte % width_ + inner % 8 * width_ + inner / 8 * next_eight;
  }

  u32 start_, leading_, stride_, width_;
  bool outer_is_contiguous_;
};

// An instruction's sums are over 32 bytes of each matrix.
constexpr u32 bytes_of_sum = 32;

// The element types: a value and its size.
template <class Element>
struct HalfElement {
  static constexpr u32 bytes = 2;
  static f32 value(const char* at) {
    std::uint16_t bits;
    std::memcpy(&bits, at, sizeof bits);
    return Element::Format::to_float(bits);
  }
};
struct Tf32Element {
  static constexpr u32 bytes = 4;
  static f32 value(const char* at) {
    std::uint32_t bits;
    std::memcpy(&bits, at, sizeof bits);
    return Tf32::value(bits, 0);
  }
};
template <class Tiny>
struct TinyElement {
  static constexpr u32 bytes = 1;
  static f32 value(const char* at) { return static_cast<f32>(Tiny::unpack(static_cast<u8>(*at))); }
};
template <class Integer>
struct ByteElement {
  static constexpr u32 bytes = 1;
  static s32 value(const char* at) { return static_cast<Integer>(*at); }
};

// The lanes of the warp share the checks of what the warp reads.
template <class = void>
inline void read_pieces(SiteId site, const MatrixInShared& matrix, u32 first, u32 count, bool by_rows) {
  if (site == unchecked_site) return;
  const AsynchronousCopy reader(Copier::products);
  // Pieces lie along the sum, or along eight rows.
  const u32 pieces = by_rows ? count / 8 * (bytes_of_sum / 2) : count * (bytes_of_sum / 16);
  for (u32 piece = current_lane(); piece < pieces; piece += warp_lanes) {
    const char* const at = by_rows ? matrix.at(first + piece / (bytes_of_sum / 2) * 8, piece % (bytes_of_sum / 2) * 2)
                                   : matrix.at(first + piece / 2, piece % 2 * 16);
    ptx_read(site, 16, at);
  }
}

// The rows r and r + 8 of A from the registers of a group of four lanes, as for mma.m16n8k….
struct FragmentLane : WholeWarpLane {
  std::uint32_t a[4];
  char rows[2][bytes_of_sum];
};
inline void combine_fragments(LaneData* const* data, std::uint32_t lanes) {
  if (lanes != matrix_lanes) return;
  set_whole(data, lanes);
  for (int lane = 0; lane < 32; ++lane) {
    FragmentLane& to = *static_cast<FragmentLane*>(data[lane]);
    for (int group = 0; group < 4; ++group) {
      const FragmentLane& from = *static_cast<FragmentLane*>(data[lane / 4 * 4 + group]);
      for (int part = 0; part < 4; ++part) std::memcpy(to.rows[part % 2] + part / 2 * 16 + group * 4, &from.a[part], 4);
    }
  }
}

// The operand A of a warp: its lanes' rows.
template <class = void>
inline FragmentLane rows_of_registers(SiteId site, const std::uint32_t (&a)[4]) {
  FragmentLane lane{};
  std::memcpy(lane.a, a, sizeof a);
  join_whole_warp(site, "wgmma", lane, combine_fragments);
  return lane;
}
inline u32 first_row_of_warp() { return linear_thread() / warp_lanes % 4 * 16; }
template <class Element>
inline FragmentLane rows_of_shared(SiteId site, const MatrixInShared& matrix, bool transposed) {
  const u32 first = first_row_of_warp();
  read_pieces(site, matrix, first, 16, transposed);
  FragmentLane lane{};
  for (u32 half = 0; half < 2; ++half) {
    for (u32 byte = 0; byte < bytes_of_sum; byte += Element::bytes) {
      std::memcpy(lane.rows[half] + byte, matrix.at(first + current_lane() / 4 + 8 * half, byte), Element::bytes);
    }
  }
  return lane;
}

// d = a * b + d, or without d if `adds` is false. Register i of a lane is in column 8 * (i / 4) + 2 * (lane % 4) + i % 2
// and in row lane / 4, or 8 more if i / 2 is odd (PTX ISA, "Register Fragments and Shared Memory Matrix Layouts").
template <class Left, class Right, class Sum, std::size_t count>
inline void warpgroup_product(SiteId site, Sum (&d)[count], const FragmentLane& a, const MatrixInShared& b, bool transposed, bool adds,
                              Sum scale) {
  constexpr u32 columns = count * 2;
  read_pieces(site, b, 0, columns, transposed);
  for (std::size_t i = 0; i < count; ++i) {
    const u32 column = static_cast<u32>(i / 4 * 8 + i % 2) + 2 * (current_lane() % 4);
    Sum sum{};
    for (u32 byte = 0; byte < bytes_of_sum; byte += Right::bytes) {
      sum += Left::value(a.rows[i / 2 % 2] + byte) * Right::value(b.at(column, byte));
    }
    d[i] = scale * sum + (adds ? d[i] : Sum{});
  }
}

}  // namespace hirace::cpu::ptx
