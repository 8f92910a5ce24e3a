// What a thread does with release and acquire patterns, which engine.h defines.
#pragma once

#include <algorithm>
#include <iterator>
#include <utility>

#include "threads.h"

namespace hirace::cpu::order {

// Everything up to now, for others; what the thread does next is later.
inline Knowledge publish(ThreadState& state) {
  Knowledge known = state.known;
  const Time next = known.learn(state.self.number, 1) | (state.now & of_copy);
  if (holds(Rule::what_follows_a_publication_is_unknown)) state.now = next;
  return known;
}

// What a thread does next is later than what it has done, though nobody can know one without the other:
// causes tell what came before a flag, or before an acquire, from what comes after it.
inline void begin_time(ThreadState& state) { state.now = ++last_time | (state.now & of_copy); }

// A strong read of the present value of the location: what this published is learned at the next
// fence, and at the next acquire of the location. The read of a `red` returns nothing that a later
// operation could act on.
inline bool returns_value(const Access& access) { return access.how.returns_value || !holds(Rule::reduction_returns_nothing); }

inline void see(ThreadState& state, const AccessHistory& history, const Access& access) {
  if (!history.publishes || !returns_value(access)) return;
  const Knowledge &of_block = history.published.in_block(state.self.block), &of_device = history.published.device;
  if (of_block.is_empty() && of_device.is_empty()) return;
  Patterns& patterns = state.patterns();
  for (ScopedKnowledge* const seen : {&patterns.seen, &patterns.seen_at[history.location]}) {
    join(seen->block, of_block);
    join(seen->device, of_device);
  }
}

// Whether a thread reads a value again, having learned nothing: it polls.
inline bool repeats(ThreadState& state, const AccessHistory& history, const Access& access) {
  const auto same_place = [&](const Poll& it) { return it.location == history.location; };
  Patterns& patterns = state.patterns();
  auto poll = std::find_if(std::begin(patterns.polls), std::end(patterns.polls), same_place);
  if (poll == std::end(patterns.polls)) poll = &patterns.polls[patterns.next_poll++ % std::size(patterns.polls)];
  const bool is_same = poll->location == history.location && poll->version == history.version && poll->time == state.now &&
                       poll->access.same_operation(access) && poll->fences.is_same(state.known.fences);
  if (!is_same) *poll = {history.location, history.version, state.now, access, state.known.fences};
  return is_same;
}

// A fence ends the patterns that began with strong reads.
inline void learn_seen(ThreadState& state, Scope scope) {
  if (state.own_patterns == nullptr || !holds(Rule::fence_ends_earlier_reads)) return;
  Patterns& patterns = *state.own_patterns;
  join(state.known, std::exchange(patterns.seen.block, {}));
  if (scope == Scope::block && holds(Rule::fence_of_block_scope_learns_from_its_block)) return;
  join(state.known, std::exchange(patterns.seen.device, {}));
  patterns.seen_at.clear();
}

// An acquire ends those that began with earlier strong reads of the location.
inline void acquire(ThreadState& state, const AccessHistory& history, const Access& access) {
  if (state.own_patterns == nullptr || !holds(Rule::acquire_learns)) return;
  ScopedKnowledge* const seen = state.own_patterns->seen_at.find(history.location);
  if (seen == nullptr || seen->is_empty()) return;
  join(state.known, seen->block);
  if (access.how.scope != Scope::block || !holds(Rule::acquire_of_block_scope_is_narrow)) {
    join(state.known, seen->device);
    *seen = {};
  }
  begin_time(state);
}

// A read that acquires the present value at once. It ends the patterns of earlier reads, too.
inline void see_and_acquire(ThreadState& state, const AccessHistory& history, const Access& access) {
  if (access.how.scope == Scope::block || !holds(Rule::acquire_learns)) {
    see(state, history, access);
    return acquire(state, history, access);
  }
  acquire(state, history, access);
  if (!history.publishes || !returns_value(access)) return;
  join(state.known, history.published.in_block(state.self.block));
  join(state.known, history.published.device);
  begin_time(state);
}

}  // namespace hirace::cpu::order
