//! What a program must not do besides racing, and what keeps it from being checked.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::place::{Launch, Position};

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

/// A failure without a place has none of a position's fields; without this it would be read as an
/// unknown position.
fn known_position<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Position>, D::Error> {
    let position = Position::deserialize(deserializer)?;
    Ok((position != Position::default()).then_some(position))
}
