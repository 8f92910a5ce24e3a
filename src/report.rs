//! From race records to reports.
//!
//! [`records`] reads what the program left behind, [`assemble()`] makes the model of it
//! (merging what is one race, [`classify`]ing it), [`merge()`] makes one of several schedules', and [`human`] and [`json`] print that.

mod assemble;
mod classify;
pub mod coverage;
pub mod failure;
mod faults;
pub mod human;
pub mod json;
mod merge;
mod model;
pub mod records;
mod wording;

pub use assemble::{Run, assemble};
pub use classify::TITLES;
pub use faults::FAULTS;
pub use merge::merge;
pub use model::{
    Access, AccessKind, Certainty, CoverageEntry, Failure, Fault, NotModelledEntry, Position, Race,
    Relation, Report, Role, SCHEMA, Severity, Space, Status, Summary,
};

#[cfg(test)]
mod tests;
