// The check of an aligned access to whole granules that may change its words. In a kernel that
// accesses its data once, every access does.
#pragma once

#include "check_any.h"
#include "lanes.h"

namespace hirace::gpu {

// Whether an access has words that are found by arithmetic alone.
__device__ __forceinline__ bool has_words(std::uintptr_t address, std::size_t size, bool shared) {
  return address % size == 0 && (shared || in_window(address));
}

template <class Layout>
__device__ void check_words(typename Layout::Word* words, std::uintptr_t address, PackedAccess access, SiteId site) {
  const AccessKind kind = access.kind();
  if constexpr (!Layout::of_block) {
    if (is_absent(load_cached_word(words))) return count_outside(reinterpret_cast<const void*>(address));
  }
  const std::uint32_t clocks = block_clocks()[linear_thread()];
  if ((clocks & unchecked_clock) != 0 || is_without_number<Layout>()) return;
  if (!Layout::of_block && !is_read(kind)) note_write(address);
  const auto me = thread_identity<Layout>(clocks);
  if (merges_lanes(kind)) {
    const std::uint32_t lanes = lanes_alike(words, clocks, site);
    if (__popc(lanes) > 1 && step_together<Layout>(lanes, words, access, site, me)) {
      ::atomicAdd(&block_context().accesses, 1u);
      return;
    }
  }
  Stepped<Layout> first_race{true, false, 0, 0};
#pragma unroll 1
  for (std::uint32_t i = 0; i < access.size() / granule_bytes; ++i) {
    const Cell<Layout> cell = cell_of(words + i, Layout{});
    // If this is out of date, the compare-and-swap of a change detects it.
    const auto stepped = step_cell(cell, load_cached<Layout>(cell.word), kind, site, Lanes<Layout>{1, me, me});
    // Repeating a step has no effect.
    if (!stepped.done) return check_any_of<Layout>(address, access, site);
    if (stepped.race && !first_race.race) first_race = stepped;
  }
  ::atomicAdd(&block_context().accesses, 1u);
  if (first_race.race) record_race<Layout>(address, access, site, first_race.old, first_race.site, me);
}

// The check of any access: all that is not inline. ptxas compiles it again for each kernel that calls it,
// so its length decides how long a file takes to compile.
inline __device__ __noinline__ void check_any(std::uintptr_t address, PackedAccess access, SiteId site) {
  const auto* pointer = reinterpret_cast<const void*>(address);
  const bool shared = is_shared(pointer);
  if ((monitored_spaces() & (shared ? monitor_shared : monitor_global)) == 0) return;
  const std::uint32_t size = access.size();
  const bool words = (size == 4 || size == 8 || size == 16) && has_words(address, size, shared);
  if (shared) {
    words ? check_words<SharedLayout>(shared_word(pointer), address, access, site) : check_any_of<SharedLayout>(address, access, site);
  } else {
    words ? check_words<GlobalLayout>(window_word(address), address, access, site) : check_any_of<GlobalLayout>(address, access, site);
  }
}

}  // namespace hirace::gpu
