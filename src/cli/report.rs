//! The arguments of `hirace report`.

use std::path::PathBuf;

use clap::Args;

use super::outputs::Outputs;

/// Arguments of `hirace report`.
#[derive(Debug, Args)]
#[command(after_long_help = NOTES)]
pub struct Report {
    /// A report that `--format json` wrote; `-` is standard input
    #[arg(required_unless_present = "schema", value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// Print the JSON Schema of such reports
    #[arg(long, exclusive = true)]
    pub schema: bool,

    /// What to write, and where to
    #[command(flatten)]
    pub outputs: Outputs,

    /// Show at most N races in the human report; 0 shows all [default: all]
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

const NOTES: &str = "\
All reports without an --output go to standard output here. Excerpts of the source are shown
where the files still are as they were when they were checked.

Exit status:
  0  written, whatever the report says
  2  not a report, or not written

Examples:
  hirace report report.json
  hirace report report.json --format sarif --output report.sarif";
