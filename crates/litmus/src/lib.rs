//! `hirace litmus run`: litmus tests as CUDA programs, and the final states that they end in.
//!
//! [`program`] makes the program of a test, [`Built`] is the compiled program, and [`Histogram`]
//! counts the final states that its runs ended in. [`Outcome`] compares these with the states that a
//! memory model allows. [`store`] keeps them in an SQLite file, so that a long run can be
//! interrupted.
//!
//! # Promises
//! - The same test, seed and iterations give the same sequence of launches; on the CPU executor also the same
//!   states.
//! - A test that the machine cannot run is an error, never a result.
//!
//! # Dependencies
//! This crate connects `memory-model` with those that compile and run. It must never know
//! command-line options.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;

use hirace_check::{Program, RunOptions};
use hirace_config::Config;
use hirace_memory_model::litmus::ast::{Test, Value};
use hirace_model::error::{Error, Result};
use hirace_model::{Backend, Ended};
use hirace_toolchain::{Launch, Output, interrupt, plain};

mod incantations;
mod outcome;
pub mod program;
pub mod store;

pub use incantations::{Incantation, Incantations};
pub use outcome::{Outcome, State};
pub use program::Machine;

/// The compiled program of a test.
#[derive(Debug)]
pub struct Built {
    directory: TempDir,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Gpu(PathBuf),
    Executor(Box<Program>, Box<Config>),
}

/// The final states that runs ended in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// The values of each state, as [`observed`](hirace_memory_model::states::observed) orders
    /// them, and how many runs ended in it.
    pub states: BTreeMap<Vec<Value>, u64>,
    /// Runs that do not count, because a thread left a loop after too many rounds.
    pub cut: u64,
}

impl Histogram {
    /// All runs.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.cut + self.states.values().sum::<u64>()
    }

    /// Adds the states of other runs.
    pub fn add(&mut self, other: &Self) {
        for (state, count) in &other.states {
            *self.states.entry(state.clone()).or_default() += count;
        }
        self.cut += other.cut;
    }
}

/// The program of a test as text.
///
/// # Errors
/// The machine cannot run the test.
pub fn text(test: &Test, machine: Machine) -> Result<String> {
    program::program(test, machine).map_err(|reason| Error::Input {
        message: format!("the test {} cannot be run: {reason}", test.name),
        help: None,
    })
}

/// Compiles the program of a test. `compiler` has arguments for nvcc, such as `-arch=sm_90`.
///
/// # Errors
/// The machine cannot run the test, or there is no compiler for it.
pub fn build(test: &Test, machine: Machine, compiler: &[String]) -> Result<Built> {
    let directory = tempfile::Builder::new()
        .prefix("hirace-")
        .tempdir()
        .map_err(|source| Error::system("create a build directory", source))?;
    let source = directory.path().join("litmus.cu");
    std::fs::write(&source, text(test, machine)?).map_err(|cause| Error::write(&source, cause))?;
    let kind = match machine {
        Machine::Gpu => {
            let executable = directory.path().join("litmus");
            plain::compile(&source, compiler, &executable)?;
            Kind::Gpu(executable)
        }
        Machine::Executor => {
            let config = Config::builtin();
            let program = hirace_check::build(&[source], Backend::Cpu, compiler, &config)?;
            Kind::Executor(Box::new(program), Box::new(config))
        }
    };
    Ok(Built { directory, kind })
}

/// Some runs of a program.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// How many.
    pub runs: u64,
    /// The seed of the schedules.
    pub seed: u64,
    /// What provokes weak behaviour.
    pub incantations: Incantations,
    /// How long they may take.
    pub timeout: Option<Duration>,
}

impl Built {
    /// Runs the program.
    ///
    /// # Errors
    /// It cannot be started, or it failed.
    pub fn run(&self, batch: &Batch) -> Result<Histogram> {
        let states = self.directory.path().join("states");
        let messages = self.directory.path().join("messages");
        let log = std::fs::File::create(&messages).map_err(|it| Error::write(&messages, it))?;
        let arguments: Vec<OsString> = vec![
            batch.runs.to_string().into(),
            batch.seed.to_string().into(),
            batch.incantations.bits().to_string().into(),
            states.clone().into(),
        ];
        let failure = match &self.kind {
            Kind::Gpu(executable) => {
                let ended = Launch {
                    executable,
                    arguments: &arguments,
                    environment: Vec::new(),
                    output: Output::To(&log),
                    timeout: batch.timeout,
                }
                .run()?;
                (ended != Ended::Exited(0)).then(|| ended.to_string())
            }
            Kind::Executor(program, config) => {
                let options = RunOptions {
                    arguments: &arguments,
                    // One worker: the states depend on nothing but the seed.
                    jobs: Some(1),
                    timeout: batch.timeout.map(|it| it.as_secs_f64()),
                    output: Output::To(&log),
                    ..RunOptions::default()
                };
                // Whether the test races does not matter here.
                let failure = program.run(config, &options)?.failure;
                failure.map(|it| it.message)
            }
        };
        interrupt::check()?;
        if let Some(failure) = failure {
            let output = std::fs::read_to_string(&messages).unwrap_or_default();
            let reason = output.lines().next().unwrap_or("no output");
            return Err(Error::Input {
                message: format!("the program of the test failed: {failure}: {reason}"),
                help: None,
            });
        }
        let text = std::fs::read_to_string(&states).map_err(|it| Error::read(&states, it))?;
        parse(&text).ok_or_else(|| Error::Input {
            message: "the program of the test did not write its states".to_owned(),
            help: None,
        })
    }
}

/// Reads what `program/histogram.cuh` writes.
fn parse(text: &str) -> Option<Histogram> {
    let mut lines = text.lines();
    let cut = lines.next()?.strip_prefix("cut ")?.parse().ok()?;
    let mut states = BTreeMap::new();
    for line in lines {
        let (count, values) = line.split_once(' ')?;
        let values: std::result::Result<Vec<Value>, _> =
            values.split(' ').map(str::parse).collect();
        states.insert(values.ok()?, count.parse().ok()?);
    }
    Some(Histogram { states, cut })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_read_and_added() {
        let mut histogram = parse("cut 2\n5 0 1\n3 1 -1\n").expect("states");
        assert_eq!(histogram.runs(), 10);
        histogram.add(&parse("cut 0\n1 0 1\n").expect("states"));
        assert_eq!(histogram.states[&vec![0, 1]], 6);
        assert_eq!(histogram.runs(), 11);
        assert_eq!(parse("cut 0\n1 x\n"), None);
        assert_eq!(parse(""), None);
    }
}
