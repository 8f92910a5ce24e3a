//! Results in SQLite: one file for a sweep or for a shard.
//!
//! `schema.sql` beside this file has the schema. A finished run is committed at once, so that a
//! killed sweep loses no run and repeats none.

mod database;
mod merge;
mod open;
mod read;
mod row;
mod session;
mod verdict;

pub use database::Store;
pub use merge::{Conflict, Merged, merge};
pub use open::VERSION;
pub use read::{Outcome, ProgramKey, Results};
pub use row::{Build, GraphKey, Run, Shape};
pub use session::Session;
pub use verdict::Verdict;
