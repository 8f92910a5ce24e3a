// PTX's matrix instructions whose fragments are opaque (PTX ISA, "Warp-level Matrix Instructions using wmma").
//
// The ISA leaves open which lane holds which elements. Here, each lane holds neighbouring elements of a row: the first
// ones of a matrix are in lane 0. Their accesses to memory are those of the lanes that hold the elements.
#pragma once

#include "../executor/call_site.h"
#include "../hooks/bytes.h"
#include "ptx_matrix.h"

namespace hirace::cpu::ptx {

template <class Word, std::size_t count>
struct WmmaRegisters {
  Word words[count];
};

// Lanes that load and lanes that store do not meet.
template <AccessKind kind>
inline void combine_wmma_access(LaneData* const* data, std::uint32_t lanes) {
  if (lanes == matrix_lanes) set_whole(data, lanes);
}

// Calls `each(element of the lane, its address, number of neighbours)` for what the lane holds.
template <AccessKind kind, class Element, int rows, int columns, class Each>
inline void access_wmma(SiteId site, void* matrix, u32 stride, bool by_rows, const Each& each) {
  constexpr u32 share = rows * columns / 32;
  static_assert(columns % share == 0, "a lane's elements are in one row");
  WholeWarpLane lane;
  join_whole_warp(site, kind == AccessKind::read ? "wmma.load" : "wmma.store", lane, combine_wmma_access<kind>);
  const u32 first = current_lane() * share, row = first / columns, column = first % columns;
  Element* const base = static_cast<Element*>(matrix);
  const auto at = [&](u32 i) { return by_rows ? base + std::size_t{row} * stride + column + i : base + std::size_t{column + i} * stride + row; };
  const u32 together = by_rows ? share : 1;
  for (u32 i = 0; i < share; i += together) {
    if (site != unchecked_site) check_bytes(kind, at(i), together * sizeof(Element), site);
    each(i, at(i), together);
  }
}

template <class Element, int rows, int columns, class Word, std::size_t count>
inline WmmaRegisters<Word, count> load_wmma(SiteId site, void* matrix, u32 stride, bool by_rows) {
  constexpr std::size_t share = rows * columns / 32, room = count * sizeof(Word) / sizeof(Element);
  static_assert(room >= share && room % share == 0, "the registers hold the elements, some of them more than once");
  Element mine[share];
  access_wmma<AccessKind::read, Element, rows, columns>(
      site, matrix, stride, by_rows, [&](u32 i, const Element* at, u32 together) { std::memcpy(mine + i, at, together * sizeof(Element)); });
  WmmaRegisters<Word, count> to;
  for (std::size_t i = 0; i < room; i += share) std::memcpy(reinterpret_cast<char*>(to.words) + i * sizeof(Element), mine, sizeof mine);
  return to;
}
template <class Element, int rows, int columns, class Word, std::size_t count>
inline void store_wmma(SiteId site, void* matrix, u32 stride, bool by_rows, const Word (&words)[count]) {
  static_assert(count * sizeof(Word) * 32 == sizeof(Element) * rows * columns, "the registers hold the elements");
  access_wmma<AccessKind::write, Element, rows, columns>(site, matrix, stride, by_rows, [&](u32 i, Element* at, u32 together) {
    std::memcpy(at, reinterpret_cast<const char*>(words) + i * sizeof(Element), together * sizeof(Element));
  });
}

template <class Number, class Sum, int m, int n, int k>
struct WmmaLane : WholeWarpLane {
  Number a[m * k / 32], b[k * n / 32];
  Sum c[m * n / 32];
};

template <class Number, class Sum, int m, int n, int k, bool saturates>
inline void combine_wmma(LaneData* const* data, std::uint32_t lanes) {
  if (lanes != matrix_lanes) return;
  set_whole(data, lanes);
  using Lane = WmmaLane<Number, Sum, m, n, k>;
  const auto of = [&](int lane) -> Lane& { return *static_cast<Lane*>(data[lane]); };
  constexpr int of_a = m * k / 32, of_b = k * n / 32, of_c = m * n / 32;
  for (int at = 0; at < m * n; ++at) {
    const int row = at / n, column = at % n;
    Sum& sum = of(at / of_c).c[at % of_c];
    Total<Sum> total = sum;
    for (int step = 0; step < k; ++step) {
      const int left = row * k + step, right = step * n + column;
      total += of(left / of_a).a[left % of_a] * of(right / of_b).b[right % of_b];
    }
    sum = sum_of<Sum, saturates>(total);
  }
}

// Each register of A and B has `in_register` elements.
template <class Left, class Right, class Sum, int m, int n, int k, bool saturates, class Word, std::size_t of_a, std::size_t of_b>
inline auto product_wmma(SiteId site, const Word (&a)[of_a], const Word (&b)[of_b], const Sum (&c)[m * n / 32]) {
  using Number = decltype(Left::value(a[0], 0));
  WmmaLane<Number, Sum, m, n, k> lane{};
  constexpr int each = Left::in_register;
  static_assert(of_a * each >= m * k / 32 && of_b * each >= k * n / 32, "the registers hold the elements");
  for (int i = 0; i < m * k / 32; ++i) lane.a[i] = Left::value(a[i / each], i % each);
  for (int i = 0; i < k * n / 32; ++i) lane.b[i] = Right::value(b[i / each], i % each);
  std::memcpy(lane.c, c, sizeof c);
  join_whole_warp(site, "wmma.mma", lane, combine_wmma<Number, Sum, m, n, k, saturates>);
  return lane;
}

}  // namespace hirace::cpu::ptx
