// What a kernel needs to know of its block to wait at a barrier in lockstep (lockstep.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../cuda/vector_types.h"
#include "../check/thread.h"

namespace hirace::cpu {

// A thread that is a coroutine. Those of a block, with their frames, should fit into the first-level cache.
struct LockstepThread {
  void* frame;  // null once it has ended
  Word me;      // while it waits: Monitor::me, as it was when it arrived
};

// The state of the running OS thread.
struct LockstepNow {
  LockstepThread* thread;  // the running one
  SiteId site;             // the barrier of this round; unknown_site if no thread has arrived, or without lockstep
  bool active;             // the block that runs is in lockstep
  bool arrived;            // the running thread has arrived since it was resumed
};
inline thread_local LockstepNow lockstep_now;

}  // namespace hirace::cpu
