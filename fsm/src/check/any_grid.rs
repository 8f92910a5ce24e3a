//! Grids of all sizes at once.
//!
//! Up to the first race, a location has no more situations on a large grid than on a small one,
//! except for which thread is which. The reasons:
//!
//! - If two blocks have made accesses, these are only reads, or only device-scope atomics: any
//!   other pair of accesses by two blocks races, whatever barriers they passed.
//! - If two warps of a block have made accesses since its last block barrier, these are only reads,
//!   or only atomics. The same holds for two lanes of a warp since its last warp barrier.
//! - So it makes no difference which of the blocks, warps or lanes made which of these accesses.
//!   Only the union of their kinds matters, and how widely they are spread.
//! - If they are not spread over several blocks, the block is the recorded thread's; if not over
//!   several warps, the warp is. Then only barriers in which the recorded thread participates
//!   matter.
//!
//! So a [`Summary`] describes every history of every grid. The number of summaries is finite, and
//! the search over all of them is small. A smaller grid is a larger one in which some threads do
//! nothing.
//!
//! # Invariants
//! - Each situation of the searched grids has a summary that is found here, and 2×2×2 has all of
//!   them. Test: `summaries_are_those_of_small_grids`.

use std::collections::HashMap;
use std::fmt;

use super::compare::Comparison;
use super::conflict::{bit, races};
use super::counts::Counts;
use super::trace::Fault;
use crate::alphabet::{Access, Relation, State};
use crate::fields::Masks;
use crate::table::{TRANSITIONS, Table, Transition};

/// How widely the open accesses are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Spread {
    /// There are none.
    Nobody,
    /// Over the recorded thread only.
    Thread,
    /// Over several lanes of its warp.
    Lanes,
    /// Over several warps of its block: all accesses that no block barrier closed.
    Warps,
    /// Over several blocks: all accesses.
    Blocks,
}

/// One situation of a grid of any size: the true history of the location, as one bit per kind of
/// access, and the machine's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Summary {
    /// Kinds that a barrier of the recorded block closed.
    closed_by_block_barrier: u16,
    /// Kinds that a barrier of the recorded warp was the last to close.
    closed_by_warp_barrier: u16,
    /// Kinds that no barrier closed for all threads that they are spread over.
    open: u16,
    spread: Spread,
    state: State,
    warp_barrier: bool,
    block_barrier: bool,
}

impl Summary {
    const START: Self = Self {
        closed_by_block_barrier: 0,
        closed_by_warp_barrier: 0,
        open: 0,
        spread: Spread::Nobody,
        state: State::Init,
        warp_barrier: false,
        block_barrier: false,
    };

    /// The relations that another thread can have to the recorded one.
    fn relations(&self) -> impl Iterator<Item = Option<Relation>> {
        let first = *self == Self::START;
        let others = Relation::ALL.map(Some).into_iter();
        first
            .then_some(None)
            .into_iter()
            .chain(others.filter(move |_| !first))
    }

    /// The kinds by other threads of the block, and by other blocks, that are not ordered before
    /// the next access of a thread.
    fn unordered(&self, relation: Option<Relation>) -> (u16, u16) {
        let unclosed = self.closed_by_warp_barrier | self.open;
        match (self.spread, relation) {
            (_, None) => (0, 0),
            (Spread::Blocks, _) => (0, self.open),
            (_, Some(Relation::Grid)) => (0, self.closed_by_block_barrier | unclosed),
            (Spread::Warps, _) => (self.open, 0),
            (_, Some(Relation::Block)) => (unclosed, 0),
            (_, Some(Relation::Warp)) | (Spread::Lanes, _) => (self.open, 0),
            (_, Some(Relation::Same)) => (0, 0),
        }
    }

    fn comparison(&self, relation: Option<Relation>) -> Comparison {
        Comparison {
            relation,
            warp_barrier: self.warp_barrier,
            block_barrier: self.block_barrier,
        }
    }

    /// The situation after an access that does not race.
    ///
    /// As on a grid, an access replaces the earlier ones of its kind in its group.
    fn after_access(self, relation: Option<Relation>, access: Access, state: State) -> Self {
        let kind = bit(access);
        let unclosed = self.closed_by_warp_barrier | self.open;
        let everything = self.closed_by_block_barrier | unclosed;
        let (closed_by_block_barrier, closed_by_warp_barrier, open, spread) =
            match (self.spread, relation) {
                (Spread::Blocks, _) | (_, Some(Relation::Grid)) => {
                    (0, 0, everything | kind, Spread::Blocks)
                }
                (Spread::Warps, _) => (
                    self.closed_by_block_barrier & !kind,
                    0,
                    self.open | kind,
                    Spread::Warps,
                ),
                (_, Some(Relation::Block)) if unclosed != 0 => (
                    self.closed_by_block_barrier & !kind,
                    0,
                    unclosed | kind,
                    Spread::Warps,
                ),
                (spread, relation) => {
                    let joins = relation == Some(Relation::Warp) && self.open != 0;
                    (
                        self.closed_by_block_barrier & !kind,
                        self.closed_by_warp_barrier & !kind,
                        self.open | kind,
                        if joins {
                            Spread::Lanes
                        } else {
                            spread.max(Spread::Thread)
                        },
                    )
                }
            };
        Self {
            closed_by_block_barrier,
            closed_by_warp_barrier,
            open,
            spread,
            state,
            warp_barrier: false,
            block_barrier: false,
        }
    }

    /// The situation after the recorded warp's barrier.
    fn after_warp_barrier(mut self) -> Self {
        self.warp_barrier = true;
        if self.spread <= Spread::Lanes {
            self.closed_by_warp_barrier |= self.open;
            self.open = 0;
            self.spread = Spread::Nobody;
        }
        self
    }

    /// The situation after the recorded block's barrier.
    fn after_block_barrier(mut self) -> Self {
        self.block_barrier = true;
        if self.spread <= Spread::Warps {
            self.closed_by_block_barrier |= self.closed_by_warp_barrier | self.open;
            self.closed_by_warp_barrier = 0;
            self.open = 0;
            self.spread = Spread::Nobody;
        }
        self
    }
}

/// A wrong verdict on some grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongVerdict {
    /// The direction of the error.
    pub fault: Fault,
    /// The transition with the wrong verdict.
    pub transition: Transition,
    /// Events up to the access.
    pub events: usize,
}

impl fmt::Display for WrongVerdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            fault,
            transition,
            events,
        } = self;
        write!(formatter, "{fault} after {events} events by {transition}")
    }
}

/// Compares the machine with the truth for every history of every grid.
///
/// # Errors
/// A wrong verdict with the fewest events. [`verify`](super::verify) finds a history that leads to
/// it.
pub fn verify_any_grid(table: &Table, masks: &Masks) -> Result<Counts, WrongVerdict> {
    explore(table, masks).map(|(counts, _)| counts)
}

/// The search; also returns every situation with the number of events that lead to it.
fn explore(
    table: &Table,
    masks: &Masks,
) -> Result<(Counts, HashMap<Summary, usize>), WrongVerdict> {
    let mut found = vec![Summary::START];
    let mut depths = HashMap::from([(Summary::START, 0)]);
    let mut verdicts = 0;
    let mut reached = vec![false; TRANSITIONS];
    let mut position = 0;
    while let Some(&situation) = found.get(position) {
        let events = depths[&situation] + 1;
        let mut successors = Vec::new();
        if situation != Summary::START {
            successors.push(situation.after_warp_barrier());
            successors.push(situation.after_block_barrier());
        }
        for relation in situation.relations() {
            let (in_block, elsewhere) = situation.unordered(relation);
            let races = races(in_block, elsewhere);
            let keep = masks.keep(situation.state);
            for (sync, seen) in situation.comparison(relation).observations(keep) {
                for access in Access::ALL {
                    let transition = Transition {
                        state: situation.state,
                        access,
                        sync,
                        relation: seen,
                    };
                    let next = table.next(transition);
                    verdicts += 1;
                    reached[transition.index()] = true;
                    let races = races[access.index()];
                    if races != (next == State::Race) {
                        return Err(WrongVerdict {
                            fault: if races {
                                Fault::Miss
                            } else {
                                Fault::FalseAlarm
                            },
                            transition,
                            events,
                        });
                    }
                    if !races {
                        successors.push(situation.after_access(relation, access, next));
                    }
                }
            }
        }
        for next in successors {
            depths.entry(next).or_insert_with(|| {
                found.push(next);
                events
            });
        }
        position += 1;
    }
    let counts = Counts {
        situations: found.len(),
        verdicts,
        reached,
    };
    Ok((counts, depths))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::ops::ControlFlow;

    use super::*;
    use crate::check::Shape;
    use crate::check::model::Node;

    /// The summary of a situation on a grid.
    fn summary(node: &Node, shape: Shape) -> Summary {
        let threads = node.kinds(shape);
        let spread = |group: &dyn Fn(usize) -> usize, is_one: &dyn Fn([u16; 3]) -> bool| {
            let members = threads
                .iter()
                .enumerate()
                .filter(|(_, kinds)| is_one(**kinds));
            members
                .map(|(thread, _)| group(thread))
                .collect::<HashSet<_>>()
                .len()
        };
        let union = |index: usize| threads.iter().fold(0, |all, kinds| all | kinds[index]);
        let blocks = spread(&|thread| shape.block_of(thread), &|kinds| kinds != [0; 3]);
        let warps = spread(&|thread| shape.warp_of(thread), &|kinds| {
            kinds[0] | kinds[1] != 0
        });
        let lanes = spread(&|thread| thread, &|kinds| kinds[0] != 0);
        let [open, by_warp, by_block] = [union(0), union(1), union(2)];
        let (closed_by_block_barrier, closed_by_warp_barrier, open, spread) = if blocks > 1 {
            (0, 0, open | by_warp | by_block, Spread::Blocks)
        } else if warps > 1 {
            (by_block, 0, open | by_warp, Spread::Warps)
        } else {
            let spread = match lanes {
                0 => Spread::Nobody,
                1 => Spread::Thread,
                _ => Spread::Lanes,
            };
            (by_block, by_warp, open, spread)
        };
        let comparison = node.comparison(0, shape);
        Summary {
            closed_by_block_barrier,
            closed_by_warp_barrier,
            open,
            spread,
            state: node.state(),
            warp_barrier: comparison.warp_barrier,
            block_barrier: comparison.block_barrier,
        }
    }

    #[test]
    fn summaries_are_those_of_small_grids() {
        let masks = Masks::FULL;
        let (_, all) = explore(&Table::EXACT, &masks).expect("the machine is exact");
        for size in [
            [2, 2, 2],
            [1, 2, 3],
            [1, 1, 4],
            [2, 1, 3],
            [3, 1, 1],
            [3, 3, 3],
        ] {
            let shape = Shape::new(size[0], size[1], size[2]).expect("a valid shape");
            let watch = &mut |_| ControlFlow::Continue(());
            let (_, nodes) = crate::check::search::explore(&Table::EXACT, &masks, shape, watch)
                .expect("the machine is exact");
            let there: HashSet<_> = nodes.iter().map(|node| summary(node, shape)).collect();
            assert!(there.iter().all(|one| all.contains_key(one)), "{shape}");
            if size == [2, 2, 2] {
                assert_eq!(there.len(), all.len());
            }
        }
    }
}
