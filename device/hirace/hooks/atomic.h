// Atomic functions with a check: hirace::atomicAdd(SITE, address, value) and so on.
//
// Scope decides what an atomic races with (CUDA C++ Programming Guide, "Atomic
// Functions"): `_block` atomics are atomic for the threads of one block, the
// others for all threads of the device.
#pragma once

#include "access.h"

#if HIRACE_GPU
// Later headers overload some of these for their own classes, such as __half;
// argument-dependent lookup finds those.
#define HIRACE_USE_RAW_ATOMIC(name) using ::name;
#define HIRACE_RAW_ATOMIC(name) name
#else
#include "../cuda/atomics.h"
#define HIRACE_USE_RAW_ATOMIC(name)
#define HIRACE_RAW_ATOMIC(name) ::hirace::cpu::raw::name
#endif

namespace hirace {

namespace detail {

// An exchange may serve only as a store; all other atomics use the previous value.
HIRACE_HOOK constexpr bool uses_value(const char* name) {
  constexpr char exchange[] = "atomicExch";
  for (std::size_t i = 0; i + 1 < sizeof exchange; ++i) {
    if (name[i] != exchange[i]) return true;
  }
  return false;
}

HIRACE_HOOK constexpr bool is_exchange_if_equal(const char* name) { return name[6] == 'C' && name[7] == 'A'; }

// The size of what an atomic operation treats as one. The sum of vectors is atomic for each element (CUDA C++
// Programming Guide, "atomicAdd()"): float2, float4, __half2 and __nv_bfloat162, which all have a member `x`.
template <class T, class = void>
struct Summand {
  static constexpr std::size_t size = sizeof(T);
};
template <class T>
struct Summand<T, std::void_t<decltype(T::x)>> {
  static constexpr std::size_t size = sizeof(T::x);
};
template <class T>
HIRACE_HOOK constexpr std::size_t atomic_size(const char* name) {
  return name[6] == 'A' && name[7] == 'd' ? Summand<T>::size : sizeof(T);
}

// Whether an atomic operation is going to write: a compare-and-swap that fails only reads. Matters
// to the order engine, and between launches.
template <class T, class Operand, class... More>
HIRACE_DEVICE_HOOK bool writes(bool if_equal, const volatile T* address, const Operand& compare, const More&...) {
  if constexpr (std::is_convertible_v<Operand, T> && sizeof...(More) == 1) {
    const T wanted = static_cast<T>(compare);
    if (if_equal) return backend::would_exchange(address, __builtin_addressof(wanted), sizeof(T));
  }
  return true;
}

}  // namespace detail

// The operands keep their types: the compiler converts them to those of the
// function called, as it would without the hook.
#define HIRACE_ATOMIC(hook, raw, kind, scope)                                                               \
  template <class T, class... Operands>                                                                     \
  HIRACE_ATOMIC_HOOK auto hook(SiteId site, T* address, Operands... operands) {                             \
    constexpr bool reads = detail::uses_value(#raw);                                                        \
    constexpr std::size_t size = detail::atomic_size<T>(#raw);                                              \
    backend::note_use<AtomicOfSize<size>>();                                                                \
    backend::begin_strong_access(false);                                                                    \
    const bool writes = detail::writes(detail::is_exchange_if_equal(#raw), address, operands...);           \
    const auto how = atomic_operation(Order::relaxed, scope, writes);                                       \
    for (std::size_t at = 0; at < sizeof(T); at += size) {                                                  \
      const auto* const part = reinterpret_cast<const volatile unsigned char*>(address) + at;               \
      backend::check_strong(kind, how, part, size, site, at == 0 ? alignof(T) : 1, reads);                  \
    }                                                                                                       \
    HIRACE_USE_RAW_ATOMIC(raw)                                                                              \
    return HIRACE_RAW_ATOMIC(raw)(address, operands...);                                                    \
  }

// The CPU executes every atomic with the widest scope, which is correct for each.
#if HIRACE_GPU
#define HIRACE_ATOMIC_SCOPES(name)                                        \
  HIRACE_ATOMIC(name, name, AccessKind::device_atomic, Scope::device) \
  HIRACE_ATOMIC(name##_block, name##_block, AccessKind::block_atomic, Scope::block) \
  HIRACE_ATOMIC(name##_system, name##_system, AccessKind::device_atomic, Scope::system)
#else
#define HIRACE_ATOMIC_SCOPES(name)                                        \
  HIRACE_ATOMIC(name, name, AccessKind::device_atomic, Scope::device) \
  HIRACE_ATOMIC(name##_block, name, AccessKind::block_atomic, Scope::block) \
  HIRACE_ATOMIC(name##_system, name, AccessKind::device_atomic, Scope::system)
#endif

// The same for an operation that looks like an attempt to take a lock, which may order accesses.
#define HIRACE_TAKING_LOCK(name)                                            \
  template <class T, class... Operands>                                     \
  HIRACE_DEVICE_HOOK auto name(SiteId site, T* address, Operands... operands) { \
    backend::note_use<LockAttempt>();                                       \
    return ::hirace::name(site, address, operands...);                      \
  }

HIRACE_ATOMIC_SCOPES(atomicAdd)
HIRACE_ATOMIC_SCOPES(atomicSub)
HIRACE_ATOMIC_SCOPES(atomicExch)
HIRACE_ATOMIC_SCOPES(atomicMin)
HIRACE_ATOMIC_SCOPES(atomicMax)
HIRACE_ATOMIC_SCOPES(atomicInc)
HIRACE_ATOMIC_SCOPES(atomicDec)
HIRACE_ATOMIC_SCOPES(atomicCAS)
HIRACE_ATOMIC_SCOPES(atomicAnd)
HIRACE_ATOMIC_SCOPES(atomicOr)
HIRACE_ATOMIC_SCOPES(atomicXor)

namespace taking_lock {
HIRACE_TAKING_LOCK(atomicCAS)
HIRACE_TAKING_LOCK(atomicCAS_block)
HIRACE_TAKING_LOCK(atomicCAS_system)
HIRACE_TAKING_LOCK(atomicExch)
HIRACE_TAKING_LOCK(atomicExch_block)
HIRACE_TAKING_LOCK(atomicExch_system)
}  // namespace taking_lock

#undef HIRACE_TAKING_LOCK
#undef HIRACE_ATOMIC_SCOPES
#undef HIRACE_ATOMIC

}  // namespace hirace
