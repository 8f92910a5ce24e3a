// Atomic operations that have an order and a scope, as checked accesses: what libcu++'s atomic objects and
// CUDA's functions __nv_atomic_* have in common.
//
// Order and scope go to the order engine. A sequentially consistent operation begins with a fence (libcu++'s
// mapping to PTX: fence.sc, then an acquire or a release).
#pragma once

#include <type_traits>

#include "../executor/call_site.h"
#include "../executor/scheduler/fences.h"
#include "../hooks/sync.h"
#include "atomics.h"

namespace hirace::cpu {

// The order of std::memory_order.
enum class MemoryOrder { relaxed, consume, acquire, release, acquire_release, sequentially_consistent };

// The order of cuda::thread_scope, from wide to narrow, then what it lacks.
enum class AtomicScope { system, device, block, thread, cluster };

enum class AtomicAccess { load, store, exchange };

// A load of block scope counts as one of device scope, like a load by inline PTX. An access that is
// atomic for one thread only is a plain access for all others.
constexpr AccessKind atomic_kind(AtomicAccess access, AtomicScope scope) {
  if (scope == AtomicScope::thread) {
    return access == AtomicAccess::load ? AccessKind::read : access == AtomicAccess::store ? AccessKind::write : AccessKind::update;
  }
  if (access == AtomicAccess::load) return AccessKind::volatile_read;
  return scope == AtomicScope::block ? AccessKind::block_atomic : AccessKind::device_atomic;
}

constexpr Scope scope_of(AtomicScope scope) {
  switch (scope) {
    case AtomicScope::system: return Scope::system;
    case AtomicScope::device: return Scope::device;
    case AtomicScope::cluster: return Scope::cluster;
    default: return Scope::block;
  }
}

// A load has nothing to release, a store nothing to acquire.
constexpr Order order_of(MemoryOrder order, AtomicAccess access) {
  const bool relaxed = order == MemoryOrder::relaxed;
  const bool acquires = !relaxed && order != MemoryOrder::release && access != AtomicAccess::store;
  const bool releases = order != MemoryOrder::acquire && order != MemoryOrder::consume && !relaxed && access != AtomicAccess::load;
  return acquires && releases ? Order::acquire_release : acquires ? Order::acquire : releases ? Order::release : Order::relaxed;
}

// Whether the bytes of a type can be exchanged at once.
template <class T>
constexpr bool is_atomic_type = std::is_trivially_copyable_v<T> &&
                                (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);

// The last chance for other threads to run before the operation.
template <AtomicScope scope>
void begin_atomic(SiteId site, AtomicAccess access) {
  if (scope != AtomicScope::thread && site != unchecked_site) begin_strong_access(access == AtomicAccess::load);
}

// The check of the operation, directly before it. An exchange may be a mere store, and use no value. Atomic
// accesses are aligned to their size.
template <AtomicScope scope, class T>
void check_atomic(T* target, SiteId site, AtomicAccess access, MemoryOrder order, bool uses_value, bool writes) {
  if (site == unchecked_site) return;
  if constexpr (scope == AtomicScope::thread) {
    check(atomic_kind(access, scope), target, sizeof(T), site, sizeof(T), uses_value);
  } else {
    note_use<AtomicOfSize<sizeof(T)>>();
    if (order == MemoryOrder::sequentially_consistent) fence(scope_of(scope), true);
    const Strength how{order_of(order, access), scope_of(scope), access != AtomicAccess::store, writes, true};
    if (how.order != Order::relaxed) {
      note_use<StrongAccess>();
    } else {
      note_use<RelaxedObject>();
    }
    check_strong(atomic_kind(access, scope), how, target, sizeof(T), site, sizeof(T), uses_value);
  }
}

// The value at `address`, by its bits, in sequentially consistent order.
template <class T>
T load_object(T* address) {
  if constexpr (sizeof(T) == 16) {
    return load_16(address);
  } else {
    T value;
    __atomic_load(address, &value, __ATOMIC_SEQ_CST);
    return value;
  }
}

template <AtomicScope scope, class T>
T atomic_load(T* target, SiteId site, MemoryOrder order) {
  begin_atomic<scope>(site, AtomicAccess::load);
  check_atomic<scope>(target, site, AtomicAccess::load, order, true, false);
  return load_object(target);
}

template <AtomicScope scope, class T>
void atomic_store(T* target, SiteId site, MemoryOrder order, T value) {
  begin_atomic<scope>(site, AtomicAccess::store);
  check_atomic<scope>(target, site, AtomicAccess::store, order, false, true);
  if constexpr (sizeof(T) == 16) {
    raw::atomicExch(target, value);
  } else {
    __atomic_store(target, &value, __ATOMIC_SEQ_CST);
  }
}

// Adds to the value, for nobody to see the old one: the release of an object that others wait for.
template <AtomicScope scope, class T>
void atomic_count(T* target, T difference) {
  begin_atomic<scope>(unknown_site, AtomicAccess::exchange);
  note_use<AtomicOfSize<sizeof(T)>>();
  note_use<StrongAccess>();
  check_strong(atomic_kind(AtomicAccess::exchange, scope), reduction(Order::release, scope_of(scope)), target, sizeof(T), unknown_site,
               sizeof(T), false);
  __atomic_fetch_add(target, difference, __ATOMIC_SEQ_CST);
}

// Replaces the value by update(value); returns the old one.
template <AtomicScope scope, class T, class Update>
T atomic_change(T* target, SiteId site, MemoryOrder order, Update update, bool uses_value = true) {
  begin_atomic<scope>(site, AtomicAccess::exchange);
  check_atomic<scope>(target, site, AtomicAccess::exchange, order, uses_value, true);
  if constexpr (sizeof(T) == 16) {
    T old = load_object(target);
    for (bool exchanged = false; !exchanged;) old = compare_exchange_16(target, old, update(old), exchanged);
    return old;
  } else {
    return raw::detail::exchange_with(target, update);
  }
}

// An exchange that changes nothing may be a failed attempt to take a lock.
template <AtomicScope scope, class T>
T atomic_exchange(T* target, SiteId site, MemoryOrder order, T value) {
  const T old = atomic_change<scope>(target, site, order, [=](T) { return value; }, false);
  if (__builtin_memcmp(&old, &value, sizeof(T)) == 0) note_spin();
  return old;
}

template <AtomicScope scope, class T>
bool atomic_compare_exchange(T* target, SiteId site, T& expected, T desired, MemoryOrder success, MemoryOrder failure) {
  begin_atomic<scope>(site, AtomicAccess::exchange);
  const bool writes = would_exchange(target, &expected, sizeof(T));
  check_atomic<scope>(target, site, AtomicAccess::exchange, writes ? success : failure, true, writes);
  bool exchanged;
  if constexpr (sizeof(T) == 16) {
    expected = compare_exchange_16(target, expected, desired, exchanged);
  } else {
    exchanged = __atomic_compare_exchange(target, &expected, &desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
  if (!exchanged) note_spin();
  return exchanged;
}

}  // namespace hirace::cpu
