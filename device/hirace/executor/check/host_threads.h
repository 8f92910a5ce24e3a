// Host threads count as one (stream_order.h), and the report says so of a run in which that may matter.
#pragma once

#include <atomic>

#include "recorder.h"
#include "thread.h"

namespace hirace::cpu {

inline thread_local bool host_thread_is_known = false;

// The calling thread works in streams, waits for work, or accesses memory that kernels access.
inline void note_host_thread() {
  static std::atomic<unsigned> threads{0};
  if (host_thread_is_known || monitor.in_kernel) return;
  host_thread_is_known = true;
  if (++threads > 1) recorder().note_limit(host_threads_as_one);
}

}  // namespace hirace::cpu
