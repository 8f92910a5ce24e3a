//! The access state machine: `next(state, access, sync, relation)`.
//!
//! Paper: Jacobson, Burtscher, Gopalakrishnan, "HiRace", SC24 (arXiv:2401.04701).
//!
//! No transition is written down. Each state has a [`Meaning`]: how far the reads,
//! the writes and the atomics so far lie open to a race, an [`Exposure`] each. A
//! transition follows the meaning through the barriers since the recorded access and
//! the move to the current thread, asks whether the current access conflicts with
//! anything still open, adds it, and names the result.
//!
//! # Promise
//! [`State::Race`] is entered exactly when two accesses by different threads, not
//! both reads and not two atomics whose scopes cover both threads, are not ordered by
//! program order and whole-warp and whole-block barriers.
//! Tests: `exact_with_full_words`, `exact_with_masked_words`.
//!
//! # Deviations from the published table
//! Fifteen entries of the published table break that promise; each one, put back,
//! makes the check fail (test: `each_published_entry_breaks_exactness`), and
//! [`DEVIATIONS`](crate::DEVIATIONS) lists them.
//! 1. `READ` and a later atomic behind a barrier (10 entries): the published `WRITE`
//!    forgets that the read is covered already, so further atomics are false alarms.
//! 2. `BATOM_B` and a later atomic behind a block barrier (4 entries): the published
//!    `BATOM_B` keeps the covered atomics of other warps open.
//! 3. `WSYNC_ATOM` and a device-scope atomic by another thread of the warp (1 entry):
//!    the published `WSYNC_ATOM` forgets the second thread, and its race is missed.
//!
//! # Invariants
//! - Total: 25 × 4 × 3 × 4 = 1200 transitions; `Race` is absorbing.
//!   Tests: `every_transition_is_defined`, `race_is_absorbing`.
//! - At relation `G` the clocks do not matter, and at relation `B` only the block
//!   clock does, which leaves 36 of the 48 inputs. Tests:
//!   `sync_is_irrelevant_across_blocks`, `warp_sync_is_irrelevant_across_warps`.
//! - Inputs that act alike in every state form 22 groups.
//!   Test: `inputs_that_differ_number_22`.
//! - Four states are as good as another; 21 would do. Test: `minimises_to_21_states`.

use crate::alphabet::{Access, Relation, State, Sync};

/// How far a set of accesses of one kind lies open: which threads, without another
/// barrier, come after all of them.
///
/// Everything is relative to the recorded thread, the one that made the latest access
/// of any kind. Each value is open to more threads than the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exposure {
    /// The set is empty: everyone comes after it.
    None,
    /// All lie behind a block barrier: the recorded thread's block comes after them.
    Block,
    /// All lie behind a warp barrier: the recorded thread's warp comes after them.
    Warp,
    /// Only the recorded thread comes after them.
    Thread,
    /// Open accesses by several threads of one warp: no one comes after them before
    /// a warp barrier.
    Lanes,
    /// Open accesses by several warps of one block: no one comes after them before a
    /// block barrier.
    Warps,
    /// Accesses by several blocks: no one comes after them.
    Blocks,
}

impl Exposure {
    /// Whether the set is open to more threads than another.
    #[must_use]
    pub const fn is_beyond(self, other: Self) -> bool {
        self as u8 > other as u8
    }

    /// The exposure of two sets taken as one.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        if other.is_beyond(self) { other } else { self }
    }

    /// The exposure once the recorded thread has passed a barrier.
    #[must_use]
    pub const fn behind(self, sync: Sync) -> Self {
        match (sync, self) {
            (Sync::Warp, Self::Thread | Self::Lanes) => Self::Warp,
            (Sync::Block, Self::Warp | Self::Thread | Self::Lanes | Self::Warps) => Self::Block,
            _ => self,
        }
    }

    /// The exposure of the same accesses relative to another thread.
    #[must_use]
    pub const fn seen_from(self, relation: Relation) -> Self {
        // The widest exposure that the other thread still comes after, and what the
        // set becomes for a thread that does not.
        let (ordered_up_to, otherwise) = match relation {
            Relation::Same => (Self::Thread, Self::Thread),
            Relation::Warp => (Self::Warp, Self::Lanes),
            Relation::Block => (Self::Block, Self::Warps),
            Relation::Grid => (Self::None, Self::Blocks),
        };
        if self.is_beyond(ordered_up_to) {
            self.union(otherwise)
        } else {
            self
        }
    }

    /// Whether the thread that the exposure is relative to does not come after all
    /// accesses of the set.
    #[must_use]
    pub const fn is_unordered(self) -> bool {
        self.is_beyond(Self::Thread)
    }

    /// Whether the set holds accesses of a block other than that of the thread that
    /// the exposure is relative to.
    #[must_use]
    pub const fn spans_blocks(self) -> bool {
        matches!(self, Self::Blocks)
    }
}

/// What a state says about the accesses so far: one exposure for each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// Plain reads.
    pub reads: Exposure,
    /// Of the plain reads, those behind a barrier that the recorded thread passed.
    ///
    /// Never beyond `reads`, so no verdict depends on it; the paper's `BWSYNC` is
    /// `BSYNC` with such reads.
    pub covered_reads: Exposure,
    /// Plain writes, or any accesses that act as one: all later accesses must come
    /// after them.
    pub writes: Exposure,
    /// Atomics of block scope.
    pub block_atomics: Exposure,
    /// Atomics of device or system scope.
    pub grid_atomics: Exposure,
}

impl Meaning {
    /// No access at all.
    pub const NOTHING: Self = Self {
        reads: Exposure::None,
        covered_reads: Exposure::None,
        writes: Exposure::None,
        block_atomics: Exposure::None,
        grid_atomics: Exposure::None,
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

    /// What a state means; `None` for [`State::Race`], in which nothing matters.
    #[must_use]
    pub const fn of(state: State) -> Option<Self> {
        use Exposure as E;
        Some(match state {
            State::Init => Self::NOTHING,
            State::Write => Self {
                writes: E::Thread,
                ..Self::NOTHING
            },

            State::Read => Self::read(E::None, E::Thread),
            State::WRead => Self::read(E::None, E::Lanes),
            State::BRead => Self::read(E::None, E::Warps),
            State::GRead => Self::read(E::None, E::Blocks),
            State::WSync => Self::read(E::Warp, E::Thread),
            State::MrWSync => Self::read(E::Warp, E::Lanes),
            State::BSync => Self::read(E::Block, E::Thread),
            State::BwSync => Self {
                covered_reads: E::Warp,
                ..Self::read(E::Block, E::Thread)
            },
            State::WMrBwSync => Self::read(E::Block, E::Lanes),
            State::BMrBSync => Self::read(E::Block, E::Warps),

            State::BAtom => Self::block_atomic(E::None, E::Thread),
            State::BAtomW => Self::block_atomic(E::None, E::Lanes),
            State::BAtomB => Self::block_atomic(E::None, E::Warps),
            State::GAtom => Self::grid_atomic(E::Thread),
            State::GAtomW => Self::grid_atomic(E::Lanes),
            State::GAtomB => Self::grid_atomic(E::Warps),
            State::GAtomG => Self::grid_atomic(E::Blocks),

            // Other blocks race with the accesses before these atomics in any case,
            // so the scope of the atomics themselves makes no difference.
            State::WSyncAtom => Self::block_atomic(E::Warp, E::Thread),
            State::WSyncAtomM => Self::block_atomic(E::Warp, E::Lanes),
            State::BSyncAtom => Self::block_atomic(E::Block, E::Thread),
            State::BSyncAtomW => Self::block_atomic(E::Block, E::Lanes),
            State::BSyncAtomB => Self::block_atomic(E::Block, E::Warps),

            State::Race => return None,
        })
    }

    /// The same accesses after the barriers since the recorded access, relative to
    /// the current thread.
    #[must_use]
    pub const fn moved(self, sync: Sync, relation: Relation) -> Self {
        let reads = self.reads.behind(sync).seen_from(relation);
        let newly_covered = if reads.is_beyond(Exposure::Warp) {
            Exposure::None
        } else {
            reads
        };
        Self {
            reads,
            covered_reads: self
                .covered_reads
                .behind(sync)
                .seen_from(relation)
                .union(newly_covered),
            writes: self.writes.behind(sync).seen_from(relation),
            block_atomics: self.block_atomics.behind(sync).seen_from(relation),
            grid_atomics: self.grid_atomics.behind(sync).seen_from(relation),
        }
    }

    /// Whether an access by the thread that the meaning is relative to races.
    ///
    /// Two atomics do not race where each one's scope covers both threads: never for
    /// two of device scope, and only within a block where one has block scope.
    #[must_use]
    pub const fn races_with(self, access: Access) -> bool {
        let atomics = self.block_atomics.union(self.grid_atomics);
        match access {
            Access::Read => self.writes.union(atomics).is_unordered(),
            Access::Write => self.reads.union(self.writes).union(atomics).is_unordered(),
            Access::BlockAtomic => {
                self.reads.union(self.writes).is_unordered() || atomics.spans_blocks()
            }
            Access::GridAtomic => {
                self.reads.union(self.writes).is_unordered() || self.block_atomics.spans_blocks()
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
        *set = set.union(Exposure::Thread);
        self
    }

    /// The named state that makes the same demands on later accesses.
    ///
    /// The latest accesses that are compatible with one another, reads or atomics, form
    /// a group. All others were ordered before its members, and are less open than it.
    /// A later access that conflicts with the group comes after it only if it comes
    /// after them as well; one that is compatible with the group conflicts with them
    /// as it would with a write. So they count as one write. A group that is no more
    /// open than that write adds nothing to it.
    ///
    /// # Panics
    /// If an access raced: no such meaning has a name.
    #[must_use]
    pub const fn state(self) -> State {
        use Exposure as E;
        let atomics = self.block_atomics.union(self.grid_atomics);
        let before_reads = self.writes.union(atomics);
        let before_atomics = self.writes.union(self.reads);
        if self.reads.is_beyond(before_reads) {
            match (before_reads, self.reads) {
                (E::None, E::Thread) => State::Read,
                (E::None, E::Lanes) => State::WRead,
                (E::None, E::Warps) => State::BRead,
                (E::None, E::Blocks) => State::GRead,
                (E::Warp, E::Thread) => State::WSync,
                (E::Warp, E::Lanes) => State::MrWSync,
                (E::Block, E::Thread) if self.covered_reads.is_beyond(E::Block) => State::BwSync,
                (E::Block, E::Thread) => State::BSync,
                (E::Block, E::Lanes) => State::WMrBwSync,
                (E::Block, E::Warps) => State::BMrBSync,
                _ => panic!("a read is not ordered after a write"),
            }
        } else if atomics.is_beyond(before_atomics) {
            let block_scope = self.block_atomics.is_beyond(E::None);
            match (before_atomics, atomics) {
                (E::None, E::Thread) if block_scope => State::BAtom,
                (E::None, E::Lanes) if block_scope => State::BAtomW,
                (E::None, E::Warps) if block_scope => State::BAtomB,
                (E::None, E::Thread) => State::GAtom,
                (E::None, E::Lanes) => State::GAtomW,
                (E::None, E::Warps) => State::GAtomB,
                (E::None, E::Blocks) if !block_scope => State::GAtomG,
                (E::Warp, E::Thread) => State::WSyncAtom,
                (E::Warp, E::Lanes) => State::WSyncAtomM,
                (E::Block, E::Thread) => State::BSyncAtom,
                (E::Block, E::Lanes) => State::BSyncAtomW,
                (E::Block, E::Warps) => State::BSyncAtomB,
                _ => panic!("an atomic is not ordered after a plain access"),
            }
        } else if self.writes.is_beyond(E::None) || atomics.is_beyond(E::None) {
            State::Write
        } else {
            State::Init
        }
    }
}

/// The state after an access.
///
/// `sync` and `relation` compare the current thread with the recorded one, which is
/// the thread that made the latest access; in [`State::Init`] they mean nothing.
#[must_use]
pub const fn next(state: State, access: Access, sync: Sync, relation: Relation) -> State {
    let Some(recorded) = Meaning::of(state) else {
        return State::Race;
    };
    let seen = recorded.moved(sync, relation);
    if seen.races_with(access) {
        return State::Race;
    }
    seen.with(access).state()
}
