// One step for all lanes of a warp that make the same access at the same time.
//
// If a word changes, each lane would replace it by compare-and-swap: all but one fail and try
// again, so that a warp's first read of a location takes some sixty atomic operations. Instead one
// lane takes the step for all of them.
//
//   HIRACE_MERGE_LANES=0     each lane takes its own step; the words are the same
#pragma once

#include "step.h"

#ifndef HIRACE_MERGE_LANES
#define HIRACE_MERGE_LANES 1
#endif

namespace hirace::gpu {

__device__ __forceinline__ constexpr bool merges_lanes(AccessKind kind) { return HIRACE_MERGE_LANES != 0 && may_step_together(kind); }

// The lanes that are converged here and have the calling lane's words, clocks and site.
__device__ __forceinline__ std::uint32_t lanes_alike(const void* words, std::uint32_t clocks, SiteId site) {
  const std::uint32_t here = __activemask();
  const std::uint32_t place = __match_any_sync(here, reinterpret_cast<unsigned long long>(words));
  const std::uint32_t when = __match_any_sync(here, static_cast<unsigned long long>(clocks) << 32 | site);
  return place & when;
}

// Takes all granules of an access a step further for two lanes or more; the first lane does it for all.
// False if there is a race, or if a granule is split: then each lane checks for itself, and the work
// done here is not repeated.
template <class Layout>
__device__ __forceinline__ bool step_together(std::uint32_t lanes, typename Layout::Word* words, PackedAccess access, SiteId site,
                                              typename Layout::Word me) {
  const std::uint32_t first = __ffs(static_cast<int>(lanes)) - 1, second = __ffs(static_cast<int>(lanes & (lanes - 1))) - 1;
  const Lanes<Layout> both{2, me, identity_of_lane<Layout>(me, second)};
  bool done = true;
  if ((linear_thread() & (warp_lanes - 1)) == first) {
#pragma unroll 1
    for (std::uint32_t i = 0; done && i < access.size() / granule_bytes; ++i) {
      const Cell<Layout> cell = cell_of(words + i, Layout{});
      done = step_cell(cell, load_cached<Layout>(cell.word), access.kind(), site, both).done;
    }
  }
  return __shfl_sync(lanes, static_cast<int>(done), static_cast<int>(first)) != 0;
}

}  // namespace hirace::gpu
