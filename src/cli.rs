//! The command line: names, help texts and what each command does.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

mod commands;
mod fsm;

pub use commands::main;

/// A data-race checker for CUDA programs that needs no GPU.
///
/// hirace instruments your CUDA source, compiles it with the system's C++ compiler
/// against a CPU executor (or with nvcc for a GPU), runs it, and shows each data race
/// in global and shared memory with both accesses in your source.
#[derive(Debug, Parser)]
#[command(version, about, long_about, after_help = EXIT_STATUS, propagate_version = true)]
#[command(disable_help_subcommand = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_STATUS: &str = "\
Exit status:
  0  clean: checked, and no race found (or only possible ones, without --strict)
  1  races found
  2  could not check: bad input, compile error, crash of the program, nothing monitored";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Instrument, compile and run a CUDA program, and report its data races
    Check(Check),
    /// Write an instrumented copy of files or whole trees, to be built with nvcc
    Instrument(Instrument),
    /// Show the access state machine, and prove it exact
    Fsm(fsm::Fsm),
    /// Explain a code of the report, such as HR001
    Explain(Explain),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// Arguments of `hirace check`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS, after_long_help = CHECK_NOTES)]
pub struct Check {
    /// The program's source files: CUDA (.cu), and C++ (.cpp, .cc, .cxx) to be linked with it
    ///
    /// Headers that they include from their own directory or from an -I directory are
    /// instrumented too. The files themselves are never changed.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Where to run the program
    #[arg(long, value_enum, default_value_t = BackendChoice::Auto, value_name = "BACKEND")]
    pub backend: BackendChoice,

    /// How to write the report
    ///
    /// A human report goes to standard error, beside the program's own output. A JSON
    /// report goes to standard output unless --output is given; the program's standard
    /// output then goes to standard error, so that standard output holds nothing but JSON.
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    pub format: Format,

    /// Write the report to FILE; an earlier FILE stays as it is until the new report is complete
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Read the configuration from FILE, instead of the nearest hirace.toml upwards of the first source file
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Seed of the schedule [default: 0, the natural order]
    ///
    /// The same seed runs the threads in the same order and gives the same report: with
    /// --seed, blocks run on one core unless --jobs says otherwise.
    #[arg(long, value_name = "N")]
    pub seed: Option<u32>,

    /// Number of worker threads of the CPU executor [default: one per core, 1 with --seed]
    ///
    /// With 1, everything in the report repeats from run to run; with more, the blocks of
    /// large launches run side by side, and which of several conflicting threads is shown
    /// may change.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,

    /// Stop the program after SECONDS [default: no limit]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub timeout: Option<f64>,

    /// Let possible races count as races in the exit status
    #[arg(long)]
    pub strict: bool,

    /// Show at most N races in the human report; 0 shows all [default: 50]
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,

    /// Pass ARG to the compiler; repeatable, such as --cc-arg -Iinclude --cc-arg -DN=64
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub cc_arg: Vec<String>,

    /// The program's own arguments
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<std::ffi::OsString>,
}

const CHECK_NOTES: &str = "\
Exit status:
  0  clean: checked, and no race found (or only possible ones, without --strict)
  1  races found, whatever the program did afterwards
  2  could not check: bad input, compile error, crash or non-zero exit of the program,
     time limit reached, or nothing monitored (no kernel ran, or none of its accesses
     was watched)

Environment:
  CXX       the C++ compiler of the cpu backend [default: c++, g++ or clang++]
  NVCC      the CUDA compiler of the gpu backend [default: nvcc]
  NO_COLOR  no colours

Examples:
  hirace check examples/block_sum.cu
  hirace check bfs.cu --cc-arg -Iinclude -- graph.egr 5
  hirace check --format json --output report.json kernel.cu main.cpp";

/// Arguments of `hirace instrument`.
#[derive(Debug, Args)]
#[command(after_long_help = INSTRUMENT_NOTES)]
pub struct Instrument {
    /// Source files or directories
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// The directory to write to
    #[arg(
        short,
        long = "output",
        default_value = "hirace-out",
        value_name = "DIR"
    )]
    pub output: PathBuf,

    /// Replace DIR even where it holds other files
    #[arg(long)]
    pub force: bool,

    /// What the copy will be compiled for
    #[arg(long, value_enum, default_value_t = InstrumentFor::Gpu, value_name = "BACKEND")]
    pub backend: InstrumentFor,

    /// Read the configuration from FILE, instead of the nearest hirace.toml upwards of the first PATH
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// An -I or -D option that the files will be compiled with; repeatable
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub cc_arg: Vec<String>,
}

const INSTRUMENT_NOTES: &str = "\
The copy is built like the original, with one more include directory:
  hirace instrument foo.cu -o DIR
  nvcc -I DIR/include DIR/foo.cu
and reports its races to standard error when it ends.

A file is copied together with the local headers that it includes. Of a directory all C,
C++ and CUDA sources and build files (Makefile, CMakeLists.txt, *.cmake, *.mk) are copied;
hidden entries, build trees (with CACHEDIR.TAG or CMakeCache.txt) and earlier outputs of
hirace are left out. DIR appears only when it is complete.

Exit status:
  0  written
  2  not written; DIR is as it was";

/// Arguments of `hirace explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// The code, such as HR001
    #[arg(required_unless_present = "list", value_name = "CODE")]
    pub code: Option<String>,

    /// List all codes
    #[arg(long)]
    pub list: bool,
}

/// Values of `--backend`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BackendChoice {
    /// gpu where nvcc and a GPU are found, else cpu
    Auto,
    /// The CPU executor: needs a C++ compiler and no GPU
    Cpu,
    /// nvcc and a GPU
    Gpu,
}

/// Values of `instrument --backend`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InstrumentFor {
    /// g++ or clang++, with the CPU executor
    Cpu,
    /// nvcc
    Gpu,
}

/// Values of `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Source excerpts for people
    Human,
    /// One JSON object, schema hirace-report/1
    Json,
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds < 1e9 => Ok(seconds),
        Ok(_) => Err("must be more than 0".to_owned()),
        Err(_) => Err("not a number of seconds".to_owned()),
    }
}
