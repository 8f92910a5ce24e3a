//! The same test with its threads in other places.

use super::ast::{Placement, Test};

/// Where the threads of a test run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Threads {
    /// In one warp.
    OneWarp,
    /// In warps of one block.
    OneBlock,
    /// In blocks of one GPU.
    OneGrid,
    /// On GPUs of their own.
    OneSystem,
}

impl Threads {
    /// The place of a thread by its number.
    #[must_use]
    pub fn place(self, thread: u32) -> Placement {
        let (gpu, cta, warp) = match self {
            Self::OneWarp => (0, 0, 0),
            Self::OneBlock => (0, 0, thread),
            Self::OneGrid => (0, thread, 0),
            Self::OneSystem => (thread, 0, 0),
        };
        Placement {
            gpu,
            cta,
            warp: Some(warp),
        }
    }

    /// What is added to the names of tests; the blocks of a grid are the usual place.
    #[must_use]
    pub fn suffix(self) -> &'static str {
        match self {
            Self::OneWarp => "@warp",
            Self::OneBlock => "@block",
            Self::OneGrid => "",
            Self::OneSystem => "@system",
        }
    }
}

/// The test with its threads there; none if they share a location that is in the shared memory of
/// one block.
#[must_use]
pub fn placed(test: &Test, threads: Threads) -> Option<Test> {
    let one_block = matches!(threads, Threads::OneWarp | Threads::OneBlock);
    if !one_block && test.locations.iter().any(|location| location.shared) {
        return None;
    }
    let mut test = test.clone();
    for (number, thread) in (0..).zip(&mut test.threads) {
        thread.placement = threads.place(number);
    }
    Some(test)
}
