//! Reports: what a check found, as data, and what becomes of it.
//!
//! The crate `hirace-check` makes a [`Report`], and [`mod@read`] one of a JSON report; [`sources`] finds
//! the files of such a one. [`merge()`] makes one report of several schedules', [`merge_runs`] of
//! several programs'. [`Suppressions`] take findings out, and [`diff`] compares. [`human`],
//! [`mod@html`], [`json`], [`sarif`], [`junit`] and [`github`] write a report down.
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
mod classify;
mod codes;
pub mod coverage;
pub mod diff;
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
// Between a program and its report; public for this package's tests.
#[doc(hidden)]
pub mod records;
mod run;
pub mod sarif;
pub mod schema;
pub mod sources;
mod suppressions;
mod totals;
mod wording;

#[doc(hidden)]
pub use assemble::assemble;
pub use merge::{merge, merge_runs};
pub use model::{
    Access, AccessKind, Certainty, CoverageEntry, Failure, Fault, Launch, NotModelledEntry, Origin,
    Position, Race, Relation, Report, Role, SCHEMA, SCHEMA_VERSION, Severity, Source, Space,
    Status, Stream, Summary, Suppressed,
};
#[doc(hidden)]
pub use run::Run;
pub use suppressions::{Suppressions, baseline};

#[cfg(test)]
mod tests;
