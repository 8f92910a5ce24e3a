// Parts of cooperative groups that are determined at run time, invocation by one thread of a group,
// and the groups that the executor does not support.
#pragma once

#include "cooperative_groups.h"
#include "../cuda/unsupported_macros.h"

namespace cooperative_groups {

inline thread_block_tile<1, void> this_thread() { return {}; }

// Groups of `tile_size` consecutive threads of a coalesced group.
inline coalesced_group tiled_partition(const coalesced_group& group, unsigned tile_size) {
  const unsigned first = group.thread_rank() / tile_size * tile_size;
  unsigned mask = 0, rank = 0;
  for (unsigned rest = group.lanes(); rest != 0; rest &= rest - 1, ++rank) {
    if (rank >= first && rank < first + tile_size) mask |= rest & -rest;
  }
  return coalesced_group(mask, first / tile_size, (group.size() + tile_size - 1) / tile_size);
}

template <class Group>
coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned votes = hirace::ballot_sync(hirace::unknown_site, group.lanes(), predicate);
  return coalesced_group(predicate ? votes : group.lanes() & ~votes, predicate ? 1 : 0, 2);
}
// The groups are numbered in the order of their first lanes.
template <class Group, class Label>
coalesced_group labeled_partition(const Group& group, Label label) {
  const unsigned mask = hirace::match_any_sync(hirace::unknown_site, group.lanes(), label);
  const bool first = (mask & detail::lanes_below()) == 0;
  const unsigned firsts = hirace::ballot_sync(hirace::unknown_site, group.lanes(), first);
  const unsigned below = (mask & -mask) - 1;
  return coalesced_group(mask, static_cast<unsigned>(__popc(firsts & below)), static_cast<unsigned>(__popc(firsts)));
}

// One thread of the group calls the function; with `_broadcast` all get its result.
template <class Group, class Function, class... Arguments>
void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) static_cast<Function&&>(function)(static_cast<Arguments&&>(arguments)...);
}
template <class Group, class Function, class... Arguments>
auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments) {
  decltype(function(static_cast<Arguments&&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = static_cast<Function&&>(function)(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

#define HIRACE_NO_MULTI_GRID "CUDA has removed multi-grid groups; launch a separate grid on each device"
HIRACE_UNSUPPORTED_FUNCTION(hirace::cpu::Unsupported, this_multi_grid, HIRACE_NO_MULTI_GRID)
HIRACE_UNSUPPORTED_TYPE(multi_grid_group, HIRACE_NO_MULTI_GRID)
#undef HIRACE_NO_MULTI_GRID

}  // namespace cooperative_groups
