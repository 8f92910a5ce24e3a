use std::collections::HashSet;

use hirace_sample::random::Random;

use super::*;
use crate::fields::{Fields, Masks};
use crate::history::{History, VectorClocks};
use crate::table::{Table, Transition};
use crate::word::{Clocks, Size, Widths, Word};

/// Compares situations with full histories with vector clocks, and with words with real clocks.
#[test]
fn truth_agrees_with_full_histories() {
    let mut random = Random::new(0);
    let mut verdicts = [0; 2];
    for size in [[2, 2, 2], [1, 2, 3], [3, 1, 2]] {
        let shape = Shape::new(size[0], size[1], size[2]).unwrap();
        let steps: Vec<Step> = Step::all(shape).collect();
        for masks in [Masks::FULL, Masks::of(&Table::EXACT)] {
            for _ in 0..4000 {
                let mut pair = Pair::new(shape, masks);
                for _ in 0..24 {
                    let step = *random.pick(&steps);
                    if let Some(raced) = pair.step(step) {
                        verdicts[usize::from(raced)] += 1;
                    }
                }
            }
        }
    }
    assert!(verdicts.iter().all(|&count| count > 50_000), "{verdicts:?}");
}

/// A situation, and the full history that it summarises.
struct Pair {
    shape: Shape,
    masks: Masks,
    node: Node,
    history: History,
    order: VectorClocks,
    clocks: Clocks,
    word: Word,
}

impl Pair {
    fn new(shape: Shape, masks: Masks) -> Self {
        Self {
            shape,
            masks,
            node: Node::START,
            history: History::default(),
            order: VectorClocks::new(shape.threads()),
            clocks: Clocks::new(shape, Size::Eight),
            word: Word::default(),
        }
    }

    /// Returns whether an access races; a racing access is not performed.
    fn step(&mut self, step: Step) -> Option<bool> {
        let shape = self.shape;
        match step {
            Step::SyncWarp(warp) => {
                self.order.barrier(shape.warp_threads(warp));
                self.clocks.sync_warp(warp);
            }
            Step::SyncThreads(block) => {
                self.order.barrier(shape.block_threads(block));
                self.clocks.sync_threads(block);
            }
            Step::Access { thread, access } => return Some(self.access(thread, access)),
        }
        self.node = self.node.after_barrier(step, shape);
        None
    }

    fn access(&mut self, thread: usize, access: Access) -> bool {
        let shape = self.shape;
        let mut racing = self.history.racing(&self.order, shape, thread, access);
        let races = racing.next().is_some();
        drop(racing);
        assert_eq!(self.node.races(thread, shape)[access.index()], races);
        let widths = Widths::gpu(Size::Eight);
        let who = self.clocks.identity(thread);
        let (word, transition) = self
            .word
            .step(&Table::EXACT, &self.masks, widths, who, access);
        let keep = self.masks.keep(self.node.state());
        let mut possible = self.node.comparison(thread, shape).observations(keep);
        assert!(
            possible.any(|seen| seen == (transition.sync, transition.relation)),
            "{transition} cannot be seen"
        );
        if !races {
            self.history.add(self.order.tick(thread), access);
            self.word = word;
            let state = word.state(widths, who.epoch);
            self.node = self.node.after_access(thread, access, state, shape);
        }
        races
    }
}

/// The search without symmetry reduction finds the same situations, renamed.
#[test]
fn situations_without_symmetry() {
    let check = |size: [usize; 3], expected: [usize; 2]| {
        let shape = Shape::new(size[0], size[1], size[2]).unwrap();
        let mut found = vec![Node::START];
        let mut seen = HashSet::from([Node::START]);
        let mut explored = 0;
        while let Some(&node) = found.get(explored) {
            explored += 1;
            let mut add = |next: Node| {
                if seen.insert(next) {
                    found.push(next);
                }
            };
            for step in Step::all(shape) {
                let Step::Access { thread, access } = step else {
                    add(node.after_barrier(step, shape));
                    continue;
                };
                if node.races(thread, shape)[access.index()] {
                    continue;
                }
                let comparison = node.comparison(thread, shape);
                for (sync, relation) in comparison.observations(Fields::ALL) {
                    let next = Table::EXACT.next(Transition {
                        state: node.state(),
                        access,
                        sync,
                        relation,
                    });
                    add(node.after_access(thread, access, next, shape));
                }
            }
        }
        let renamed: HashSet<Node> = found.iter().map(|node| node.canonical(shape)).collect();
        assert_eq!([found.len(), renamed.len()], expected, "{shape}");
    };
    check([2, 2, 2], [28_801, 2375]);
    check([1, 1, 4], [10_769, 1253]);
    check([3, 1, 1], [1579, 479]);
    check([2, 1, 3], [7621, 980]);
}

#[test]
fn canonical_form_ignores_numbering() {
    let shape = Shape::new(2, 2, 2).unwrap();
    let access = |thread| Node::START.after_access(thread, Access::Read, State::Read, shape);
    for thread in 1..shape.threads() {
        let same = access(thread).canonical(shape) == access(0).canonical(shape);
        assert!(same, "t{thread}");
    }
    let (_, moved_from) = access(5).renamed(shape);
    assert_eq!(moved_from, [5, 4, 6, 7, 0, 1, 2, 3]);
}
