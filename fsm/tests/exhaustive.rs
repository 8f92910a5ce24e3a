//! The machine against the truth, on every history of small grids.

mod common {
    pub mod shapes;
    pub mod tell;
}

use common::shapes::{SHAPES, shape};
use common::tell::tell;
use hirace_fsm::check::{Counts, Shape, verify, verify_any_grid};
use hirace_fsm::{Masks, Table};

/// Checks all shapes and compares situations, verdicts and transitions reached.
///
/// 2x2x2 reaches every transition from a state other than `RACE`: 24 × 48.
#[track_caller]
fn check(words: &str, masks: &Masks, expected: [(usize, usize, usize); 6]) {
    let counts = SHAPES.map(|size| {
        let shape = shape(size);
        let counts = verify(&Table::EXACT, masks, shape).unwrap_or_else(|wrong| panic!("{wrong}"));
        let Counts {
            situations,
            verdicts,
            ..
        } = counts;
        let transitions = counts.transitions_reached();
        tell!(
            "exact on {shape}, {words} words: {situations} situations, {verdicts} verdicts, \
             {transitions} of 1200 transitions"
        );
        (situations, verdicts, transitions)
    });
    assert_eq!(counts, expected);
}

#[test]
fn exact_with_full_words() {
    let expected = [
        (2375, 74_568, 1152),
        (5584, 129_588, 804),
        (1253, 12_728, 432),
        (980, 20_856, 696),
        (479, 8272, 312),
        (152_020, 11_389_472, 1152),
    ];
    check("full", &Masks::FULL, expected);
}

#[test]
fn exact_with_masked_words() {
    let expected = [
        (2375, 223_048, 1152),
        (5584, 502_528, 804),
        (1253, 22_160, 432),
        (980, 34_604, 720),
        (479, 15_760, 360),
        (152_020, 51_436_468, 1152),
    ];
    check("masked", &Masks::of(&Table::EXACT), expected);
}

#[test]
fn exact_on_any_grid() {
    for (words, masks, verdicts) in [
        ("full", Masks::FULL, 19_984),
        ("masked", Masks::of(&Table::EXACT), 27_280),
    ] {
        let counts = verify_any_grid(&Table::EXACT, &masks);
        let counts = counts.unwrap_or_else(|wrong| panic!("{wrong}"));
        let transitions = counts.transitions_reached();
        tell!(
            "exact on grids of any size, {words} words: {} situations, {} verdicts, \
             {transitions} of 1200 transitions",
            counts.situations,
            counts.verdicts
        );
        assert_eq!(
            (counts.situations, counts.verdicts, transitions),
            (745, verdicts, 1152)
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
