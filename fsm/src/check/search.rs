//! The search through all situations of one grid.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::ops::ControlFlow;

use super::counts::Counts;
use super::model::{Node, NodeHasher};
use super::trace::{Counterexample, Fault, Step, Visit};
use crate::alphabet::{Access, State};
use crate::fields::Masks;
use crate::shape::Shape;
use crate::table::{TRANSITIONS, Table, Transition};

/// How a situation was first reached.
#[derive(Clone, Copy)]
struct Origin {
    parent: usize,
    step: Step,
}

/// The progress of a search.
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

/// Compares the machine with the truth for every history of a grid.
///
/// The search is breadth-first, so no counterexample is shorter.
///
/// # Errors
/// The first history for which the two disagree.
pub fn verify(table: &Table, masks: &Masks, shape: Shape) -> Result<Counts, Box<Counterexample>> {
    match verify_watched(table, masks, shape, &mut |_| ControlFlow::Continue(())) {
        Ok(counts) => Ok(counts),
        Err(NotVerified::Wrong(counterexample)) => Err(counterexample),
        Err(NotVerified::Stopped(_)) => unreachable!("nobody stops this search"),
    }
}

/// Like [`verify`], but reports its progress to `watch` from time to time, and stops if `watch`
/// tells it to.
///
/// # Errors
/// The first history for which machine and truth disagree, or a stopped search.
pub fn verify_watched(
    table: &Table,
    masks: &Masks,
    shape: Shape,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Counts, NotVerified> {
    explore(table, masks, shape, watch).map(|(counts, _)| counts)
}

/// The search; also returns every situation.
pub(super) fn explore(
    table: &Table,
    masks: &Masks,
    shape: Shape,
    // Not generic, so that the search is compiled in this crate, with its optimisation level.
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

/// The situations found so far; those from some position on are still to be explored.
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

    /// The history that leads to a wrong verdict, with the same thread numbers throughout, although
    /// the search renames threads in every situation.
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
