// Cooperative groups: group_sync(SITE, group) replaces group.sync().
//
// The kind of a group is recognised by its members, so that only code that uses
// <cooperative_groups.h> includes it.
#pragma once

#include <type_traits>

#include "sync.h"

namespace hirace::gpu {

template <class Group, class = void>
struct is_grid_group : std::false_type {};
template <class Group>
struct is_grid_group<Group, std::void_t<decltype(std::declval<Group&>().is_valid()), decltype(std::declval<Group&>().num_blocks())>>
    : std::true_type {};

template <class Group, class = void>
struct is_block_group : std::false_type {};
template <class Group>
struct is_block_group<
    Group, std::void_t<decltype(std::declval<Group&>().thread_index()), decltype(std::declval<Group&>().group_index())>>
    : std::true_type {};

template <class Group, class = void>
struct is_cluster_group : std::false_type {};
template <class Group>
struct is_cluster_group<
    Group, std::void_t<decltype(std::declval<Group&>().barrier_arrive()), decltype(std::declval<Group&>().num_blocks())>>
    : std::bool_constant<!is_grid_group<Group>::value> {};

// Tiles and coalesced groups.
template <class Group, class = void>
struct is_lane_group : std::false_type {};
template <class Group>
struct is_lane_group<Group, std::void_t<decltype(std::declval<Group&>().ballot(0)), decltype(std::declval<Group&>().thread_rank())>>
    : std::true_type {};

template <class Group, class = void>
struct has_thread_rank : std::false_type {};
template <class Group>
struct has_thread_rank<Group, std::void_t<decltype(std::declval<Group&>().thread_rank())>> : std::true_type {};

__device__ __forceinline__ std::uint32_t block_epoch() {
  return static_cast<std::uint32_t>((block_context().identity & epoch_field) >> epoch_shift);
}

// Makes every record read as INIT when epochs wrap within a kernel.
inline __device__ __noinline__ void clear_shadow() {
  DeviceState& state = *device_state;
  const std::uint64_t threads = grid_blocks() * block_threads();
  const std::uint64_t self = linear_block() * block_threads() + linear_thread();
  for (std::uint32_t page = 0; page < state.page_count; ++page) {
    for (std::uint64_t i = self; i < page_granules; i += threads) store_word(state.pages[page] + i, 0);
  }
  if (self == 0) state.launch.next_byte_node = 0;
}

// All threads of the grid have reached the same barrier: everything before it is ordered before
// everything after it, as between two launches.
inline __device__ __noinline__ void begin_epoch(std::uint32_t epoch) {
  __syncthreads();
  block_clocks()[linear_thread()] = 0;
  // Words of shared memory have no epoch.
  if (checks_shared()) clear_shared_words(linear_thread(), block_threads());
  if (linear_thread() == 0) {
    BlockContext& context = block_context();
    context.identity = (context.identity & ~epoch_field) | (Word{epoch} << epoch_shift);
    if (linear_block() == 0) device_state->launch.epoch = epoch;
  }
  __syncthreads();
}

template <class Group>
__device__ void sync_grid(Group& grid) {
  grid.sync();
  if (!has_context()) return;
  std::uint32_t epoch = block_epoch() + 1;
  if (epoch > device_state->max_epoch) {
    clear_shadow();
    grid.sync();
    epoch = 1;
  }
  begin_epoch(epoch);
}

}  // namespace hirace::gpu

namespace hirace {

template <class Group>
__device__ __forceinline__ void group_sync(SiteId site, Group&& group) {
  using Plain = std::remove_cv_t<std::remove_reference_t<Group>>;
  if constexpr (gpu::is_grid_group<Plain>::value) {
    gpu::sync_grid(group);
  } else if constexpr (gpu::is_block_group<Plain>::value) {
    group.sync();
    gpu::pass_block_barrier();
  } else if constexpr (gpu::is_cluster_group<Plain>::value) {
    // Orders blocks, which is not modelled, and the threads of each.
    group.sync();
    gpu::pass_block_barrier();
    gpu::record_not_modelled(site, other_construct);
  } else if constexpr (gpu::is_lane_group<Plain>::value) {
    const bool whole_warp = group.size() >= static_cast<unsigned>(__popc(gpu::launched_lanes()));
    group.sync();
    if (group.size() <= warp_lanes && whole_warp) {
      gpu::pass_warp_barrier();
    } else {
      gpu::record_not_modelled(site, partial_warp_barrier);
    }
  } else {
    group.sync();
    // Another kind of group, or a user's class, whose code has its own hooks.
    if constexpr (gpu::has_thread_rank<Plain>::value) gpu::record_not_modelled(site, other_construct);
  }
}

}  // namespace hirace
