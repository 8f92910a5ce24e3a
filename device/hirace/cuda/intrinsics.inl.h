// The definitions of intrinsics.h, and clock() in kernels.
#pragma once

#include <chrono>
#include <ctime>

#include "../executor/faults.h"
#include "../executor/scheduler/cluster_calls.h"
#include "../executor/scheduler/scheduler.h"
#include "intrinsics.h"

HIRACE_RUNTIME long long clock64() {
  ++hirace::cpu::unrepeatable_calls;
  return std::chrono::steady_clock::now().time_since_epoch().count();
}
#ifdef __GLIBC__
// Declared by <time.h>; in host code, the processor time of the process. Only the function itself
// can be replaced, as with __assert_fail (executor/assertions.h).
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

HIRACE_RUNTIME void __nanosleep(unsigned int) {
  if (hirace::cpu::monitor.in_kernel) hirace::cpu::this_worker->yield(true);
}

[[noreturn]] __attribute__((noinline)) HIRACE_RUNTIME void __trap() {
  if (!hirace::cpu::monitor.in_kernel) __builtin_trap();
  const auto* const return_address = static_cast<const char*>(__builtin_return_address(0));
  hirace::cpu::fail_at(hirace::Fault::trap, hirace::unknown_site, 0, return_address - 1);
}

namespace hirace::cpu {

// Bits of an offset in a block's shared memory.
constexpr unsigned shared_offset_bits = 24;

}  // namespace hirace::cpu

HIRACE_RUNTIME std::size_t __cvta_generic_to_shared(const void* pointer) {
  using namespace hirace::cpu;
  const auto* const place = static_cast<const char*>(pointer);
  const Block* const owner = current_launch.clustered ? owner_of_shared(reinterpret_cast<std::uintptr_t>(pointer)) : nullptr;
  if (owner == nullptr || owner->shared == block_shared) return static_cast<std::size_t>(place - block_shared);
  return static_cast<std::size_t>(place - owner->shared) | std::size_t{owner->rank + 1} << shared_offset_bits;
}

HIRACE_RUNTIME void* __cvta_shared_to_generic(std::size_t address) {
  using namespace hirace::cpu;
  const std::size_t above = address >> shared_offset_bits;
  if (above == 0 || !current_launch.clustered) return block_shared + address;
  const Cluster& cluster = *this_worker->block().cluster;
  if (above > cluster.size) return block_shared + address;
  return cluster.blocks[above - 1]->shared + (address & ((std::size_t{1} << shared_offset_bits) - 1));
}

HIRACE_RUNTIME unsigned int __isCtaShared(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  return address - reinterpret_cast<std::uintptr_t>(hirace::cpu::block_shared) < hirace::cpu::shared_layout().slot_bytes() ? 1 : 0;
}

HIRACE_RUNTIME unsigned int __isGlobal(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const hirace::cpu::Arena& arena = hirace::cpu::arena();
  const bool heap = arena.contains(address) && address - arena.base() >= arena.shared_bytes();
  const auto* const begin = static_cast<const char*>(pointer);
  return heap || (begin >= hirace::cpu::device_section_begin() && begin < hirace::cpu::device_section_end()) ? 1 : 0;
}
HIRACE_RUNTIME unsigned int __isShared(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  return address - hirace::cpu::arena().base() < hirace::cpu::arena().shared_bytes() ? 1 : 0;
}
