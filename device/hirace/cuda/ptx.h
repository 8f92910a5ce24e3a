// Inline PTX on the CPU: loads, stores and atomics, and the passing of values to and from the
// operands of an asm statement. The instrumenter replaces the assembly by calls of these functions
// and those of ptx_arithmetic.h, ptx_conversions.h and ptx_registers.h.
//
// Cache hints have no effect here. Types have their PTX names.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../hooks/ptx.h"
#include "atomics.h"
#include "ptx_operands.h"

namespace hirace::cpu::ptx {

using b8 = std::uint8_t;
using u8 = std::uint8_t;
using s8 = std::int8_t;
using b16 = std::uint16_t;
using u16 = std::uint16_t;
using s16 = std::int16_t;
using b32 = std::uint32_t;
using u32 = std::uint32_t;
using s32 = std::int32_t;
// CUDA's 64-bit atomics are declared for this type.
using b64 = unsigned long long;
using u64 = unsigned long long;
using s64 = long long;
__extension__ typedef unsigned __int128 b128;
using f32 = float;
using f64 = double;
using pred = bool;

using ::hirace::cpu::constant_pointer;
using ::hirace::cpu::generic_pointer;
using ::hirace::cpu::local_pointer;
using ::hirace::cpu::shared_pointer;

// Assigns a value to the variable of a register. A wider one is extended according to the value's type.
template <class T, class Target>
inline void put(Target& target, T value) {
  using To = std::remove_cv_t<Target>;
  if constexpr (std::is_pointer_v<To>) {
    target = reinterpret_cast<To>(static_cast<std::uintptr_t>(value));
  } else if constexpr (std::is_integral_v<To> && std::is_integral_v<T>) {
    target = static_cast<To>(value);
  } else {
    To bits{};
    std::memcpy(&bits, &value, sizeof(To) < sizeof(T) ? sizeof(To) : sizeof(T));
    target = bits;
  }
}

template <class T>
inline T load(const void* address, int index) {
  return static_cast<const volatile T*>(address)[index];
}
template <class T>
inline void store(void* address, int index, T value) {
  static_cast<volatile T*>(address)[index] = value;
}

// A strong load sees the stores of other OS threads, untorn.
template <class T>
inline T load_strong(const void* address, int index) {
  if constexpr (sizeof(T) == 16) {
    return load_16(const_cast<T*>(static_cast<const T*>(address)) + index);
  } else {
    T value;
    __atomic_load(static_cast<const T*>(address) + index, &value, __ATOMIC_ACQUIRE);
    return value;
  }
}
template <class T>
inline void store_strong(void* address, int index, T value) {
  if constexpr (sizeof(T) == 16) raw::atomicExch(static_cast<T*>(address) + index, value);
  else __atomic_store(static_cast<T*>(address) + index, &value, __ATOMIC_RELEASE);
}

#define HIRACE_PTX_ATOMIC(name, expression)                                                                  \
  template <class T>                                                                                         \
  inline T atomic_##name(void* address, T value) {                                                           \
    return raw::detail::exchange_with(static_cast<T*>(address), [=](T old) -> T { return static_cast<T>(expression); }); \
  }
HIRACE_PTX_ATOMIC(and, old & value)
HIRACE_PTX_ATOMIC(or, old | value)
HIRACE_PTX_ATOMIC(xor, old ^ value)
HIRACE_PTX_ATOMIC(inc, old >= value ? 0 : old + 1)
HIRACE_PTX_ATOMIC(dec, old == 0 || old > value ? value : old - 1)
#undef HIRACE_PTX_ATOMIC

// A thread that waits for another one adds zero, exchanges equal values, or sees a comparison fail.
template <class T>
inline T atomic_add(void* address, T value) {
  if constexpr (std::is_arithmetic_v<T>) {
    if (value == T{0}) note_spin();
  }
  if constexpr (std::is_integral_v<T>) {
    return __atomic_fetch_add(static_cast<T*>(address), value, __ATOMIC_ACQ_REL);
  } else {
    return raw::detail::exchange_with(static_cast<T*>(address), [=](T old) { return old + value; });
  }
}
template <class T>
inline T atomic_exch(void* address, T value) {
  if constexpr (sizeof(T) == 16) {
    return raw::atomicExch(static_cast<T*>(address), value);
  } else {
    using Bits = UnsignedOf<sizeof(T)>;
    return ptx_value<T>(raw::spin_aware_exchange(static_cast<Bits*>(address), ptx_value<Bits>(value)));
  }
}
template <class T>
inline T atomic_cas(void* address, T expected, T desired) {
  if constexpr (sizeof(T) == 16) {
    return raw::atomicCAS(static_cast<T*>(address), expected, desired);
  } else {
    using Bits = UnsignedOf<sizeof(T)>;
    return ptx_value<T>(
        raw::spin_aware_compare(static_cast<Bits*>(address), ptx_value<Bits>(expected), ptx_value<Bits>(desired)));
  }
}

}  // namespace hirace::cpu::ptx
