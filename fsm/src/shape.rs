//! The size of a grid, and the positions of threads in it.

use std::fmt;
use std::ops::Range;

use crate::alphabet::Relation;

/// The size of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    blocks: usize,
    warps: usize,
    threads: usize,
}

/// The maximum number of threads of a [`Shape`].
pub const MAX_THREADS: usize = 32;

impl Shape {
    /// Blocks, warps per block and threads per warp.
    ///
    /// # Errors
    /// If one of them is 0 or there are more than [`MAX_THREADS`] threads.
    pub const fn new(blocks: usize, warps: usize, threads: usize) -> Result<Self, InvalidShape> {
        let fits = blocks <= MAX_THREADS && warps <= MAX_THREADS && threads <= MAX_THREADS;
        let total = if fits { blocks * warps * threads } else { 0 };
        if total == 0 || total > MAX_THREADS {
            return Err(InvalidShape);
        }
        Ok(Self {
            blocks,
            warps,
            threads,
        })
    }

    /// Blocks in the grid.
    #[must_use]
    pub const fn blocks(self) -> usize {
        self.blocks
    }

    /// Warps per block.
    #[must_use]
    pub const fn warps_per_block(self) -> usize {
        self.warps
    }

    /// Threads per warp.
    #[must_use]
    pub const fn threads_per_warp(self) -> usize {
        self.threads
    }

    /// Warps in the grid.
    #[must_use]
    pub const fn warps(self) -> usize {
        self.blocks * self.warps
    }

    /// Threads in the grid.
    #[must_use]
    pub const fn threads(self) -> usize {
        self.warps() * self.threads
    }

    /// The warp of a thread; both are numbered through the grid.
    #[must_use]
    pub const fn warp_of(self, thread: usize) -> usize {
        thread / self.threads
    }

    /// The block of a thread; both are numbered through the grid.
    #[must_use]
    pub const fn block_of(self, thread: usize) -> usize {
        self.warp_of(thread) / self.warps
    }

    /// The closest group that two threads share.
    #[must_use]
    pub const fn relation(self, one: usize, other: usize) -> Relation {
        if one == other {
            Relation::Same
        } else if self.warp_of(one) == self.warp_of(other) {
            Relation::Warp
        } else if self.block_of(one) == self.block_of(other) {
            Relation::Block
        } else {
            Relation::Grid
        }
    }

    /// The threads of a warp.
    #[must_use]
    pub const fn warp_threads(self, warp: usize) -> Range<usize> {
        warp * self.threads..(warp + 1) * self.threads
    }

    /// The threads of a block.
    #[must_use]
    pub const fn block_threads(self, block: usize) -> Range<usize> {
        let size = self.warps * self.threads;
        block * size..(block + 1) * size
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            blocks,
            warps,
            threads,
        } = self;
        write!(formatter, "{blocks}x{warps}x{threads}")
    }
}

/// A shape with no threads or too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidShape;

impl fmt::Display for InvalidShape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "a shape needs at least one block, warp and thread, and at most {MAX_THREADS} threads"
        )
    }
}

impl std::error::Error for InvalidShape {}
