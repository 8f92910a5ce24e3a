//! How open a set of accesses is to a race, on a hierarchy of any depth.
//!
//! Threads are in groups, and groups in larger groups: [`Level`]s. A barrier belongs to a group;
//! all of its threads pass it together. This module does not depend on the number of levels, so
//! another one, such as clusters between blocks and grid, needs no change (test:
//! `a_level_of_clusters_is_exact_too`).

use crate::alphabet::{Relation, Sync};

/// A level of the hierarchy, counted upwards from the single thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(i8);

impl Level {
    /// One thread.
    pub const THREAD: Self = Self(0);
    /// The lanes of a warp.
    pub const WARP: Self = Self(1);
    /// The warps of a block.
    pub const BLOCK: Self = Self(2);
    /// The blocks of a grid.
    pub const GRID: Self = Self(3);

    /// The level at this height above the single thread.
    ///
    /// # Panics
    /// If the height does not fit into seven bits.
    #[must_use]
    pub const fn at(height: usize) -> Self {
        assert!(height < i8::MAX as usize, "so many levels are not meant");
        Self(height as i8)
    }

    /// The level of the widest barrier since the recorded access; a single thread needs none.
    #[must_use]
    pub(crate) const fn of_barrier(sync: Sync) -> Self {
        match sync {
            Sync::None => Self::THREAD,
            Sync::Warp => Self::WARP,
            Sync::Block => Self::BLOCK,
        }
    }

    /// The level of the closest group that two threads share.
    #[must_use]
    pub(crate) const fn of_relation(relation: Relation) -> Self {
        match relation {
            Relation::Same => Self::THREAD,
            Relation::Warp => Self::WARP,
            Relation::Block => Self::BLOCK,
            Relation::Grid => Self::GRID,
        }
    }
}

/// How open a set of accesses of one kind is: which threads come after all of them without another
/// barrier.
///
/// The exposure is relative to the recorded thread, which made the latest access of any kind. In
/// the order of the values, each is open to more threads than the previous one:
///
/// | value | the set | who comes after all of it |
/// |---|---|---|
/// | `NONE` | is empty | everyone |
/// | `before(BLOCK)` | is closed by a block barrier | the recorded thread's block |
/// | `before(WARP)` | is closed by a warp barrier | the recorded thread's warp |
/// | `before(THREAD)` | is open, by the recorded thread | the recorded thread |
/// | `across(WARP)` | is open, by several threads of a warp | no one before a warp barrier |
/// | `across(BLOCK)` | is open, by several warps of a block | no one before a block barrier |
/// | `across(GRID)` | is by several blocks | no one |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Exposure(i8);

impl Exposure {
    /// The set is empty: everyone comes after it.
    pub const NONE: Self = Self(i8::MIN);
    /// Only the recorded thread comes after the set.
    pub const OPEN: Self = Self::before(Level::THREAD);

    /// The whole set is ordered before the threads of the recorded thread's group.
    #[must_use]
    pub const fn before(level: Level) -> Self {
        Self(-level.0)
    }

    /// Open accesses by several of the parts of a group.
    #[must_use]
    pub const fn across(level: Level) -> Self {
        Self(level.0)
    }

    /// Whether the set is open to more threads than another.
    #[must_use]
    pub(crate) const fn is_beyond(self, other: Self) -> bool {
        self.0 > other.0
    }

    /// The exposure of two sets taken as one.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        if other.is_beyond(self) { other } else { self }
    }

    /// The exposure once the recorded thread has passed a barrier.
    ///
    /// It closes what lies open within its group, and nothing that reaches further.
    #[must_use]
    pub(crate) const fn after_barrier(self, level: Level) -> Self {
        if self.is_beyond(Self::before(level)) && !self.is_beyond(Self::across(level)) {
            Self::before(level)
        } else {
            self
        }
    }

    /// The exposure of the same accesses relative to another thread, whose closest
    /// common group with the recorded thread is of this level.
    #[must_use]
    pub(crate) const fn seen_from(self, level: Level) -> Self {
        if self.is_beyond(Self::before(level)) {
            self.union(Self::across(level))
        } else {
            self
        }
    }

    /// Whether the thread that the exposure is relative to does not come after all
    /// accesses of the set.
    #[must_use]
    pub(crate) const fn is_unordered(self) -> bool {
        self.is_beyond(Self::OPEN)
    }

    /// Whether the set contains unordered accesses from outside the group of this level that
    /// contains the thread to which the exposure is relative.
    #[must_use]
    pub(crate) const fn reaches_beyond(self, level: Level) -> bool {
        self.is_beyond(Self::across(level))
    }
}
