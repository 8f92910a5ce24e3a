// Address operands of instructions, and other helpers for the hooks of inline PTX.
#pragma once

#include "../executor/check/check.h"
#include "../executor/memory/shared_variable.h"
#include "../executor/scheduler/warp.h"
#include "intrinsics.h"

namespace hirace::cpu {

inline void* generic_pointer(std::uint64_t address) { return reinterpret_cast<void*>(address); }

// An address of shared memory is an offset in the block's memory, as in intrinsics.h. It has 32 bits, so a sum wraps around.
inline void* shared_pointer(std::uint64_t address) { return __cvta_shared_to_generic(static_cast<std::uint32_t>(address)); }

// Addresses in the windows of a thread's own memory and of constants may have 32 bits, too: the upper ones are
// those of what is near.
inline void* pointer_near(const void* anchor, std::uint64_t address) {
  const auto place = reinterpret_cast<std::uintptr_t>(anchor);
  const auto distance = static_cast<std::int32_t>(static_cast<std::uint32_t>(address) - static_cast<std::uint32_t>(place));
  return reinterpret_cast<void*>(place + static_cast<std::uintptr_t>(std::intptr_t{distance}));
}
inline void* local_pointer(std::uint64_t address) { return pointer_near(__builtin_frame_address(0), address); }
inline const char in_constants = 0;
inline void* constant_pointer(std::uint64_t address) { return pointer_near(&in_constants, address); }

inline unsigned lane_number() { return current_lane(); }

}  // namespace hirace::cpu
