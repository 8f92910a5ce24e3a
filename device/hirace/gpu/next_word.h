// One step of the state machine on a word, without the memory that the word lies in.
//
// step.h does this by compare-and-swap. What is decided here needs no atomics, so that it
// compiles for the CPU as well, where it is held against the specification.
#pragma once

#include "layout.h"

namespace hirace::gpu {

// A word that says nothing of this epoch; in shared memory, whose shadow blocks
// take over from one another, nor of this block.
HIRACE_DEVICE_HOOK Word certain_fields(bool shared) { return epoch_field | (shared ? Layout::block_field : 0); }
HIRACE_DEVICE_HOOK bool stale(Word word, Word me, bool shared) { return ((word ^ me) & certain_fields(shared)) != 0; }

// Whether the word already says all there is to say about an access by `me`. `states` are
// those that an access of its kind leaves as they are (fsm_unchanged).
HIRACE_DEVICE_HOOK bool says_it_all(Word word, Word me, std::uint32_t states, bool shared) {
  const unsigned state = state_of(word);
  return (states >> state & 1) != 0 && ((word ^ me) & (state_masks.keep[state] | certain_fields(shared))) == 0;
}

struct NextWord {
  bool race;
  Word word;  // the old one where there is nothing to record
};

HIRACE_DEVICE_HOOK NextWord next_word(Word old, Word me, AccessKind kind, bool shared) {
  Step next = step(Layout{}, old, stale(old, me, shared), me, kind);
  if (!next.record) return {false, old};
  const bool race = next.state == race_state;
  // The machine would stay where it is. Starting over with this access finds the
  // location's other races too; each of them is a race in its own right.
  if (race) next = {first_state(folded(kind)), kind == AccessKind::volatile_read, true};
  const Word kept = (state_masks.keep[next.state] & ~strong_flag) | certain_fields(shared);
  return {race, make_word(next.state, next.strong, me & kept)};
}

// Whether several lanes that make such an access at once need but one step.
HIRACE_DEVICE_HOOK constexpr bool may_step_together(AccessKind kind) {
  return kind == AccessKind::read || kind == AccessKind::block_atomic || kind == AccessKind::device_atomic;
}

// The word after an access by each of several lanes of one warp, one after the other and all
// at the same clocks. Behind the second the word says that it was several lanes, and names none,
// so that the others leave it as it is. None of them races if these two do not.
HIRACE_DEVICE_HOOK NextWord next_word_of_lanes(Word old, Word first, Word second, AccessKind kind, bool shared) {
  const NextWord one = next_word(old, first, kind, shared);
  const NextWord two = next_word(one.word, second, kind, shared);
  return {one.race || two.race, two.word};
}

// `me` as another lane of its warp has it.
HIRACE_DEVICE_HOOK Word identity_of_lane(Word me, std::uint32_t lane) {
  return (me & ~Layout::lane_field) | ((Word{lane & thread_mask} << Layout::thread_shift) & Layout::lane_field);
}

}  // namespace hirace::gpu
