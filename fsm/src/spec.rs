//! The access state machine: `next(state, access, sync, relation)`.
//!
//! Paper: Jacobson, Burtscher, Gopalakrishnan, "HiRace", SC24 (arXiv:2401.04701).
//!
//! No transition is written down. Each state has a [`Meaning`]: an [`Exposure`] each for the reads,
//! the writes and the atomics so far. A transition computes the meaning after the barriers since
//! the recorded access, relative to the current thread. It tests whether the current access
//! conflicts with anything still open, adds the access, and names the result.
//!
//! # Promise
//! [`State::Race`] is entered exactly when two accesses by different threads, not
//! both reads and not two atomics whose scopes cover both threads, are not ordered by
//! program order and whole-warp and whole-block barriers.
//! Tests: `exact_on_any_grid`, `exact_with_full_words`, `exact_with_masked_words`.
//!
//! # Deviations from the published table
//! Fifteen transitions of the published table break that promise: [`DEVIATIONS`](crate::DEVIATIONS)
//! lists them, `docs/fsm.md` explains them. Test: `each_published_entry_breaks_exactness`.
//!
//! # Invariants
//! - Total: 25 × 4 × 3 × 4 = 1200 transitions; `Race` is absorbing.
//!   Tests: `every_transition_is_defined`, `race_is_absorbing`.
//! - At relation `G` the clocks do not matter, and at relation `B` only the block
//!   clock does, which leaves 36 of the 48 inputs. Tests:
//!   `sync_is_irrelevant_across_blocks`, `warp_sync_is_irrelevant_across_warps`.
//! - Inputs with the same effect in every state form 22 groups. Test:
//!   `inputs_that_differ_number_22`.
//! - Four states are equivalent to others; 21 would be enough. Test: `minimises_to_21_states`.

use crate::alphabet::{Access, Relation, State, Sync};
use crate::exposure::{Exposure, Level};

const NONE: Exposure = Exposure::NONE;
/// Closed by a block barrier.
const BLOCK: Exposure = Exposure::before(Level::BLOCK);
/// Closed by a warp barrier.
const WARP: Exposure = Exposure::before(Level::WARP);
/// Open, by one thread.
const THREAD: Exposure = Exposure::OPEN;
/// Open, by several threads of a warp.
const LANES: Exposure = Exposure::across(Level::WARP);
/// Open, by several warps of a block.
const WARPS: Exposure = Exposure::across(Level::BLOCK);
/// By several blocks.
const BLOCKS: Exposure = Exposure::across(Level::GRID);

/// The meaning of a state: one exposure for each kind of access so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Meaning {
    /// Plain reads.
    pub reads: Exposure,
    /// The plain reads that a barrier of the recorded thread closed.
    ///
    /// Never beyond `reads`, so no verdict depends on it; the paper's `BWSYNC` is `BSYNC` with such
    /// reads.
    pub covered_reads: Exposure,
    /// Plain writes, or any accesses that act like one: all later accesses must come after them.
    pub writes: Exposure,
    /// Atomics of block scope.
    pub block_atomics: Exposure,
    /// Atomics of device or system scope.
    pub grid_atomics: Exposure,
}

impl Meaning {
    /// No access at all.
    pub const NOTHING: Self = Self {
        reads: NONE,
        covered_reads: NONE,
        writes: NONE,
        block_atomics: NONE,
        grid_atomics: NONE,
    };

    const fn read(writes: Exposure, reads: Exposure) -> Self {
        Self {
            reads,
            writes,
            ..Self::NOTHING
        }
    }

    const fn block_atomic(writes: Exposure, block_atomics: Exposure) -> Self {
        Self {
            block_atomics,
            writes,
            ..Self::NOTHING
        }
    }

    const fn grid_atomic(grid_atomics: Exposure) -> Self {
        Self {
            grid_atomics,
            ..Self::NOTHING
        }
    }

    /// The meaning of a state; `None` for [`State::Race`], in which nothing matters.
    #[must_use]
    pub const fn of(state: State) -> Option<Self> {
        Some(match state {
            State::Init => Self::NOTHING,
            State::Write => Self {
                writes: THREAD,
                ..Self::NOTHING
            },

            State::Read => Self::read(NONE, THREAD),
            State::WRead => Self::read(NONE, LANES),
            State::BRead => Self::read(NONE, WARPS),
            State::GRead => Self::read(NONE, BLOCKS),
            State::WSync => Self::read(WARP, THREAD),
            State::MrWSync => Self::read(WARP, LANES),
            State::BSync => Self::read(BLOCK, THREAD),
            State::BwSync => Self {
                covered_reads: WARP,
                ..Self::read(BLOCK, THREAD)
            },
            State::WMrBwSync => Self::read(BLOCK, LANES),
            State::BMrBSync => Self::read(BLOCK, WARPS),

            State::BAtom => Self::block_atomic(NONE, THREAD),
            State::BAtomW => Self::block_atomic(NONE, LANES),
            State::BAtomB => Self::block_atomic(NONE, WARPS),
            State::GAtom => Self::grid_atomic(THREAD),
            State::GAtomW => Self::grid_atomic(LANES),
            State::GAtomB => Self::grid_atomic(WARPS),
            State::GAtomG => Self::grid_atomic(BLOCKS),

            // Other blocks race with the accesses before these atomics anyway, so the scope of the
            // atomics themselves does not matter.
            State::WSyncAtom => Self::block_atomic(WARP, THREAD),
            State::WSyncAtomM => Self::block_atomic(WARP, LANES),
            State::BSyncAtom => Self::block_atomic(BLOCK, THREAD),
            State::BSyncAtomW => Self::block_atomic(BLOCK, LANES),
            State::BSyncAtomB => Self::block_atomic(BLOCK, WARPS),

            State::Race => return None,
        })
    }

    /// The same accesses after the widest barrier since the recorded access, relative to another
    /// thread. `relation` is its closest common group with the recorded one.
    #[must_use]
    pub const fn moved(self, barrier: Level, relation: Level) -> Self {
        const fn moved(set: Exposure, barrier: Level, relation: Level) -> Exposure {
            set.after_barrier(barrier).seen_from(relation)
        }
        let reads = moved(self.reads, barrier, relation);
        let newly_covered = if reads.is_beyond(WARP) { NONE } else { reads };
        Self {
            reads,
            covered_reads: moved(self.covered_reads, barrier, relation).union(newly_covered),
            writes: moved(self.writes, barrier, relation),
            block_atomics: moved(self.block_atomics, barrier, relation),
            grid_atomics: moved(self.grid_atomics, barrier, relation),
        }
    }

    /// Whether an access by the thread that the meaning is relative to races.
    ///
    /// Two atomics do not race if each one's scope covers both threads. So two of device scope
    /// never race, and with one of block scope they race unless both threads are in one block.
    #[must_use]
    pub const fn races_with(self, access: Access) -> bool {
        let atomics = self.block_atomics.union(self.grid_atomics);
        match access {
            Access::Read => self.writes.union(atomics).is_unordered(),
            Access::Write => self.reads.union(self.writes).union(atomics).is_unordered(),
            Access::BlockAtomic => {
                self.reads.union(self.writes).is_unordered() || atomics.reaches_beyond(Level::BLOCK)
            }
            Access::GridAtomic => {
                self.reads.union(self.writes).is_unordered()
                    || self.block_atomics.reaches_beyond(Level::BLOCK)
            }
        }
    }

    /// The meaning with one more access by the thread that it is relative to.
    #[must_use]
    pub const fn with(mut self, access: Access) -> Self {
        let set = match access {
            Access::Read => &mut self.reads,
            Access::Write => &mut self.writes,
            Access::BlockAtomic => &mut self.block_atomics,
            Access::GridAtomic => &mut self.grid_atomics,
        };
        *set = set.union(THREAD);
        self
    }

    /// The named state with the same consequences for later accesses.
    ///
    /// The latest accesses that are compatible with one another, reads or atomics, form a group.
    /// All others were ordered before its members, and are less open. A later access that conflicts
    /// with the group comes after the group only if it also comes after the others. One that is
    /// compatible with the group conflicts with the others as it would with a write. So the others
    /// count as one write. A group that is no more open than that write adds nothing to it.
    ///
    /// # Panics
    /// If an access raced: no such meaning has a name.
    #[must_use]
    pub const fn state(self) -> State {
        let atomics = self.block_atomics.union(self.grid_atomics);
        let before_reads = self.writes.union(atomics);
        let before_atomics = self.writes.union(self.reads);
        if self.reads.is_beyond(before_reads) {
            match (before_reads, self.reads) {
                (NONE, THREAD) => State::Read,
                (NONE, LANES) => State::WRead,
                (NONE, WARPS) => State::BRead,
                (NONE, BLOCKS) => State::GRead,
                (WARP, THREAD) => State::WSync,
                (WARP, LANES) => State::MrWSync,
                (BLOCK, THREAD) if self.covered_reads.is_beyond(BLOCK) => State::BwSync,
                (BLOCK, THREAD) => State::BSync,
                (BLOCK, LANES) => State::WMrBwSync,
                (BLOCK, WARPS) => State::BMrBSync,
                _ => panic!("a read is not ordered after a write"),
            }
        } else if atomics.is_beyond(before_atomics) {
            let block_scope = self.block_atomics.is_beyond(NONE);
            match (before_atomics, atomics) {
                (NONE, THREAD) if block_scope => State::BAtom,
                (NONE, LANES) if block_scope => State::BAtomW,
                (NONE, WARPS) if block_scope => State::BAtomB,
                (NONE, THREAD) => State::GAtom,
                (NONE, LANES) => State::GAtomW,
                (NONE, WARPS) => State::GAtomB,
                (NONE, BLOCKS) if !block_scope => State::GAtomG,
                (WARP, THREAD) => State::WSyncAtom,
                (WARP, LANES) => State::WSyncAtomM,
                (BLOCK, THREAD) => State::BSyncAtom,
                (BLOCK, LANES) => State::BSyncAtomW,
                (BLOCK, WARPS) => State::BSyncAtomB,
                _ => panic!("an atomic is not ordered after a plain access"),
            }
        } else if self.writes.is_beyond(NONE) || atomics.is_beyond(NONE) {
            State::Write
        } else {
            State::Init
        }
    }
}

/// The state after an access.
///
/// `sync` and `relation` compare the current thread with the recorded one, which made the latest
/// access; in [`State::Init`] they are irrelevant.
#[must_use]
pub const fn next(state: State, access: Access, sync: Sync, relation: Relation) -> State {
    let Some(recorded) = Meaning::of(state) else {
        return State::Race;
    };
    let seen = recorded.moved(Level::of_barrier(sync), Level::of_relation(relation));
    if seen.races_with(access) {
        return State::Race;
    }
    seen.with(access).state()
}
