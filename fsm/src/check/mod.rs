//! The proof by exhaustion: the machine in product with the happens-before relation.
//!
//! One location, a grid of a given [`Shape`], and every sequence of accesses and
//! barriers that keeps to it, up to the first race. At each access the machine's verdict
//! has to equal the truth, which is computed from the definition of a race and not from
//! the machine. A comparison whose outcome is not determined, such as that of the clocks
//! of two blocks or of a masked-out field, is explored with every outcome.
//! [`verify_any_grid`] does the same for grids of all sizes at once.
//!
//! # Invariants
//! - The truth, and what a comparison may show, are those of full histories with real
//!   clocks. Test: `truth_agrees_with_full_histories`.
//! - Renaming threads hides nothing. Test: `situations_without_symmetry`.
//! - The check can fail. Tests: `each_published_entry_breaks_exactness`,
//!   `every_mutation_is_refuted`.
//! - It is not vacuous: situations, verdicts and transitions reached are pinned, and
//!   2×2×2 reaches all 1152 transitions from states other than `RACE`. Tests:
//!   `exact_with_full_words`, `exact_with_masked_words`, `exact_on_any_grid`.
//! - A thread's access that repeats one since its last barrier need not be shown to the
//!   machine. Test: `repeated_accesses_need_no_check`.
//!
//! # Outside the model
//! Barriers of part of a warp or block, fences, and clocks that overflow their field.
//!
//! # Why our own search
//! The crate stateright explores the same product and finds the same situations. With
//! the same successor function it took 1.02 s for 3×3×3 with full words where this takes
//! 0.81 s, and 1.25 s for 1×2×8 against 0.96 s, on one thread and on two. What decides is
//! that it knows a state again by a 64-bit hash, so that a collision would hide part of
//! the space; here whole situations are compared, for 2.8 times the memory (100 MB for
//! 3×3×3). And it would bring 47 crates into one that has no dependencies.

mod any_grid;
mod compare;
mod conflict;
mod model;
#[cfg(test)]
mod repeats;
mod trace;

use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::ops::ControlFlow;

use crate::alphabet::{Access, State};
use crate::fields::Masks;
pub use crate::shape::{InvalidShape, MAX_THREADS, Shape};
use crate::table::{TRANSITIONS, Table, Transition};
pub use any_grid::{WrongVerdict, verify_any_grid};
use model::{Node, NodeHasher};
pub use trace::{Counterexample, Fault, Step, Visit};

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
    match verify_watched(table, masks, shape, &mut |_| ControlFlow::Continue(())) {
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
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Counts, NotVerified> {
    explore(table, masks, shape, watch).map(|(counts, _)| counts)
}

/// The search; also returns every situation.
fn explore(
    table: &Table,
    masks: &Masks,
    shape: Shape,
    // Not generic, so that the search is compiled here, with this crate's optimisation.
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<(Counts, Vec<Node>), NotVerified> {
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
            let comparison = node.comparison(thread, shape);
            let seen = comparison.observations(masks.keep(node.state()));
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
    let counts = Counts {
        situations: search.nodes.len(),
        verdicts,
        reached,
    };
    Ok((counts, search.nodes))
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
