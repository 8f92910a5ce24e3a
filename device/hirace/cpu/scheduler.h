// Barriers and yielding: where a CUDA thread waits, and what ends its waiting.
#pragma once

#include "deadlock.h"
#include "scheduler_interface.h"
#include "worker.h"

namespace hirace::cpu {

inline void yield_point() {
  monitor.budget = access_budget;
  if (monitor.in_kernel) this_worker->yield(false);
}

inline void note_spin(std::int32_t cost) {
  spin_noted = true;
  monitor.budget -= cost;
}

// What a __syncthreads comes back with.
struct BarrierVotes {
  std::uint32_t threads, true_votes;
};

inline BarrierVotes wait_for_block(SiteId site, bool predicate) {
  Worker& worker = *this_worker;
  Block& block = worker.block();
  BlockBarrier& barrier = block.barrier;
  ++barrier.arrived;
  barrier.true_so_far += predicate ? 1 : 0;
  if (block.at_barrier->size() + 1 == block.alive) {
    block.release_barrier();
    worker.released();
  } else {
    block.at_barrier->push(&worker.fiber());
    ++block.suspended;
    worker.suspend(site, 0);
  }
  return {barrier.released, barrier.released_true};
}

inline void block_barrier(SiteId site) { wait_for_block(site, false); }

inline int block_barrier_count(SiteId site, int predicate) {
  return static_cast<int>(wait_for_block(site, predicate != 0).true_votes);
}
inline int block_barrier_and(SiteId site, int predicate) {
  const BarrierVotes votes = wait_for_block(site, predicate != 0);
  return votes.true_votes == votes.threads ? 1 : 0;
}
inline int block_barrier_or(SiteId site, int predicate) {
  return wait_for_block(site, predicate != 0).true_votes != 0 ? 1 : 0;
}

// Waits for the other lanes of `mask` (0: for those that come to this place too)
// and exchanges data with them. Returns whether all live lanes took part.
inline bool wait_for_lanes(SiteId site, std::uint32_t mask, LaneData* data, Combine combine, std::uintptr_t place = 0) {
  Worker& worker = *this_worker;
  Block& block = worker.block();
  const std::uint32_t thread = worker.fiber().thread;
  const std::uint32_t lane = thread % warp_lanes;
  Warp& warp = block.warps[thread / warp_lanes];
  const std::uint32_t live = block.live[thread / warp_lanes];
  // A lane that its own mask leaves out is waited for by nobody, and waits.
  if (mask != 0) mask |= std::uint32_t{1} << lane;
  LaneGroup& group = Block::group_of(warp, mask, place, combine);
  const bool whole_warp = mask == 0 || (live & ~mask) == 0;
  group.arrived |= std::uint32_t{1} << lane;
  warp.data[lane] = data;
  if (group.complete(live)) {
    warp.waiting[lane] = nullptr;
    block.release_group(warp, group);
    worker.released();
  } else {
    warp.waiting[lane] = &worker.fiber();
    ++block.suspended;
    worker.suspend(site, mask == 0 ? live : mask);
  }
  return whole_warp;
}

inline bool warp_barrier(SiteId site, std::uint32_t mask) { return wait_for_lanes(site, mask, nullptr, nullptr); }

// Waits for all threads of the grid and begins a new epoch for them: everything
// before is ordered before everything after.
inline void grid_barrier(SiteId site) {
  Worker& worker = *this_worker;
  Launch& launch = worker.launch();
  const std::uint32_t passed = launch.grid_syncs.load();
  block_barrier(site);
  Block& block = worker.block();
  if (block.grid_syncs == passed) {
    ++block.grid_syncs;
    launch.arrive_at_grid_barrier(Launch::waiting_block);
  }
  while (launch.grid_syncs.load() == passed) worker.yield(true);
  enter_thread(block.index, worker.fiber().thread);
}

}  // namespace hirace::cpu
