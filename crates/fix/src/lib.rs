//! `hirace fix`: proposes edits that remove races, and verifies them by running the program.
//!
//! A race suggests a few edits: a barrier between its accesses or at the end of a loop around them,
//! an atomic in place of a plain access, a wider scope, a fence, an acquire or a release, a wait for
//! an asynchronous copy. One build contains all of them, and each run enables some (`trial.rs`). An
//! edit that removes a race and adds no finding is kept, and the search goes on with the next race.
//! Where no edit helps alone, several are enabled together (`selection.rs`), or one follows another
//! that left the race with another code (`search.rs`). Edits that turn out to be unnecessary are
//! undone. The result is a program that was built exactly as it is shown, and ran under all requested
//! schedules; threads that reach different barriers would be a fault. If races are left, the result
//! is said to be partial. For other input, the source must show that all threads reach a new barrier
//! (`uniform.rs`).
//!
//! [`complete_help`] uses the same analysis, without runs, for the help in reports of `hirace check` and
//! `hirace run`.
//!
//! # Promises
//! - The user's files are only read; the command applies a result with `--apply`.
//! - With the edits that are shown, the program ran to its end with fewer races and no new fault,
//!   and they cannot make a barrier divergent.
//!
//! # Dependencies
//! Programs are built by `hirace-check`, or by CMake with the wrappers of `hirace-wrap`, and run by
//! `hirace-check`. This crate must never print or write files.
//!
//! ```no_run
//! use hirace_fix::{Outcome, Settings};
//! # use hirace_model::error::Result;
//! # use hirace_instrument::tree::Tree;
//! # fn example(tree: &Tree, settings: &Settings<'_>) -> Result<()> {
//! match hirace_fix::find(tree, settings, &mut |_| {})? {
//!     Outcome::Clean(report) => println!("{:?}", report.status),
//!     Outcome::Fixed(fixed) | Outcome::PartlyFixed(fixed) => println!("{} edits", fixed.repairs.len()),
//!     Outcome::NotFixed { report, .. } => println!("{} races remain", report.races.len()),
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
mod callers;
mod calls;
mod candidates;
mod compare;
mod edit;
mod exchange;
mod help;
mod insert;
mod places;
mod project;
mod scopes;
mod search;
mod selection;
mod synchronisation;
mod syntax;
#[cfg(test)]
mod tests;
mod trial;
mod uniform;

pub use help::complete_help;
pub use project::Project;
pub use trial::Settings;

/// The result of the search.
#[derive(Debug)]
pub enum Outcome {
    /// There is no definite race; there may be faults or a failure.
    Clean(Box<Report>),
    /// There are races, and edits that remove all of them.
    Fixed(Box<Fixed>),
    /// There are races, and edits that remove some of them; or all, but there are faults.
    PartlyFixed(Box<Fixed>),
    /// There are races, and no edit was found that removes any of them.
    NotFixed {
        /// The report on the program.
        report: Box<Report>,
        /// Whether edits were tried. None is where the form of the accesses is not one that the search knows,
        /// where the code is in a branch of an `#if`, and in the files of others.
        tried: bool,
    },
}

/// A repaired program.
#[derive(Debug)]
pub struct Fixed {
    /// The report on the original program.
    pub before: Report,
    /// The number of its races that are no longer found, not even with another code.
    pub removed: usize,
    /// The report on the repaired program. The lines of its findings are those of the user's files before the
    /// edits.
    pub after: Report,
    /// The number of its races that others hid before.
    pub revealed: usize,
    /// The repairs, in the order of the races.
    pub repairs: Vec<Repair>,
    /// The files that change.
    pub files: Vec<ChangedFile>,
}

/// The repair of one race.
#[derive(Clone, Debug)]
pub struct Repair {
    /// The race's code, such as `HR001`.
    pub code: String,
    /// Its memory in words, if that has a name.
    pub variable: Option<String>,
    /// Its kernel.
    pub kernel: String,
    /// The change, as a fragment in Markdown. Line numbers are those of the user's files.
    pub what: String,
}

/// A file before and after.
#[derive(Debug)]
pub struct ChangedFile {
    /// The file as the user named it.
    pub display: String,
    /// Its path.
    pub path: PathBuf,
    /// The original text.
    pub before: String,
    /// The repaired text.
    pub after: String,
}

/// Searches for edits of `original` after which no race is found. `tell` receives a description of
/// each trial before it starts.
///
/// # Errors
/// The original program cannot be built or run, or the user interrupts the search.
pub fn find(
    original: &Tree,
    settings: &Settings<'_>,
    tell: &mut dyn FnMut(&str),
) -> Result<Outcome> {
    search::run(original, settings, tell)
}
