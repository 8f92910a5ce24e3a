//! Accesses that are hidden from the machine because the thread has made a similar one since its
//! last barrier.
//!
//! A read repeats a read or a write, and a write repeats a write. Here every thread may repeat
//! accesses at any time, between any accesses and barriers of others. The truth counts these
//! accesses, but the machine does not see them. Still, they do not race before a race has been
//! found, and the verdicts on all other accesses stay right.

use std::collections::HashSet;

use super::Shape;
use super::model::Node;
use crate::alphabet::{Access, State};
use crate::fields::Masks;
use crate::table::{Table, Transition};

/// A hidden access, and the earlier accesses of the same thread that allow hiding it.
type Repeat = (Access, &'static [Access]);

/// The accesses that the instrumenter skips.
const LEFT_OUT: [Repeat; 2] = [
    (Access::Read, &[Access::Read, Access::Write]),
    (Access::Write, &[Access::Write]),
];

/// An error in some history.
#[derive(Debug, PartialEq, Eq)]
enum Wrong {
    /// A hidden access is the first to race.
    Unseen,
    /// The machine's verdict on another access is wrong.
    Verdict,
}

/// Searches every history of a grid; returns the number of situations.
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

/// Hidden accesses lead to no situation that the search without them does not find: the numbers are
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

/// An access that conflicts with more than the earlier one must be shown.
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
