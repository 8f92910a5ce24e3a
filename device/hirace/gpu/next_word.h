// One step of the state machine on a word's value, without its memory.
//
// step.h applies it by compare-and-swap. The decision needs no atomics, so it also compiles for the CPU,
// where it is tested against the specification. Layout is that of the memory's words (layout.h).
#pragma once

#include "layout.h"

namespace hirace::gpu {

// A word without meaning: of no epoch or another one, or never written.
template <class Layout>
HIRACE_DEVICE_HOOK bool stale(typename Layout::Word word, typename Layout::Word me) {
  return Layout::of_block ? Layout::state_of(word) == static_cast<unsigned>(State::init) : ((word ^ me) & Layout::epoch_field) != 0;
}

// Whether the word already describes an access by `me`. `states` are those that an access of its
// kind does not change (fsm_unchanged).
template <class Layout>
HIRACE_DEVICE_HOOK bool says_it_all(typename Layout::Word word, typename Layout::Word me, std::uint32_t states) {
  const unsigned state = Layout::state_of(word);
  // One comparison instead of two, which need a branch between them.
  return (((word ^ me) & kept_fields<Layout>(state)) | (~states >> state & 1)) == 0;
}

template <class Layout>
struct NextWord {
  bool race;
  typename Layout::Word word;  // the old one if there is nothing to record
};

template <class Layout>
HIRACE_DEVICE_HOOK NextWord<Layout> next_word(typename Layout::Word old, typename Layout::Word me, AccessKind kind) {
  Step next = step(Layout{}, old, stale<Layout>(old, me), me, kind);
  if (!next.record) return {false, old};
  const bool race = next.state == race_state;
  // The machine would stay in RACE. Restarting with this access finds the location's other races
  // too; each of them is a race in its own right.
  if (race) next = {first_state(folded(kind)), kind == AccessKind::volatile_read, true};
  const auto kept = kept_fields<Layout>(next.state) & ~Layout::strong_flag;
  return {race, Layout::make_word(next.state, next.strong, me & kept)};
}

// Whether several lanes that make such an access at once need only one step.
HIRACE_DEVICE_HOOK constexpr bool may_step_together(AccessKind kind) {
  return kind == AccessKind::read || kind == AccessKind::block_atomic || kind == AccessKind::device_atomic;
}

// The word after an access by each of several lanes of one warp, one after the other and all at the
// same clocks. After the second, the word records several lanes without naming one, so the others
// do not change it. None of them races if these two do not. A loop, so that the step is in the code once.
template <class Layout>
HIRACE_DEVICE_HOOK NextWord<Layout> next_word_of_lanes(typename Layout::Word old, typename Layout::Word first,
                                                       typename Layout::Word second, unsigned lanes, AccessKind kind) {
  NextWord<Layout> next{false, old};
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const NextWord<Layout> one = next_word<Layout>(next.word, lane == 0 ? first : second, kind);
    next = {next.race || one.race, one.word};
  }
  return next;
}

// `me` with another lane of the same warp.
template <class Layout>
HIRACE_DEVICE_HOOK typename Layout::Word identity_of_lane(typename Layout::Word me, std::uint32_t lane) {
  return (me & ~Layout::lane_field) | ((typename Layout::Word{lane & thread_mask} << Layout::thread_shift) & Layout::lane_field);
}

}  // namespace hirace::gpu
