// What comes before a thread's next operation because a strong read that it knows of observed it
// (PTX ISA, "Observation Order").
#pragma once

#include "threads.h"

namespace hirace::cpu::order {

// Whether the thread knows a read that observed the write: of a later atomic operation, or another.
inline bool is_observed(const ThreadState& state, const AccessHistory& history, const PastAccess& past) {
  if (!past.access.writes() || !holds(Rule::observed_write_is_known)) return false;
  for (const PastAccess& later : history.past) {
    const bool has_observed = later.chain == past.chain && later.place > past.place && holds(Rule::later_atomic_operation_observes);
    if (has_observed && state.knows(later.by)) return true;
  }
  for (const Observer& observer : history.observers) {
    if (observer.chain == past.chain && observer.place >= past.place && state.knows(observer.by)) return true;
  }
  return false;
}

// Whether the thread's next access may race with one that was forgotten.
inline bool may_race_with_forgotten(const ThreadState& state, const AccessHistory& history) {
  const PastAccess* const last = history.forgotten.get();
  return history.forgot_others || (last != nullptr && !state.knows(last->by) && !is_observed(state, history, *last));
}

}  // namespace hirace::cpu::order
