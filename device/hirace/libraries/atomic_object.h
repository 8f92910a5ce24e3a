// The operations of atomic objects (cuda::atomic, cuda::atomic_ref and those of cuda::std), as
// checked atomic accesses of their scope.
//
// Order and scope go to the order engine. A sequentially consistent operation begins with a fence
// (libcu++'s mapping to PTX: fence.sc, then an acquire or a release).
#pragma once

#include <atomic>
#include <thread>
#include <type_traits>

#include "../hooks/sync.h"
#include "../cuda/atomics.h"
#include "../executor/scheduler/fences.h"
#include "../executor/call_site.h"

namespace hirace::cpu {

// From wide to narrow, the order of cuda::thread_scope.
enum class AtomicScope { system, device, block, thread };

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
  return scope == AtomicScope::system ? Scope::system : scope == AtomicScope::device ? Scope::device : Scope::block;
}

// A load has nothing to release, a store nothing to acquire.
constexpr Order order_of(std::memory_order order, AtomicAccess access) {
  const bool relaxed = order == std::memory_order_relaxed;
  const bool acquires = !relaxed && order != std::memory_order_release && access != AtomicAccess::store;
  const bool releases = order != std::memory_order_acquire && order != std::memory_order_consume && !relaxed && access != AtomicAccess::load;
  return acquires && releases ? Order::acquire_release : acquires ? Order::acquire : releases ? Order::release : Order::relaxed;
}

// Lets another thread run; called while waiting.
inline void let_others_run() {
  if (monitor.in_kernel) {
    wait_for_others();
  } else {
    std::this_thread::yield();
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

// The operations, for a class with the `address()` of the value and its `site()`.
template <class Object, class T, AtomicScope scope>
class AtomicOperations {
  static_assert(std::is_trivially_copyable_v<T>, "hirace: an atomic object holds a trivially copyable type");
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                "hirace: the CPU executor supports atomic objects of 1, 2, 4, 8 and 16 bytes; protect larger ones with a lock");
  using Order = std::memory_order;
  using Difference = std::conditional_t<std::is_pointer_v<T>, std::ptrdiff_t, T>;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;
  bool is_lock_free() const { return true; }

  T load(Order order = std::memory_order_seq_cst) const {
    begin(AtomicAccess::load);
    T* const target = enter(AtomicAccess::load, order, true, false);
    return load_object(target);
  }
  void store(T value, Order order = std::memory_order_seq_cst) const {
    begin(AtomicAccess::store);
    T* const target = enter(AtomicAccess::store, order, false, true);
    if constexpr (sizeof(T) == 16) {
      raw::atomicExch(target, value);
    } else {
      __atomic_store(target, &value, __ATOMIC_SEQ_CST);
    }
  }
  // An exchange that changes nothing may be a failed attempt to take a lock.
  T exchange(T value, Order order = std::memory_order_seq_cst) const {
    const T old = changed(order, [=](T) { return value; }, false);
    if (__builtin_memcmp(&old, &value, sizeof(T)) == 0) note_spin();
    return old;
  }
  bool compare_exchange_strong(T& expected, T desired, Order success, Order failure) const {
    begin(AtomicAccess::exchange);
    const bool writes = would_exchange(static_cast<const Object&>(*this).address(), &expected, sizeof(T));
    T* const target = enter(AtomicAccess::exchange, writes ? success : failure, true, writes);
    bool exchanged;
    if constexpr (sizeof(T) == 16) {
      expected = compare_exchange_16(target, expected, desired, exchanged);
    } else {
      exchanged = __atomic_compare_exchange(target, &expected, &desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    }
    if (!exchanged) note_spin();
    return exchanged;
  }
  bool compare_exchange_strong(T& expected, T desired, Order order = std::memory_order_seq_cst) const {
    return compare_exchange_strong(expected, desired, order, order);
  }
  bool compare_exchange_weak(T& expected, T desired, Order success, Order failure) const {
    return compare_exchange_strong(expected, desired, success, failure);
  }
  bool compare_exchange_weak(T& expected, T desired, Order order = std::memory_order_seq_cst) const {
    return compare_exchange_strong(expected, desired, order, order);
  }

  T fetch_add(Difference value, Order order = std::memory_order_seq_cst) const {
    return changed(order, [=](T old) { return static_cast<T>(old + value); });
  }
  T fetch_sub(Difference value, Order order = std::memory_order_seq_cst) const {
    return changed(order, [=](T old) { return static_cast<T>(old - value); });
  }
  T fetch_and(T value, Order order = std::memory_order_seq_cst) const {
    return changed(order, [=](T old) { return static_cast<T>(old & value); });
  }
  T fetch_or(T value, Order order = std::memory_order_seq_cst) const {
    return changed(order, [=](T old) { return static_cast<T>(old | value); });
  }
  T fetch_xor(T value, Order order = std::memory_order_seq_cst) const {
    return changed(order, [=](T old) { return static_cast<T>(old ^ value); });
  }
  T fetch_min(T value, Order order = std::memory_order_seq_cst) const {
    return changed(order, [=](T old) { return value < old ? value : old; });
  }
  T fetch_max(T value, Order order = std::memory_order_seq_cst) const {
    return changed(order, [=](T old) { return old < value ? value : old; });
  }

  operator T() const { return load(); }
  T operator++() const { return static_cast<T>(fetch_add(1) + 1); }
  T operator--() const { return static_cast<T>(fetch_sub(1) - 1); }
  T operator++(int) const { return fetch_add(1); }
  T operator--(int) const { return fetch_sub(1); }
  T operator+=(Difference value) const { return static_cast<T>(fetch_add(value) + value); }
  T operator-=(Difference value) const { return static_cast<T>(fetch_sub(value) - value); }
  T operator&=(T value) const { return static_cast<T>(fetch_and(value) & value); }
  T operator|=(T value) const { return static_cast<T>(fetch_or(value) | value); }
  T operator^=(T value) const { return static_cast<T>(fetch_xor(value) ^ value); }

  // Returns once the value differs from `old`.
  void wait(T old, Order order = std::memory_order_seq_cst) const {
    for (T now = load(order); __builtin_memcmp(&now, &old, sizeof(T)) == 0; now = load(order)) let_others_run();
  }
  void notify_one() const {}
  void notify_all() const {}

 private:
  // The last chance for other threads to run before the operation.
  void begin(AtomicAccess access) const {
    if (scope != AtomicScope::thread && static_cast<const Object&>(*this).site() != unchecked_site) {
      begin_strong_access(access == AtomicAccess::load);
    }
  }

  // An exchange may be a mere store, and use no value.
  T* enter(AtomicAccess access, Order order, bool uses_value, bool writes) const {
    const Object& object = static_cast<const Object&>(*this);
    T* const target = object.address();
    if (object.site() == unchecked_site) return target;
    // Atomic accesses are aligned to their size.
    if constexpr (scope == AtomicScope::thread) {
      check(atomic_kind(access, scope), target, sizeof(T), object.site(), sizeof(T), uses_value);
    } else {
      note_use<AtomicOfSize<sizeof(T)>>();
      if (order == std::memory_order_seq_cst) fence(scope_of(scope), true);
      const Strength how{order_of(order, access), scope_of(scope), access != AtomicAccess::store, writes, true};
      if (how.order != hirace::Order::relaxed) {
        note_use<StrongAccess>();
      } else {
        note_use<RelaxedObject>();
      }
      check_strong(atomic_kind(access, scope), how, target, sizeof(T), object.site(), sizeof(T), uses_value);
    }
    return target;
  }

  template <class Update>
  T changed(Order order, Update update, bool uses_value = true) const {
    begin(AtomicAccess::exchange);
    T* const target = enter(AtomicAccess::exchange, order, uses_value, true);
    if constexpr (sizeof(T) == 16) {
      T old = load_object(target);
      for (bool exchanged = false; !exchanged;) old = compare_exchange_16(target, old, update(old), exchanged);
      return old;
    } else {
      return raw::detail::exchange_with(target, update);
    }
  }
};

// A value at an address, accessed at a known site.
template <class T, AtomicScope scope>
class AtomicAt : public AtomicOperations<AtomicAt<T, scope>, T, scope> {
 public:
  AtomicAt(T* address, SiteId site) : address_(address), site_(site) {}
  T operator=(T value) const {
    this->store(value);
    return value;
  }

  T* address() const { return address_; }
  SiteId site() const { return site_; }

 private:
  T* address_;
  SiteId site_;
};

}  // namespace hirace::cpu
