// One step of the state machine on a word in memory.
//
// A word is changed by compare-and-swap (HiRace, SC24, section IV); where another
// thread was faster the step is taken again from what it left.
#pragma once

#include "lookup.h"
#include "record_table.h"

namespace hirace::gpu {

// A word that says nothing of this epoch; in shared memory, whose shadow blocks
// take over from one another, nor of this block.
__device__ __forceinline__ Word certain_fields(bool shared) { return epoch_field | (shared ? block_field : 0); }
__device__ __forceinline__ bool stale(Word word, Word me, bool shared) {
  return ((word ^ me) & certain_fields(shared)) != 0;
}

// What one step did to a word.
struct Stepped {
  bool done;   // false: the granule was split meanwhile, and its bytes have words
  bool race;
  Word old, site;  // where it races: the word it races with, and its site word
};

// Takes one granule, or one byte of a split one, a step further from `old`, which
// its word is or was.
inline __device__ Stepped step_cell(const Cell& cell, Word old, AccessKind kind, SiteId site, Word me) {
  for (;;) {
    const bool fresh = stale(old, me, cell.shared);
    if (!fresh && state_of(old) >= split_state) return {false, false, 0, 0};
    Step next = step(FixedLayout{}, old, fresh, me, kind);
    if (!next.record) return {true, false, 0, 0};
    const bool race = next.state == race_state;
    // The machine would stay where it is. Starting over with this access finds the
    // location's other races too; each of them is a race in its own right.
    if (race) next = {first_state(folded(kind)), kind == AccessKind::volatile_read, true};
    const Word kept = (state_masks.keep[next.state] & ~strong_flag) | certain_fields(cell.shared);
    const Word word = make_word(next.state, next.strong, me & kept);
    if (word == old) return {true, false, 0, 0};
    const Word prior = sites_enabled && race ? load_word(cell.site) : 0;
    const Word seen = replace_word(cell.word, old, word);
    if (seen == old) {
      if (sites_enabled) store_word(cell.site, make_site_word(site, kind, word, me));
      return {true, race, old, prior};
    }
    old = seen;
  }
}

}  // namespace hirace::gpu
