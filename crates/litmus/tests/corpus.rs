//! What the CPU executor shows of the corpus is what the model allows: the executor is sequentially
//! consistent, and so is each of its executions one of the model's.
//!
//! Every 48th test runs; with `HIRACE_TESTS=all`, all do that can.

use std::path::{Path, PathBuf};

use hirace_litmus::{Incantations, Machine, Outcome, Part, build, text};
use hirace_memory_model::states::{allowed, observed};
use hirace_memory_model::verdict::Settings;
use hirace_memory_model::{litmus, models};

const SAMPLE: usize = 48;

const RUNS: u64 = 400;

fn corpus() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../memory-model/corpus");
    let mut files: Vec<PathBuf> = Vec::new();
    for topic in std::fs::read_dir(root).expect("the corpus") {
        let topic = topic.expect("a topic").path();
        if !topic.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(topic).expect("a topic") {
            files.push(file.expect("a test").path());
        }
    }
    files.sort();
    files
}

#[test]
fn the_executor_shows_what_the_model_allows() {
    let all = std::env::var_os("HIRACE_TESTS").is_some_and(|it| it == "all");
    let models = ["ptx", "sc"].map(|name| models::shipped(name).expect("a model"));
    let (mut ran, mut refused, mut several) = (0, 0, 0);
    for file in corpus().iter().step_by(if all { 1 } else { SAMPLE }) {
        let name = file.display().to_string();
        let source = std::fs::read_to_string(file).expect("text");
        let test = litmus::parse(&name, &source).expect("a test");
        let terms = observed(&test);
        let states = models.each_ref().map(|model| {
            let settings = Settings::default();
            allowed(&test, (&name, &source), &terms, model, &settings).expect("states")
        });
        if states[0].may_hang || text(&test, Machine::Executor).is_err() {
            refused += 1;
            continue;
        }
        let built = build(&test, Machine::Executor, &[]).expect("a program");
        let part = Part {
            runs: RUNS,
            seed: 1,
            incantations: Incantations::default(),
            timeout: Some(std::time::Duration::from_secs(60)),
        };
        let shown = built.run(&part).unwrap_or_else(|it| panic!("{name}: {it}"));
        assert_eq!(shown.runs(), RUNS, "{name}");
        for allowed in &states {
            let outcome = Outcome::of(&test, &shown, allowed);
            assert!(!outcome.contradicts(), "{name}: {outcome:#?}");
        }
        ran += 1;
        several += u32::from(shown.states.len() > 1);
    }
    // Otherwise this would show nothing.
    assert!(ran > refused, "{ran} ran, {refused} were refused");
    assert!(several * 4 > ran, "{several} of {ran} show several states");
}
