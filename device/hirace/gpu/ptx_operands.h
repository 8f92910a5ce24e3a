// Address operands of instructions, and other helpers for the hooks of inline PTX. A function for
// host and device may contain such hooks; host code never runs them.
#pragma once

#include "check.h"

namespace hirace::gpu {

HIRACE_HOOK const volatile void* generic_pointer(std::uint64_t address) {
  return reinterpret_cast<const volatile void*>(address);
}

// An address in the block's shared memory window, given by 32 bits.
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
