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

// The lanes that take a step: one, or several at once of which these are the first two (lanes.h).
template <class Layout>
struct Lanes {
  unsigned count;  // 1 or 2
  typename Layout::Word first, second;
};

// Takes one granule, or one byte of a split one, a step further from `old`, a current or earlier
// value of its word. A race of several lanes changes nothing and is not done: each then steps for itself.
//
// A function of its own, since every kernel's slow path contains it more than once.
template <class Layout>
__device__ __noinline__ Stepped<Layout> step_cell(const Cell<Layout>& cell, typename Layout::Word old, AccessKind kind, SiteId site,
                                                  const Lanes<Layout>& lanes) {
  for (;;) {
    if (!stale<Layout>(old, lanes.first) && Layout::state_of(old) >= split_state) return {false, false, 0, 0};
    const auto [race, word] = next_word_of_lanes<Layout>(old, lanes.first, lanes.second, lanes.count, kind);
    if (race && lanes.count > 1) return {false, false, 0, 0};
    const bool changes = word != old;
    if ((takes_shortcut || lanes.count > 1) && !changes) return {true, false, 0, 0};
    const SiteWord prior = sites_enabled && race ? load_word(cell.site) : 0;
    const auto seen = replace<Layout>(cell.word, old, word);
    if (seen == old) {
      if (sites_enabled && changes) store_word(cell.site, make_site_word<Layout>(site, kind, word, lanes.second));
      return {true, race, old, prior};
    }
    old = seen;
  }
}

}  // namespace hirace::gpu
