//! The proof by exhaustion: the machine in product with the happens-before relation.
//!
//! One location, a grid of a given [`Shape`], and every sequence of accesses and
//! barriers that keeps to it. At each access the machine's verdict has to equal the
//! truth, which is computed from the definition of a race and not from the machine.
//! A comparison whose outcome is not determined, such as that of the clocks of two
//! blocks or of a masked-out field, is explored with every outcome.
//!
//! # Invariants
//! - The truth is that of full histories. Test: `truth_agrees_with_full_histories`.
//! - The check can fail. Test: `each_published_entry_breaks_exactness`.
//! - It is not vacuous: situations, verdicts and transitions reached are pinned, and
//!   2×2×2 reaches all 1152 transitions from states other than `RACE`. Tests:
//!   `exact_with_full_words`, `exact_with_masked_words`.
//!
//! # Outside the model
//! Barriers of part of a warp, fences, and clocks that overflow their field.

mod model;
mod trace;

use std::collections::HashSet;
use std::fmt;
use std::hash::BuildHasherDefault;
use std::ops::{ControlFlow, Range};

use crate::alphabet::{Access, State};
use crate::fields::Masks;
use crate::table::{TRANSITIONS, Table, Transition};
use model::{Node, NodeHasher, observations};
pub use trace::{Counterexample, Fault, Step, Visit};

/// The size of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    blocks: usize,
    warps: usize,
    threads: usize,
}

/// The most threads that a [`Shape`] may have.
pub const MAX_THREADS: usize = 32;

impl Shape {
    /// Blocks, warps in a block and threads in a warp.
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

    /// Warps in a block.
    #[must_use]
    pub const fn warps_per_block(self) -> usize {
        self.warps
    }

    /// Threads in a warp.
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

    /// The warp of a thread; both count through the grid.
    #[must_use]
    pub const fn warp_of(self, thread: usize) -> usize {
        thread / self.threads
    }

    /// The block of a thread.
    #[must_use]
    pub const fn block_of(self, thread: usize) -> usize {
        self.warp_of(thread) / self.warps
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

/// How much a successful check looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Different situations, up to renaming of threads, warps and blocks.
    pub situations: usize,
    /// Verdicts compared: accesses from each situation, times the outcomes of the
    /// comparisons of clocks and identities.
    pub verdicts: usize,
    reached: Vec<bool>,
}

impl Counts {
    /// Whether the check came through this transition of the table.
    #[must_use]
    pub fn reached(&self, transition: Transition) -> bool {
        self.reached[transition.index()]
    }

    /// How many of the 1200 transitions the check came through.
    #[must_use]
    pub fn transitions_reached(&self) -> usize {
        self.reached.iter().filter(|reached| **reached).count()
    }
}

/// How a situation was reached first.
#[derive(Clone, Copy)]
struct Origin {
    parent: usize,
    step: Step,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Situations found so far.
    pub found: usize,
    /// Those among them whose events have been explored.
    pub explored: usize,
}

/// Why a search did not verify the machine.
#[derive(Clone, Debug)]
pub enum NotVerified {
    /// The machine is wrong.
    Wrong(Box<Counterexample>),
    /// The watcher ended the search.
    Stopped(Progress),
}

/// Compares the machine with the truth on every history of a grid.
///
/// The search is breadth-first, so a counterexample is as short as any.
///
/// # Errors
/// The first history on which the two disagree.
pub fn verify(table: &Table, masks: &Masks, shape: Shape) -> Result<Counts, Box<Counterexample>> {
    match verify_watched(table, masks, shape, |_| ControlFlow::Continue(())) {
        Ok(counts) => Ok(counts),
        Err(NotVerified::Wrong(counterexample)) => Err(counterexample),
        Err(NotVerified::Stopped(_)) => unreachable!("nobody stops this search"),
    }
}

/// As [`verify`]; tells `watch` from time to time how far it is, and stops if that
/// says so.
///
/// # Errors
/// The first history on which machine and truth disagree, or that the search was stopped.
pub fn verify_watched(
    table: &Table,
    masks: &Masks,
    shape: Shape,
    mut watch: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Counts, NotVerified> {
    const SITUATIONS_PER_CALL: usize = 1 << 10;
    let mut search = Search::new(shape);
    let mut verdicts = 0;
    let mut reached = vec![false; TRANSITIONS];
    let mut position = 0;
    while let Some(&node) = search.nodes.get(position) {
        if position % SITUATIONS_PER_CALL == 0 {
            let progress = Progress {
                found: search.nodes.len(),
                explored: position,
            };
            if watch(progress).is_break() {
                return Err(NotVerified::Stopped(progress));
            }
        }
        for barrier in node.barriers_apart(shape) {
            search.add(node.after_barrier(barrier, shape), position, barrier);
        }
        for thread in node.threads_apart(shape) {
            let races = node.races(thread, shape);
            let seen = observations(&node, thread, masks.keep(node.state()), shape);
            for access in Access::ALL {
                let step = Step::Access { thread, access };
                let races = races[access.index()];
                let mut successors = [false; State::ALL.len()];
                for (sync, relation) in seen.clone() {
                    let transition = Transition {
                        state: node.state(),
                        access,
                        sync,
                        relation,
                    };
                    let next = table.next(transition);
                    verdicts += 1;
                    reached[transition.index()] = true;
                    if races != (next == State::Race) {
                        let wrong = search.explain(position, step, transition, next);
                        return Err(NotVerified::Wrong(wrong));
                    }
                    successors[next.index()] = !races;
                }
                for state in State::ALL {
                    if successors[state.index()] {
                        let after = node.after_access(thread, access, state, shape);
                        search.add(after, position, step);
                    }
                }
            }
        }
        position += 1;
    }
    Ok(Counts {
        situations: search.nodes.len(),
        verdicts,
        reached,
    })
}

/// The situations seen so far; those from some position on are still to be explored.
struct Search {
    shape: Shape,
    nodes: Vec<Node>,
    origins: Vec<Option<Origin>>,
    seen: HashSet<Node, BuildHasherDefault<NodeHasher>>,
}

impl Search {
    fn new(shape: Shape) -> Self {
        let start = Node::START;
        Self {
            shape,
            nodes: vec![start],
            origins: vec![None],
            seen: HashSet::from_iter([start]),
        }
    }

    fn add(&mut self, node: Node, parent: usize, step: Step) {
        let node = node.canonical(self.shape);
        if self.seen.insert(node) {
            self.nodes.push(node);
            self.origins.push(Some(Origin { parent, step }));
        }
    }

    /// The history that leads to a wrong verdict, with one naming of the threads all
    /// the way: the search renames them in every situation.
    fn explain(
        &self,
        position: usize,
        last: Step,
        transition: Transition,
        end: State,
    ) -> Box<Counterexample> {
        let mut path = vec![(last, end)];
        let mut at = position;
        while let Some(origin) = self.origins[at] {
            path.push((origin.step, self.nodes[at].state()));
            at = origin.parent;
        }
        path.reverse();

        let mut node = Node::START;
        let mut names: Vec<usize> = (0..self.shape.threads()).collect();
        let mut visits = Vec::new();
        for (step, state) in path {
            visits.push(Visit {
                step: step.renamed(&names, self.shape),
                state,
            });
            let after = match step {
                Step::Access { thread, access } => {
                    node.after_access(thread, access, state, self.shape)
                }
                barrier => node.after_barrier(barrier, self.shape),
            };
            let (canonical, moved_from) = after.renamed(self.shape);
            names = moved_from.iter().map(|&thread| names[thread]).collect();
            node = canonical;
        }
        Box::new(Counterexample {
            shape: self.shape,
            fault: if end == State::Race {
                Fault::FalseAlarm
            } else {
                Fault::Miss
            },
            visits,
            transition,
        })
    }
}
