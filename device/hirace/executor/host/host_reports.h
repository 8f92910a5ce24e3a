// The functions that a compiler calls at each access of host code, with `-fsanitize=thread`.
//
// Only the calls are used: programs are not linked with the compiler's own library. Device code is
// compiled without (cuda/qualifiers.h), also functions that host code calls as well: their hooks report
// instead (check/slow_check.h).
#pragma once

#include <cstring>

#include "../check/slow_check.h"
#include "host_check.h"

#define HIRACE_COMPILER_CALL extern "C" __attribute__((used)) inline
#define HIRACE_CALLER __builtin_return_address(0)

HIRACE_COMPILER_CALL void __tsan_init() {
  hirace::cpu::report_by_hook = [](std::uintptr_t address, std::size_t bytes, hirace::AccessKind kind, const void* code) {
    hirace::cpu::report(reinterpret_cast<const void*>(address), bytes, kind, code);
  };
  hirace::cpu::host_code_reports.store(true, std::memory_order_relaxed);
}
HIRACE_COMPILER_CALL void __tsan_func_entry(void*) {}
HIRACE_COMPILER_CALL void __tsan_func_exit() {}
HIRACE_COMPILER_CALL void __tsan_vptr_update(void** object, void*) {
  hirace::cpu::report(object, sizeof *object, hirace::AccessKind::write, HIRACE_CALLER);
}
HIRACE_COMPILER_CALL void __tsan_vptr_read(void** object) {
  hirace::cpu::report(object, sizeof *object, hirace::AccessKind::read, HIRACE_CALLER);
}
HIRACE_COMPILER_CALL void __tsan_read_range(void* memory, unsigned long bytes) {
  hirace::cpu::report(memory, bytes, hirace::AccessKind::read, HIRACE_CALLER);
}
HIRACE_COMPILER_CALL void __tsan_write_range(void* memory, unsigned long bytes) {
  hirace::cpu::report(memory, bytes, hirace::AccessKind::write, HIRACE_CALLER);
}

#define HIRACE_COMPILER_ACCESS(name, bytes, kind) \
  HIRACE_COMPILER_CALL void __tsan_##name##bytes(void* memory) { hirace::cpu::report(memory, bytes, hirace::AccessKind::kind, HIRACE_CALLER); }
#define HIRACE_COMPILER_ACCESSES(bytes)                               \
  HIRACE_COMPILER_ACCESS(read, bytes, read)                           \
  HIRACE_COMPILER_ACCESS(write, bytes, write)                         \
  HIRACE_COMPILER_ACCESS(volatile_read, bytes, volatile_read)         \
  HIRACE_COMPILER_ACCESS(volatile_write, bytes, volatile_write)       \
  HIRACE_COMPILER_ACCESS(unaligned_read, bytes, read)                 \
  HIRACE_COMPILER_ACCESS(unaligned_write, bytes, write)               \
  HIRACE_COMPILER_ACCESS(unaligned_volatile_read, bytes, volatile_read) \
  HIRACE_COMPILER_ACCESS(unaligned_volatile_write, bytes, volatile_write)

HIRACE_COMPILER_ACCESSES(1)
HIRACE_COMPILER_ACCESSES(2)
HIRACE_COMPILER_ACCESSES(4)
HIRACE_COMPILER_ACCESSES(8)
HIRACE_COMPILER_ACCESSES(16)

#undef HIRACE_COMPILER_ACCESSES
#undef HIRACE_COMPILER_ACCESS

// The compiler leaves atomic operations to these functions. Each has the strongest order.
#define HIRACE_COMPILER_UPDATE(bits, type, name, operation)                                                             \
  HIRACE_COMPILER_CALL type __tsan_atomic##bits##_##name(volatile void* memory, type value, int) {                        \
    hirace::cpu::report(const_cast<void*>(memory), sizeof(type), hirace::AccessKind::device_atomic, HIRACE_CALLER);       \
    return operation(static_cast<volatile type*>(memory), value, __ATOMIC_SEQ_CST);                                       \
  }
#define HIRACE_COMPILER_EXCHANGE(bits, type, name)                                                                      \
  HIRACE_COMPILER_CALL int __tsan_atomic##bits##_compare_exchange_##name(volatile void* memory, void* expected, type value, int, int) { \
    hirace::cpu::report(const_cast<void*>(memory), sizeof(type), hirace::AccessKind::device_atomic, HIRACE_CALLER);       \
    return __atomic_compare_exchange_n(static_cast<volatile type*>(memory), static_cast<type*>(expected), value, false,   \
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                                               \
  }
#define HIRACE_COMPILER_ATOMICS(bits, type)                                                                             \
  HIRACE_COMPILER_CALL type __tsan_atomic##bits##_load(const volatile void* memory, int) {                                \
    hirace::cpu::report(const_cast<void*>(memory), sizeof(type), hirace::AccessKind::volatile_read, HIRACE_CALLER);       \
    return __atomic_load_n(static_cast<const volatile type*>(memory), __ATOMIC_SEQ_CST);                                  \
  }                                                                                                                       \
  HIRACE_COMPILER_CALL void __tsan_atomic##bits##_store(volatile void* memory, type value, int) {                         \
    hirace::cpu::report(const_cast<void*>(memory), sizeof(type), hirace::AccessKind::volatile_write, HIRACE_CALLER);      \
    __atomic_store_n(static_cast<volatile type*>(memory), value, __ATOMIC_SEQ_CST);                                       \
  }                                                                                                                       \
  HIRACE_COMPILER_UPDATE(bits, type, exchange, __atomic_exchange_n)                                                       \
  HIRACE_COMPILER_UPDATE(bits, type, fetch_add, __atomic_fetch_add)                                                       \
  HIRACE_COMPILER_UPDATE(bits, type, fetch_sub, __atomic_fetch_sub)                                                       \
  HIRACE_COMPILER_UPDATE(bits, type, fetch_and, __atomic_fetch_and)                                                       \
  HIRACE_COMPILER_UPDATE(bits, type, fetch_or, __atomic_fetch_or)                                                         \
  HIRACE_COMPILER_UPDATE(bits, type, fetch_xor, __atomic_fetch_xor)                                                       \
  HIRACE_COMPILER_UPDATE(bits, type, fetch_nand, __atomic_fetch_nand)                                                     \
  HIRACE_COMPILER_EXCHANGE(bits, type, strong)                                                                            \
  HIRACE_COMPILER_EXCHANGE(bits, type, weak)

HIRACE_COMPILER_ATOMICS(8, std::uint8_t)
HIRACE_COMPILER_ATOMICS(16, std::uint16_t)
HIRACE_COMPILER_ATOMICS(32, std::uint32_t)
HIRACE_COMPILER_ATOMICS(64, std::uint64_t)

#undef HIRACE_COMPILER_ATOMICS
#undef HIRACE_COMPILER_EXCHANGE
#undef HIRACE_COMPILER_UPDATE

#if defined(__x86_64__)
// By compare-and-swap: loads and stores of 16 bytes would need a library.
#define HIRACE_SWAP_16 extern "C" __attribute__((used, target("cx16"))) inline
namespace hirace::cpu {
using Wide = unsigned __int128;
template <class Change>
__attribute__((target("cx16"))) Wide change_wide(volatile void* memory, AccessKind kind, const void* code, Change change) {
  report(const_cast<void*>(memory), sizeof(Wide), kind, code);
  auto* const at = static_cast<volatile Wide*>(memory);
  Wide old = 0;
  for (;;) {
    const Wide now = __sync_val_compare_and_swap(at, old, change(old));
    if (now == old) return old;
    old = now;
  }
}
}  // namespace hirace::cpu
HIRACE_SWAP_16 unsigned __int128 __tsan_atomic128_load(const volatile void* memory, int) {
  return hirace::cpu::change_wide(const_cast<volatile void*>(memory), hirace::AccessKind::volatile_read, HIRACE_CALLER,
                                  [](hirace::cpu::Wide old) { return old; });
}
HIRACE_SWAP_16 void __tsan_atomic128_store(volatile void* memory, unsigned __int128 value, int) {
  hirace::cpu::change_wide(memory, hirace::AccessKind::volatile_write, HIRACE_CALLER, [=](hirace::cpu::Wide) { return value; });
}
#define HIRACE_COMPILER_UPDATE_16(name, result)                                                                              \
  HIRACE_SWAP_16 unsigned __int128 __tsan_atomic128_##name(volatile void* memory, unsigned __int128 value, int) {            \
    return hirace::cpu::change_wide(memory, hirace::AccessKind::device_atomic, HIRACE_CALLER,                                \
                                    [=]([[maybe_unused]] hirace::cpu::Wide old) -> hirace::cpu::Wide { return result; });    \
  }
HIRACE_COMPILER_UPDATE_16(exchange, value)
HIRACE_COMPILER_UPDATE_16(fetch_add, old + value)
HIRACE_COMPILER_UPDATE_16(fetch_sub, old - value)
HIRACE_COMPILER_UPDATE_16(fetch_and, old & value)
HIRACE_COMPILER_UPDATE_16(fetch_or, old | value)
HIRACE_COMPILER_UPDATE_16(fetch_xor, old ^ value)
HIRACE_COMPILER_UPDATE_16(fetch_nand, ~(old & value))
#undef HIRACE_COMPILER_UPDATE_16
#define HIRACE_COMPILER_EXCHANGE_16(name)                                                                                    \
  HIRACE_SWAP_16 int __tsan_atomic128_compare_exchange_##name(volatile void* memory, void* expected, unsigned __int128 value, int, int) { \
    hirace::cpu::Wide wanted;                                                                                                \
    std::memcpy(&wanted, expected, sizeof wanted);                                                                           \
    const hirace::cpu::Wide old = hirace::cpu::change_wide(memory, hirace::AccessKind::device_atomic, HIRACE_CALLER,         \
                                                           [=](hirace::cpu::Wide it) { return it == wanted ? value : it; }); \
    std::memcpy(expected, &old, sizeof old);                                                                                 \
    return old == wanted;                                                                                                    \
  }
HIRACE_COMPILER_EXCHANGE_16(strong)
HIRACE_COMPILER_EXCHANGE_16(weak)
#undef HIRACE_COMPILER_EXCHANGE_16
#undef HIRACE_SWAP_16
#endif

HIRACE_COMPILER_CALL void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
HIRACE_COMPILER_CALL void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

// The C library's functions, which host code calls by these names (memory_functions.h).
HIRACE_COMPILER_CALL void* hirace_memcpy(void* to, const void* from, std::size_t bytes) {
  hirace::cpu::report(from, bytes, hirace::AccessKind::read, HIRACE_CALLER);
  hirace::cpu::report(to, bytes, hirace::AccessKind::write, HIRACE_CALLER);
  return std::memcpy(to, from, bytes);
}
HIRACE_COMPILER_CALL void* hirace_memmove(void* to, const void* from, std::size_t bytes) {
  hirace::cpu::report(from, bytes, hirace::AccessKind::read, HIRACE_CALLER);
  hirace::cpu::report(to, bytes, hirace::AccessKind::write, HIRACE_CALLER);
  return std::memmove(to, from, bytes);
}
HIRACE_COMPILER_CALL void* hirace_memset(void* to, int value, std::size_t bytes) {
  hirace::cpu::report(to, bytes, hirace::AccessKind::write, HIRACE_CALLER);
  return std::memset(to, value, bytes);
}

#undef HIRACE_CALLER
#undef HIRACE_COMPILER_CALL
