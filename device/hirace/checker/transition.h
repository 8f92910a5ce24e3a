// One step of the state machine on one shadow word.
//
// HiRace (SC24, section III): the new access is compared with the recorded one (same thread, warp,
// block or none of these; same clocks or not), and the table gives the new state. Both backends
// step their words here.
#pragma once

#include "../records/record.h"
#include "shadow.h"

namespace hirace {

// The state machine has four kinds of access. Volatile accesses are strong, as in the PTX memory
// model: like device-scope atomics, they race neither with one another nor with such atomics.
HIRACE_FUNCTION constexpr Access folded(AccessKind kind) {
  switch (kind) {
    case AccessKind::read: return Access::read;
    case AccessKind::write:
    case AccessKind::update: return Access::write;
    case AccessKind::block_atomic: return Access::block_atomic;
    case AccessKind::device_atomic:
    case AccessKind::volatile_read:
    case AccessKind::volatile_write: return Access::grid_atomic;
  }
  return Access::write;
}

HIRACE_FUNCTION constexpr bool only_reads(unsigned state) {
  return state == static_cast<unsigned>(State::read) || state == static_cast<unsigned>(State::wread) ||
         state == static_cast<unsigned>(State::bread) || state == static_cast<unsigned>(State::gread);
}

// The table index of `access` by `me`, from the state and the identity in `old`.
template <class LayoutOf>
HIRACE_DEVICE_HOOK unsigned transition_index(const LayoutOf& layout, typename LayoutOf::Word old, typename LayoutOf::Word me, Access access) {
  const auto difference = old ^ me;
  const Relation relation = (difference & layout.block_field) != 0 ? Relation::grid
                            : (difference & layout.warp_field) != 0       ? Relation::block
                            : (difference & layout.lane_field) != 0       ? Relation::warp
                                                                   : Relation::same;
  const Sync sync = (difference & layout.block_clock_field) != 0  ? Sync::block
                    : (difference & layout.warp_clock_field) != 0 ? Sync::warp
                                                                  : Sync::none;
  return fsm_index(static_cast<State>(layout.state_of(old)), access, sync, relation);
}

// The state after `access` by `me`.
template <class LayoutOf>
HIRACE_DEVICE_HOOK unsigned next_state(const LayoutOf& layout, typename LayoutOf::Word old, typename LayoutOf::Word me, Access access) {
  return fsm_next(transition_index(layout, old, me, access));
}

// The state after the first access that a word sees.
HIRACE_DEVICE_HOOK unsigned first_state(Access access) {
  return fsm_next(fsm_index(State::init, access, Sync::none, Relation::same));
}

// Neither atomic nor volatile.
HIRACE_DEVICE_HOOK constexpr bool is_plain(AccessKind kind) {
  return kind == AccessKind::read || kind == AccessKind::write || kind == AccessKind::update;
}

struct Step {
  unsigned state;  // after the access; RACE if it races with a recorded one
  bool strong;     // after it, only volatile reads are recorded
  bool record;     // false: the access does not change the word
  bool forgets = false;  // a volatile read
};

// The four kinds do not cover a volatile read, which does not race with plain reads either. While
// only atomics are known, it is recorded as an atomic, and a flag in the word marks that there were
// only volatile reads so far; a plain read then restarts the word. A volatile read of a location
// that was only read is not recorded. In both cases the machine forgets a volatile read: it may
// miss a later plain write that races with it, but never reports a pair of reads.
template <class LayoutOf>
HIRACE_DEVICE_HOOK Step step(const LayoutOf& layout, typename LayoutOf::Word old, bool fresh, typename LayoutOf::Word me, AccessKind kind) {
  const Access access = folded(kind);
  if (kind == AccessKind::volatile_read) {
    if (fresh) return {first_state(access), true, true};
    if (only_reads(layout.state_of(old))) return {layout.state_of(old), false, false, true};
    return {next_state(layout, old, me, access), (old & layout.strong_flag) != 0, true};
  }
  if (fresh) return {first_state(access), false, true};
  if (kind == AccessKind::read && (old & layout.strong_flag) != 0) return {first_state(access), false, true, true};
  return {next_state(layout, old, me, access), false, true};
}

}  // namespace hirace
