//! The arguments of `hirace report`.

use std::path::PathBuf;

use clap::Args;

use super::known::Known;
use super::outputs::Outputs;

/// Arguments of `hirace report`.
#[derive(Debug, Args)]
#[command(after_long_help = NOTES)]
pub struct Report {
    /// Reports written by `--format json`; `-` is standard input
    #[arg(required_unless_present = "schema", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Merge all FILEs, from one program or several, into one report
    #[arg(long)]
    pub merge: bool,

    /// Compare two FILEs, the earlier one first: list findings that are new or no longer found
    ///
    /// Findings are matched by fingerprint, so moved lines do not matter. Formats other than
    /// human contain the second FILE with only its new findings.
    #[arg(long, conflicts_with = "merge")]
    pub diff: bool,

    /// With --diff, count possible races and warnings in the exit status
    #[arg(long, requires = "diff")]
    pub strict: bool,

    /// Print the JSON Schema of reports
    #[arg(long, exclusive = true)]
    pub schema: bool,

    /// Which reports to write, and where
    #[command(flatten)]
    pub outputs: Outputs,

    /// Which findings are already known
    #[command(flatten)]
    pub known: Known,

    /// Show at most N races in the human report; 0 shows all [default: all]
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

const NOTES: &str = "\
Reports without an --output go to standard output, the human report too. Source excerpts are
shown if the files have not changed since they were checked.

Exit status:
  0  written, whatever the report says; with --diff, nothing is new
  1  with --diff: there are new races or faults
  2  not a report, or not written; with --diff, also if the second report's check failed

Examples:
  hirace report report.json
  hirace report report.json --format sarif --output report.sarif
  hirace report --merge shard-*.json --format json --output all.json
  hirace report report.json --suppressions known.supp
  hirace report --diff main.json branch.json --format human --format github";
