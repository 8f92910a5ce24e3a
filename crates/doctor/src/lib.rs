//! `hirace doctor`: what is here of what hirace needs, and what to do about the rest.
//!
//! Tools are asked for their versions, the driver for its GPUs, and a small program is
//! compiled and run by each backend that could, because only that tells whether it works.

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

/// What is known of one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It is there and does what it should.
    Ok,
    /// It is there, and something about it matters.
    Warning,
    /// It is not there.
    Missing,
    /// It is there and does not work.
    Broken,
    /// Nobody looked, because something else is missing or `--quick` was given.
    Skipped,
}

/// One thing that was looked at.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// What it is.
    pub name: &'static str,
    /// How it is.
    pub state: State,
    /// What was found: a version and a place, or what is wrong.
    pub found: String,
    /// What to do about it, in one line.
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

    /// Whether what needs this cannot work.
    fn fails(&self) -> bool {
        matches!(self.state, State::Missing | State::Broken)
    }
}

/// The checks of one backend.
#[derive(Clone, Debug, Serialize)]
pub struct Part {
    /// Whether programs can be checked with it, as far as was looked.
    pub works: bool,
    /// What it needs.
    pub checks: Vec<Check>,
}

impl Part {
    fn new(checks: Vec<Check>) -> Self {
        Self {
            works: !checks.iter().any(Check::fails),
            checks,
        }
    }
}

/// The part of the GPU backend.
#[derive(Clone, Debug, Serialize)]
pub struct GpuPart {
    /// Whether it works, and what it needs.
    #[serde(flatten)]
    pub part: Part,
    /// The newest CUDA version that the driver supports, where there is a driver.
    pub cuda: Option<gpu::Version>,
    /// The GPUs.
    pub gpus: Vec<Gpu>,
}

/// Everything that was found.
#[derive(Clone, Debug, Serialize)]
pub struct Diagnosis {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Of `hirace`.
    pub version: &'static str,
    /// The backend that decides on `works`: `cpu` or `gpu`.
    pub backend: &'static str,
    /// Whether that backend works, and the self-test, where it was asked for, passed.
    pub works: bool,
    /// The CPU executor.
    pub cpu: Part,
    /// nvcc, driver and GPU.
    pub gpu: GpuPart,
    /// What is not needed, but of use.
    pub tools: Vec<Check>,
    /// The self-test, where it was asked for and could be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub self_test: Option<SelfTest>,
}

/// The part of the self-test.
#[derive(Clone, Debug, Serialize)]
pub struct SelfTest {
    /// Decides the random accesses.
    pub seed: u64,
    /// Whether it passed, and its steps.
    #[serde(flatten)]
    pub part: Part,
}

/// What to look at.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The backend that has to work.
    pub backend: Backend,
    /// Compile and run nothing.
    pub quick: bool,
    /// Do the self-test of the backend, with this seed.
    pub self_test: Option<u64>,
}

/// Looks at everything.
#[must_use]
pub fn diagnose(options: Options) -> Diagnosis {
    let skip = |backend| match options.self_test {
        _ if options.quick => Some("--quick"),
        Some(_) if options.backend == backend => Some("the self-test does more"),
        _ => None,
    };
    let cpu = backends::cpu(skip(Backend::Cpu));
    let (gpu, installed) = backends::gpu(skip(Backend::Gpu));
    let (backend, mut works) = match options.backend {
        Backend::Cpu => ("cpu", cpu.works),
        Backend::Gpu => ("gpu", gpu.part.works),
    };
    let self_test = options.self_test.filter(|_| works).map(|seed| {
        let checks = match (options.backend, &installed) {
            (Backend::Gpu, Some(installed)) => self_test::on_gpus(installed, seed),
            _ => self_test::on_cpu(seed),
        };
        let part = Part::new(checks);
        works = part.works;
        SelfTest { seed, part }
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
    // Nothing in it can fail to serialise: no maps, no numbers JSON does not have.
    let mut text = serde_json::to_string_pretty(diagnosis).unwrap_or_default();
    text.push('\n');
    text
}
