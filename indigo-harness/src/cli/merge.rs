//! `hirace-indigo merge`.

use std::path::PathBuf;

use clap::Args;

use super::output::print;
use crate::error::Result;
use crate::store::{self, Merged};

/// Arguments of `hirace-indigo merge`.
#[derive(Debug, Args)]
pub struct MergeCommand {
    /// The database to write; an existing one stays unchanged until the new one is complete
    #[arg(value_name = "OUT")]
    pub output: PathBuf,

    /// The databases to merge; OUT may be one of them
    #[arg(required = true, value_name = "DATABASE")]
    pub inputs: Vec<PathBuf>,
}

/// Merges databases.
///
/// # Errors
/// See [`store::merge`].
pub fn run(command: &MergeCommand) -> Result<()> {
    let merged = store::merge(&command.output, &command.inputs)?;
    warn(&merged);
    let repeated = match merged.repeated {
        0 => String::new(),
        several => format!(", {several} more were in several databases"),
    };
    print(&format!(
        "{}: {} runs{repeated}\n",
        command.output.display(),
        merged.runs
    ))
}

/// Prints to stderr what a reader of the results must know.
pub(super) fn warn(merged: &Merged) {
    for path in &merged.unfinished {
        let path = path.display();
        eprintln!("hirace-indigo: the sweep of `{path}` has not finished");
    }
    for conflict in &merged.conflicts {
        eprintln!("hirace-indigo: {conflict}");
    }
}
