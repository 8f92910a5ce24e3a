//! The report as data. Serialised, it is the JSON report: names and shapes here are a promise to
//! other tools.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use hirace_model::{Backend, Coverage, Hidden, NotMonitored, SwitchedOff, Warning};

mod fault;
mod place;
mod race;
mod sample;

pub use fault::{Allocation, Failure, Fault, Severity};
pub use hirace_model::wire::numbers::{AccessKind, RaceScope as Relation, Space};
pub use place::{
    CallSite, Element, Launch, LaunchCall, LaunchShape, Memory, OtherCall, Position, Process,
    Sighting,
};
pub use race::{Access, Actor, Certainty, Number, Origin, Race, Role, Stream, Work};
pub use sample::SampledKernel;

/// The name of the JSON report's schema. A change that breaks readers changes the number.
pub const SCHEMA: &str = "hirace-report/1";

/// The full version of the JSON report: the number of [`SCHEMA`], and a second number that rises
/// when something is added.
pub const SCHEMA_VERSION: &str = "1.13";

/// What a check found.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// The kind of this document, and the version that readers must know.
    #[schemars(extend("const" = SCHEMA))]
    pub schema: Cow<'static, str>,
    /// The full version: the second number rises when something is added.
    #[schemars(regex(pattern = r"^1\.[0-9]+$"))]
    pub schema_version: Cow<'static, str>,
    /// The version of hirace that checked.
    pub tool_version: Cow<'static, str>,
    /// The directory that relative file names start from; `null` if it is unknown, or if reports
    /// from several directories were merged.
    pub working_directory: Option<String>,
    /// Where the program ran; `null` if none ran.
    pub backend: Option<Backend>,
    /// What hirace was given: CUDA source if it is missing.
    #[serde(default, skip_serializing_if = "Input::is_cuda")]
    pub input: Input,
    /// The command that looks for repairs of a program that was built beforehand; empty if there is
    /// none. Missing if hirace built the program: `hirace fix` with the same files and arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repair: Option<String>,
    /// Seed of the first schedule.
    pub seed: u32,
    /// Seeds of all schedules that were run.
    pub seeds: Vec<u32>,
    /// The outcome in one word.
    pub status: Status,
    /// Why the check failed; races found before the failure are listed too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// The numbers.
    pub summary: Summary,
    /// How much of the device code is monitored, counted in the source.
    pub coverage: CoverageEntry,
    /// Kernels of which only a sample was checked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sampled: Vec<SampledKernel>,
    /// The races, by position.
    pub races: Vec<Race>,
    /// Faults: first the one that ended the run, then by position.
    pub faults: Vec<Fault>,
    /// Findings that suppressions hide; they are in neither of the two lists.
    #[serde(default)]
    pub suppressed: Vec<Suppressed>,
    /// Places in device code that ran unchecked.
    pub not_monitored: Vec<NotMonitored>,
    /// Constructs that may order accesses but are not modelled.
    pub not_modelled: Vec<NotModelledEntry>,
    /// What the user chose not to check.
    pub switched_off: Vec<SwitchedOff>,
    /// Mistakes in `// hirace:` comments, and suppressions that match nothing.
    pub warnings: Vec<Warning>,
    /// Other limits of the answer, one sentence each.
    pub notes: Vec<String>,
    /// The files that contain the findings.
    pub sources: Vec<Source>,
    /// The comments in the source that hide findings; [`Report::suppress_commented`] applies them.
    #[serde(skip)]
    pub hidden: Vec<Hidden>,
}

/// A file, with a digest that shows whether it has changed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    /// The file as the user named it.
    pub file: String,
    /// A hash of its text.
    pub digest: String,
}

impl Source {
    /// The file with the [`hirace_model::table::digest`] of its text.
    pub fn new(file: &str, digest: u64) -> Self {
        Self {
            file: file.to_owned(),
            digest: format!("{digest:016x}"),
        }
    }
}

/// The language of the kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Input {
    /// CUDA source.
    #[default]
    Cuda,
    /// A PTX file. Its excerpts may be from the CUDA source that it was compiled from.
    Ptx,
}

impl Input {
    fn is_cuda(&self) -> bool {
        *self == Self::Cuda
    }
}

/// The outcome in one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Checked, and no race was found.
    Clean,
    /// Only possible races.
    Possible,
    /// At least one definite race.
    Races,
    /// No race, but at least one fault.
    Faults,
    /// The check failed.
    #[default]
    Failed,
}

/// What a report means to whoever asked for the check: the exit status of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Checked, and nothing found that counts.
    Clean,
    /// At least one finding that counts.
    Findings,
    /// It is unknown whether there are any.
    NotChecked,
}

/// The numbers of a run.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Entries of `races`, possible ones included.
    pub races: usize,
    /// Of these, the possible ones.
    pub possible: usize,
    /// Entries of `faults` that are not warnings.
    pub faults: usize,
    /// The sum of the races' `occurrences`.
    pub occurrences: u64,
    /// Entries of `suppressed`.
    #[serde(default)]
    pub suppressed: usize,
    /// Kernel launches.
    pub launches: u64,
    /// Monitored accesses.
    pub accesses: u64,
}

/// How much of the device code is monitored.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct CoverageEntry {
    /// The numbers.
    #[serde(flatten)]
    pub counts: Coverage,
    /// [`Coverage::percent`].
    pub percent: Option<f64>,
}

impl From<Coverage> for CoverageEntry {
    fn from(counts: Coverage) -> Self {
        Self {
            counts,
            percent: counts.percent(),
        }
    }
}

/// A finding that a suppression hides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Suppressed {
    /// The fingerprint of the race or the fault.
    pub fingerprint: String,
    /// Such as `HR001`.
    pub code: Cow<'static, str>,
    /// The kernel that ran; `null` in host code.
    pub kernel: Option<String>,
    /// The variable at the root of the access, if known.
    pub variable: Option<String>,
    /// The file of the access, or of the first access with a known place.
    pub file: Option<String>,
    /// Its line, from 1.
    pub line: Option<u32>,
    /// Number of occurrences.
    pub occurrences: u64,
    /// The file and line of the suppression.
    pub by: String,
    /// Whether the suppression is a comment in the source.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_source: bool,
}

/// A construct that may order accesses but is not modelled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotModelledEntry {
    /// The file as the user named it; empty if the place is unknown.
    pub file: String,
    /// From 1; 0 if the place is unknown.
    pub line: u32,
    /// Its name.
    pub construct: String,
    /// Whether this run executed it.
    pub executed: bool,
}

impl Failure {
    /// The kind of failure of a program that ended with a status of its own.
    pub const EXIT: &str = "exit";
}

impl Report {
    /// A report of a check that ended before the program ran.
    #[must_use]
    pub fn failed(backend: Option<Backend>, seed: u32, failure: Failure) -> Self {
        Self {
            failure: Some(failure),
            ..Self::of_nothing(backend, seed)
        }
    }

    /// What the report means. If `strict`, possible races and warnings count.
    #[must_use]
    pub fn outcome(&self, strict: bool) -> Outcome {
        let warned = (self.faults.iter()).any(|fault| fault.severity == Severity::Warning);
        match self.status {
            Status::Races | Status::Faults => Outcome::Findings,
            Status::Possible if strict => Outcome::Findings,
            Status::Clean if strict && warned => Outcome::Findings,
            Status::Possible | Status::Clean => Outcome::Clean,
            Status::Failed => Outcome::NotChecked,
        }
    }

    /// Whether the program has been checked to its end. One that checks its own results may end with a status of its
    /// own beside the findings.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let has_findings = matches!(self.status, Status::Races | Status::Faults);
        let failure = self.failure.as_ref();
        failure.is_none_or(|it| has_findings && it.kind == Failure::EXIT)
    }

    /// An empty report.
    pub(super) fn of_nothing(backend: Option<Backend>, seed: u32) -> Self {
        Self {
            schema: SCHEMA.into(),
            schema_version: SCHEMA_VERSION.into(),
            tool_version: env!("CARGO_PKG_VERSION").into(),
            backend,
            seed,
            seeds: vec![seed],
            ..Self::default()
        }
    }
}
