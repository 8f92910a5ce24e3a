//! The arguments of `hirace fix`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::compiler_options::COMPILER_OPTIONS;
use super::run::parse_seconds;

/// Arguments of `hirace fix`.
#[derive(Debug, Args)]
#[command(
    after_long_help = format!("{COMPILER_OPTIONS}\n\n{NOTES}"),
    override_usage = "hirace fix [OPTIONS] FILE... [-- ARGS...]\n       hirace fix [OPTIONS] -- PROGRAM [ARGS...]"
)]
pub struct Fix {
    /// The program's source files, as for `hirace check`
    ///
    /// Without files, the first of ARGS is a program that CMake has built with hirace, and fix builds its
    /// versions in a copy of that project.
    #[arg(required_unless_present = "args", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print the changes as a diff, and leave the files alone (the default)
    #[arg(long)]
    pub dry_run: bool,

    /// Apply the changes to the files
    #[arg(long, conflicts_with = "dry_run")]
    pub apply: bool,

    /// Run each version of the program under N schedules, with seeds 0 to N-1
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub explore: u32,

    /// Pass ARG to the compiler; repeatable
    ///
    /// Options with one dash, such as -Iinclude, -DN=64, -std=c++20, -O3 and -lm, nvcc's options, objects
    /// and libraries are passed on without it.
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub cc_arg: Vec<String>,

    /// Read the configuration from FILE instead of the hirace.toml nearest to the first source file
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Compile everything again, without the cache
    #[arg(long)]
    pub no_cache: bool,

    /// Stop each run after SECONDS
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = parse_seconds)]
    pub timeout: f64,

    /// The program's own arguments; without files, the program and its arguments
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<OsString>,
}

const NOTES: &str = "\
hirace tries barriers between two racing accesses and at the end of loops around them; atomics
in place of plain updates (x += v, x++, x = max(x, v), if (v < x) x = v, x = 1 by many threads,
and a read followed by a write); and wider scopes of atomics, including cuda::atomic_ref and
inline PTX. It tries several together where none helps alone. It inserts a barrier only where
the source shows that all threads reach it. It offers a diff only if the program, built exactly
as the diff shows, ran to its end under all schedules with fewer races and no new fault; if
some are left, it says so (\"partial repair\"). It ran on the CPU executor, with the given
input only: review the diff.

Exit status:
  0  no race found; with --apply also: all races removed, and no fault left
  1  races found: a diff that removes them or some of them was printed, or no such diff was
     found; with --apply also: the files were changed, and some races or faults are left
  2  could not check, or could not change the files; they are unchanged

Examples:
  hirace fix tree_sum.cu
  hirace fix --apply tree_sum.cu
  hirace fix -Iinclude bfs.cu -- graph.egr | git apply
  hirace build cmake -B b && hirace build cmake --build b && hirace fix -- b/app input.bin";
