// The check of an aligned access to whole granules that changes its words, or may.
// In a kernel that touches its data once, that is every access.
#pragma once

#include "check_any.h"
#include "lanes.h"

namespace hirace::gpu {

// `words` are those that the part in line has looked at. One function for each
// kind: most of a step is known from it.
template <AccessKind kind>
__device__ __noinline__ void check_words(Word* words, std::uintptr_t address, std::uint32_t size, SiteId site) {
  const auto* pointer = reinterpret_cast<const void*>(address);
  const bool shared = is_shared(pointer);
  if (!shared && is_absent(load_cached_word(words))) return count_outside(pointer);
  const std::uint32_t clocks = block_clocks()[linear_thread()];
  if ((clocks & unchecked_clock) != 0) return;
  const Word me = thread_identity(clocks);
  if constexpr (merges_lanes<kind>) {
    const std::uint32_t lanes = lanes_alike(words, clocks, site);
    if (__popc(lanes) > 1 && step_together<kind>(lanes, words, shared, size, site, me)) {
      ::atomicAdd(&block_context().accesses, 1u);
      return;
    }
  }
  Stepped first_race{true, false, 0, 0};
#pragma unroll 1
  for (std::uint32_t i = 0; i < size / granule_bytes; ++i) {
    const Cell cell = cell_of(words + i, shared);
    // Should this be old, then the compare-and-swap that a change takes finds out.
    const Stepped stepped = step_cell(cell, load_cached_word(cell.word), kind, site, me);
    // A step that is taken twice is as good as once.
    if (!stepped.done) return check_any(address, PackedAccess(kind, size), site);
    if (stepped.race && !first_race.race) first_race = stepped;
  }
  ::atomicAdd(&block_context().accesses, 1u);
  if (first_race.race) record_race(address, PackedAccess(kind, size), site, shared, first_race.old, first_race.site, me);
}

}  // namespace hirace::gpu
