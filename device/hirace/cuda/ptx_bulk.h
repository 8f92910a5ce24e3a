// PTX's bulk copies, plain and of tensors (PTX ISA, "cp.async.bulk", "cp.async.bulk.tensor", "tensormap.replace").
//
// The issuing thread copies at once. To the order engine, its copiers do: an mbarrier object or a group tells when.
// Accesses through the asynchronous proxy and the generic one are not distinguished.
#pragma once

#include <cstring>

#include "../hooks/bytes.h"
#include "../hooks/sync.h"
#include "ptx_barriers.h"
#include "ptx_small_floats.h"
#include "tensor_map.h"

namespace hirace::cpu::ptx {

template <class = void>
inline void check_copy(SiteId site, AccessKind kind, const void* at, u32 bytes, Copier by) {
  if (site == unchecked_site) return;
  const AsynchronousCopy copy(by);
  check_bytes(kind, at, bytes, site);
}
template <class = void>
inline void copy_bulk(SiteId site, void* to, const void* from, u32 bytes, Copier writes) {
  note_use<BarrierObject>();
  check_copy(site, AccessKind::read, from, bytes, Copier::bulk);
  check_copy(site, AccessKind::write, to, bytes, writes);
  std::memmove(to, from, bytes);
}
template <class = void>
inline void complete_bytes(SiteId site, const void* object, u32 bytes) {
  BarrierState& state = used_barrier(site, object);
  order_arrive(&state, Scope::cluster, Copier::bulk);
  state.expect(-static_cast<s32>(bytes), Scope::cluster, no_completion);
}

template <class = void>
inline void bulk_load(SiteId site, void* to, const void* from, u32 bytes, const void* object) {
  copy_bulk(site, to, from, bytes, Copier::bulk);
  complete_bytes(site, object, bytes);
}
template <class = void>
inline void bulk_store(SiteId site, void* to, const void* from, u32 bytes) {
  copy_bulk(site, to, from, bytes, Copier::stores);
}

inline void bulk_commit() {
  order_commit_copies(Copier::bulk);
  order_commit_copies(Copier::stores);
}
// Waits for all groups but the last `pending`, or only for what they read.
inline void bulk_wait(u32 pending, bool only_reads) {
  order_wait_for_copies(pending, Copier::bulk);
  if (!only_reads) order_wait_for_copies(pending, Copier::stores);
}

// `discard` writes indeterminate values: here, it leaves the bytes.
template <class = void>
inline void discard(SiteId site, const void* at, u32 bytes) {
  if (site != unchecked_site) check_bytes(AccessKind::write, at, bytes, site);
}

// Calls `piece(shared, global, bytes, inside)` for each piece of up to 16 bytes in a row of the box: its place in the
// window of shared memory, its address, and whether it is inside the tensor. Rows are exchanged as for wgmma.
template <std::size_t dimensions, class Piece>
inline u32 for_each_piece(const TensorMap& map, const s32 (&first)[dimensions], u64 shared, const Piece& piece) {
  const u32 element = map.element_bytes(), row = map.box[0] * element;
  const u32 mask = map.swizzle == 0 ? 0 : (1u << map.swizzle) - 1;
  u32 rows = 1;
  for (std::size_t i = 1; i < dimensions; ++i) rows *= map.extent(i);
  for (u32 number = 0; number < rows; ++number) {
    u64 at = map.address;
    bool inside = true;
    for (std::size_t i = 1, rest = number; i < dimensions; rest /= map.extent(i++)) {
      const s64 place = first[i] + static_cast<s64>(rest % map.extent(i)) * map.steps[i];
      inside = inside && place >= 0 && place < map.sizes[i];
      at += static_cast<u64>(place) * map.strides[i - 1];
    }
    for (u32 byte = 0; byte < row; byte += 16) {
      const u32 bytes = row - byte < 16 ? row - byte : 16;
      const u64 place = shared + u64{number} * row + byte;
      void* const to = shared_pointer(place ^ (place >> 7 & mask) << 4);
      // Elements that the border of the tensor divides are handled one by one.
      const s64 begin = first[0] + static_cast<s64>(byte / element), end = begin + bytes / element;
      if (!inside || end <= 0 || begin >= map.sizes[0]) {
        piece(to, nullptr, bytes);
      } else if (begin >= 0 && end <= static_cast<s64>(map.sizes[0])) {
        piece(to, reinterpret_cast<char*>(at + static_cast<u64>(begin) * element), bytes);
      } else {
        for (u32 one = 0; one < bytes; one += element) {
          const s64 where = begin + one / element;
          const bool is_there = where >= 0 && where < map.sizes[0];
          piece(static_cast<char*>(to) + one, is_there ? reinterpret_cast<char*>(at + static_cast<u64>(where) * element) : nullptr, element);
        }
      }
    }
  }
  return rows * row;
}

template <class = void>
inline TensorMap tensor_map(SiteId site, const void* map) {
  note_use<BarrierObject>();
  check_copy(site, AccessKind::read, map, sizeof(TensorMap), Copier::bulk);
  TensorMap copy;
  std::memcpy(&copy, map, sizeof copy);
  return copy;
}

template <std::size_t dimensions>
inline void tensor_load(SiteId site, u64 to, const void* map, const s32 (&first)[dimensions], const void* object) {
  const TensorMap tensor = tensor_map(site, map);
  const u32 bytes = for_each_piece(tensor, first, to, [&](void* shared, const char* global, u32 size) {
    check_copy(site, AccessKind::write, shared, size, Copier::bulk);
    if (global == nullptr) {
      // With all bits set, a number of any floating-point type is NaN.
      std::memset(shared, tensor.fills_with_nan ? 0xff : 0, size);
    } else {
      check_copy(site, AccessKind::read, global, size, Copier::bulk);
      std::memcpy(shared, global, size);
    }
  });
  complete_bytes(site, object, bytes);
}
template <std::size_t dimensions>
inline void tensor_store(SiteId site, const void* map, const s32 (&first)[dimensions], u64 from) {
  for_each_piece(tensor_map(site, map), first, from, [&](const void* shared, char* global, u32 size) {
    if (global == nullptr) return;
    check_copy(site, AccessKind::read, shared, size, Copier::bulk);
    check_copy(site, AccessKind::write, global, size, Copier::stores);
    std::memcpy(global, shared, size);
  });
}

// `tensormap.replace`: one field of a map, which the thread writes.
template <class Change>
inline void change_map(SiteId site, void* at, const Change& change) {
  if (site != unchecked_site) check_bytes(AccessKind::write, at, sizeof(TensorMap), site);
  TensorMap map;
  std::memcpy(&map, at, sizeof map);
  change(map);
  std::memcpy(at, &map, sizeof map);
}

// `tensormap.cp_fenceproxy`: the warp copies a map and releases it. The first lane does both.
template <class = void>
inline void copy_map(SiteId site, void* to, const void* from, u32 bytes) {
  hirace::syncwarp(site, 0xffffffffu);
  if (current_lane() == 0) hirace::memcpy(site, site, to, from, bytes);
  hirace::acq_rel_fence(site);
  hirace::syncwarp(site, 0xffffffffu);
}

}  // namespace hirace::cpu::ptx
