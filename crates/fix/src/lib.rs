//! `hirace fix`: repairs of races that can be made by rule, each of them tried.
//!
//! A race suggests a few edits: a barrier between its accesses or around the loop that they
//! share, an atomic in place of a plain access, a wider scope. A copy of the program is built
//! with all of them, and every run has its choice which are in force (`fix/trial.rs`); one that rids
//! the program of a race, and brings nothing new, is kept, and the next race is looked at.
//! Edits that turn out not to be needed are taken back. What is offered in the end is a program
//! that was built as it is shown, and ran under all schedules that were asked for without a race
//! or fault: threads that came to different barriers would have been one. That all threads come
//! by a barrier with other input, too, the text has to say (`fix/uniform.rs`).
//!
//! ```no_run
//! use hirace_fix::{Outcome, Settings};
//! # use hirace_model::error::Result;
//! # use hirace_instrument::tree::Tree;
//! # fn example(tree: &Tree, settings: &Settings<'_>) -> Result<()> {
//! match hirace_fix::find(tree, settings, &mut |_| {})? {
//!     Outcome::Clean(report) => println!("{:?}", report.status),
//!     Outcome::Fixed(fixed) => println!("{} edits", fixed.repairs.len()),
//!     Outcome::NotFixed(report) => println!("{} races stay", report.races.len()),
//! }
//! # Ok(())
//! # }
//! ```

use std::path::PathBuf;

use hirace_instrument::tree::Tree;
use hirace_model::error::Result;
use hirace_report::Report;

mod atomics;
mod barriers;
mod calls;
mod candidates;
mod edit;
mod scopes;
mod search;
mod syntax;
#[cfg(test)]
mod tests;
mod trial;
mod uniform;

pub use trial::Settings;

/// What came of the search.
#[derive(Debug)]
pub enum Outcome {
    /// There is no definite race; faults and failures there may be.
    Clean(Box<Report>),
    /// Races, and edits that rid the program of them all.
    Fixed(Box<Fixed>),
    /// Races, of which some stay whatever was tried.
    NotFixed(Box<Report>),
}

/// A repaired program.
#[derive(Debug)]
pub struct Fixed {
    /// What was found in the program as it is.
    pub before: Report,
    /// What was found in the repaired one.
    pub after: Report,
    /// What was done, in the order of the races.
    pub repairs: Vec<Repair>,
    /// The files that change.
    pub files: Vec<ChangedFile>,
}

/// What was done about one race.
#[derive(Clone, Debug)]
pub struct Repair {
    /// The race's code, such as `HR001`.
    pub code: String,
    /// Its variable.
    pub variable: String,
    /// Its kernel.
    pub kernel: String,
    /// What was done, as a fragment in Markdown. Lines are those of the program with the
    /// repairs before this one.
    pub what: String,
}

/// A file before and after.
#[derive(Debug)]
pub struct ChangedFile {
    /// As the user named it.
    pub display: String,
    /// Where it lies.
    pub path: PathBuf,
    /// Its text.
    pub before: String,
    /// The repaired text.
    pub after: String,
}

/// Looks for edits of `original` after which no race is found. `tell` is told what is tried
/// next.
///
/// # Errors
/// The program as it is cannot be built or run, and the user's interruption.
pub fn find(
    original: &Tree,
    settings: &Settings<'_>,
    tell: &mut dyn FnMut(&str),
) -> Result<Outcome> {
    search::run(original, settings, tell)
}
