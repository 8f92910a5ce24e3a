// What barriers do to the running thread's clocks. hooks/sync.h decides which barrier advances
// which clock.
#pragma once

#include "monitor.h"

namespace hirace::cpu {

// Advances the running thread's clocks past a barrier. A clock that overflows cannot order later
// accesses, so the thread is no longer checked, rather than checked wrongly. Its unseen accesses
// can hide a race but not cause a false one.
HIRACE_RUNTIME void pass_block_barrier() {
  if (!current_launch.monitored || launch_is_ordered()) return;
  if (current_launch.begins_early) monitor.waits->pass_block_barrier();
  const Layout& layout = current_launch.layout;
  if ((monitor.me & layout.block_clock_field) == layout.block_clock_field) {
    recorder().block_clock_limit(current_launch.kernel, bits_of(layout.block_clock_field));
    monitor.me |= unchecked_flag;
    return;
  }
  monitor.me = (monitor.me & ~(layout.warp_clock_field | unchecked_flag)) + (Word{1} << layout.block_clock_shift);
}

HIRACE_RUNTIME void pass_warp_barrier() {
  if (!current_launch.monitored || launch_is_ordered()) return;
  if (current_launch.begins_early) monitor.waits->pass_warp_barrier(running_thread());
  const Layout& layout = current_launch.layout;
  if ((monitor.me & layout.warp_clock_field) == layout.warp_clock_field) {
    recorder().warp_clock_limit(current_launch.kernel, bits_of(layout.warp_clock_field));
    monitor.me |= unchecked_flag;
    return;
  }
  if (order::holds(order::Rule::warp_barrier_advances_a_clock)) monitor.me += 1;
}

}  // namespace hirace::cpu
