//! Reports: the findings of a check as data, and the formats for them.
//!
//! `hirace-check` assembles a [`Report`] from a run's records; [`mod@read`] reads one from JSON,
//! and [`sources`] finds its files. [`merge()`] combines the reports of several schedules, and
//! [`merge_runs`] those of several programs. [`Suppressions`] hide findings, and [`diff`] compares
//! two reports. [`human`], [`mod@html`], [`json`], [`sarif`], [`junit`] and [`github`] write a
//! report.
//!
//! # Promises
//! - The JSON report follows `docs/report.schema.json`; a change that breaks readers changes
//!   [`SCHEMA`]. Writing a report and reading it back gives the same report.
//! - The same records give the same report, byte for byte.
//! - A report contains only what was recorded; an unknown place or access is reported as unknown.
//! - Everything that limits the answer is in the report; nothing is omitted silently.
//!
//! # Dependencies
//! Inside the crate, a module uses only those below it: `assemble` creates a report from records
//! without knowledge of formats; formats use the model and share their words in `codes`, `phrases`,
//! `overview` and `finding`; and no format uses another.
//!
//! The crate starts no process, runs no compiler and parses no source. It must never depend on
//! `hirace-toolchain`, `hirace-syntax` or `hirace-instrument`.
//!
//! ```
//! use hirace_report::{Report, diff::Diff, merge_runs, read};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let load = |path: &str| -> Result<Report, Box<dyn std::error::Error>> {
//! #   let path = &format!("../../tests/formats/expected/{path}");
//!     Ok(read::parse(path, &std::fs::read_to_string(path)?)?)
//! };
//! let earlier = load("race_shared_struct.json")?;
//! let later = vec![load("race_shared_struct.json")?, load("race_monte_carlo_pi.json")?];
//!
//! let all = merge_runs(later).expect("there are two");
//! let diff = Diff::between(earlier, all);
//! for race in &diff.new.races {
//!     println!("new: {} {} in `{}`", race.code, race.title, race.kernel);
//! }
//! assert_eq!(diff.gone.findings(), 0);
//! # assert!(diff.new.findings() > 0 && diff.same.findings() > 0);
//! # Ok(())
//! # }
//! ```

pub mod explain;

mod assemble;
mod call_path;
mod classify;
mod codes;
pub mod coverage;
pub mod diff;
mod element;
pub mod failure;
mod faults;
mod finding;
mod fingerprint;
pub mod github;
pub mod html;
pub mod human;
pub mod json;
pub mod junit;
mod merge;
mod model;
mod overview;
mod pair;
mod phrases;
pub mod read;
// Used between a program and its report; public for this package's tests.
mod reason_and_help;
#[doc(hidden)]
pub mod records;
mod run;
pub mod sarif;
pub mod schema;
pub mod sources;
mod suppressions;
mod totals;
mod vocabulary;

#[doc(hidden)]
pub use assemble::assemble;
pub use merge::{Count, merge, merge_runs};
pub use model::{
    Access, AccessKind, Actor, Allocation, CallSite, Certainty, CoverageEntry, Element, Failure,
    Fault, Input, Launch, NotModelledEntry, Number, Origin, Outcome, Position, Process, Race,
    Relation, Report, Role, SCHEMA, SCHEMA_VERSION, SampledKernel, Severity, Source, Space, Status,
    Stream, Summary, Suppressed, Work,
};
pub use reason_and_help::{ATOMIC_UPDATE, BarrierAt, BarrierGroup, BarrierPlace};
#[doc(hidden)]
pub use run::Run;
pub use suppressions::{Suppressions, baseline};

#[cfg(test)]
mod tests;
