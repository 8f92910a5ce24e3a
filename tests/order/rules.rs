//! An engine without one of its rules (`device/hirace/executor/order/rules.h`) disagrees with the model.

use std::path::PathBuf;

use hirace_memory_model::models;
use hirace_sample::Sample;

use crate::execution::line;
use crate::families::Family;
use crate::{
    BATCH, Verdict, device, driver, engine, engines, examples, executor, in_halves, streams,
};

/// First seeds of batches that together show that the engine needs each of its rules. They were
/// found by a search over all seeds up to 32,000, and change with the generator.
const MUTATION_SEEDS: [(Family, u64); 8] = [
    (Family::Words, 0),
    (Family::Sizes, 0),
    (Family::Copies, 0),
    (Family::Words, 2_000),
    (Family::Words, 6_000),
    (Family::Words, 8_000),
    (Family::Words, 10_000),
    (Family::Words, 30_000),
];

/// One mutation of so many is tried.
const MUTATION_SAMPLE: u64 = 24;

/// The names of the rules that the engine can be compiled without (`rules.h`); those of the executor have tests of
/// their own.
fn rules() -> Vec<String> {
    let header = device().join("executor/order/rules.h");
    let text = std::fs::read_to_string(header).expect("the rules");
    let (_, names) = text
        .split_once("enum class Rule : std::uint8_t {")
        .expect("an enumeration");
    let (names, _) = names.split_once("};").expect("its end");
    let lines = names
        .lines()
        .filter_map(|line| line.trim().strip_suffix(','));
    let of_executor = |rule: &str| {
        let of_hooks = executor::RULES.iter().map(|it| it.0);
        let mut all = of_hooks.chain(streams::RULES).chain([engines::RULE]);
        all.any(|it| it == rule)
    };
    let own = lines.skip(1).filter(|it| !of_executor(it));
    own.map(str::to_owned).collect()
}

#[test]
fn each_rule_is_needed() {
    let model = models::shipped("ptx").expect("the model");
    let mut chosen = rules();
    assert!(chosen.len() > 20, "{chosen:#?}");
    chosen.retain(|it| Sample::current().takes_for_this_test(it, MUTATION_SAMPLE));
    let mut drivers: Vec<(String, PathBuf)> = in_halves(chosen, |rule| {
        let broken = format!("-DHIRACE_BROKEN_RULE={rule}");
        let driver = driver(&format!("order-without-{rule}"), &["-O0", &broken]);
        (rule, driver)
    });
    // The first programs refute the opposite of most rules.
    for (family, first) in MUTATION_SEEDS {
        let seeds = first..first + BATCH as u64;
        let all = examples(&model, family, seeds);
        let lines: String = all
            .iter()
            .map(|it| line(&it.program, &it.interleaving))
            .collect();
        drivers = in_halves(drivers, |(rule, driver)| {
            let found = engine(&driver, &lines);
            let mut pairs = all.iter().zip(found);
            let is_refuted = pairs.any(|(example, found)| found != Verdict::from(example.race));
            (!is_refuted).then_some((rule, driver))
        })
        .into_iter()
        .flatten()
        .collect();
        if drivers.is_empty() {
            return;
        }
    }
    panic!("nothing refutes an engine without: {drivers:#?}");
}
