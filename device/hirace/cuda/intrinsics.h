// Device functions that are neither arithmetic nor synchronisation: loads and
// stores with cache hints, clocks, address spaces, ways to stop.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <type_traits>

#include "../executor/faults.h"
#include "../executor/scheduler/scheduler.h"

// Which cache a load goes through does not change what it loads.
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

inline long long clock64() {
  ++hirace::cpu::unrepeatable_calls;
  return std::chrono::steady_clock::now().time_since_epoch().count();
}
#ifdef __GLIBC__
// Declared by <time.h>, and the processor time of the process in host code. There is nothing
// else to hold on to, as with __assert_fail (faults.h).
extern "C" __attribute__((used)) inline clock_t clock() noexcept {
  if (hirace::cpu::monitor.in_kernel) return static_cast<clock_t>(clock64());
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<clock_t>(time.tv_sec * CLOCKS_PER_SEC + time.tv_nsec / (1000000000 / CLOCKS_PER_SEC));
}
#else
namespace hirace::cpu {
inline const bool clock_not_counted = reads_other_clocks = true;
}
#endif
inline unsigned long long globaltimer() { return static_cast<unsigned long long>(clock64()); }

// A thread that sleeps waits for another one.
inline void __nanosleep(unsigned int) {
  if (hirace::cpu::monitor.in_kernel) hirace::cpu::this_worker->yield(true);
}

[[noreturn]] __attribute__((noinline)) inline void __trap() {
  if (!hirace::cpu::monitor.in_kernel) __builtin_trap();
  const auto* const behind = static_cast<const char*>(__builtin_return_address(0));
  hirace::cpu::fail_at(hirace::Fault::trap, hirace::unknown_site, 0, behind - 1);
}
inline void __brkpt() {}
inline void __prof_trigger(int) {}

inline unsigned int __isGlobal(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const hirace::cpu::Arena& arena = hirace::cpu::arena();
  const bool heap = arena.contains(address) && address - arena.base() >= arena.shared_bytes();
  const auto* const begin = static_cast<const char*>(pointer);
  return heap || (begin >= hirace::cpu::device_section_begin() && begin < hirace::cpu::device_section_end()) ? 1 : 0;
}
inline unsigned int __isShared(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  return address - hirace::cpu::arena().base() < hirace::cpu::arena().shared_bytes() ? 1 : 0;
}
inline unsigned int __isCtaShared(const void* pointer) { return __isShared(pointer); }
inline unsigned int __isLocal(const void* pointer) { return __isGlobal(pointer) == 0 && __isShared(pointer) == 0 ? 1 : 0; }

// What a program computes from a pointer to shared memory is an offset in its block.
inline std::size_t __cvta_generic_to_shared(const void* pointer) {
  return static_cast<std::size_t>(static_cast<const char*>(pointer) - hirace::cpu::block_shared);
}
inline void* __cvta_shared_to_generic(std::size_t offset) { return hirace::cpu::block_shared + offset; }
inline std::size_t __cvta_generic_to_global(const void* pointer) { return reinterpret_cast<std::size_t>(pointer); }
inline std::size_t __cvta_generic_to_local(const void* pointer) { return reinterpret_cast<std::size_t>(pointer); }
inline std::size_t __cvta_generic_to_constant(const void* pointer) { return reinterpret_cast<std::size_t>(pointer); }
inline std::size_t __cvta_generic_to_grid_constant(const void* pointer) { return reinterpret_cast<std::size_t>(pointer); }
inline void* __cvta_local_to_generic(std::size_t address) { return reinterpret_cast<void*>(address); }
inline void* __cvta_constant_to_generic(std::size_t address) { return reinterpret_cast<void*>(address); }
inline void* __cvta_grid_constant_to_generic(std::size_t address) { return reinterpret_cast<void*>(address); }
inline void* __cvta_global_to_generic(std::size_t address) { return reinterpret_cast<void*>(address); }

#define __builtin_assume(condition) (static_cast<void>(0))
