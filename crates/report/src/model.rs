//! The report as data. Serialised, it is the JSON report: names and shapes here are a
//! promise to other tools.

use std::borrow::Cow;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::records::{Entry, Spread};
use hirace_model::{Backend, Coverage, Hidden, NotMonitored, SwitchedOff, Warning};

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

/// Two conflicting accesses that nothing orders.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Race {
    /// The same for the same race in another run, and where its lines have moved; no other
    /// finding of the report has it.
    pub fingerprint: String,
    /// Such as `HR001`.
    pub code: Cow<'static, str>,
    /// What that code stands for.
    pub title: Cow<'static, str>,
    /// The kernel that ran.
    pub kernel: String,
    /// Where the location lies.
    pub space: Space,
    /// The variable at the root of the access.
    pub variable: String,
    /// How far apart the two threads are.
    pub relation: Relation,
    /// Whether something that is not modelled might order the two.
    pub certainty: Certainty,
    /// How often it was seen.
    pub occurrences: u64,
    /// At how many locations of four bytes, which in shared memory are those of one block;
    /// `null` where it is not known.
    #[serde(default)]
    pub locations: Option<Number>,
    /// In how many blocks the accesses were; `null` where it is not known.
    #[serde(default)]
    pub blocks: Option<Number>,
    /// The locations and blocks themselves, where they have just been recorded.
    #[serde(skip)]
    pub spread: Option<Box<Spread>>,
    /// Seeds of the schedules that showed it, first the one that is shown here.
    pub seeds: Vec<u32>,
    /// The prior and the current access, in this order.
    pub accesses: [Access; 2],
    /// The launch in which that was; `null` where it is not known.
    #[serde(default)]
    pub launch: Option<Launch>,
    /// The step of the state machine that found it, as `state,access,sync,relation` in the
    /// letters of `docs/fsm.md`; `null` where it is not known.
    #[serde(default)]
    pub transition: Option<String>,
    /// Why the two are unordered, as a sentence.
    pub reason: String,
    /// What would order them, or make the order irrelevant.
    pub help: String,
}

/// The shape of a kernel launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Launch {
    /// Blocks in the grid: `gridDim`.
    pub grid: [u32; 3],
    /// Threads in a block: `blockDim`.
    pub block: [u32; 3],
    /// Lanes in a warp.
    pub warp_size: u32,
}

impl Launch {
    /// The launch that a record names; `None` where it names none.
    pub(super) fn of(entry: &Entry) -> Option<Self> {
        let launch = Self {
            grid: entry.grid,
            block: entry.block,
            warp_size: entry.warp_size,
        };
        let extents = launch.grid.iter().chain(&launch.block);
        let is_known = extents.chain([&launch.warp_size]).all(|&it| it > 0);
        is_known.then_some(launch)
    }
}

/// A number, or the least that it can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Number {
    /// The number.
    pub count: u32,
    /// Whether it may be larger.
    pub or_more: bool,
}

impl Number {
    /// `None` for nothing.
    pub(super) fn of((count, or_more): (u32, bool)) -> Option<Self> {
        (count > 0).then_some(Self { count, or_more })
    }

    /// The number of two runs together, of which only the larger part is known.
    pub(super) fn with(self, other: Self) -> Self {
        Self {
            count: self.count.max(other.count),
            or_more: true,
        }
    }
}

/// One end of a race.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Access {
    /// Which of the two happened first in this run.
    pub role: Role,
    /// What it did.
    pub access: AccessKind,
    /// Where it stands in the source; all `null` where the site was not recorded.
    #[serde(flatten)]
    pub position: Position,
    /// The block, where the thread is known.
    pub block: Option<[u32; 3]>,
    /// The thread in its block, where it is known.
    pub thread: Option<[u32; 3]>,
    /// How many bytes it touched, at most 255, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u32>,
    /// Where its bytes begin, in bytes from where those of the current access do, where that is
    /// known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begin: Option<i32>,
    /// The launch that it belongs to, of a race between launches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
}

/// Which launch an access belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    /// The kernel.
    pub kernel: String,
    /// Where it ran.
    pub stream: Stream,
}

/// A stream, as far as reports tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// The default stream.
    Default,
    /// One that the program made, by the order in which it made them, from 1.
    Made(u16),
    /// A graph with branches that run beside one another.
    Graph,
}

impl Access {
    /// Its bytes, counted from where the current access begins, where they are known.
    pub(super) fn bytes(&self) -> Option<Range<i32>> {
        /// What sizes are capped at.
        const MOST: u32 = 255;
        let size = self.size.filter(|&size| size < MOST)?.cast_signed();
        let begin = self.begin?;
        Some(begin..begin + size)
    }
}

/// A place in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Position {
    /// The file as the user named it.
    pub file: Option<String>,
    /// From 1.
    pub line: Option<u32>,
    /// From 1, in characters.
    pub column: Option<u32>,
    /// The expression as written.
    pub text: Option<String>,
    /// The kernel or device function around it.
    pub function: Option<String>,
    /// The variable at its root.
    pub variable: Option<String>,
    /// Where it may be, where two files have the same site number: the rest is unknown then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub one_of: Vec<String>,
    /// Its bytes in the file.
    #[serde(skip)]
    pub range: Range<usize>,
}

/// Which of the two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The one that came first in this run.
    Prior,
    /// The one at which the race was found.
    Current,
}

/// What an access does.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum AccessKind {
    /// A load.
    Read,
    /// A store.
    Write,
    /// A load and a store, not atomic together.
    Update,
    /// An atomic with the scope of the block.
    BlockAtomic,
    /// An atomic with the scope of the device or wider.
    DeviceAtomic,
    /// A load through `volatile`.
    VolatileRead,
    /// A store through `volatile`.
    VolatileWrite,
}

impl AccessKind {
    /// An atomic operation.
    #[must_use]
    pub fn is_atomic(self) -> bool {
        matches!(self, Self::BlockAtomic | Self::DeviceAtomic)
    }

    /// It may change the location.
    #[must_use]
    pub fn writes(self) -> bool {
        !matches!(self, Self::Read | Self::VolatileRead)
    }
}

/// A memory space.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Space {
    /// One copy for each block.
    Shared,
    /// One for the grid.
    Global,
}

/// The smallest group that holds both threads; for different launches there is none.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    /// Different lanes of one warp.
    Warp,
    /// Different warps of one block.
    Block,
    /// Different blocks.
    Grid,
    /// Different launches.
    Launch,
}

/// Whether a race is certain.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// Nothing orders the two accesses.
    Definite,
    /// A construct that is not modelled might.
    Possible,
}

/// Something that a program must not do, besides racing.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Fault {
    /// As that of a race.
    pub fingerprint: String,
    /// Such as `HF001`.
    pub code: Cow<'static, str>,
    /// What that code stands for.
    pub title: Cow<'static, str>,
    /// Whether it counts in the exit status.
    pub severity: Severity,
    /// The kernel that ran; `null` in host code.
    pub kernel: Option<String>,
    /// Where it stands in the source; all `null` where that is not known.
    #[serde(flatten)]
    pub position: Position,
    /// A second place: the barrier that other threads waited at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<Position>,
    /// The block, in device code.
    pub block: Option<[u32; 3]>,
    /// The thread in its block, in device code.
    pub thread: Option<[u32; 3]>,
    /// The launch, in device code; `null` where it is not known.
    #[serde(default)]
    pub launch: Option<Launch>,
    /// The address that was accessed, of a fault of memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The instruction, from where the program was loaded; 0 where it is not known.
    #[serde(skip)]
    pub code_address: u64,
    /// How often it was seen.
    pub occurrences: u64,
    /// Seeds of the schedules that showed it, first the one that is shown here.
    pub seeds: Vec<u32>,
    /// Whether it ended the run.
    pub ended: bool,
    /// What to do about it.
    pub help: String,
}

/// Whether a fault counts in the exit status.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It does.
    Error,
    /// Only with `--strict`.
    Warning,
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
    /// Whether this run came by.
    pub executed: bool,
}

/// Why a check did not go through.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// A stable name: `input`, `compile`, `exit`, `signal`, `timeout`, `fault`, `nothing-monitored`, …
    pub kind: Cow<'static, str>,
    /// What happened, as a lowercase fragment.
    pub message: String,
    /// Such as `HF001`, for a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<Cow<'static, str>>,
    /// Where, for a fault whose place is known.
    #[serde(
        flatten,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "known_position"
    )]
    pub position: Option<Position>,
    /// The kernel that ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// Seed of the schedule, where several were run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
    /// The block, for a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<[u32; 3]>,
    /// The thread, for a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<[u32; 3]>,
    /// What the compiler printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// A failure without a place has none of a position's fields, which would read as a position
/// of which nothing is known.
fn known_position<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Position>, D::Error> {
    let position = Position::deserialize(deserializer)?;
    Ok((position != Position::default()).then_some(position))
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

    /// A report that has nothing to tell yet.
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
