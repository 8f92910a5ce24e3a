// One step of the state machine on a word in memory.
//
// A word is changed by compare-and-swap (HiRace, SC24, section IV); where another
// thread was faster the step is taken again from what it left.
#pragma once

#include "lookup.h"
#include "next_word.h"
#include "record_table.h"

namespace hirace::gpu {

// What one step did to a word.
struct Stepped {
  bool done;   // false: the granule was split meanwhile, and its bytes have words
  bool race;
  Word old;  // where it races: the word it races with
  SiteWord site;  // and its site word
};

// Takes one granule, or one byte of a split one, a step further from `old`, which
// its word is or was.
inline __device__ Stepped step_cell(const Cell& cell, Word old, AccessKind kind, SiteId site, Word me) {
  for (;;) {
    if (!stale(old, me, cell.shared) && state_of(old) >= split_state) return {false, false, 0, 0};
    const auto [race, word] = next_word(old, me, kind, cell.shared);
    if (word == old) return {true, false, 0, 0};
    const SiteWord prior = sites_enabled && race ? load_word(cell.site) : 0;
    const Word seen = replace_word(cell.word, old, word);
    if (seen == old) {
      if (sites_enabled) store_word(cell.site, make_site_word(site, kind, word, me));
      return {true, race, old, prior};
    }
    old = seen;
  }
}

}  // namespace hirace::gpu
