//! From race records to reports.
//!
//! [`records`] reads what the program left behind, [`assemble()`] makes the model of it
//! (merging what is one race, [`classify`]ing it), [`merge()`] makes one of several schedules', and [`human`], [`json`],
//! [`sarif`], [`junit`], [`github`] and [`html`] print that. [`mod@read`] makes the model of a JSON report, and [`sources`] finds its files.
//! [`Suppressions`] take findings out.

mod assemble;
mod classify;
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
mod phrases;
pub mod read;
pub mod records;
pub mod sarif;
pub mod schema;
pub mod sources;
mod suppressions;
mod wording;

pub use assemble::{Run, assemble};
pub use classify::TITLES;
pub use faults::FAULTS;
pub use merge::{merge, merge_runs};
pub use model::{
    Access, AccessKind, Certainty, CoverageEntry, Failure, Fault, Launch, NotModelledEntry,
    Position, Race, Relation, Report, Role, SCHEMA, SCHEMA_VERSION, Severity, Source, Space,
    Status, Summary, Suppressed,
};
pub use suppressions::{Suppressions, baseline};

#[cfg(test)]
mod tests;
