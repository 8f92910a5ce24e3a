// The definitions of whole_warp.h.
#pragma once

#include <cstdio>

#include "../../executor/scheduler/scheduler.h"
#include "whole_warp.h"

namespace hirace::cpu {

// Lanes that have exited, or that the block never had, do not come.
inline void require_whole_warp(SiteId site, const char* name) {
  if (this_worker->block().live[this_worker->fiber().thread / warp_lanes] == 0xffffffffu) return;
  std::fprintf(stderr, "hirace: %s needs all 32 lanes of the warp: some have exited, or the block is smaller\n", name);
  fail(Fault::barrier_deadlock, site, 0);
}

HIRACE_RUNTIME void join_matrix_function(SiteId site, const char* name, LaneData* data, Combine combine) {
  require_whole_warp(site, name);
  wait_for_lanes(site, 0xffffffffu, data, combine);
  require_whole_warp(site, name);
}

}  // namespace hirace::cpu
