// Where a thread stops so that others run: because it waits, because its budget is used up, or because the
// schedule takes away its priority (priorities.h).
#pragma once

#include "worker.h"

namespace hirace::cpu {

inline void Worker::yield(bool waits) {
  if (__builtin_expect(watch_.active(), 0)) watch_.turn(*current_);
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

}  // namespace hirace::cpu
