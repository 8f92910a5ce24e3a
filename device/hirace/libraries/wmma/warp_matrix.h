// The functions of nvcuda::wmma. All lanes of a warp call them together; their accesses to memory are those
// of the lanes that hold the elements, at the site of the call. As warp shuffles do, they wait for all lanes and
// order no accesses.
#pragma once

#include "../../executor/call_site.h"
#include "../../executor/scheduler/warp.h"
#include "../../hooks/bytes.h"
#include "fragment.h"
#include "products.h"
#include "whole_warp.h"

namespace hirace::cpu {

// Lanes that load and lanes that store do not meet: each kind of access has a function of its own.
template <AccessKind kind>
void combine_nothing(LaneData* const* data, std::uint32_t lanes) {
  if (lanes == matrix_lanes) set_whole(data, lanes);
}
template <AccessKind kind>
void join_access(SiteId site, const char* name) {
  WholeWarpLane lane;
  join_whole_warp(site, name, lane, &combine_nothing<kind>);
}

// A checked access to some neighbouring elements.
inline void check_elements(SiteId site, AccessKind kind, const void* place, std::size_t bytes) {
  if (site == unchecked_site) return;
  if (reinterpret_cast<std::uintptr_t>(place) % bytes == 0) return hirace::backend::check(kind, place, bytes, site, bytes);
  check_bytes(kind, place, bytes, site);
}

// Calls `body(word of the fragment, offset in memory, number of neighbours)` for the words of the running lane.
template <class Share, class Body>
void each_run(unsigned ldm, bool memory_by_rows, const Body& body) {
  static_assert(warp_lanes == 32, "hirace: matrix fragments need warps of 32 lanes");
  const int lane = static_cast<int>(current_lane());
  const std::size_t pitch = ldm / static_cast<unsigned>(Share::per_word);
  for (int part = 0; part < Share::words / Share::run; ++part) {
    const auto place = Share::place(lane, part);
    const auto line = static_cast<std::size_t>(place.line), at = static_cast<std::size_t>(place.at);
    if (memory_by_rows == Share::by_rows) {
      body(part * Share::run, line * pitch + at, Share::run);
    } else {
      for (int i = 0; i < Share::run; ++i) body(part * Share::run + i, (at + static_cast<std::size_t>(i)) * pitch + line, 1);
    }
  }
}

template <class Share, class Fragment, class Pointer>
void load_matrix(Fragment& fragment, const Pointer& pointer, unsigned ldm, bool memory_by_rows) {
  using Stored = typename Fragment::storage_element_type;
  const SiteId site = site_of(pointer);
  join_access<AccessKind::read>(site, "wmma::load_matrix_sync");
  const auto* const matrix = static_cast<const Stored*>(static_cast<const void*>(value_of(pointer)));
  each_run<Share>(ldm, memory_by_rows, [&](int word, std::size_t offset, int count) {
    check_elements(site, AccessKind::read, matrix + offset, static_cast<unsigned>(count) * sizeof(Stored));
    for (int i = 0; i < count; ++i) fragment.x[word + i] = matrix[offset + static_cast<unsigned>(i)];
  });
  for (int copy = Share::words; copy < Share::stored; ++copy) fragment.x[copy] = fragment.x[copy - Share::words];
}

template <class Share, class Fragment, class Pointer>
void store_matrix(const Pointer& pointer, const Fragment& fragment, unsigned ldm, bool memory_by_rows) {
  using Stored = typename Fragment::storage_element_type;
  const SiteId site = site_of(pointer);
  join_access<AccessKind::write>(site, "wmma::store_matrix_sync");
  Stored* const matrix = value_of(pointer);
  each_run<Share>(ldm, memory_by_rows, [&](int word, std::size_t offset, int count) {
    check_elements(site, AccessKind::write, matrix + offset, static_cast<unsigned>(count) * sizeof(Stored));
    for (int i = 0; i < count; ++i) matrix[offset + static_cast<unsigned>(i)] = fragment.x[word + i];
  });
}

}  // namespace hirace::cpu

namespace nvcuda {
namespace wmma {

template <class Use, int m, int n, int k, class T, class Layout, class Value>
void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const Value& value) {
  for (auto& element : f.x) element = hirace::cpu::filled<T>(value);
}

template <class Use, int m, int n, int k, class T, class Layout, class Pointer>
void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& f, const Pointer& from, unsigned ldm) {
  static_assert(!std::is_void_v<Layout>, "an accumulator is loaded with a layout");
  using Share = hirace::cpu::MatrixShare<Use, m, n, k, T, Layout>;
  hirace::cpu::load_matrix<Share>(f, from, ldm, Share::by_rows);
}
template <int m, int n, int k, class T, class Pointer>
void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const Pointer& from, unsigned ldm, layout_t layout) {
  hirace::cpu::load_matrix<hirace::cpu::MatrixShare<accumulator, m, n, k, T, void>>(f, from, ldm, layout == mem_row_major);
}
template <int m, int n, int k, class T, class Pointer>
void store_matrix_sync(const Pointer& to, const fragment<accumulator, m, n, k, T>& f, unsigned ldm, layout_t layout) {
  hirace::cpu::store_matrix<hirace::cpu::MatrixShare<accumulator, m, n, k, T, void>>(to, f, ldm, layout == mem_row_major);
}

// d = a * b + c
template <int m, int n, int k, class Out, class Factor, class ALayout, class BLayout, class In>
void mma_sync(const hirace::SitedObject<fragment<accumulator, m, n, k, Out>>& d, const fragment<matrix_a, m, n, k, Factor, ALayout>& a,
              const fragment<matrix_b, m, n, k, Factor, BLayout>& b, const fragment<accumulator, m, n, k, In>& c, bool satf = false) {
  static_assert(!std::is_same_v<Factor, experimental::precision::b1>, "bmma_sync is for bits");
  static_assert(std::is_same_v<Out, In> || std::is_same_v<Factor, __half>, "only factors of halves allow sums of two types");
  using Product = hirace::cpu::MatrixProduct<m, n, k, Factor, ALayout, BLayout, Out, In>;
  typename Product::Lane lane;
  lane.a = &a, lane.b = &b, lane.c = &c, lane.d = &d.object;
  lane.saturates = satf;
  hirace::cpu::join_whole_warp(d.site, "wmma::mma_sync", lane, &Product::combine);
}
template <int m, int n, int k, class Out, class Left, class Right, class In>
void mma_sync(fragment<accumulator, m, n, k, Out>& d, const Left& a, const Right& b, const fragment<accumulator, m, n, k, In>& c,
              bool satf = false) {
  mma_sync(hirace::sited_object(hirace::unknown_site, d), a, b, c, satf);
}

template <int m, int n, int k>
void bmma_sync(const hirace::SitedObject<fragment<accumulator, m, n, k, int>>& d,
               const fragment<matrix_a, m, n, k, experimental::precision::b1, row_major>& a,
               const fragment<matrix_b, m, n, k, experimental::precision::b1, col_major>& b, const fragment<accumulator, m, n, k, int>& c,
               experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR,
               experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  using Product = hirace::cpu::MatrixProduct<m, n, k, experimental::precision::b1, row_major, col_major, int, int>;
  typename Product::Lane lane;
  lane.a = &a, lane.b = &b, lane.c = &c, lane.d = &d.object;
  lane.intersects = operation == experimental::bmmaBitOpAND;
  hirace::cpu::join_whole_warp(d.site, "wmma::bmma_sync", lane, &Product::combine);
}
template <int m, int n, int k, class Left, class Right, class... Operation>
void bmma_sync(fragment<accumulator, m, n, k, int>& d, const Left& a, const Right& b, const fragment<accumulator, m, n, k, int>& c,
               Operation... operation) {
  bmma_sync(hirace::sited_object(hirace::unknown_site, d), a, b, c, operation...);
}

// The nearest number with the 10 digits of tf32; halves away from zero.
inline float __float_to_tf32(float value) {
  const auto bits = hirace::cpu::bits_as<std::uint32_t>(value);
  const bool finite = (bits & 0x7f800000u) != 0x7f800000u;
  return finite ? hirace::cpu::bits_as<float>((bits + 0x1000u) & 0xffffe000u) : value;
}

}  // namespace wmma
}  // namespace nvcuda
