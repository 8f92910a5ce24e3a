//! Errors of a program other than races, and failures of a check.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::place::{Launch, Position, Process};

/// An error of a program other than a race.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Fault {
    /// The fingerprint, as for a race.
    pub fingerprint: String,
    /// Such as `HF001`.
    pub code: Cow<'static, str>,
    /// The title of that code.
    pub title: Cow<'static, str>,
    /// Whether it counts in the exit status.
    pub severity: Severity,
    /// The kernel that ran; `null` in host code.
    pub kernel: Option<String>,
    /// Its place in the source; all `null` if it is unknown.
    #[serde(flatten)]
    pub position: Position,
    /// A second place: the barrier that other threads waited at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<Position>,
    /// The block, in device code.
    pub block: Option<[u32; 3]>,
    /// The thread in its block, in device code.
    pub thread: Option<[u32; 3]>,
    /// The launch, in device code; `null` if it is unknown.
    #[serde(default)]
    pub launch: Option<Launch>,
    /// The process that showed it first; `null` if there was only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<Process>,
    /// The accessed address, for a memory fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The allocation that a memory fault concerns: what the access misses, or what was freed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocation: Option<Allocation>,
    /// The instruction, relative to the load address of the program; 0 if it is unknown.
    #[serde(skip)]
    pub code_address: u64,
    /// Number of occurrences.
    pub occurrences: u64,
    /// Seeds of the schedules that showed it, starting with the one shown here.
    pub seeds: Vec<u32>,
    /// Whether it ended the run.
    pub ended: bool,
    /// How to solve the problem.
    pub help: String,
}

/// An allocation of device memory or a variable, as a fault concerns it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Allocation {
    /// The variable; `null` for memory without a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    /// The only parameter of the kernel that leads to the allocation, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// What the index of the access is in an array, such as `tile[64]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// Whether it is shared memory: without a variable, what the launch asks for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
    /// The block that the shared memory belongs to, if it is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<[u32; 3]>,
    /// Its size in bytes.
    pub bytes: u64,
    /// Bytes from its start to the access; negative before it.
    pub offset: i64,
    /// Bytes of the access; `null` if they are not known.
    pub access_bytes: Option<u8>,
    /// The file that allocated it, if known.
    pub file: Option<String>,
    /// The line there, from 1.
    pub line: Option<u32>,
}

/// Whether a fault counts in the exit status.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It counts.
    Error,
    /// It counts only with `--strict`.
    Warning,
}

/// Why a check failed.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// A stable name: `input`, `compile`, `exit`, `signal`, `timeout`, `fault`, `nothing-monitored`, …
    pub kind: Cow<'static, str>,
    /// What happened, as a lowercase fragment.
    pub message: String,
    /// Such as `HF001`, for a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<Cow<'static, str>>,
    /// The place of a fault, if known.
    #[serde(
        flatten,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "known_position"
    )]
    pub position: Option<Position>,
    /// The kernel that ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// Seed of the schedule, if there were several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
    /// The block, for a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<[u32; 3]>,
    /// The thread, for a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<[u32; 3]>,
    /// The compiler's messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// How to solve the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// A failure without a place has none of a position's fields; without this function it would be
/// read as an unknown position.
fn known_position<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Position>, D::Error> {
    let position = Position::deserialize(deserializer)?;
    Ok((position != Position::default()).then_some(position))
}
