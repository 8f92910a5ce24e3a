// One step of the state machine on a word in memory.
//
// A word is changed by compare-and-swap (HiRace, SC24, section IV); if another thread was faster,
// the step is repeated from the word that it left.
//
//   HIRACE_SHORTCUT=0     unchanged words take this path, too; same verdicts
#pragma once

#include "lookup.h"
#include "next_word.h"
#include "record_table.h"

#ifndef HIRACE_SHORTCUT
#define HIRACE_SHORTCUT 1
#endif

namespace hirace::gpu {

// Whether an access that leaves its word unchanged skips lookup and writing.
constexpr bool takes_shortcut = HIRACE_SHORTCUT != 0;

// The effect of one step on a word.
template <class Layout>
struct Stepped {
  bool done;   // false: the granule has been split, and its bytes have words
  bool race;
  typename Layout::Word old;  // if it races: the word it races with
  SiteWord site;              // and its site word
};

// Takes one granule, or one byte of a split one, a step further from `old`, a current or earlier
// value of its word.
template <class Layout>
__device__ Stepped<Layout> step_cell(const Cell<Layout>& cell, typename Layout::Word old, AccessKind kind, SiteId site,
                                     typename Layout::Word me) {
  for (;;) {
    if (!stale<Layout>(old, me) && Layout::state_of(old) >= split_state) return {false, false, 0, 0};
    const auto [race, word] = next_word<Layout>(old, me, kind);
    const bool changes = word != old;
    if (takes_shortcut && !changes) return {true, false, 0, 0};
    const SiteWord prior = sites_enabled && race ? load_word(cell.site) : 0;
    const auto seen = replace<Layout>(cell.word, old, word);
    if (seen == old) {
      if (sites_enabled && changes) store_word(cell.site, make_site_word<Layout>(site, kind, word, me));
      return {true, race, old, prior};
    }
    old = seen;
  }
}

}  // namespace hirace::gpu
