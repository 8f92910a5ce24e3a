// Addresses as instructions take them, and what else the hooks of inline PTX need.
// Host code may hold such hooks, too, in a function for both sides, and never runs them.
#pragma once

#include "check.h"

namespace hirace::gpu {

HIRACE_HOOK const volatile void* generic_pointer(std::uint64_t address) {
  return reinterpret_cast<const volatile void*>(address);
}

// An address in the window of the block's shared memory, which 32 bits name.
HIRACE_HOOK const volatile void* shared_pointer(std::uint64_t address) {
#ifdef __CUDA_ARCH__
  return __cvta_shared_to_generic(static_cast<std::uint32_t>(address));
#else
  return generic_pointer(address);
#endif
}

HIRACE_HOOK unsigned lane_number() {
  unsigned lane = 0;
#ifdef __CUDA_ARCH__
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
#endif
  return lane;
}

}  // namespace hirace::gpu
