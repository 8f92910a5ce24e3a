// Fences of the CPU executor.
#pragma once

#include "../../hooks/strength.h"
#include "../order/engine_use.h"
#include "scheduler_interface.h"
#include "warp.h"

namespace hirace::cpu {

// Tells the order engine of a fence by the running thread; `sequential` is fence.sc.
void order_fence(Scope scope, bool sequential);

// Blocks run on several OS threads, so fences must be real here too; within a block only the
// compiler could reorder.
inline void fence(Scope scope, bool sequential) {
  if (scope == Scope::block) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  } else {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
  if (__builtin_expect(launch_is_ordered(), 0)) order_fence(scope, sequential);
}

}  // namespace hirace::cpu
