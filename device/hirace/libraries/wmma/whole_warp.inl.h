// The definitions of whole_warp.h.
#pragma once

#include <cstdio>

#include "../../executor/scheduler/scheduler.h"
#include "whole_warp.h"

namespace hirace::cpu {

// Lanes that have exited, or that the block never had, do not come.
HIRACE_RUNTIME void join_whole_warp(SiteId site, const char* name, WholeWarpLane& lane, Combine combine) {
  wait_for_lanes(site, matrix_lanes, &lane, combine);
  if (lane.whole) return;
  std::fprintf(stderr, "hirace: %s needs all 32 lanes of the warp: some have exited, or the block is smaller\n", name);
  fail(Fault::barrier_deadlock, site, 0);
}

}  // namespace hirace::cpu
