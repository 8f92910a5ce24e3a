//! Accesses that are hidden from the machine, because the thread has made a similar one since
//! its last barrier.
//!
//! A read repeats a read or a write, a write repeats a write. Here every thread may do so at
//! any time, between any accesses and barriers of others. The truth counts these accesses, the
//! machine does not see them; still, they race with nothing before a race was found, and
//! the verdicts on all others stay right.

use std::collections::HashSet;

use super::Shape;
use super::model::Node;
use crate::alphabet::{Access, State};
use crate::fields::Masks;
use crate::table::{Table, Transition};

/// What is unseen, and what of the same thread makes it so.
type Repeat = (Access, &'static [Access]);

/// What the instrumenter leaves out.
const LEFT_OUT: [Repeat; 2] = [
    (Access::Read, &[Access::Read, Access::Write]),
    (Access::Write, &[Access::Write]),
];

/// What is wrong in some history.
#[derive(Debug, PartialEq, Eq)]
enum Wrong {
    /// An access that the machine is not shown is the first to race.
    Unseen,
    /// The machine's verdict on another is not the truth.
    Verdict,
}

/// Looks at every history of a grid; the number of situations.
fn search(masks: &Masks, shape: Shape, repeats: &[Repeat]) -> Result<usize, Wrong> {
    let mut found = vec![Node::START];
    let mut seen = HashSet::from([Node::START]);
    let mut position = 0;
    while let Some(&node) = found.get(position) {
        let mut successors: Vec<Node> = node
            .barriers_apart(shape)
            .map(|barrier| node.after_barrier(barrier, shape))
            .collect();
        for thread in node.threads_apart(shape) {
            let races = node.races(thread, shape);
            for (access, like) in repeats {
                if like.iter().any(|it| node.has_open(thread, *it)) {
                    if races[access.index()] {
                        return Err(Wrong::Unseen);
                    }
                    successors.push(node.after_unseen_access(thread, *access, shape));
                }
            }
            let comparison = node.comparison(thread, shape);
            for (sync, relation) in comparison.observations(masks.keep(node.state())) {
                for access in Access::ALL {
                    let next = Table::EXACT.next(Transition {
                        state: node.state(),
                        access,
                        sync,
                        relation,
                    });
                    if races[access.index()] != (next == State::Race) {
                        return Err(Wrong::Verdict);
                    }
                    if next != State::Race {
                        successors.push(node.after_access(thread, access, next, shape));
                    }
                }
            }
        }
        for next in successors {
            let next = next.canonical(shape);
            if seen.insert(next) {
                found.push(next);
            }
        }
        position += 1;
    }
    Ok(found.len())
}

/// They lead to no situation that the search without them does not find: its numbers are
/// those of `exact_with_full_words`.
#[test]
fn repeated_accesses_need_no_check() {
    for (size, situations) in [
        ([2, 2, 2], 2375),
        ([1, 2, 3], 5584),
        ([1, 1, 4], 1253),
        ([2, 1, 3], 980),
        ([3, 1, 1], 479),
    ] {
        let shape = Shape::new(size[0], size[1], size[2]).expect("a valid shape");
        for masks in [Masks::FULL, Masks::of(&Table::EXACT)] {
            assert_eq!(search(&masks, shape, &LEFT_OUT), Ok(situations), "{shape}");
        }
    }
}

/// What conflicts with more than the access before it does has to be shown.
#[test]
fn other_accesses_need_a_check() {
    let shape = Shape::new(2, 2, 2).expect("a valid shape");
    for repeat in [
        (Access::Write, &[Access::Read][..]),
        (Access::Write, &[Access::GridAtomic]),
        (Access::Read, &[Access::GridAtomic]),
        (Access::Read, &[Access::BlockAtomic]),
    ] {
        let wrong = search(&Masks::FULL, shape, &[repeat]);
        assert!(wrong.is_err(), "{repeat:?}");
    }
}
