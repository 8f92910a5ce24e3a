//! `hirace-indigo status`.

use std::path::PathBuf;

use clap::Args;

use super::output::print;
use crate::cluster::{Shard, State, Submission, slurm};
use crate::error::Result;

/// Arguments of `hirace-indigo status`.
#[derive(Debug, Args)]
pub struct StatusCommand {
    /// The directory of `hirace-indigo submit`
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

/// Shows the progress of a sweep's shards.
///
/// # Errors
/// The directory has no submission, or a database cannot be read.
pub fn run(command: &StatusCommand) -> Result<()> {
    let submission = Submission::open(&command.directory)?;
    let queue = slurm::queue(&submission.name);
    if let Err(error) = &queue {
        eprintln!("hirace-indigo: {error}");
    }
    let mut shards = Vec::new();
    for number in submission.shards() {
        let shard = Shard::read(&submission, number, queue.as_ref().ok())?;
        print(&format!("{shard}\n"))?;
        shards.push(shard);
    }
    let counts = State::ALL.into_iter().filter_map(|state| {
        let count = shards.iter().filter(|shard| shard.state == state).count();
        (count > 0).then(|| format!("{count} {state}"))
    });
    let runs: u64 = shards.iter().map(|shard| shard.runs).sum();
    let counts: Vec<String> = counts.collect();
    print(&format!("{}; {runs} runs\n", counts.join(", ")))
}
