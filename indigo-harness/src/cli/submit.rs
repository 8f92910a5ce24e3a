//! `hirace-indigo submit`.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, Parser};

use super::output::print;
use super::sweep::SweepCommand;
use crate::cluster::{self, Submission, script};
use crate::error::{Error, Result};
use crate::shell::quoted;

/// Arguments of `hirace-indigo submit`.
#[derive(Debug, Args)]
#[command(after_long_help = NOTES)]
pub struct SubmitCommand {
    /// Split the sweep into N shards, one job each
    #[arg(long, value_name = "N", required_unless_present = "resume")]
    pub array: Option<NonZeroU32>,

    /// Directory for the shards' results; all machines of the cluster must see it
    #[arg(long, value_name = "DIR", required_unless_present = "resume")]
    pub directory: Option<PathBuf>,

    /// Submit again the shards of DIR that are neither done nor in Slurm's queue
    #[arg(long, value_name = "DIR", conflicts_with_all = ["array", "directory", "sweep", "dry_run",
        "partition", "time", "cpus_per_task", "mem", "sbatch_arg"])]
    pub resume: Option<PathBuf>,

    /// Show the job's script, and submit nothing
    #[arg(long)]
    pub dry_run: bool,

    /// Slurm's option
    #[arg(long, value_name = "NAME")]
    pub partition: Option<String>,

    /// Slurm's option: time limit of a shard
    #[arg(long, value_name = "TIME")]
    pub time: Option<String>,

    /// Slurm's option: cores per shard
    #[arg(long, value_name = "N")]
    pub cpus_per_task: Option<NonZeroU32>,

    /// Slurm's option: memory per shard
    #[arg(long, value_name = "SIZE")]
    pub mem: Option<String>,

    /// Any other option of sbatch, as --sbatch-arg=--account=mine; repeatable
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub sbatch_arg: Vec<String>,

    /// Options of `hirace-indigo sweep`, except --shard and --database
    #[arg(last = true, value_name = "SWEEP")]
    pub sweep: Vec<String>,
}

const NOTES: &str = "\
Each shard writes its own database into the directory. `hirace-indigo status DIR` shows their
progress, `hirace-indigo submit --resume DIR` resumes those that were stopped, and
`hirace-indigo merge all.sqlite DIR/*.sqlite` merges them.";

/// Submits.
///
/// # Errors
/// Bad options, a directory that cannot be written, or Slurm refuses.
pub fn run(command: SubmitCommand) -> Result<()> {
    if let Some(directory) = &command.resume {
        let mut submission = Submission::open(directory)?;
        let all = submission.shards;
        return print(&match cluster::resume(&mut submission)? {
            None => format!("all {all} shards are done or in the queue\n"),
            Some((job, shards)) => {
                format!(
                    "job {job}: {} of {all} shards submitted again\n",
                    shards.len()
                )
            }
        });
    }
    let (Some(array), Some(directory)) = (command.array, &command.directory) else {
        return Err(Error::Usage("--array and --directory are missing".into()));
    };
    check_sweep(&command.sweep)?;
    let sbatch = sbatch(&command);
    let mut submission = Submission::new(directory, array.get(), &command.sweep, &sbatch)?;
    if command.dry_run {
        let all: Vec<u32> = submission.shards().collect();
        return print(&format!(
            "{}\n# sbatch {}\n",
            script::text(&submission),
            quoted(submission.sbatch_arguments(&all))
        ));
    }
    let job = cluster::submit(&mut submission)?;
    let directory = quoted([submission.directory.display().to_string()]);
    print(&format!(
        "job {job}: {array} shards; `hirace-indigo status {directory}` shows their progress\n"
    ))
}

/// The command line of a shard, without the arguments that `submit` adds.
#[derive(Debug, Parser)]
struct Shard {
    #[command(flatten)]
    sweep: SweepCommand,
}

/// Reports a mistake in the sweep's options immediately, not in each job.
fn check_sweep(words: &[String]) -> Result<()> {
    let ours = ["hirace-indigo sweep", "--database=of-the-shard"].map(str::to_owned);
    let parsed = Shard::try_parse_from(ours.iter().chain(words));
    let shard = parsed.map_err(|error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        let line = line.trim_start_matches("error: ");
        Error::Usage(format!("options of the sweep: {line}"))
    })?;
    match shard.sweep.shard {
        None => Ok(()),
        Some(_) => Err(Error::Usage(
            "`submit` passes --shard to each job; --array sets the number of shards".into(),
        )),
    }
}

/// Options of sbatch.
fn sbatch(command: &SubmitCommand) -> Vec<String> {
    let cores = command.cpus_per_task.map(|cores| cores.to_string());
    let named = [
        ("partition", &command.partition),
        ("time", &command.time),
        ("cpus-per-task", &cores),
        ("mem", &command.mem),
    ];
    let named = named.into_iter().filter_map(|(name, value)| {
        let value = value.as_ref()?;
        Some(format!("--{name}={value}"))
    });
    named.chain(command.sbatch_arg.iter().cloned()).collect()
}
