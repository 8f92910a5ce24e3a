//! Where threads run, and the same test with its threads in other places.

use std::fmt;

use super::ast::{Placement, Test};

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "block {}, ", self.cta)?;
        if let Some(cluster) = self.cluster {
            write!(f, "cluster {cluster}, ")?;
        }
        write!(f, "GPU {}", self.gpu)
    }
}

impl Placement {
    /// Whether two threads are in the same block.
    #[must_use]
    pub fn same_block(&self, other: &Self) -> bool {
        self.gpu == other.gpu && self.cta == other.cta
    }

    /// Whether two threads are in the same cluster.
    #[must_use]
    pub fn same_cluster(&self, other: &Self) -> bool {
        match (self.cluster, other.cluster) {
            (Some(one), Some(two)) => self.gpu == other.gpu && one == two,
            _ => self.same_block(other),
        }
    }
}

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
            cluster: None,
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
