//! The arguments of `hirace report`.

use std::path::PathBuf;

use clap::Args;

use super::known::Known;
use super::outputs::Outputs;

/// Arguments of `hirace report`.
#[derive(Debug, Args)]
#[command(after_long_help = NOTES)]
pub struct Report {
    /// Reports that `--format json` wrote; `-` is standard input
    #[arg(required_unless_present = "schema", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Make one report of all FILEs, be they of one program or of several
    #[arg(long)]
    pub merge: bool,

    /// Compare two FILEs, the earlier one first: what is new, and what is no longer found
    ///
    /// Findings are matched by their fingerprints, so that moved lines change nothing. Formats
    /// other than human have the second FILE with only its new findings.
    #[arg(long, conflicts_with = "merge")]
    pub diff: bool,

    /// With --diff, let possible races and warnings count in the exit status
    #[arg(long, requires = "diff")]
    pub strict: bool,

    /// Print the JSON Schema of such reports
    #[arg(long, exclusive = true)]
    pub schema: bool,

    /// What to write, and where to
    #[command(flatten)]
    pub outputs: Outputs,

    /// What is known already
    #[command(flatten)]
    pub known: Known,

    /// Show at most N races in the human report; 0 shows all [default: all]
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

const NOTES: &str = "\
All reports without an --output go to standard output here. Excerpts of the source are shown
where the files still are as they were when they were checked.

Exit status:
  0  written, whatever the report says; with --diff, nothing is new
  1  with --diff: there are new races or faults
  2  not a report, or not written; with --diff, also where the second one could not check

Examples:
  hirace report report.json
  hirace report report.json --format sarif --output report.sarif
  hirace report --merge shard-*.json --format json --output all.json
  hirace report report.json --suppressions known.supp
  hirace report --diff main.json branch.json --format human --format github";
