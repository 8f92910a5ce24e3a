// One step of the state machine on a word in memory.
//
// A word is changed by compare-and-swap (HiRace, SC24, section IV); where another
// thread was faster the step is taken again from what it left.
//
//   HIRACE_SHORTCUT=0     words that stay as they are go the same way; verdicts are the same
#pragma once

#include "lookup.h"
#include "next_word.h"
#include "record_table.h"

#ifndef HIRACE_SHORTCUT
#define HIRACE_SHORTCUT 1
#endif

namespace hirace::gpu {

// Whether an access that leaves its word as it is looks nothing up, and writes nothing.
constexpr bool takes_shortcut = HIRACE_SHORTCUT != 0;

// What one step did to a word.
template <class Layout>
struct Stepped {
  bool done;   // false: the granule was split meanwhile, and its bytes have words
  bool race;
  typename Layout::Word old;  // where it races: the word it races with
  SiteWord site;              // and its site word
};

// Takes one granule, or one byte of a split one, a step further from `old`, which
// its word is or was.
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
