// __nv_atomic_load and the like, which take order and scope as arguments (CUDA C++ Programming Guide, "Atomic
// Functions"), with a check: hirace::nv_atomic_load(SITE, address, ...) and so on.
//
// Their names are those of libcu++'s methods, and so are the rules (ordered_atomics.h). A function whose name
// ends in `_n` takes and returns values; the others have pointers to them.
#pragma once

#include "ordered_atomics.h"

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST,
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM,
};

namespace hirace {

namespace cpu {

template <AtomicScope scope>
using ScopeConstant = std::integral_constant<AtomicScope, scope>;

// Calls `operation` with the scope as a constant.
template <class Operation>
auto in_scope(int scope, const Operation& operation) {
  switch (scope) {
    case __NV_THREAD_SCOPE_THREAD: return operation(ScopeConstant<AtomicScope::thread>{});
    case __NV_THREAD_SCOPE_BLOCK: return operation(ScopeConstant<AtomicScope::block>{});
    case __NV_THREAD_SCOPE_CLUSTER: return operation(ScopeConstant<AtomicScope::cluster>{});
    case __NV_THREAD_SCOPE_DEVICE: return operation(ScopeConstant<AtomicScope::device>{});
    default: return operation(ScopeConstant<AtomicScope::system>{});
  }
}

// __NV_ATOMIC_RELAXED and so on, which have the order of std::memory_order.
constexpr MemoryOrder nv_order(int order) { return static_cast<MemoryOrder>(order); }
static_assert(nv_order(__NV_ATOMIC_SEQ_CST) == MemoryOrder::sequentially_consistent, "in the same order");

// The type of an argument that does not decide the type of the operation.
template <class T>
using Given = std::common_type_t<T>;

}  // namespace cpu

template <class T>
T nv_atomic_load_n(SiteId site, T* address, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  static_assert(cpu::is_atomic_type<T>, "hirace: atomic functions take types of 1, 2, 4, 8 and 16 bytes");
  return cpu::in_scope(scope, [&](auto in) { return cpu::atomic_load<in.value>(address, site, cpu::nv_order(order)); });
}
template <class T>
void nv_atomic_load(SiteId site, T* address, cpu::Given<T>* result, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = nv_atomic_load_n(site, address, order, scope);
}

template <class T>
void nv_atomic_store_n(SiteId site, T* address, cpu::Given<T> value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  static_assert(cpu::is_atomic_type<T>, "hirace: atomic functions take types of 1, 2, 4, 8 and 16 bytes");
  cpu::in_scope(scope, [&](auto in) { cpu::atomic_store<in.value>(address, site, cpu::nv_order(order), value); });
}
template <class T>
void nv_atomic_store(SiteId site, T* address, cpu::Given<T>* value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  nv_atomic_store_n(site, address, *value, order, scope);
}

template <class T>
T nv_atomic_exchange_n(SiteId site, T* address, cpu::Given<T> value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  static_assert(cpu::is_atomic_type<T>, "hirace: atomic functions take types of 1, 2, 4, 8 and 16 bytes");
  return cpu::in_scope(scope, [&](auto in) { return cpu::atomic_exchange<in.value>(address, site, cpu::nv_order(order), value); });
}
template <class T>
void nv_atomic_exchange(SiteId site, T* address, cpu::Given<T>* value, cpu::Given<T>* result, int order,
                        int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = nv_atomic_exchange_n(site, address, *value, order, scope);
}

// A weak exchange does not fail without a reason here.
template <class T>
bool nv_atomic_compare_exchange_n(SiteId site, T* address, cpu::Given<T>* expected, cpu::Given<T> desired, bool, int success,
                                  int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  static_assert(cpu::is_atomic_type<T>, "hirace: atomic functions take types of 1, 2, 4, 8 and 16 bytes");
  return cpu::in_scope(scope, [&](auto in) {
    return cpu::atomic_compare_exchange<in.value>(address, site, *expected, desired, cpu::nv_order(success), cpu::nv_order(failure));
  });
}
template <class T>
bool nv_atomic_compare_exchange(SiteId site, T* address, cpu::Given<T>* expected, cpu::Given<T>* desired, bool weak, int success,
                                int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return nv_atomic_compare_exchange_n(site, address, expected, *desired, weak, success, failure, scope);
}

#define HIRACE_NV_ATOMIC_FETCH(name, expression)                                                                      \
  template <class T>                                                                                                  \
  T nv_atomic_fetch_##name(SiteId site, T* address, cpu::Given<T> value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) { \
    static_assert(std::is_arithmetic_v<T>, "hirace: __nv_atomic_fetch_" #name " takes numbers");                      \
    return cpu::in_scope(scope, [&](auto in) {                                                                        \
      return cpu::atomic_change<in.value>(address, site, cpu::nv_order(order),                                        \
                                          [=](T old) { return static_cast<T>(expression); });                         \
    });                                                                                                               \
  }
HIRACE_NV_ATOMIC_FETCH(add, old + value)
HIRACE_NV_ATOMIC_FETCH(sub, old - value)
HIRACE_NV_ATOMIC_FETCH(and, old & value)
HIRACE_NV_ATOMIC_FETCH(or, old | value)
HIRACE_NV_ATOMIC_FETCH(xor, old ^ value)
HIRACE_NV_ATOMIC_FETCH(min, value < old ? value : old)
HIRACE_NV_ATOMIC_FETCH(max, old < value ? value : old)
#undef HIRACE_NV_ATOMIC_FETCH

}  // namespace hirace

// For code that was not instrumented, whose site is unknown.
#define HIRACE_PLAIN_NV_ATOMIC(name)                                         \
  template <class T, class... Operands>                                      \
  inline auto __nv_atomic_##name(T* address, Operands... operands) {         \
    return hirace::nv_atomic_##name(hirace::unknown_site, address, operands...); \
  }
HIRACE_PLAIN_NV_ATOMIC(load)
HIRACE_PLAIN_NV_ATOMIC(load_n)
HIRACE_PLAIN_NV_ATOMIC(store)
HIRACE_PLAIN_NV_ATOMIC(store_n)
HIRACE_PLAIN_NV_ATOMIC(exchange)
HIRACE_PLAIN_NV_ATOMIC(exchange_n)
HIRACE_PLAIN_NV_ATOMIC(compare_exchange)
HIRACE_PLAIN_NV_ATOMIC(compare_exchange_n)
HIRACE_PLAIN_NV_ATOMIC(fetch_add)
HIRACE_PLAIN_NV_ATOMIC(fetch_sub)
HIRACE_PLAIN_NV_ATOMIC(fetch_and)
HIRACE_PLAIN_NV_ATOMIC(fetch_or)
HIRACE_PLAIN_NV_ATOMIC(fetch_xor)
HIRACE_PLAIN_NV_ATOMIC(fetch_min)
HIRACE_PLAIN_NV_ATOMIC(fetch_max)
#undef HIRACE_PLAIN_NV_ATOMIC
template <class = void>
inline void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  hirace::nv_atomic_thread_fence(hirace::unknown_site, order, scope);
}
