// Where a thread stops so that others run: because it waits, because its budget is used up, or because the
// schedule takes away its priority (priorities.h). And where the turn of a block ends.
#pragma once

#include <sched.h>

#include "worker.h"

namespace hirace::cpu {

inline void Worker::yield(bool waits) {
  leave_lockstep();
  if (__builtin_expect(watch_.active(), 0)) {
    const Lockstep& lockstep = block_->lockstep;
    watch_.turn(*current_, lockstep.threads[current_->thread].frame, lockstep.frame_bytes);
  }
  if (__builtin_expect(watch_.active(), 0)) return yield_watched();
  const bool spins = waits || spin_noted;
  if (!spins && block_->preemption != 0) {
    const std::uint32_t lot = block_->draw(preemptions_per_loss * losses_per_yield);
    if (lot != 0) return lot % preemptions_per_loss != 0 ? preempt() : lose_priority();
  } else if (!spins && ++quiet_budgets_ < quiet_budgets_per_yield) {
    monitor.set_budget(access_budget);
    return;
  }
  quiet_budgets_ = 0;
  block_->turn_spun |= spins;
  block_->yielded->push(current_);
  suspend(monitor.site, 0);
  // A thread that must wait again notices this quickly.
  if (spins) monitor.set_budget(2 * spin_cost);
}

inline void Worker::end_thread(bool by_fault) {
  leave_lockstep();
  if (monitor.awaits_value) settle_write();
  monitor.copies = Copier::none;
  monitor.stores_later = false;
  Block& block = *block_;
  const std::uint32_t thread = current_->thread;
  watch_.end();
  block.leave(thread);
  block.lockstep.threads[thread].frame = nullptr;
  if (by_fault) {
    block.first_was_lost = block.first_was_lost || thread == 0;
    block.any_was_lost = true;
  } else if (block.suspended != 0 && block.alive != 0 && block.at_barrier->size() == block.alive) {
    note_exited(block);
  }
  if (block.suspended != 0) block.thread_exited(thread);
  pool_.restart(current_);
  Fiber left;
  current_ = next_fiber();
  switch_fiber(left, *current_);
  __builtin_unreachable();
}

inline void Worker::lose_priority() {
  low_.add(current_, change_points_.draw());
  ++block_->low;
  suspend(unknown_site, 0);
}

inline Fiber* Worker::resume_low() {
  Fiber* const fiber = low_.take();
  --fiber->block->low;
  enter(*fiber->block);
  return fiber;
}

// Whether the turn of a block ends because its threads have met too often. They continue in its next turn.
inline bool Worker::meets_without_end(Block& block) {
  if (__builtin_expect(block.meetings <= spinning_meetings * block.alive, 1)) return false;
  end_checks_in_time();
  // Meetings of threads that have not looked at what others may change count less, least of all while no
  // other block waits for its turn.
  const std::uint32_t share = (parked_ == 0 ? quiet_meetings : quiet_meetings_of_many) / spinning_meetings;
  block.turn_meetings += block.meeting_spun ? share : 1;
  block.turn_spun |= block.meeting_spun;
  block.meeting_spun = false;
  block.meetings = 0;
  if (block.turn_meetings < share) return false;
  block.turn_meetings = 0;
  block.ready->move_to(*block.yielded);
  return true;
}

// Every resident block has had its turn, and no thread has ended.
inline bool Worker::nobody_advances() {
  if (turns_ <= parked_ * spinning_turn) return false;
  turns_ = 0;
  // The threads that are waited for may need this core.
  sched_yield();
  return true;
}

inline void Worker::park(Block& block) {
  // Perhaps it was left before, and only a thread that had lost its priority has run.
  if (block.parked) return;
  block.parked = true;
  block.next_parked = nullptr;
  (parked_last_ != nullptr ? parked_last_->next_parked : parked_first_) = &block;
  parked_last_ = &block;
  ++parked_;
}

// Continues the block that has been parked longest.
inline bool Worker::resume_parked() {
  Block* const block = parked_first_;
  if (block == nullptr) return false;
  parked_first_ = block->next_parked;
  if (parked_first_ == nullptr) parked_last_ = nullptr;
  --parked_;
  block->parked = false;
  block->yielded->move_to(*block->ready);
  enter(*block);
  return true;
}

}  // namespace hirace::cpu
