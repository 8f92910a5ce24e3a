// Threads of a block that run one after the other, none of which waits: most threads of most programs.
//
// The loop that a program has for each kernel begins these threads itself. The scheduler does not see them until the
// last one has ended, or the running one does something that others notice (Worker::settle).
#pragma once

#include <cstdint>

#include "../../cuda/vector_types.h"
#include "scheduler_interface.h"

namespace hirace::cpu {

// A position in the order in which the threads of a block start.
struct ThreadPlace {
  uint3 index;
  std::uint32_t linear;
};

struct ThreadRun {
  // The threads that have not begun. Equal if there is no such run.
  const ThreadPlace* next;
  const ThreadPlace* end;
  // Monitor::me of the block's thread 0, and where the number of another one is.
  Word first;
  unsigned thread_shift;
};
inline thread_local ThreadRun thread_run = {};

// Begins the next thread after one that has ended; false if the scheduler has to. A handler of a signal reads which
// thread runs, and may end it: the compiler must keep none of this in registers beyond here.
HIRACE_HOOK bool begin_next_thread() {
  asm volatile("" ::: "memory");
  ThreadRun& run = thread_run;
  if (run.next == run.end) return false;
  const ThreadPlace& place = *run.next++;
  threadIdx = place.index;
  monitor.me = run.first | Word{place.linear} << run.thread_shift;
  spin_noted = false;
  monitor.set_budget(access_budget);
  asm volatile("" ::: "memory");
  return true;
}

}  // namespace hirace::cpu
