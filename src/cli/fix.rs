//! The arguments of `hirace fix`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::parse_seconds;

/// Arguments of `hirace fix`.
#[derive(Debug, Args)]
#[command(after_long_help = NOTES)]
pub struct Fix {
    /// The program's source files, as for `hirace check`
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print what would change, and change nothing (the default)
    #[arg(long)]
    pub dry_run: bool,

    /// Change the files
    #[arg(long, conflicts_with = "dry_run")]
    pub apply: bool,

    /// Run each version of the program under N schedules: those of the seeds 0 to N-1
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub explore: u32,

    /// Pass ARG to the compiler; repeatable, such as --cc-arg -Iinclude --cc-arg -DN=64
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub cc_arg: Vec<String>,

    /// Read the configuration from FILE, instead of the nearest hirace.toml upwards of the first source file
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Compile everything anew, and keep nothing
    #[arg(long)]
    pub no_cache: bool,

    /// Stop each run after SECONDS
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = parse_seconds)]
    pub timeout: f64,

    /// The program's own arguments
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<OsString>,
}

const NOTES: &str = "\
Tried are barriers between two racing accesses and at the end of loops around them, atomics
for plain changes (x += v, x++, x = max(x, v), if (v < x) x = v, and x = 1 by many threads), and
wider scopes of atomics, also of cuda::atomic_ref and in inline PTX. A barrier is put only where
the text shows that all threads come by. Only a program that was built as the diff shows it, and
ran to its end under all schedules without a race or a fault, is offered. It is built and
run on the CPU executor, with the input that it was given: look at the diff.

Exit status:
  0  no race; with --apply also: there were races, and the files were changed
  1  races: what would remove them was printed, or nothing was found to
  2  could not check, or not change the files; these are as they were

Examples:
  hirace fix tree_sum.cu
  hirace fix --apply tree_sum.cu
  hirace fix bfs.cu --cc-arg -Iinclude -- graph.egr | git apply";
