//! The packed word with real clocks, in Rust and in the device headers, against full
//! histories, on random traces.
//!
//! `exhaustive.rs` proves the machine exact on every history of small grids, with
//! clocks that only say "passed a barrier since". Here the clocks count, are reset at
//! block barriers, have as many bits as on the device and overflow; words are packed,
//! and there are several locations and launches. Each access is judged three times:
//!
//! 1. by the list of all accesses so far and a vector clock per thread (`truth.rs`),
//! 2. by the packed word in Rust (`machine.rs`),
//! 3. by the device headers, compiled by the C++ compiler (`headers.cpp`): the CPU
//!    executor's clocks, its whole check and its slow path alone, or the GPU's layout;
//!
//! the last two with words that keep the fields that matter and with words that keep
//! all. All verdicts must be the same, and so must the words in Rust and C++.
//!
//! # Repeating a run
//! A sample has its own seed and a seventh of the traces. `PROPTEST_RNG_SEED=7 cargo test -p
//! hirace-fsm --test clocks` runs with another seed, `PROPTEST_CASES=100000` more traces. A trace
//! that fails is shrunk and printed with its seed.

#[path = "../common"]
mod common {
    pub mod cxx;
    pub mod tell;
}
mod coverage;
mod headers;
mod machine;
mod trace;
mod truth;

use std::cell::RefCell;

use hirace_fsm::word::Size;
use hirace_sample::Sample;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};

use coverage::Coverage;
use headers::Headers;
use machine::{Keep, Machine, Outcome, Run, Verdict};
use trace::{Trace, traces};
use truth::Truth;

/// With all of these traces of up to [`EVENTS`] events, well over ten million accesses are judged;
/// `Coverage` checks that.
const TRACES: u32 = 28_000;
const PARTS: u32 = 7;
const EVENTS: usize = 1600;
/// What `PROPTEST_RNG_SEED` replaces; of the first sample.
const SEED: u64 = 20_241_117;

const COMMAND: &str = "cargo test -p hirace-fsm --test clocks";

/// Compares the three judgements on traces.
struct Judge {
    machines: [Machine; 2],
    /// For words of each size. Without a C++ compiler, nothing.
    headers: [Option<Headers>; 2],
    coverage: Coverage,
}

impl Judge {
    fn new() -> Self {
        Self {
            machines: Keep::BOTH.map(Machine::new),
            headers: [Size::Four, Size::Eight].map(Headers::start),
            coverage: Coverage::default(),
        }
    }

    fn judge(&mut self, trace: &Trace) -> Result<(), String> {
        let outcomes = self.against_truth(trace)?;
        for keep in Keep::BOTH {
            let running = &mut self.headers[trace.size as usize];
            let Some(headers) = running else {
                break;
            };
            let compiled = headers.run(trace, keep).map_err(|error| {
                // It is gone, so no shorter trace fails.
                *running = None;
                format!("headers.cpp stopped: {error}")
            })?;
            against_headers(trace, keep, &outcomes[keep as usize], &compiled)?;
        }
        self.coverage.trace(trace, &outcomes[Keep::All as usize]);
        Ok(())
    }

    /// The message for a failing trace from which no event can be removed. The trace that
    /// proptest has shrunk may still have superfluous events.
    fn shortest(&mut self, mut trace: Trace, mut wrong: String) -> String {
        let mut index = trace.events.len();
        while index > 0 {
            index -= 1;
            let mut shorter = trace.clone();
            shorter.events.remove(index);
            if let Err(still_wrong) = self.judge(&shorter) {
                (trace, wrong) = (shorter, still_wrong);
                index = trace.events.len();
            }
        }
        wrong
    }

    /// The outcomes in Rust, for both kinds of words, if they are right.
    fn against_truth(&mut self, trace: &Trace) -> Result<[Vec<Outcome>; 2], String> {
        let mut runs = Keep::BOTH.map(|keep| Run::new(&self.machines[keep as usize], trace));
        let mut truth = Truth::new(trace.shape, trace.split);
        let mut outcomes = [const { Vec::new() }; 2];
        for (index, &event) in trace.events.iter().enumerate() {
            let races = truth.races(event).is_some();
            let mut is_checked = true;
            for keep in Keep::BOTH {
                let Some((outcome, transition)) = runs[keep as usize].pass(event) else {
                    continue;
                };
                outcomes[keep as usize].push(outcome);
                let Some(transition) = transition else {
                    is_checked = false;
                    continue;
                };
                if races != (outcome.verdict == Verdict::Race) {
                    let fault = if races { "missed race" } else { "false alarm" };
                    let what = format!("{fault} by {transition}");
                    return Err(explain(trace, index, keep, &what));
                }
                self.coverage.transition(keep, transition);
            }
            // The truth skips accesses that the device does not check, which may hide a race.
            if is_checked {
                truth.pass(event);
            }
        }
        Ok(outcomes)
    }
}

fn against_headers(
    trace: &Trace,
    keep: Keep,
    outcomes: &[Outcome],
    compiled: &[Outcome],
) -> Result<(), String> {
    assert_eq!(outcomes.len(), compiled.len());
    let Some(at) = (0..outcomes.len()).find(|&at| outcomes[at] != compiled[at]) else {
        return Ok(());
    };
    let mut accesses = (0..trace.events.len()).filter(|&index| trace.events[index].is_access());
    let index = accesses.nth(at).expect("an access per outcome");
    let what = format!(
        "the specification says {}, the headers say {}",
        outcomes[at], compiled[at]
    );
    Err(explain(trace, index, keep, &what))
}

/// A message about an event, with the trace up to it.
fn explain(trace: &Trace, index: usize, keep: Keep, what: &str) -> String {
    let history = Trace {
        events: trace.events[..=index].to_vec(),
        ..trace.clone()
    };
    format!("{what}\n  keeping {keep:?} fields, on {history}")
}

#[test]
fn packed_words_agree_with_full_histories() {
    let asked = Config::default();
    let sample = Sample::current();
    let parts = if sample.is_everything() { 1 } else { PARTS };
    let seed = match asked.rng_seed {
        RngSeed::Fixed(seed) => seed,
        RngSeed::Random => SEED + sample.seeds(1, 1_000_000).start,
    };
    let mut runner = TestRunner::new(Config {
        cases: asked.cases.max(TRACES / parts),
        rng_seed: RngSeed::Fixed(seed),
        // The seed is all that it takes to repeat a failure.
        failure_persistence: None,
        ..asked
    });
    let judge = RefCell::new(Judge::new());
    let result = runner.run(&traces(EVENTS), |trace| {
        let verdict = judge.borrow_mut().judge(&trace);
        verdict.map_err(TestCaseError::fail)
    });
    match result {
        Ok(()) => {}
        Err(TestError::Fail(reason, trace)) => {
            let wrong = judge.borrow_mut().shortest(trace, reason.to_string());
            panic!("{wrong}\n  repeat: PROPTEST_RNG_SEED={seed} {COMMAND}");
        }
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }

    let Judge { coverage, .. } = judge.into_inner();
    println!("{coverage}");
    coverage.assert_enough(parts as usize);
}
