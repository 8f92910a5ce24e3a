//! Slurm's own commands. No other code starts them.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::Command;

use crate::error::{Error, Result};

/// The state of a shard in Slurm's queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It waits to start.
    Pending,
    /// It runs, or is about to end.
    Running,
}

/// The shards in Slurm's queue.
pub type Queue = BTreeMap<u32, Place>;

/// Submits a job. Returns its number.
///
/// # Errors
/// `sbatch` is missing or refuses; the message is its own.
pub fn submit(arguments: &[String], workdir: &Path) -> Result<String> {
    let text = run(Command::new("sbatch").args(arguments).current_dir(workdir))?;
    // A cluster's name may follow.
    let number = text.trim().split(';').next().unwrap_or_default();
    Ok(number.to_owned())
}

/// The shards of the jobs called `name` that are waiting or running.
///
/// # Errors
/// `squeue` is missing or fails; the message is its own.
pub fn queue(name: &str) -> Result<Queue> {
    let text = run(Command::new("squeue").args([
        "--noheader",
        "--array",
        &format!("--name={name}"),
        "--format=%K %T",
    ]))?;
    Ok(read_queue(&text))
}

/// Parses lines of shard numbers and states.
fn read_queue(text: &str) -> Queue {
    let lines = text.lines().filter_map(|line| {
        let (shard, state) = line.trim().split_once(' ')?;
        let place = match state.trim() {
            "PENDING" | "REQUEUED" | "REQUEUE_HOLD" | "SPECIAL_EXIT" => Place::Pending,
            _ => Place::Running,
        };
        Some((shard.parse().ok()?, place))
    });
    lines.collect()
}

/// Runs a command to completion. Returns its output.
fn run(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let failed = |message: String| Error::Slurm {
        command: name.clone(),
        message,
    };
    let output = command.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            failed("it is not installed; run this on a machine that can submit jobs".to_owned())
        }
        _ => failed(error.to_string()),
    })?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(failed(message.trim().to_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_is_read() {
        let queue = read_queue("3 PENDING\n12 RUNNING\n4 COMPLETING\nN/A RUNNING\n\n");
        let expected = [
            (3, Place::Pending),
            (4, Place::Running),
            (12, Place::Running),
        ];
        assert_eq!(queue, expected.into());
    }
}
