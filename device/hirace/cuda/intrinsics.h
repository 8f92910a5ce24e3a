// Device functions that are neither arithmetic nor synchronisation: loads and
// stores with cache hints, clocks, address spaces, traps.
#pragma once

#include <time.h>

#include <type_traits>

#include "../executor/memory/device_section.h"
#include "../executor/memory/shared_variable.h"
#include "../executor/scheduler/scheduler_interface.h"

// The cache that a load goes through does not affect its result.
#define HIRACE_HINTED_LOAD(name)           \
  template <class T>                       \
  inline std::remove_cv_t<T> name(T* address) { \
    return *address;                       \
  }
HIRACE_HINTED_LOAD(__ldg)
HIRACE_HINTED_LOAD(__ldca)
HIRACE_HINTED_LOAD(__ldcg)
HIRACE_HINTED_LOAD(__ldcs)
HIRACE_HINTED_LOAD(__ldlu)
HIRACE_HINTED_LOAD(__ldcv)
#undef HIRACE_HINTED_LOAD

#define HIRACE_HINTED_STORE(name)              \
  template <class T, class Value>              \
  inline void name(T* address, Value value) {  \
    *address = static_cast<T>(value);          \
  }
HIRACE_HINTED_STORE(__stwb)
HIRACE_HINTED_STORE(__stcg)
HIRACE_HINTED_STORE(__stcs)
HIRACE_HINTED_STORE(__stwt)
#undef HIRACE_HINTED_STORE

long long clock64();
inline unsigned long long globaltimer() { return static_cast<unsigned long long>(clock64()); }

// A thread that sleeps is waiting for another one.
void __nanosleep(unsigned int);

[[noreturn]] void __trap();
inline void __brkpt() {}
inline void __prof_trigger(int) {}

unsigned int __isGlobal(const void* pointer);
unsigned int __isShared(const void* pointer);
unsigned int __isCtaShared(const void* pointer);
inline unsigned int __isClusterShared(const void* pointer) { return __isShared(pointer); }
inline unsigned int __isConstant(const void* pointer) {
  const auto* const begin = static_cast<const char*>(pointer);
  return begin >= __start_hirace_constant && begin < __stop_hirace_constant ? 1 : 0;
}
inline unsigned int __isLocal(const void* pointer) {
  return __isGlobal(pointer) == 0 && __isShared(pointer) == 0 && __isConstant(pointer) == 0 ? 1 : 0;
}

// Programs convert a pointer to shared memory into an offset in the block's shared memory. Above the
// offset is the rank, from 1, of another block of the cluster that the memory belongs to.
std::size_t __cvta_generic_to_shared(const void* pointer);
void* __cvta_shared_to_generic(std::size_t address);
inline std::size_t __cvta_generic_to_global(const void* pointer) { return reinterpret_cast<std::size_t>(pointer); }
inline std::size_t __cvta_generic_to_local(const void* pointer) { return reinterpret_cast<std::size_t>(pointer); }
inline std::size_t __cvta_generic_to_constant(const void* pointer) { return reinterpret_cast<std::size_t>(pointer); }
inline std::size_t __cvta_generic_to_grid_constant(const void* pointer) { return reinterpret_cast<std::size_t>(pointer); }
inline void* __cvta_local_to_generic(std::size_t address) { return reinterpret_cast<void*>(address); }
inline void* __cvta_constant_to_generic(std::size_t address) { return reinterpret_cast<void*>(address); }
inline void* __cvta_grid_constant_to_generic(std::size_t address) { return reinterpret_cast<void*>(address); }
inline void* __cvta_global_to_generic(std::size_t address) { return reinterpret_cast<void*>(address); }

#define __builtin_assume(condition) (static_cast<void>(0))
