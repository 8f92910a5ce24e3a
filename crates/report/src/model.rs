//! The report as data. Serialised, it is the JSON report: names and shapes here are a
//! promise to other tools.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use hirace_model::{Backend, Coverage, Hidden, NotMonitored, SwitchedOff, Warning};

mod fault;
mod place;
mod race;

pub use fault::{Failure, Fault, Severity};
pub use place::{Launch, Position};
pub use race::{
    Access, AccessKind, Certainty, Number, Origin, Race, Relation, Role, Space, Stream,
};

/// What a JSON report says that it is. A change that breaks readers changes the number.
pub const SCHEMA: &str = "hirace-report/1";

/// The version of the JSON report in full: the number of [`SCHEMA`], and one that rises when
/// something is added.
pub const SCHEMA_VERSION: &str = "1.2";

/// What a check found.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// What this is, and the version that readers have to know.
    #[schemars(extend("const" = SCHEMA))]
    pub schema: Cow<'static, str>,
    /// The version in full: the second number rises when something is added.
    #[schemars(regex(pattern = r"^1\.[0-9]+$"))]
    pub schema_version: Cow<'static, str>,
    /// The version of hirace that checked.
    pub tool_version: Cow<'static, str>,
    /// The directory that relative file names start from; `null` where that is not known, or
    /// where reports from several were merged.
    pub working_directory: Option<String>,
    /// Where the program ran; `null` where none did.
    pub backend: Option<Backend>,
    /// Seed of the first schedule.
    pub seed: u32,
    /// Seeds of all schedules that were run.
    pub seeds: Vec<u32>,
    /// The outcome in a word.
    pub status: Status,
    /// Why the check did not go through; may stand beside races found before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// The numbers.
    pub summary: Summary,
    /// How much of the device code is monitored, counted in the source.
    pub coverage: CoverageEntry,
    /// The races, by position.
    pub races: Vec<Race>,
    /// What else the program must not do: the fault that ended the run, then by position.
    pub faults: Vec<Fault>,
    /// Findings that suppressions hide; they are in neither of the two lists.
    #[serde(default)]
    pub suppressed: Vec<Suppressed>,
    /// Places in device code that ran unchecked.
    pub not_monitored: Vec<NotMonitored>,
    /// Constructs that may order accesses unseen.
    pub not_modelled: Vec<NotModelledEntry>,
    /// What the user chose not to check.
    pub switched_off: Vec<SwitchedOff>,
    /// Mistakes in comments for hirace, and suppressions that match nothing.
    pub warnings: Vec<Warning>,
    /// What else limits the answer, a sentence each.
    pub notes: Vec<String>,
    /// The files that hold the findings.
    pub sources: Vec<Source>,
    /// The comments in the source that hide findings; [`Report::suppress_commented`] does.
    #[serde(skip)]
    pub hidden: Vec<Hidden>,
}

/// A file, and how to tell whether it is still as it was.
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

/// The outcome in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Checked, and no race.
    Clean,
    /// Only possible races.
    Possible,
    /// At least one definite race.
    Races,
    /// No race, but at least one fault.
    Faults,
    /// Could not check.
    Failed,
}

/// The numbers of a run.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Entries of `races`, possible ones included.
    pub races: usize,
    /// Of these, the possible ones.
    pub possible: usize,
    /// Entries of `faults` that are no mere warnings.
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
    /// That of the race or the fault.
    pub fingerprint: String,
    /// Such as `HR001`.
    pub code: Cow<'static, str>,
    /// The kernel that ran; `null` in host code.
    pub kernel: Option<String>,
    /// The variable at the root of the access, where it is known.
    pub variable: Option<String>,
    /// The file of the access, or of the first one whose place is known.
    pub file: Option<String>,
    /// Its line, from 1.
    pub line: Option<u32>,
    /// How often it was seen.
    pub occurrences: u64,
    /// The suppression: its file and line.
    pub by: String,
    /// Whether it is a comment in the source.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_source: bool,
}

/// A construct that may order accesses unseen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotModelledEntry {
    /// The file as the user named it; empty where the place is not known.
    pub file: String,
    /// From 1; 0 where the place is not known.
    pub line: u32,
    /// What it is.
    pub construct: String,
    /// Whether this run executed it.
    pub executed: bool,
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

    /// An empty report.
    pub(super) fn of_nothing(backend: Option<Backend>, seed: u32) -> Self {
        Self {
            schema: SCHEMA.into(),
            schema_version: SCHEMA_VERSION.into(),
            tool_version: env!("CARGO_PKG_VERSION").into(),
            working_directory: None,
            backend,
            seed,
            seeds: vec![seed],
            status: Status::Failed,
            failure: None,
            summary: Summary::default(),
            coverage: CoverageEntry::default(),
            races: Vec::new(),
            faults: Vec::new(),
            suppressed: Vec::new(),
            not_monitored: Vec::new(),
            not_modelled: Vec::new(),
            switched_off: Vec::new(),
            warnings: Vec::new(),
            notes: Vec::new(),
            sources: Vec::new(),
            hidden: Vec::new(),
        }
    }
}
