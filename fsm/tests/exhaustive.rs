//! The machine against the truth, on every history of small grids.

use hirace_fsm::check::{Counterexample, Counts, Shape, verify};
use hirace_fsm::{DEVIATIONS, Masks, Table};

const SHAPES: [(usize, usize, usize); 5] = [(2, 2, 2), (1, 2, 3), (1, 1, 4), (2, 1, 3), (3, 1, 1)];

fn shape((blocks, warps, threads): (usize, usize, usize)) -> Shape {
    Shape::new(blocks, warps, threads).expect("a valid shape")
}

/// Checks all shapes and compares states, verdicts and transitions reached.
///
/// On 2x2x2 every transition from a state other than `RACE` comes up: 24 × 48.
#[track_caller]
fn check(masks: &Masks, expected: [(usize, usize, usize); 5]) {
    let counts = SHAPES.map(|size| {
        let shape = shape(size);
        let counts = verify(&Table::EXACT, masks, shape).unwrap_or_else(|wrong| panic!("{wrong}"));
        let Counts {
            states, verdicts, ..
        } = counts;
        let transitions = counts.transitions_reached();
        println!("{shape}: {states} states, {verdicts} verdicts, {transitions} transitions");
        (states, verdicts, transitions)
    });
    assert_eq!(counts, expected);
}

#[test]
fn exact_with_full_words() {
    let expected = [
        (2375, 169_232, 1152),
        (5584, 198_636, 804),
        (1253, 20_224, 432),
        (980, 47_280, 696),
        (479, 13_528, 312),
    ];
    check(&Masks::FULL, expected);
}

#[test]
fn exact_with_masked_words() {
    let expected = [
        (2375, 358_416, 1152),
        (5584, 706_104, 804),
        (1253, 33_760, 432),
        (980, 67_836, 720),
        (479, 21_880, 360),
    ];
    check(&Masks::of(&Table::EXACT), expected);
}

/// The shortest history that a wrong table gets wrong on any of the shapes.
fn refute(table: &Table) -> Option<Box<Counterexample>> {
    SHAPES
        .into_iter()
        .filter_map(|size| verify(table, &Masks::FULL, shape(size)).err())
        .min_by_key(|wrong| wrong.visits.len())
}

#[test]
fn each_published_entry_breaks_exactness() {
    for deviation in DEVIATIONS {
        let table = Table::EXACT.with(deviation.transition, deviation.published);
        let wrong = refute(&table).unwrap_or_else(|| panic!("{deviation:?} is not needed"));
        println!(
            "{} -> {}: {wrong}",
            deviation.transition, deviation.published
        );
    }
}

#[test]
fn shapes_need_threads_and_a_limit() {
    for (blocks, warps, threads) in [
        (0, 1, 1),
        (1, 0, 1),
        (1, 1, 0),
        (3, 3, 4),
        (usize::MAX, 2, 2),
    ] {
        assert!(Shape::new(blocks, warps, threads).is_err());
    }
    assert_eq!(shape((2, 2, 2)).to_string(), "2x2x2");
}
