//! The check can fail: every wrong machine is refuted.

mod common {
    pub mod shapes;
    pub mod tell;
}

use std::sync::atomic::{AtomicUsize, Ordering};

use common::shapes::{SHAPES, shape};
use common::tell::tell;
use hirace_fsm::check::{Counterexample, Fault, verify, verify_any_grid};
use hirace_fsm::minimize::Classes;
use hirace_fsm::{DEVIATIONS, Fields, Masks, State, Table, Transition};
use hirace_sample::Sample;
use hirace_sample::random::Random;

/// One mutation of so many is tried.
const SAMPLE: u64 = 14;

/// The shortest history that a machine gets wrong on any of the smaller grids.
fn refute(table: &Table, masks: &Masks) -> Option<Box<Counterexample>> {
    SHAPES[..5]
        .iter()
        .filter_map(|&size| verify(table, masks, shape(size)).err())
        .min_by_key(|wrong| wrong.visits.len())
}

#[test]
fn each_published_entry_breaks_exactness() {
    let mut faults = Vec::new();
    for deviation in DEVIATIONS {
        let table = Table::EXACT.with(deviation.transition, deviation.published);
        for masks in [Masks::FULL, Masks::of(&Table::EXACT)] {
            let wrong = refute(&table, &masks);
            let wrong = wrong.unwrap_or_else(|| panic!("{deviation:?} is not needed"));
            if masks == Masks::FULL {
                let (at, published) = (deviation.transition, deviation.published);
                tell!("published {at} -> {published} refuted: {wrong}");
                faults.push(wrong.fault);
            }
        }
    }
    let misses = faults.iter().filter(|&&fault| fault == Fault::Miss);
    assert_eq!((faults.len(), misses.count()), (15, 1));
}

/// Every change of a reachable transition that makes a difference.
fn mutations() -> Vec<(Transition, State)> {
    let classes = Classes::of(&Table::EXACT);
    let reachable = Transition::all().filter(|transition| transition.state != State::Race);
    reachable
        .flat_map(|transition| State::ALL.map(|next| (transition, next)))
        .filter(|&(transition, next)| !classes.equivalent(next, Table::EXACT.next(transition)))
        .collect()
}

#[test]
fn random_mutations_are_refuted() {
    let mutations = mutations();
    let mut random = Random::new(0);
    for _ in 0..20 {
        let (transition, next) = *random.pick(&mutations);
        let wrong = refute(&Table::EXACT.with(transition, next), &Masks::FULL)
            .unwrap_or_else(|| panic!("{transition} -> {next} is not refuted"));
        tell!("mutation {transition} -> {next} refuted: {wrong}");
    }
}

#[test]
fn every_mutation_is_refuted() {
    let mut mutations = mutations();
    assert_eq!(mutations.len(), 27_367);
    let sample = Sample::current();
    mutations.retain(|it| sample.takes_for_this_test(&format!("{} -> {}", it.0, it.1), SAMPLE));
    let position = AtomicUsize::new(0);
    let work = || {
        while let Some(&(transition, next)) =
            mutations.get(position.fetch_add(1, Ordering::Relaxed))
        {
            let table = Table::EXACT.with(transition, next);
            let refuted = SHAPES
                .iter()
                .any(|&size| verify(&table, &Masks::FULL, shape(size)).is_err());
            assert!(refuted, "{transition} -> {next} is not refuted");
            for masks in [Masks::FULL, Masks::of(&Table::EXACT)] {
                let refuted = verify_any_grid(&table, &masks).is_err();
                assert!(refuted, "{transition} -> {next} is not refuted on any grid");
            }
        }
    };
    std::thread::scope(|scope| {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    tell!("{} mutations refuted", mutations.len());
}

#[test]
fn every_smaller_mask_is_refuted() {
    let masks = Masks::of(&Table::EXACT);
    let mut dropped = 0;
    for state in State::ALL {
        for (field, name) in Fields::EACH {
            if masks.keep(state).contains(field) {
                let smaller = masks.keeping(state, masks.keep(state).without(field));
                let refuted = refute(&Table::EXACT, &smaller).is_some();
                assert!(refuted, "{state} does not need {name}");
                dropped += 1;
            }
        }
    }
    tell!("all {dropped} smaller masks refuted");
}
