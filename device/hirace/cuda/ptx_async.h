// PTX's asynchronous stores and reductions, and copies to several blocks of a cluster (PTX ISA, "st.async", "red.async",
// "cp.reduce.async.bulk", "cp.async.bulk").
//
// They are done at once. To the order engine, a copier of the issuing thread does them, as in ptx_bulk.h.
#pragma once

#include "cluster_intrinsics.h"
#include "ptx_bulk.h"
#include "ptx_choices.h"

namespace hirace::cpu::ptx {

template <class T, std::size_t count>
inline void store_async(SiteId site, void* to, const T (&values)[count], const void* object) {
  note_use<BarrierObject>();
  check_copy(site, AccessKind::write, to, sizeof values, Copier::bulk);
  std::memcpy(to, values, sizeof values);
  complete_bytes(site, object, sizeof values);
}

// The operations of reductions, and the types that they have.
#define HIRACE_PTX_REDUCTION(name, condition)             \
  struct Reduction_##name {                               \
    template <class T>                                    \
    static constexpr bool accepts = condition;            \
    template <class T>                                    \
    static void update(void* at, T value) {               \
      atomic_##name<T>(at, value);                        \
    }                                                     \
  };
HIRACE_PTX_REDUCTION(add, true)
HIRACE_PTX_REDUCTION(min, true)
HIRACE_PTX_REDUCTION(max, true)
HIRACE_PTX_REDUCTION(and, std::is_integral_v<T>)
HIRACE_PTX_REDUCTION(or, std::is_integral_v<T>)
HIRACE_PTX_REDUCTION(xor, std::is_integral_v<T>)
HIRACE_PTX_REDUCTION(inc, (std::is_same_v<T, u32>))
HIRACE_PTX_REDUCTION(dec, (std::is_same_v<T, u32>))
#undef HIRACE_PTX_REDUCTION

// Each element is updated by a relaxed operation. To be called while a copier is at work.
template <class Operation, class T>
inline void reduce_element(SiteId site, void* at, T value, Scope scope) {
  if (site != unchecked_site) {
    monitor.count_without_budget();
    check_strong(AccessKind::device_atomic, reduction(Order::relaxed, scope), at, sizeof(T), site, sizeof(T), false);
  }
  Operation::template update<T>(at, value);
}

template <class Operation, class T>
inline void reduce_async(SiteId site, void* to, T value, const void* object) {
  note_use<BarrierObject>();
  {
    const AsynchronousCopy writer(Copier::bulk);
    reduce_element<Operation, T>(site, to, value, Scope::cluster);
  }
  complete_bytes(site, object, sizeof(T));
}

template <class Operation, class T>
inline void reduce_bulk(SiteId site, void* to, const void* from, u32 bytes, Copier by, Scope scope) {
  note_use<BarrierObject>();
  check_copy(site, AccessKind::read, from, bytes, Copier::bulk);
  const AsynchronousCopy writer(by);
  for (u32 at = 0; at < bytes; at += sizeof(T)) {
    T value;
    std::memcpy(&value, static_cast<const char*>(from) + at, sizeof value);
    reduce_element<Operation, T>(site, static_cast<char*>(to) + at, value, scope);
  }
}
template <class Operation, class T>
inline void reduce_bulk_to_cluster(SiteId site, void* to, const void* from, u32 bytes, const void* object) {
  reduce_bulk<Operation, T>(site, to, from, bytes, Copier::bulk, Scope::cluster);
  complete_bytes(site, object, bytes);
}
template <class Operation, class T>
inline void reduce_bulk_to_global(SiteId site, void* to, const void* from, u32 bytes) {
  reduce_bulk<Operation, T>(site, to, from, bytes, Copier::stores, Scope::device);
}

// Calls `body(zero)` with a number of the type that a tensor map names.
template <class Body>
inline void with_element_type(std::uint8_t type, const Body& body) {
  switch (type) {
    case 2: return body(u32{});
    case 3: return body(s32{});
    case 4: return body(u64{});
    case 5: return body(s64{});
    case 6: return body(f16{});
    case 7: case 8: return body(f32{});
    case 9: return body(f64{});
    case 10: return body(bf16{});
    default: return;
  }
}
template <class Operation, std::size_t dimensions>
inline void tensor_reduce(SiteId site, const void* map, const s32 (&first)[dimensions], u64 from) {
  const TensorMap tensor = tensor_map(site, map);
  with_element_type(tensor.element_type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (Operation::template accepts<T>) {
      for_each_piece(tensor, first, from, [&](void* shared, void* global, u32 size) {
        if (global != nullptr) reduce_bulk_to_global<Operation, T>(site, global, shared, size);
      });
    }
  });
}

// `.multicast::cluster`: a copy to the same place of each block whose bit is set, which completes at its own object.
template <class Group = void>
inline void multicast_load(SiteId site, u64 to, const void* from, u32 bytes, u64 object, u32 blocks) {
  for (u32 rest = blocks & 0xffff; rest != 0; rest &= rest - 1) {
    const auto rank = static_cast<u32>(__builtin_ctz(rest));
    bulk_load(site, shared_pointer(map_shared<Group>(to, rank)), from, bytes, shared_pointer(map_shared<Group>(object, rank)));
  }
}
template <class Group = void, std::size_t dimensions>
inline void multicast_tensor_load(SiteId site, u64 to, const void* map, const s32 (&first)[dimensions], u64 object, u32 blocks) {
  for (u32 rest = blocks & 0xffff; rest != 0; rest &= rest - 1) {
    const auto rank = static_cast<u32>(__builtin_ctz(rest));
    tensor_load(site, map_shared<Group>(to, rank), map, first, shared_pointer(map_shared<Group>(object, rank)));
  }
}

}  // namespace hirace::cpu::ptx
