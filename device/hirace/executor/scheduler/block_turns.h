// Which thread and which block a worker runs next.
#pragma once

#include "../../hooks/launch.h"
#include "interruption.h"

namespace hirace::cpu {

// The fiber to run next. A pool fiber starts further threads; the main fiber ends the launch.
inline Fiber* Worker::next_fiber() {
  for (;;) {
    Block& block = *block_;
    if (block.starts_next()) return pool_.take();
    if (!block.ready->empty() && !meets_without_end(block)) return has_ready_region() ? pool_.take() : block.take_ready();
    // A lane that has lost its priority may join others yet.
    if (block.low == 0 && block.release_converged()) continue;
    // A finished block may have been what another waits for. If no block makes progress, they may
    // be waiting for one that has not begun.
    const bool done = leave_block(block);
    if (!low_.empty()) {
      if ((clusters_.has_unstarted() || resident_ < interleaved_blocks()) && start_block()) continue;
      return resume_low();
    }
    const bool stuck = clusters_.has_unstarted() || (!done && (nobody_advances() || launch_->cooperative));
    if (!(stuck ? start_block() || resume_parked() : resume_parked() || start_block())) return &main_;
  }
}

// True if the block is done; false if it can only spin.
inline bool Worker::leave_block(Block& block) {
  block_ = nullptr;
  if (block.alive == 0) {
    launch_->ended_blocks.fetch_add(1);
    turns_ = idle_turns_ = 0;
    if (current_launch.clustered) end_shared_of_block(block.index);
    if (launch_is_ordered()) order::running->end_block(block.index);
    if (block.cluster != nullptr) {
      clusters_.end_block(launch_->cluster_shape, block, blocks_);
    } else {
      blocks_.give_back(&block);
    }
    --resident_;
    return true;
  }
  if (block.yielded->empty()) {
    if (block.low == 0) fail_deadlock(block);
    return false;
  }
  idle_turns_ = block.alive < block.alive_at_turn ? 0 : idle_turns_ + 1;
  turns_ = block.alive < block.alive_at_turn ? 0 : turns_ + (block.turn_spun ? spinning_turn : 1);
  park(block);
  if (__builtin_expect(idle_turns_ > turns_to_watch_ * parked_, 0)) begin_watch();
  return false;
}

inline bool Worker::start_block() {
  const bool must_start = launch_->cooperative || clusters_.has_unstarted();
  if (parked_ * launch_->threads >= max_resident_threads && !must_start) return false;
  if (claimed_ == claimed_end_) {
    claimed_ = launch_->next_block.fetch_add(launch_->claim_size, std::memory_order_relaxed);
    if (claimed_ >= launch_->blocks) {
      claimed_end_ = claimed_;
      return false;
    }
    const std::uint64_t end = claimed_ + launch_->claim_size;
    claimed_end_ = end < launch_->blocks ? end : launch_->blocks;
  }
  const std::uint64_t linear = launch_->block_at(claimed_);
  Block* const block = has_clusters ? clusters_.start_block(launch_->cluster_shape, linear, blocks_, launch_->dynamic_shared)
                                    : blocks_.take(launch_->dynamic_shared);
  if (block == nullptr) return false;
  ++claimed_;
  const ThreadPlace* places = launch_->order;
  std::uint64_t seed = 0;
  if (launch_->seed != 0) {
    seed = mix(launch_->seed + linear) | 1;
    places += (seed >> 32) % launch_->threads;
  }
  block->begin(linear, launch_->threads, places, seed);
  block->preemption = launch_->preemption;
  ++resident_;
  if (launch_is_ordered()) order::running->begin_block(linear);
  end_checks_in_time();
  enter(*block);
  monitor.checked_blocks += monitor.unchecked ? 0 : 1;
  count_progress();
  if (current_launch.clustered) begin_shared();
  return true;
}

// The shared memory of the block begins to exist for other blocks.
inline void Worker::begin_shared() {
  begin_shared_of_block(block_->index, block_->shared, shared_layout().dynamic_begin() + launch_->dynamic_shared);
}

inline void Worker::enter(Block& block) {
  block_ = &block;
  block.alive_at_turn = block.alive;
  block.turn_spun = false;
  block.meetings = block.turn_meetings = 0;
  block.meeting_spun = false;
  const dim3& grid = launch_->grid;
  const auto row = static_cast<std::uint32_t>(block.index / grid.x);
  blockIdx = uint3{static_cast<std::uint32_t>(block.index % grid.x), row % grid.y, row / grid.y};
  block_shared = block.shared;
  block_dynamic_shared = block.shared + shared_layout().dynamic_begin();
  enter_block(block.index, block.not_modelled, block.waits);
}

}  // namespace hirace::cpu
