// CUDA's atomic functions without a check. The monitored ones in hooks/atomic.h build on them.
//
// Overloads as in the CUDA C++ Programming Guide, "Atomic Functions". Relaxed order, as on the device;
// between CUDA threads of one block the executor needs none, since they run on one OS thread.
#pragma once

#include <cstring>
#include <type_traits>

#include "../executor/scheduler/scheduler_interface.h"
#include "unsigned_of.h"
#include "vector_types.h"
#include "wide_exchange.h"

namespace hirace::cpu::raw {

namespace detail {

// Replaces *address by update(*address); returns the old value. Values of any type of 1, 2, 4 or 8
// bytes are exchanged by their bits. Here and below, an operation that changes nothing is a read,
// so that a polling thread writes nothing (poll_watch.h).
template <class T, class Update>
T exchange_with(T* address, Update update) {
  using Bits = UnsignedOf<sizeof(T)>;
  Bits* const target = reinterpret_cast<Bits*>(address);
  Bits old_bits = __atomic_load_n(target, __ATOMIC_RELAXED);
  for (;;) {
    T old;
    std::memcpy(static_cast<void*>(&old), &old_bits, sizeof(T));
    const T desired = update(old);
    Bits new_bits;
    std::memcpy(&new_bits, &desired, sizeof(T));
    if (new_bits == old_bits) return old;
    if (__atomic_compare_exchange_n(target, &old_bits, new_bits, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return old;
  }
}

}  // namespace detail

// Programs add zero to read a value that others change.
#define HIRACE_RAW_ATOMIC_BUILTIN(name, builtin, type, neutral) \
  inline type name(type* address, type value) {                 \
    if (value == static_cast<type>(neutral)) {                  \
      note_spin();                                              \
      return __atomic_load_n(address, __ATOMIC_RELAXED);        \
    }                                                           \
    return builtin(address, value, __ATOMIC_RELAXED);           \
  }
#define HIRACE_RAW_ATOMIC_LOOP(name, type, expression) \
  inline type name(type* address, type value) {        \
    return detail::exchange_with(address, [=](type old) -> type { return expression; }); \
  }

HIRACE_RAW_ATOMIC_BUILTIN(atomicAdd, __atomic_fetch_add, int, 0)
HIRACE_RAW_ATOMIC_BUILTIN(atomicAdd, __atomic_fetch_add, unsigned int, 0)
HIRACE_RAW_ATOMIC_BUILTIN(atomicAdd, __atomic_fetch_add, unsigned long long, 0)
HIRACE_RAW_ATOMIC_LOOP(atomicAdd, float, old + value)
HIRACE_RAW_ATOMIC_LOOP(atomicAdd, double, old + value)

// Halves and pairs of them, which have their own addition.
template <class T>
T atomicAdd(T* address, std::enable_if_t<std::is_class_v<T>, T> value) {
  return detail::exchange_with(address, [=](T old) { return hirace_add(old, value); });
}

HIRACE_RAW_ATOMIC_BUILTIN(atomicSub, __atomic_fetch_sub, int, 0)
HIRACE_RAW_ATOMIC_BUILTIN(atomicSub, __atomic_fetch_sub, unsigned int, 0)

#define HIRACE_RAW_ATOMIC_INTEGERS(type)                          \
  HIRACE_RAW_ATOMIC_BUILTIN(atomicAnd, __atomic_fetch_and, type, ~0ull) \
  HIRACE_RAW_ATOMIC_BUILTIN(atomicOr, __atomic_fetch_or, type, 0)  \
  HIRACE_RAW_ATOMIC_BUILTIN(atomicXor, __atomic_fetch_xor, type, 0)  \
  HIRACE_RAW_ATOMIC_LOOP(atomicMin, type, old < value ? old : value) \
  HIRACE_RAW_ATOMIC_LOOP(atomicMax, type, old > value ? old : value)

HIRACE_RAW_ATOMIC_INTEGERS(int)
HIRACE_RAW_ATOMIC_INTEGERS(unsigned int)
HIRACE_RAW_ATOMIC_INTEGERS(long long)
HIRACE_RAW_ATOMIC_INTEGERS(unsigned long long)

HIRACE_RAW_ATOMIC_LOOP(atomicInc, unsigned int, old >= value ? 0 : old + 1)
HIRACE_RAW_ATOMIC_LOOP(atomicDec, unsigned int, old == 0 || old > value ? value : old - 1)

// A spinning thread on a taken lock sees an exchange that changes nothing, or a comparison that fails.
template <class T>
T spin_aware_exchange(T* address, T value) {
  const T old = __atomic_load_n(address, __ATOMIC_ACQUIRE);
  if (old == value) {
    note_spin();
    return old;
  }
  return __atomic_exchange_n(address, value, __ATOMIC_ACQ_REL);
}
template <class T>
T spin_aware_compare(T* address, T expected, T desired) {
  T old = __atomic_load_n(address, __ATOMIC_ACQUIRE);
  if (old != expected || desired == old) {
    note_spin();
    return old;
  }
  if (!__atomic_compare_exchange_n(address, &old, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) note_spin();
  return old;
}

#define HIRACE_RAW_ATOMIC_EXCHANGE(type)                                                                              \
  inline type atomicExch(type* address, type value) { return spin_aware_exchange(address, value); }                   \
  inline type atomicCAS(type* address, type expected, type desired) { return spin_aware_compare(address, expected, desired); }

HIRACE_RAW_ATOMIC_EXCHANGE(int)
HIRACE_RAW_ATOMIC_EXCHANGE(unsigned int)
HIRACE_RAW_ATOMIC_EXCHANGE(unsigned long long)

inline float atomicExch(float* address, float value) {
  return detail::exchange_with(address, [=](float) { return value; });
}
inline unsigned short atomicCAS(unsigned short* address, unsigned short expected, unsigned short desired) {
  return spin_aware_compare(address, expected, desired);
}


// Vectors are added element by element: each element is atomic, not the whole.
inline float2 atomicAdd(float2* address, float2 value) {
  return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)};
}
inline float4 atomicAdd(float4* address, float4 value) {
  return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y), atomicAdd(&address->z, value.z),
          atomicAdd(&address->w, value.w)};
}

// Any type of 16 bytes.
template <class T>
std::enable_if_t<sizeof(T) == 16, T> atomicCAS(T* address, T expected, T desired) {
  bool exchanged;
  const T old = compare_exchange_16(address, expected, desired, exchanged);
  if (!exchanged) note_spin();
  return old;
}
template <class T>
std::enable_if_t<sizeof(T) == 16, T> atomicExch(T* address, T value) {
  T old = load_16(address);
  for (bool exchanged = false; !exchanged;) old = compare_exchange_16(address, old, value, exchanged);
  return old;
}

#undef HIRACE_RAW_ATOMIC_BUILTIN
#undef HIRACE_RAW_ATOMIC_LOOP
#undef HIRACE_RAW_ATOMIC_INTEGERS
#undef HIRACE_RAW_ATOMIC_EXCHANGE

}  // namespace hirace::cpu::raw
