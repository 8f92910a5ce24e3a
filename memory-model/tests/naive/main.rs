//! The tool against a second, naive judge, which is written from the text of the ISA.

mod barriers;
mod generator;
mod judge;
mod matrix;
mod patterns;
mod program;
mod run;

use std::sync::atomic::{AtomicU64, Ordering};

use hirace_memory_model::cat::Model;
use hirace_memory_model::{litmus, models, verdict};

use judge::{Outcome, judge};
use program::Program;

/// Programs that are compared.
const PROGRAMS: u64 = 20_000;

/// The naive judge skips programs with more candidate executions.
const MAX_CANDIDATES: usize = 600;

/// What the tool says.
fn tool(program: &Program, model: &Model) -> Result<Outcome, String> {
    let text = program.text();
    let test = litmus::parse("naive", &text).map_err(|it| it.to_string())?;
    let settings = verdict::Settings::default();
    let found = verdict::judge(&test, "naive", &text, model, &settings);
    let found = found.map_err(|it| it.to_string())?;
    Ok(Outcome {
        holds: found.holds,
        executions: found.executions,
        witnesses: found.witnesses,
        race: found.race,
        may_hang: found.may_hang,
    })
}

/// Whether the tool and the judge differ.
fn differ(program: &Program, model: &Model) -> bool {
    let naive = judge(program, MAX_CANDIDATES);
    naive.is_some_and(|naive| tool(program, model) != Ok(naive))
}

/// Drops instructions while the tool and the judge still differ.
fn shrink(mut program: Program, model: &Model) -> Program {
    'again: loop {
        for thread in 0..program.threads.len() {
            for at in 0..program.threads[thread].code.len() {
                let less = program.without(thread, at);
                if differ(&less, model) {
                    program = less;
                    continue 'again;
                }
            }
        }
        return program;
    }
}

/// How many programs have a property, so that the comparison is known not to be empty.
#[derive(Debug, Default)]
struct Counts {
    skipped: AtomicU64,
    executions: AtomicU64,
    hold: AtomicU64,
    race: AtomicU64,
    hang: AtomicU64,
    /// The model forbids some candidates.
    impossible: AtomicU64,
}

impl Counts {
    fn add(&self, outcome: Outcome) {
        self.executions
            .fetch_add(outcome.executions, Ordering::Relaxed);
        self.hold
            .fetch_add(u64::from(outcome.holds), Ordering::Relaxed);
        self.race
            .fetch_add(u64::from(outcome.race), Ordering::Relaxed);
        self.hang
            .fetch_add(u64::from(outcome.may_hang), Ordering::Relaxed);
        let impossible = outcome.executions == 0;
        self.impossible
            .fetch_add(u64::from(impossible), Ordering::Relaxed);
    }
}

/// The first seed from `first` on, in steps of `step`, on which the two differ.
fn compare(first: u64, step: usize, counts: &Counts) -> Option<u64> {
    let model = models::shipped("ptx").expect("the model");
    (first..PROGRAMS).step_by(step).find(|seed| {
        let program = generator::generate(*seed);
        match judge(&program, MAX_CANDIDATES) {
            None => {
                counts.skipped.fetch_add(1, Ordering::Relaxed);
                false
            }
            Some(naive) => {
                counts.add(naive);
                tool(&program, &model) != Ok(naive)
            }
        }
    })
}

#[test]
fn the_tool_agrees_with_a_naive_judge() {
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let counts = Counts::default();
    let counts = &counts;
    let seeds: Vec<Option<u64>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|first| scope.spawn(move || compare(first as u64, threads, counts)))
            .collect();
        workers
            .into_iter()
            .map(|it| it.join().expect("a comparison"))
            .collect()
    });
    if let Some(seed) = seeds.into_iter().flatten().min() {
        let model = models::shipped("ptx").expect("the model");
        let program = shrink(generator::generate(seed), &model);
        let naive = judge(&program, MAX_CANDIDATES).expect("a small program");
        let tool = tool(&program, &model);
        panic!(
            "seed {seed}:\n{}tool:  {tool:?}\nnaive: Ok({naive:?})",
            program.text()
        );
    }
    println!("{counts:?}");
    let skipped = counts.skipped.load(Ordering::Relaxed);
    assert!(skipped * 20 < PROGRAMS, "{skipped} programs are too large");
    let hang = counts.hang.load(Ordering::Relaxed);
    assert!(hang * 300 > PROGRAMS, "{counts:?}");
    for common in [&counts.hold, &counts.race] {
        let share = common.load(Ordering::Relaxed) * 10 / PROGRAMS;
        assert!((1..9).contains(&share), "{counts:?}");
    }
}
