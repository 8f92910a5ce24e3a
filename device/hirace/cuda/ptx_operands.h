// Address operands of instructions, and other helpers for the hooks of inline PTX.
#pragma once

#include "../executor/check/check.h"
#include "../executor/memory/shared_variable.h"
#include "../executor/scheduler/warp.h"
#include "intrinsics.h"

namespace hirace::cpu {

inline void* generic_pointer(std::uint64_t address) { return reinterpret_cast<void*>(address); }

// An address of shared memory is an offset in the block's memory, as in intrinsics.h.
inline void* shared_pointer(std::uint64_t address) { return __cvta_shared_to_generic(static_cast<std::size_t>(address)); }

inline unsigned lane_number() { return current_lane(); }

}  // namespace hirace::cpu
