// The check of an aligned access to whole granules that may change its words. In a kernel that
// accesses its data once, every access does.
#pragma once

#include "check_any.h"
#include "lanes.h"

namespace hirace::gpu {

// `words` are those that the inline part has loaded. One function per kind, since the kind
// determines most of a step.
template <class Layout, AccessKind kind>
__device__ __noinline__ void check_words(typename Layout::Word* words, std::uintptr_t address, std::uint32_t size, SiteId site) {
  if constexpr (!Layout::of_block) {
    if (is_absent(load_cached_word(words))) return count_outside(reinterpret_cast<const void*>(address));
  }
  const std::uint32_t clocks = block_clocks()[linear_thread()];
  if ((clocks & unchecked_clock) != 0 || is_without_number<Layout>()) return;
  if constexpr (!Layout::of_block && !is_read(kind)) note_write(address);
  const auto me = thread_identity<Layout>(clocks);
  if constexpr (merges_lanes<kind>) {
    const std::uint32_t lanes = lanes_alike(words, clocks, site);
    if (__popc(lanes) > 1 && step_together<Layout, kind>(lanes, words, size, site, me)) {
      ::atomicAdd(&block_context().accesses, 1u);
      return;
    }
  }
  Stepped<Layout> first_race{true, false, 0, 0};
#pragma unroll 1
  for (std::uint32_t i = 0; i < size / granule_bytes; ++i) {
    const Cell<Layout> cell = cell_of(words + i, Layout{});
    // If this is out of date, the compare-and-swap of a change detects it.
    const auto stepped = step_cell(cell, load_cached<Layout>(cell.word), kind, site, me);
    // Repeating a step has no effect.
    if (!stepped.done) return check_any_of<Layout>(address, PackedAccess(kind, size), site);
    if (stepped.race && !first_race.race) first_race = stepped;
  }
  ::atomicAdd(&block_context().accesses, 1u);
  if (first_race.race) record_race<Layout>(address, PackedAccess(kind, size), site, first_race.old, first_race.site, me);
}

}  // namespace hirace::gpu
