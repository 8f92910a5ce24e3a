// The operations of atomic objects (cuda::atomic, cuda::atomic_ref and those of cuda::std), as
// checked atomic accesses of their scope.
#pragma once

#include <atomic>
#include <type_traits>

#include "../cuda/ordered_atomics.h"

namespace hirace::cpu {

constexpr MemoryOrder to_order(std::memory_order order) {
  switch (order) {
    case std::memory_order_relaxed: return MemoryOrder::relaxed;
    case std::memory_order_consume: return MemoryOrder::consume;
    case std::memory_order_acquire: return MemoryOrder::acquire;
    case std::memory_order_release: return MemoryOrder::release;
    case std::memory_order_acq_rel: return MemoryOrder::acquire_release;
    default: return MemoryOrder::sequentially_consistent;
  }
}

// The operations, for a class with the `address()` of the value and its `site()`.
template <class Object, class T, AtomicScope scope>
class AtomicOperations {
  static_assert(std::is_trivially_copyable_v<T>, "hirace: an atomic object holds a trivially copyable type");
  static_assert(is_atomic_type<T>, "hirace: the CPU executor supports atomic objects of 1, 2, 4, 8 and 16 bytes; protect larger ones with a lock");
  using Order = std::memory_order;
  using Difference = std::conditional_t<std::is_pointer_v<T>, std::ptrdiff_t, T>;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;
  bool is_lock_free() const { return true; }

  T load(Order order = std::memory_order_seq_cst) const { return atomic_load<scope>(address(), site(), to_order(order)); }
  void store(T value, Order order = std::memory_order_seq_cst) const {
    atomic_store<scope>(address(), site(), to_order(order), value);
  }
  T exchange(T value, Order order = std::memory_order_seq_cst) const {
    return atomic_exchange<scope>(address(), site(), to_order(order), value);
  }
  bool compare_exchange_strong(T& expected, T desired, Order success, Order failure) const {
    return atomic_compare_exchange<scope>(address(), site(), expected, desired, to_order(success), to_order(failure));
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
  template <class Update>
  T changed(Order order, Update update) const {
    return atomic_change<scope>(address(), site(), to_order(order), update);
  }

  T* address() const { return static_cast<const Object&>(*this).address(); }
  SiteId site() const { return static_cast<const Object&>(*this).site(); }
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
