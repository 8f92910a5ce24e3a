//! `hirace doctor`: checks the environment and suggests fixes.
//!
//! It queries tools for their versions and the driver for its GPUs. Each backend that has what it
//! needs compiles and runs a small program, because nothing else shows that it works.
//! [`self_test`] compares the device code with the specification of the state machine.
//!
//! # Promises
//! - Nothing is installed or configured; test programs are built in temporary directories.
//! - Each item that does not work comes with a suggested fix.
//!
//! # Dependencies
//! This is the only crate that opens the CUDA driver, and no other crate may depend on it.

pub mod gpu;

use serde::Serialize;

use crate::gpu::Gpu;
use hirace_model::Backend;

mod backends;
mod driver;
mod human;
mod nvcc;
pub mod self_test;
mod tools;
mod trial;

pub use human::render;

/// The version of the JSON form. A change that breaks readers changes the number.
pub const SCHEMA: &str = "hirace-doctor/1";

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// The item works.
    Ok,
    /// The item works with limitations.
    Warning,
    /// The item was not found.
    Missing,
    /// The item was found but does not work.
    Broken,
    /// The item was not checked, because something else is missing or `--quick` was given.
    Skipped,
}

/// The check of one item.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// The name of the item.
    pub name: &'static str,
    /// The result.
    pub state: State,
    /// What was found: a version and a path, or what is wrong.
    pub found: String,
    /// How to fix the item, in one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl Check {
    fn new(name: &'static str, state: State, found: impl Into<String>) -> Self {
        Self {
            name,
            state,
            found: found.into(),
            help: None,
        }
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Whether this result keeps a backend that needs the item from working.
    fn fails(&self) -> bool {
        matches!(self.state, State::Missing | State::Broken)
    }
}

/// The checks of one backend.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// Whether the backend can check programs, as far as this was tested.
    pub works: bool,
    /// The items that the backend needs.
    pub checks: Vec<Check>,
}

impl Outcome {
    fn new(checks: Vec<Check>) -> Self {
        Self {
            works: !checks.iter().any(Check::fails),
            checks,
        }
    }
}

/// The checks of the GPU backend.
#[derive(Clone, Debug, Serialize)]
pub struct GpuOutcome {
    /// Whether the backend works, and the items that it needs.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// The newest CUDA version that the driver supports, if there is a driver.
    pub cuda: Option<gpu::Version>,
    /// The GPUs.
    pub gpus: Vec<Gpu>,
}

/// Everything that was found.
#[derive(Clone, Debug, Serialize)]
pub struct Diagnosis {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The version of `hirace`.
    pub version: &'static str,
    /// The backend that decides `works`: `cpu` or `gpu`.
    pub backend: &'static str,
    /// Whether that backend works and passed the self-test, if one was requested.
    pub works: bool,
    /// The CPU executor.
    pub cpu: Outcome,
    /// nvcc, driver and GPU.
    pub gpu: GpuOutcome,
    /// Tools that are useful but not required.
    pub tools: Vec<Check>,
    /// The self-test, if it was requested and could run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub self_test: Option<SelfTest>,
}

/// The checks of the self-test.
#[derive(Clone, Debug, Serialize)]
pub struct SelfTest {
    /// The seed of the random accesses.
    pub seed: u64,
    /// Whether the self-test passed, and its steps.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What to check.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The backend that must work.
    pub backend: Backend,
    /// Whether to compile and run nothing.
    pub quick: bool,
    /// The seed with which to run the backend's self-test.
    pub self_test: Option<u64>,
}

/// Checks everything.
#[must_use]
pub fn diagnose(options: Options) -> Diagnosis {
    let skip = |backend| match options.self_test {
        _ if options.quick => Some("--quick"),
        Some(_) if options.backend == backend => Some("the self-test covers it"),
        _ => None,
    };
    let cpu = backends::cpu(skip(Backend::Cpu));
    let (gpu, installed) = backends::gpu(skip(Backend::Gpu));
    let (backend, mut works) = match options.backend {
        Backend::Cpu => ("cpu", cpu.works),
        Backend::Gpu => ("gpu", gpu.outcome.works),
    };
    let self_test = options.self_test.filter(|_| works).map(|seed| {
        let checks = match (options.backend, &installed) {
            (Backend::Gpu, Some(installed)) => self_test::on_gpus(installed, seed),
            _ => self_test::on_cpu(seed),
        };
        let outcome = Outcome::new(checks);
        works = outcome.works;
        SelfTest { seed, outcome }
    });
    Diagnosis {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        backend,
        works,
        cpu,
        gpu,
        tools: tools::look(),
        self_test,
    }
}

/// The diagnosis as one JSON object, with a newline.
#[must_use]
pub fn json(diagnosis: &Diagnosis) -> String {
    // Serialising cannot fail: there are no maps, and no numbers that JSON lacks.
    let mut text = serde_json::to_string_pretty(diagnosis).unwrap_or_default();
    text.push('\n');
    text
}
