//! Sweeps on a cluster with Slurm: an array of jobs, each with a shard of the sweep.
//!
//! | module | job |
//! |---|---|
//! | [`submission`] | the submitted sweep, stored beside the results |
//! | [`script`] | the script that each job runs |
//! | [`slurm`] | `sbatch` and `squeue`, the only code that starts them |
//! | [`shard`] | the progress of a shard |
//!
//! Each shard writes its own database, so that no two machines write to one file. The databases
//! also show which shards are done; Slurm soon forgets jobs that have ended.

pub mod script;
pub mod shard;
pub mod slurm;
pub mod submission;

pub use shard::{Shard, State};
pub use submission::Submission;

use crate::error::{Error, Result};

/// Submits all shards of `submission`, and stores it in its directory. Returns the job's number.
///
/// # Errors
/// That directory already has a submission, a file cannot be written, or Slurm refuses.
pub fn submit(submission: &mut Submission) -> Result<String> {
    submission.create()?;
    let all: Vec<u32> = submission.shards().collect();
    // If Slurm refuses, the options can be corrected and submitted again from there.
    submit_shards(submission, &all).inspect_err(|_| submission.withdraw())
}

/// Submits the shards again that are neither done nor in Slurm's queue. Returns the job's number
/// and these shards; `None` if there are none.
///
/// # Errors
/// A database cannot be read, a file cannot be written, or Slurm refuses.
pub fn resume(submission: &mut Submission) -> Result<Option<(String, Vec<u32>)>> {
    let queue = slurm::queue(&submission.name)?;
    let mut left = Vec::new();
    for number in submission.shards() {
        let shard = Shard::read(submission, number, Some(&queue))?;
        if matches!(shard.state, State::NotStarted | State::Stopped) {
            left.push(number);
        }
    }
    if left.is_empty() {
        return Ok(None);
    }
    let job = submit_shards(submission, &left)?;
    Ok(Some((job, left)))
}

fn submit_shards(submission: &mut Submission, shards: &[u32]) -> Result<String> {
    let path = submission.script();
    std::fs::write(&path, script::text(submission)).map_err(|source| Error::write(path, source))?;
    let job = slurm::submit(&submission.sbatch_arguments(shards), &submission.workdir)?;
    submission.jobs.push(job.clone());
    submission.save()?;
    Ok(job)
}
