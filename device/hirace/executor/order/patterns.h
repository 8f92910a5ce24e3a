// What a thread does with release and acquire patterns, which engine.h defines.
#pragma once

#include <algorithm>
#include <iterator>
#include <utility>

#include "threads.h"

namespace hirace::cpu::order {

// Others learn what the thread knows before its next fence: so what that would have learned of fence.sc
// operations is said now.
inline void settle_told(ThreadState& state) {
  if (state.own_patterns == nullptr || state.own_patterns->told.is_empty()) return;
  state.known.communicated.join(std::exchange(state.own_patterns->told, {}));
}

// Everything up to now, for others; what the thread does next is later.
inline Knowledge publish(ThreadState& state) {
  settle_told(state);
  // A copier does not know its earlier copies. A thread may know what it has published: it shares that node.
  Knowledge of_copier = state.copies ? state.known : Knowledge();
  Knowledge& known = state.copies ? of_copier : state.known;
  const Time next = known.learn(state.self.number, 1) | (state.now & of_copy);
  if (holds(Rule::what_follows_a_publication_is_unknown)) state.now = next;
  return known;
}

// What a thread does next is later than what it has done, though nobody can know one without the other:
// causes tell what came before a flag, or before an acquire, from what comes after it.
inline void begin_time(ThreadState& state) { state.now = ++last_time | (state.now & of_copy); }

// The read of a `red` returns nothing that a later operation could act on.
inline bool returns_value(const Access& access) { return access.how.returns_value || !holds(Rule::reduction_returns_nothing); }

// The location that a pattern is on: a place and a size (PTX ISA, "Release and Acquire Patterns").
inline LocationId pattern_location(const AccessHistory& history, const Access& access) {
  if (!holds(Rule::pattern_is_of_the_same_bytes)) return history.location;
  const auto byte = static_cast<int>(history.location >> 56);
  const int first = access.first + (byte == 0 ? 0 : byte - 1);
  const LocationId granule = history.location & ((LocationId{1} << 56) - 1);
  return granule << 16 | LocationId{static_cast<std::uint8_t>(first)} << 8 | access.bytes;
}

// A strong read of the present value of the location: what this published is learned at the next
// fence, and at the next acquire of the location.
inline void see(ThreadState& state, const AccessHistory& history, const Access& access) {
  if (!history.publishes || !returns_value(access)) return;
  const Knowledge &of_block = history.published.in_block(state.self.block), &of_device = history.published.device;
  // The value that a thread stores with an operation on its own one tells nothing new.
  const bool adds_block = !state.known.contains(of_block), adds_device = !state.known.contains(of_device);
  if (!adds_block && !adds_device) return;
  Patterns& patterns = state.patterns();
  for (ScopedKnowledge* const seen : {&patterns.seen, &patterns.seen_at[pattern_location(history, access)]}) {
    if (adds_block) join(seen->block, of_block);
    if (adds_device) join(seen->device, of_device);
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
  patterns.told = {};
}

// Whether an acquire learns what other blocks have published.
inline bool acquires_from_device(const Access& access) {
  return access.how.scope != Scope::block || !holds(Rule::acquire_of_block_scope_is_narrow);
}

// An acquire ends those that began with earlier strong reads of the location.
inline void acquire(ThreadState& state, const AccessHistory& history, const Access& access) {
  if (state.own_patterns == nullptr || !holds(Rule::acquire_learns)) return;
  ScopedKnowledge* const seen = state.own_patterns->seen_at.find(pattern_location(history, access));
  if (seen == nullptr || seen->is_empty()) return;
  join(state.known, std::exchange(seen->block, {}));
  if (acquires_from_device(access)) join(state.known, std::exchange(seen->device, {}));
  begin_time(state);
}

// A read that acquires the present value at once. It ends the patterns of earlier reads, too.
inline void see_and_acquire(ThreadState& state, const AccessHistory& history, const Access& access) {
  if (!holds(Rule::acquire_learns)) return see(state, history, access);
  acquire(state, history, access);
  if (!history.publishes || !returns_value(access)) return;
  const Knowledge &of_block = history.published.in_block(state.self.block), &of_device = history.published.device;
  if (of_block.is_empty() && of_device.is_empty()) return;
  join(state.known, of_block);
  if (acquires_from_device(access)) {
    join(state.known, of_device);
  } else if (!of_device.is_empty()) {
    Patterns& patterns = state.patterns();
    join(patterns.seen.device, of_device);
    join(patterns.seen_at[pattern_location(history, access)].device, of_device);
  }
  begin_time(state);
}

// What the next fence.sc must follow, and what those of others must that follow this access.
inline void communicate(ThreadState& state, AccessHistory& history, const Access& access, bool observes) {
  Knowledge& known = state.known;
  if (!history.tells_of_fences) {
    if (known.fences.is_empty()) return;
    history.tells_of_fences = true;
  }
  // What is published with the value says the same of fences as `before_writes`, to this thread.
  const bool is_told = observes && access.how.returns_value && history.publishes_fences;
  const bool is_learned = acquires(access.how.order) && access.how.scope != Scope::block;
  if (is_told && !is_learned && !known.fences.contains(history.before_writes)) state.patterns().told.join(history.before_writes);
  if (access.reads()) {
    if (!is_told && holds(Rule::read_follows_writes)) known.communicate(history.before_writes);
    if (!holds(Rule::reads_do_not_communicate)) known.communicate(history.before_reads);
    // Later operations follow the write of an atomic operation, too.
    if (!access.writes()) history.before_reads.join(known.fences);
    if (observes && holds(Rule::reader_follows_replaced_reads)) known.communicate(history.before_present);
  }
  if (!access.writes()) return;
  // A plain write has no place in the coherence order among writes that it races with.
  if (access.strong()) {
    if (holds(Rule::write_follows_reads)) history.before_present.join(history.before_reads);
    known.communicate(history.before_present);
    if (!is_told && holds(Rule::write_follows_writes)) known.communicate(history.before_writes);
  }
  history.before_writes.join(known.fences);
}

// What a pattern publishes with a strong write.
inline void publish_value(const ThreadState& state, AccessHistory& history, const ScopedKnowledge& known) {
  if (!known.block.is_empty()) join(history.published.of_block(state.self.block), known.block);
  join(history.published.device, known.device);
}

// A fence begins release patterns, of what the thread knows now.
inline void begin_pattern(ThreadState& state, const Knowledge& now, bool reaches_device) {
  Patterns& patterns = state.patterns();
  patterns.may_publish = true;
  if (!holds(Rule::fence_begins_a_pattern)) return;
  patterns.fenced.block = now;
  patterns.fenced_until.block = state.now;
  if (!reaches_device) return;
  patterns.fenced.device = now;
  patterns.fenced_until.device = state.now;
}

// What a strong write publishes: as a release, after a fence, or after an earlier release of the location.
inline ReleasedUntil publish_with(ThreadState& state, AccessHistory& history, const Access& access) {
  const bool is_release = releases(access.how.order) && holds(Rule::release_publishes);
  if (!is_release && (state.own_patterns == nullptr || !state.own_patterns->may_publish)) {
    history.publishes_fences = history.publishes_fences && state.known.fences.is_empty();
    return {};
  }
  const bool reaches_device = access.how.scope != Scope::block;
  Patterns& patterns = state.patterns();
  patterns.may_publish = true;
  history.publishes = true;
  ScopedKnowledge* released = nullptr;
  if (is_release) {
    released = &patterns.released_at[pattern_location(history, access)];
    // It contains what the thread released before.
    released->block = order::publish(state);
    if (reaches_device) released->device = released->block;
  } else {
    released = patterns.released_at.find(pattern_location(history, access));
  }
  const bool tells_of_fences = state.known.fences.is_same(patterns.fenced.device.fences) || (is_release && reaches_device);
  history.publishes_fences = history.publishes_fences && tells_of_fences;
  // A release contains what came before an earlier fence.
  if (!is_release || !reaches_device) publish_value(state, history, patterns.fenced);
  if (released != nullptr) publish_value(state, history, *released);
  if (!is_release) return patterns.fenced_until;
  return {state.now, reaches_device ? state.now : patterns.fenced_until.device};
}

}  // namespace hirace::cpu::order
