//! Sweeps on a cluster with Slurm: an array of jobs, each with a shard of the sweep.
//!
//! | module | job |
//! |---|---|
//! | [`submission`] | what was submitted, kept beside the results |
//! | [`script`] | the script that each job runs |
//! | [`slurm`] | `sbatch` and `squeue`, the only code that starts them |
//! | [`shard`] | how far a shard is |
//!
//! Each shard writes a database of its own, so that no two machines write to one file. Which shards
//! are done is read off these databases, not off Slurm, which soon forgets what has ended.

pub mod script;
pub mod shard;
pub mod slurm;
pub mod submission;

pub use shard::{Shard, State};
pub use submission::Submission;

use crate::error::{Error, Result};

/// Submits all shards of `submission`, and keeps it in its directory. The answer is the job's number.
///
/// # Errors
/// Something was submitted from that directory before, a file cannot be written, or Slurm refuses.
pub fn submit(submission: &mut Submission) -> Result<String> {
    submission.create()?;
    let all: Vec<u32> = submission.shards().collect();
    // Where Slurm refuses, its options can be put right and submitted from there again.
    submit_shards(submission, &all).inspect_err(|_| submission.withdraw())
}

/// Submits the shards once more that are neither done nor in Slurm's hands. The answer is the job's
/// number and these shards; `None` where there are none.
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
