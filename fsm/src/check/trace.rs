//! Histories of one location, and counterexamples.

use std::fmt;

use crate::alphabet::{Access, State};
use crate::shape::Shape;
use crate::table::Transition;

/// One event. Threads, warps and blocks are numbered through the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A thread accesses the location.
    Access {
        /// The thread.
        thread: usize,
        /// The kind of access.
        access: Access,
    },
    /// All threads of a warp pass `__syncwarp()`.
    SyncWarp(usize),
    /// All threads of a block pass `__syncthreads()`.
    SyncThreads(usize),
}

impl Step {
    /// Every event that can happen in a grid.
    pub fn all(shape: Shape) -> impl Iterator<Item = Self> {
        let accesses = (0..shape.threads())
            .flat_map(|thread| Access::ALL.map(|access| Self::Access { thread, access }));
        accesses
            .chain((0..shape.warps()).map(Self::SyncWarp))
            .chain((0..shape.blocks()).map(Self::SyncThreads))
    }

    /// The same event if position `i` is thread `names[i]`.
    pub(super) fn renamed(self, names: &[usize], shape: Shape) -> Self {
        match self {
            Self::Access { thread, access } => Self::Access {
                thread: names[thread],
                access,
            },
            Self::SyncWarp(index) => {
                Self::SyncWarp(shape.warp_of(names[shape.warp_threads(index).start]))
            }
            Self::SyncThreads(index) => {
                let first = shape.block_threads(index).start;
                Self::SyncThreads(shape.block_of(names[first]))
            }
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Access { thread, access } => write!(formatter, "t{thread}:{access}"),
            Self::SyncWarp(warp) => write!(formatter, "syncwarp w{warp}"),
            Self::SyncThreads(block) => write!(formatter, "syncthreads b{block}"),
        }
    }
}

/// An event and the machine's state after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The event.
    pub step: Step,
    /// The state after it.
    pub state: State,
}

/// The direction of a wrong verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The machine reports a race that does not exist.
    FalseAlarm,
    /// The machine does not report a race.
    Miss,
}

/// A history whose last access gets the wrong verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The grid.
    pub shape: Shape,
    /// The direction of the error.
    pub fault: Fault,
    /// The history.
    pub visits: Vec<Visit>,
    /// The transition with the wrong verdict.
    pub transition: Transition,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::FalseAlarm => "false alarm",
            Self::Miss => "missed race",
        })
    }
}

impl Counterexample {
    /// The events, each access with the state after it.
    #[must_use]
    pub fn history(&self) -> String {
        let events: Vec<_> = self
            .visits
            .iter()
            .map(|Visit { step, state }| match step {
                Step::Access { .. } => format!("{step} [{state}]"),
                barrier => barrier.to_string(),
            })
            .collect();
        events.join(", ")
    }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            shape,
            fault,
            transition,
            ..
        } = self;
        let history = self.history();
        write!(formatter, "{fault} on {shape}: {history} by {transition}")
    }
}
