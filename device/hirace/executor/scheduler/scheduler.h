// Barriers and yielding: where a CUDA thread waits, and what lets it continue.
#pragma once

#include <cstring>
#include <thread>

#include "../../records/site_table.h"
#include "call_path.h"
#include "deadlock.h"
#include "block_turns.h"
#include "livelock.h"
#include "../order/interface.h"
#include "scheduler_interface.h"
#include "warp.h"
#include "worker.h"

namespace hirace::cpu {

HIRACE_RUNTIME void yield_point() {
  if (monitor.awaits_value) {
    settle_write();
    if (monitor.budget >= 0) return;
  }
  if (monitor.in_kernel) {
    end_checks_in_time();
    this_worker->yield(false);
  } else {
    monitor.set_budget(access_budget);
  }
}

HIRACE_RUNTIME void note_load() {
  spin_noted = true;
  monitor.spend(spin_cost / 8);
}

HIRACE_RUNTIME void note_spin() {
  spin_noted = true;
  monitor.spend(spin_cost);
  if (monitor.explores) this_worker->take_back_point();
}

HIRACE_RUNTIME void let_others_run(SiteId site) {
  if (monitor.in_kernel) {
    if (site != unknown_site) monitor.site = site;
    wait_for_others();
  } else {
    std::this_thread::yield();
  }
}

HIRACE_RUNTIME void pass_scheduling_point(bool loads) { this_worker->pass_scheduling_point(loads); }

// The result of a __syncthreads variant.
struct BarrierVotes {
  std::uint32_t threads, true_votes;
};

// Whether two sites are the same place: a header's function has its own site in each file.
inline bool same_place(SiteId a, SiteId b) {
  const Site* const first = SiteTable::instance().find(a);
  const Site* const second = SiteTable::instance().find(b);
  if (first == nullptr || second == nullptr) return true;
  return first->line == second->line && first->column == second->column && std::strcmp(first->text, second->text) == 0;
}

// Notes that a thread reaches a barrier. All threads of its block must reach the same one (CUDA C++
// Programming Guide, "Synchronization Functions"), though the hardware lets them meet at different
// ones, and counts exited threads as arrived.
inline void note_barrier(Block& block, SiteId site) {
  BlockBarrier& barrier = block.barrier;
  if (barrier.arrived == 0) barrier.site = site;
  if (barrier.site != site && site != unknown_site && barrier.site != unknown_site && !same_place(site, barrier.site)) {
    report_fault(Fault::divergent_barrier, site, 0, barrier.site);
  }
  if (block.alive != block.threads && barrier.arrived + 1 == block.alive) note_exited(block);
}

// Lanes with one mask have reached different functions.
[[noreturn]] HIRACE_COLD inline void fail_mixed_lanes(const Warp& warp, const LaneGroup& group, SiteId site) {
  Record record = fault_record(Fault::mask_mismatch, site, 0);
  for (std::uint32_t lanes = group.arrived; lanes != 0; lanes &= lanes - 1) {
    const Fiber* const fiber = warp.waiting[__builtin_ctz(lanes)];
    if (fiber != nullptr) record.site_prior = fiber->site;
  }
  if (record.site_prior != unknown_site) record.prior_known = PriorKnown::site;
  end_with(record);
}

inline BarrierVotes wait_for_block(SiteId site, bool predicate) {
  Worker& worker = *this_worker;
  Block& block = worker.block();
  BlockBarrier& barrier = block.barrier;
  worker.leave_lockstep();
  worker.arrive();
  // The last thread to arrive keeps the whole block from continuing.
  if (block.at_barrier->size() + 1 == block.alive) scheduling_point();
  note_barrier(block, site);
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
  if (launch_is_ordered()) renew_time();
  return {barrier.released, barrier.released_true};
}

[[noreturn]] HIRACE_RUNTIME void abandon_thread() { this_worker->end_thread(true); }
[[noreturn]] HIRACE_RUNTIME void exit_thread() { this_worker->end_thread(false); }

HIRACE_RUNTIME void block_barrier(SiteId site) { wait_for_block(site, false); }

HIRACE_RUNTIME int block_barrier_count(SiteId site, int predicate) {
  return static_cast<int>(wait_for_block(site, predicate != 0).true_votes);
}
HIRACE_RUNTIME int block_barrier_and(SiteId site, int predicate) {
  const BarrierVotes votes = wait_for_block(site, predicate != 0);
  return votes.true_votes == votes.threads ? 1 : 0;
}
HIRACE_RUNTIME int block_barrier_or(SiteId site, int predicate) {
  return wait_for_block(site, predicate != 0).true_votes != 0 ? 1 : 0;
}

HIRACE_RUNTIME BarrierPhase arrive_at_halved_barrier(SiteId site) {
  Worker& worker = *this_worker;
  Block& block = worker.block();
  HalvedBarrier& barrier = block.halved;
  scheduling_point();
  const BarrierPhase phase{barrier.phase};
  worker.arrive();
  if (!launch_is_ordered()) record_construct(site, other_construct);
  order_arrive(&barrier, Scope::block);
  barrier.arrivals.add(worker.fiber().thread);
  block.complete_halved();
  return phase;
}

HIRACE_RUNTIME void wait_at_halved_barrier(BarrierPhase phase) {
  Block& block = this_worker->block();
  const HalvedBarrier& barrier = block.halved;
  while (barrier.phase == phase.number) {
    // A thread may have exited without having arrived.
    block.complete_halved();
    if (barrier.phase == phase.number) wait_for_others();
  }
  order_wait(&barrier, phase.number, Scope::block);
}

HIRACE_RUNTIME void tile_barrier(SiteId site, std::uint32_t size, bool orders) {
  Worker& worker = *this_worker;
  Block& block = worker.block();
  const std::uint32_t thread = worker.fiber().thread;
  const std::uint32_t first = thread / size * size;
  TileBarriers& barriers = block.tiles[__builtin_ctz(size / 64)];
  const std::uint32_t& phase = barriers.phase[first / size];
  const std::uint32_t arrived_in = phase;
  block.uses_tiles = true;
  worker.arrive();
  if (!launch_is_ordered() && orders) record_construct(site, other_construct);
  if (orders) order_arrive(&phase, Scope::block);
  barriers.arrivals.add(thread);
  block.complete_tile(barriers, first, size);
  while (phase == arrived_in) {
    monitor.site = site;
    wait_for_others();
    // A thread may have exited without having arrived.
    if (phase == arrived_in) block.complete_tile(barriers, first, size);
  }
  if (orders) order_wait(&phase, arrived_in, Scope::block);
}

HIRACE_RUNTIME void leave_operand(const void* operand) {
  this_worker->block().operands[this_worker->fiber().thread] = operand;
}
HIRACE_RUNTIME const void* operand_of(std::uint32_t tile_size, std::uint32_t rank) {
  const Block& block = this_worker->block();
  const std::uint32_t thread = this_worker->fiber().thread / tile_size * tile_size + rank;
  const bool runs = (block.live[thread / warp_lanes] >> thread % warp_lanes & 1) != 0;
  return runs ? block.operands[thread] : nullptr;
}
HIRACE_RUNTIME std::uint32_t tile_threads(std::uint32_t tile_size) {
  const std::uint32_t left = this_worker->block().threads - this_worker->fiber().thread / tile_size * tile_size;
  return left < tile_size ? left : tile_size;
}

HIRACE_RUNTIME bool wait_for_lanes(SiteId site, std::uint32_t mask, LaneData* data, Combine combine, std::uintptr_t place) {
  Worker& worker = *this_worker;
  worker.arrive();
  Block& block = worker.block();
  const std::uint32_t thread = worker.fiber().thread;
  const std::uint32_t lane = thread % warp_lanes;
  Warp& warp = block.warps[thread / warp_lanes];
  const std::uint32_t live = block.live[thread / warp_lanes];
  if (place == 0 && (mask >> lane & 1) == 0) {
    report_fault(Fault::mask_without_caller, site, 0);
    // The caller adds itself to the mask.
    mask |= std::uint32_t{1} << lane;
  }
  LaneGroup& group = Block::group_of(warp, mask, place, combine);
  if (group.combine != combine) fail_mixed_lanes(warp, group, site);
  // Lanes that have exited and are not in the mask take no part: nothing orders what they did.
  const bool whole_warp = mask == 0 || (block.lanes_of_warp(thread / warp_lanes) & ~mask) == 0;
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
  if (launch_is_ordered()) renew_time();
  return whole_warp;
}

HIRACE_RUNTIME bool warp_barrier(SiteId site, std::uint32_t mask) { return wait_for_lanes(site, mask, nullptr, nullptr); }

// Waits for all threads of the grid and begins a new epoch: everything before is ordered before
// everything after.
inline void grid_barrier(SiteId site) {
  Worker& worker = *this_worker;
  Launch& launch = worker.launch();
  const std::uint32_t passed = launch.grid_syncs.load();
  block_barrier(site);
  Block& block = worker.block();
  if (block.grid_syncs == passed) {
    // Its first thread arrives and waits for the whole block (cooperative groups, grid_group::sync).
    if (!block.is_live(0) && !block.first_was_lost && launch.blocks > 1) {
      std::fputs("hirace: thread (0,0,0) of the block has exited, and does not arrive at the barrier of the grid for its block\n", stderr);
      fail(Fault::barrier_deadlock, site, 0);
    }
    ++block.grid_syncs;
    launch.arrive_at_grid_barrier();
  }
  while (launch.grid_syncs.load() == passed) {
    const std::uint64_t ended = launch.ended_blocks.load();
    if (ended != 0 && launch.grid_arrived.load() + ended == launch.blocks && launch.grid_syncs.load() == passed) {
      std::fprintf(stderr, "hirace: %llu of %llu blocks have ended, and do not arrive at the barrier of the grid\n",
                   static_cast<unsigned long long>(ended), static_cast<unsigned long long>(launch.blocks));
      fail(Fault::barrier_deadlock, site, 0);
    }
    // If nobody else comes, the report names the place.
    monitor.site = site;
    worker.yield(true);
  }
  enter_thread(block.index, worker.fiber().thread);
}

HIRACE_RUNTIME BarrierPhase arrive_at_halved_grid_barrier() {
  if (!launch_is_ordered()) recorder().limit(current_launch.kernel, grid_barrier_in_one);
  if (!launch_is_ordered() || !is_cooperative()) return {0};
  Launch& launch = this_worker->launch();
  this_worker->arrive();
  scheduling_point();
  order_arrive(&launch, Scope::device);
  const BarrierPhase phase{launch.halves_phase};
  if (++launch.halves_arrived == launch.blocks * launch.threads) {
    launch.halves_arrived = 0;
    order_complete(&launch, launch.halves_phase++);
  }
  return phase;
}

HIRACE_RUNTIME void wait_at_halved_grid_barrier(BarrierPhase phase) {
  if (!launch_is_ordered() || !is_cooperative()) return grid_sync(unknown_site);
  Launch& launch = this_worker->launch();
  while (launch.halves_phase == phase.number) wait_for_others();
  order_wait(&launch, phase.number, Scope::device);
}

HIRACE_RUNTIME void wait_for_others() { this_worker->yield(true); }

HIRACE_RUNTIME bool start_thread() { return this_worker->start_thread(); }

HIRACE_RUNTIME bool finish_thread() { return this_worker->finish_thread(); }

// The lanes that wait at `place`.
inline unsigned lanes_at(SiteId site, std::uintptr_t place) {
  VoteLane lane;
  lane.predicate = false;
  wait_for_lanes(site, 0, &lane, &combine_votes, place);
  return lane.lanes;
}

__attribute__((noinline)) HIRACE_RUNTIME unsigned activemask() { return lanes_at(unknown_site, call_path()); }

// A warning, once if the same place causes it again and again.
template <Fault fault>
HIRACE_COLD void warn(SiteId site) {
  static thread_local SiteId last = unknown_site;
  static thread_local std::uint32_t kernel = 0;
  if (site == unknown_site || (site == last && kernel == current_launch.kernel)) return;
  last = site;
  kernel = current_launch.kernel;
  report_fault(fault, site, 0);
}

HIRACE_COLD HIRACE_RUNTIME void note_inactive(SiteId site) { warn<Fault::inactive_shuffle_source>(site); }

__attribute__((noinline)) HIRACE_RUNTIME unsigned converged_lanes(SiteId site) {
  warn<Fault::no_mask>(site);
  return lanes_at(site, call_path());
}

HIRACE_RUNTIME std::uint32_t threads_alive() { return this_worker->block().alive; }

HIRACE_RUNTIME bool is_on_stack(std::uintptr_t address) {
  return this_worker != nullptr && (this_worker->pool().has(address) || this_worker->frames().has(address));
}

HIRACE_RUNTIME bool is_cooperative() { return this_worker->launch().cooperative; }

HIRACE_RUNTIME void grid_sync(SiteId site) {
  if (!this_worker->launch().cooperative) fail(Fault::plain_grid_barrier, site, 0);
  grid_barrier(site);
}

}  // namespace hirace::cpu
