// Fences of the CPU executor.
#pragma once

#include "../check/checked_launch.h"
#include "scheduler_interface.h"
#include "warp.h"

namespace hirace::cpu {

// Blocks run on several OS threads, so fences must be real here too; within a block only the
// compiler could reorder.
inline void fence_block() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
inline void fence_device() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void fence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

}  // namespace hirace::cpu
