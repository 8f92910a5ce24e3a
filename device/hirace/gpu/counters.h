// The counts of a launch on the device, for the report.
#pragma once

#include "recorder.h"
#include "state.h"

namespace hirace::gpu {

// Adds the counts of `launch`, except those already taken over as `before`.
inline void add_counters(const LaunchState& launch, const LaunchState& before, Recorder& recorder) {
  RecordHeader& header = recorder.header();
  KernelEntry& entry = recorder.kernel(launch.kernel);
  header.accesses += launch.accesses - before.accesses;
  entry.accesses += launch.accesses - before.accesses;
  header.outside += launch.outside - before.outside;
  header.limits |= launch.limits;
  entry.limits |= launch.limits;
  if ((launch.limits & block_clock_overflow) != 0) entry.block_clock_bits = widths.block_clock;
  if ((launch.limits & warp_clock_overflow) != 0) entry.warp_clock_bits = widths.warp_clock;
  if ((launch.limits & blocks_without_number) != 0) entry.block_bits = widths.block;
  if ((launch.limits & threads_without_number) != 0) entry.thread_bits = widths.thread;
  entry.not_modelled |= launch.not_modelled;
  header.launches += launch.unseen_grids - before.unseen_grids;
  header.unmonitored_launches += launch.unseen_grids - before.unseen_grids;
}

}  // namespace hirace::gpu
