//! The CPU executor ends in no state of the corpus that the model forbids: the executor is
//! sequentially consistent, so each of its executions is one of the model's.
//!
//! One test of 42 runs (`hirace_sample`).

use std::path::{Path, PathBuf};

use hirace_litmus::{Batch, Incantations, Machine, Outcome, build, text};
use hirace_memory_model::states::{allowed, observed};
use hirace_memory_model::verdict::Settings;
use hirace_memory_model::{litmus, models};
use hirace_sample::Sample;

/// One test of so many runs.
const SAMPLE: u64 = 42;

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
    let sample = Sample::current();
    let models = ["ptx", "sc"].map(|name| models::shipped(name).expect("a model"));
    let (mut ran, mut refused, mut several) = (0, 0, 0);
    let taken = |path: &&PathBuf| sample.takes(path.file_name(), SAMPLE);
    for file in corpus().iter().filter(taken) {
        let name = file.display().to_string();
        let source = std::fs::read_to_string(file).expect("text");
        let test = litmus::parse(&name, &source).expect("a test");
        // Whether it hangs, the model's own tests check.
        let mut lines = source.lines();
        if lines.any(|it| it.starts_with("\"expect:") && it.contains("may hang")) {
            refused += 1;
            continue;
        }
        let terms = observed(&test);
        let states = models.each_ref().map(|model| {
            let settings = Settings::default();
            allowed(&test, (&name, &source), &terms, model, &settings)
        });
        // The model's own tests raise the limit for it.
        let has_too_many = |it: &hirace_model::error::Result<_>| {
            let error = it.as_ref().err();
            error.is_some_and(|it| it.to_string().contains("candidate executions"))
        };
        if states.iter().any(has_too_many) {
            refused += 1;
            continue;
        }
        let states = states.map(|it| it.expect("states"));
        assert!(!states[0].may_hang, "{name} says that it cannot hang");
        if text(&test, Machine::Executor).is_err() {
            refused += 1;
            continue;
        }
        let built = build(&test, Machine::Executor, &[]).expect("a program");
        let batch = Batch {
            runs: RUNS,
            seed: 1,
            incantations: Incantations::default(),
            timeout: Some(std::time::Duration::from_secs(60)),
        };
        let histogram = built
            .run(&batch)
            .unwrap_or_else(|it| panic!("{name}: {it}"));
        assert_eq!(histogram.runs(), RUNS, "{name}");
        for allowed in &states {
            let outcome = Outcome::of(&test, &histogram, allowed);
            assert!(!outcome.contradicts(), "{name}: {outcome:#?}");
        }
        ran += 1;
        several += u32::from(histogram.states.len() > 1);
    }
    // Otherwise this would show nothing. A few tests may all be of one kind.
    assert!(ran + refused > 0);
    if sample == Sample::All {
        assert!(ran > refused, "{ran} ran, {refused} were refused");
        assert!(several * 4 > ran, "{several} of {ran} show several states");
    }
}
