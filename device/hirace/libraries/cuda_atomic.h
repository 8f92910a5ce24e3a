// cuda::atomic, cuda::atomic_ref and fences, those of cuda::std, and its atomic_flag
// (libcu++, "Synchronization Primitives").
#pragma once

#include "atomic_object.h"

namespace cuda {

enum thread_scope {
  thread_scope_system = static_cast<int>(hirace::cpu::AtomicScope::system),
  thread_scope_device = static_cast<int>(hirace::cpu::AtomicScope::device),
  thread_scope_block = static_cast<int>(hirace::cpu::AtomicScope::block),
  thread_scope_thread = static_cast<int>(hirace::cpu::AtomicScope::thread),
};

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

namespace detail {
template <class Object, class T, thread_scope scope>
using Operations = hirace::cpu::AtomicOperations<Object, T, static_cast<hirace::cpu::AtomicScope>(scope)>;
template <class T, thread_scope scope>
using At = hirace::cpu::AtomicAt<T, static_cast<hirace::cpu::AtomicScope>(scope)>;
}  // namespace detail

// Refers to memory that it does not own. Copies refer to the same memory.
template <class T, thread_scope scope = thread_scope_system>
class atomic_ref : public detail::Operations<atomic_ref<T, scope>, T, scope> {
 public:
  static constexpr ::std::size_t required_alignment = sizeof(T);

  explicit atomic_ref(T& object) : address_(&object) {}
  atomic_ref(const atomic_ref&) = default;
  atomic_ref& operator=(const atomic_ref&) = delete;
  T operator=(T value) const {
    this->store(value);
    return value;
  }

  T* address() const { return address_; }
  hirace::SiteId site() const { return hirace::unknown_site; }
  detail::At<T, scope> at_site(hirace::SiteId site) const { return {address_, site}; }

 private:
  T* address_;
};

template <class T, thread_scope scope = thread_scope_system>
class atomic : public detail::Operations<atomic<T, scope>, T, scope> {
 public:
  atomic() = default;
  constexpr atomic(T value) : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  T operator=(T value) {
    this->store(value);
    return value;
  }

  T* address() const { return const_cast<T*>(&value_); }
  hirace::SiteId site() const { return hirace::unknown_site; }
  detail::At<T, scope> at_site(hirace::SiteId site) const { return {address(), site}; }

 private:
  alignas(sizeof(T)) T value_;
};

template <class = void>
inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
  if (order == memory_order_relaxed || scope == thread_scope_thread) return;
  hirace::fence(hirace::unknown_site, hirace::cpu::scope_of(static_cast<hirace::cpu::AtomicScope>(scope)), order == memory_order_seq_cst);
}
// Orders nothing between threads.
inline void atomic_signal_fence(memory_order) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

namespace std {

template <class T>
class atomic : public cuda::atomic<T> {
 public:
  using cuda::atomic<T>::atomic;
  using cuda::atomic<T>::operator=;
  atomic() = default;
};

template <class T>
class atomic_ref : public cuda::atomic_ref<T> {
 public:
  using cuda::atomic_ref<T>::atomic_ref;
  using cuda::atomic_ref<T>::operator=;
};

class atomic_flag {
 public:
  atomic_flag() = default;
  bool test_and_set(memory_order order = memory_order_seq_cst) const { return set_.exchange(1, order) != 0; }
  bool test(memory_order order = memory_order_seq_cst) const { return set_.load(order) != 0; }
  void clear(memory_order order = memory_order_seq_cst) const { set_.store(0, order); }
  void wait(bool old, memory_order order = memory_order_seq_cst) const { set_.wait(old ? 1 : 0, order); }
  void notify_one() const {}
  void notify_all() const {}

 private:
  cuda::atomic<int> set_;
};

using cuda::atomic_signal_fence;
template <class = void>
inline void atomic_thread_fence(memory_order order) {
  cuda::atomic_thread_fence(order);
}

}  // namespace std

}  // namespace cuda

namespace hirace {

// Objects with overloaded operators: `counter++`, `flag = 1`.
template <class T, cuda::thread_scope scope>
cuda::detail::At<T, scope> update(SiteId site, cuda::atomic<T, scope>& object) {
  return object.at_site(site);
}
template <class T, cuda::thread_scope scope>
cuda::detail::At<T, scope> update(SiteId site, cuda::atomic_ref<T, scope>& object) {
  return object.at_site(site);
}
template <class T, cuda::thread_scope scope>
cuda::detail::At<T, scope> read(SiteId site, cuda::atomic<T, scope>& object) {
  return object.at_site(site);
}
template <class T, cuda::thread_scope scope>
cuda::detail::At<T, scope> write(SiteId site, cuda::atomic<T, scope>& object) {
  return object.at_site(site);
}

}  // namespace hirace
