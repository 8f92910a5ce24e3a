//! From race records to reports.
//!
//! [`records`] reads what the program left behind, [`assemble()`] makes the model of it
//! (merging what is one race, [`classify`]ing it), and [`human`] and [`json`] print that.

mod assemble;
mod classify;
pub mod coverage;
pub mod failure;
pub mod human;
pub mod json;
mod model;
pub mod records;
mod wording;

pub use assemble::{Run, assemble};
pub use classify::TITLES;
pub use failure::FAULTS;
pub use model::{
    Access, AccessKind, Certainty, CoverageEntry, Failure, NotModelledEntry, Position, Race,
    Relation, Report, Role, SCHEMA, Space, Status, Summary,
};

#[cfg(test)]
mod tests;
