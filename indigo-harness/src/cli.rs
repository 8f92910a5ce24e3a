//! The command line.

mod graph;
mod merge;
mod output;
mod report;
mod status;
mod submit;
mod suite;
mod sweep;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use hirace::toolchain::interrupt;

use crate::error::Result;

/// Sweeps labelled CUDA suites with hirace, and shows what was found and what was missed.
#[derive(Debug, Parser)]
#[command(name = "hirace-indigo", version, about, propagate_version = true)]
#[command(disable_help_subcommand = true, after_help = EXIT_STATUS)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_STATUS: &str = "\
Exit status:
  0  done
  2  bad input, or something could not be read or written
  130, 143  interrupted by Ctrl-C or SIGTERM; rerun the command to resume";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the programs of a suite, or write them to a directory
    Suite(suite::SuiteCommand),

    /// Create a graph, or describe one
    Graph(graph::GraphCommand),

    /// Run every program on every graph with every tool, and store the outcomes
    Sweep(sweep::SweepCommand),

    /// Merge databases of results, such as those of a sweep's shards
    Merge(merge::MergeCommand),

    /// Show what was found and missed, and what it cost: tables, plots, a page
    Report(report::ReportCommand),

    /// Run a sweep on a cluster with Slurm
    Submit(submit::SubmitCommand),

    /// Show the progress of a sweep on a cluster
    Status(status::StatusCommand),

    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    interrupt::install();
    let outcome: Result<()> = match cli.command {
        Command::Suite(command) => suite::run(&command),
        Command::Graph(command) => graph::run(&command),
        Command::Sweep(command) => sweep::run(command),
        Command::Merge(command) => merge::run(&command),
        Command::Report(command) => report::run(&command),
        Command::Submit(command) => submit::run(command),
        Command::Status(command) => status::run(&command),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "hirace-indigo", &mut script);
            output::print(&String::from_utf8_lossy(&script))
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hirace-indigo: {error}");
            // Ends a script that runs it as well.
            interrupt::die_if_signalled();
            ExitCode::from(2)
        }
    }
}
