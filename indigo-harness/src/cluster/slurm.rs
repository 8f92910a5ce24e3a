//! Slurm's own commands. No other code starts them.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::Command;

use crate::error::{Error, Result};

/// Where Slurm has a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It waits for its turn.
    Pending,
    /// It runs, or is about to end.
    Running,
}

/// Shards in Slurm's hands.
pub type Queue = BTreeMap<u32, Place>;

/// Submits a job. The answer is its number.
///
/// # Errors
/// `sbatch` is not there, or refuses; the message is its own.
pub fn submit(arguments: &[String], workdir: &Path) -> Result<String> {
    let text = run(Command::new("sbatch").args(arguments).current_dir(workdir))?;
    // A cluster's name may follow.
    let number = text.trim().split(';').next().unwrap_or_default();
    Ok(number.to_owned())
}

/// The shards of the jobs called `name` that wait or run.
///
/// # Errors
/// `squeue` is not there, or does not answer; the message is its own.
pub fn queue(name: &str) -> Result<Queue> {
    let text = run(Command::new("squeue").args([
        "--noheader",
        "--array",
        &format!("--name={name}"),
        "--format=%K %T",
    ]))?;
    Ok(read_queue(&text))
}

/// Shards from lines of numbers and states.
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

/// Runs a command to its end. The answer is what it printed.
fn run(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let failed = |message: String| Error::Slurm {
        command: name.clone(),
        message,
    };
    let output = command.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            failed("it is not here; run this on a machine from which jobs are submitted".to_owned())
        }
        _ => failed(error.to_string()),
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(failed(said.trim().to_owned()));
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
