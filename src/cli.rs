//! The command line: names, help texts and what each command does.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use control::Control;
use outputs::Outputs;

mod cache;
mod commands;
mod control;
mod doctor;
mod fix;
mod fsm;
mod instrument;
mod known;
mod outputs;
mod report;

use known::Known;

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
    /// The option of `run` and `check`; CTest's memory check puts it before the command
    #[arg(long, value_name = "FILE", hide = true)]
    pub log_file: Option<PathBuf>,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_STATUS: &str = "\
Exit status:
  0  clean: nothing found (or only possible races and warnings, without --strict)
  1  races or faults found
  2  could not check: bad input, compile error, crash in host code, or nothing monitored
  130, 143  interrupted by Ctrl-C or SIGTERM; the report covers what ran until then";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Instrument, compile and run a CUDA program, and report its data races
    Check(Check),
    /// Build a project with its own build system and hirace's compiler wrappers
    Build(Build),
    /// Run a program that was built with hirace, and report its data races
    Run(Run),
    /// Show a saved JSON report, or convert it to other formats
    Report(report::Report),
    /// Search for changes that remove a program's races, and test them
    Fix(fix::Fix),
    /// Write an instrumented copy of files or directory trees, to build with nvcc
    Instrument(instrument::Instrument),
    /// Print, verify or trace the access state machine
    Fsm(fsm::Fsm),
    /// Explain a code from a report, such as HR001
    Explain(Explain),
    /// Check the environment and suggest fixes
    Doctor(doctor::Doctor),
    /// Show or clear the build cache
    Cache(cache::Cache),
    /// Sweep labelled suites: run every program on every graph with every tool
    ///
    /// Runs `hirace-indigo`, which is installed separately; `hirace indigo --help` shows its help.
    #[command(disable_help_flag = true, disable_version_flag = true)]
    Indigo {
        /// Command and arguments of `hirace-indigo`
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            value_name = "ARGUMENT"
        )]
        arguments: Vec<std::ffi::OsString>,
    },
    /// Print the directory to use in place of a CUDA toolkit
    #[command(long_about = TOOLKIT_NOTES)]
    Toolkit,
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// Arguments of `hirace build`.
#[derive(Debug, Args)]
#[command(after_long_help = BUILD_NOTES)]
pub struct Build {
    /// The backend to build for
    #[arg(long, value_enum, default_value_t = BackendChoice::Auto, value_name = "BACKEND")]
    pub backend: BackendChoice,

    /// Also check accesses that cannot race, overriding [skip] in the configuration
    #[arg(long)]
    pub check_all: bool,

    /// The build command and its arguments
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "COMMAND"
    )]
    pub command: Vec<std::ffi::OsString>,
}

const BUILD_NOTES: &str = "\
COMMAND runs with hirace's wrappers on the path as nvcc, c++, g++ and clang++. For the cpu
backend, CUDA_PATH, CUDA_HOME, CUDACXX, NVCC and CXX name the wrappers too, and no CUDA toolkit
is needed. Configure and build in a separate directory: build systems remember compilers.

Exit status: that of COMMAND; 2 if it could not be started

Examples:
  hirace build cmake -B build-checked
  hirace build cmake --build build-checked
  hirace run -- build-checked/solver input.bin

Single compilers can be wrapped by hand: `hirace nvcc ARGS`, `hirace g++ ARGS`,
`-DCMAKE_CUDA_COMPILER_LAUNCHER=hirace`. HIRACE_DISABLE=1 runs the compilers unchanged,
HIRACE_BACKEND=cpu or gpu selects the backend, and HIRACE_CHECK_ALL=1 means --check-all.";

const TOOLKIT_NOTES: &str = "\
Print the directory to use in place of a CUDA toolkit.

It has a toolkit's layout: bin/nvcc, include/cuda_runtime.h, lib64/libcudart_static.a and so
on, with the C++ compilers in bin/ too. A project built with it is checked on the CPU executor:
  export PATH=\"$(hirace toolkit)/bin:$PATH\" CUDA_PATH=\"$(hirace toolkit)\"";

/// Arguments of `hirace check`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS, after_long_help = CHECK_NOTES)]
pub struct Check {
    /// The program's source files: CUDA (.cu), and C++ (.cpp, .cc, .cxx) to link with it
    ///
    /// Headers that they include from their own directory or from an -I directory are
    /// instrumented too. The files themselves are never changed.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Where to run the program
    #[arg(long, value_enum, default_value_t = BackendChoice::Auto, value_name = "BACKEND")]
    pub backend: BackendChoice,

    /// Pass ARG to the compiler; repeatable, such as --cc-arg -Iinclude --cc-arg -DN=64
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub cc_arg: Vec<String>,

    /// Also check accesses that cannot race, overriding [skip] in the configuration
    ///
    /// By default, three kinds of accesses are not checked: reads of shared memory between two
    /// barriers with no write to it in between, reads of global memory that the launch cannot
    /// write, and accesses to what the same thread has already accessed since its last barrier.
    #[arg(long)]
    pub check_all: bool,

    /// Compile everything anew, without the cache
    #[arg(long)]
    pub no_cache: bool,

    /// Lanes per warp: 1, 2, 4, 8, 16 or 32 [default: 32]
    ///
    /// With fewer than 32, small blocks have several warps, which reveals a __syncwarp() where
    /// __syncthreads() is needed. Kernels must use warpSize; those that assume 32 lanes compute
    /// wrong results. Only on the CPU executor.
    #[arg(long, value_name = "N", value_parser = parse_warp_size)]
    pub warp_size: Option<u32>,

    /// How to run and report
    #[command(flatten)]
    pub run: RunAndReport,

    /// The program's own arguments
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<std::ffi::OsString>,
}

const CHECK_NOTES: &str = "\
Exit status:
  0  clean: nothing found (or only possible races and warnings, without --strict)
  1  races or faults found, whatever the program did afterwards
  2  could not check: bad input, compile error, crash in host code, non-zero exit of the
     program, time limit reached, or nothing monitored (no kernel ran, or none of its
     accesses was monitored)
  130, 143  interrupted by Ctrl-C or SIGTERM: the program is stopped, and the report covers
     what ran until then; with --explore and --seeds, this includes all schedules that had
     started; a second signal ends hirace at once

Environment:
  CXX             the C++ compiler of the cpu backend [default: c++, g++ or clang++]
  NVCC            the CUDA compiler of the gpu backend [default: nvcc]
  NO_COLOR        if set, no colours
  HIRACE_OPTIONS  options for `hirace check`, `hirace run` and programs that are started directly,
                  such as exitcode=66:log_path=FILE:halt_on_error=1; also print_limit,
                  suppressions, kernel_name, kernel_name_exclude, launch_skip, launch_count

Examples:
  hirace check examples/block_sum.cu
  hirace check bfs.cu --cc-arg -Iinclude -- graph.egr 5
  hirace check --explore 20 examples/block_sum.cu
  hirace check --format json --output report.json kernel.cu main.cpp";

/// How to run a program, and where to write its report.
#[derive(Debug, Args)]
pub struct RunAndReport {
    /// Which reports to write, and where
    #[command(flatten)]
    pub outputs: Outputs,

    /// Read the configuration from FILE instead of the nearest hirace.toml
    ///
    /// By default, hirace looks for hirace.toml in the directory of the first source file (with
    /// `hirace run`, in the current directory) and its parents.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Seed of the schedule [default: 0, the natural order]
    ///
    /// The seed decides in which order threads and blocks start, which threads go on first after
    /// a barrier and, in some schedules, where threads interrupt one another. With --seed, the
    /// report is the same from run to run, byte for byte, on any number of cores: blocks then
    /// run one after the other.
    #[arg(long, value_name = "N", conflicts_with_all = ["seeds", "explore"])]
    pub seed: Option<u32>,

    /// Run the schedules of seeds A to B, both included, and merge their reports
    ///
    /// Each race names the seeds that show it. The program's output is that of the first
    /// schedule; the time limit applies to each schedule.
    #[arg(long, value_name = "A..B", value_parser = parse_seeds, conflicts_with = "explore")]
    pub seeds: Option<Seeds>,

    /// Run N schedules: the same as --seeds 0..N-1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub explore: Option<u32>,

    /// The order in which blocks start [default: natural with seed 0, else random]
    #[arg(long, value_enum, value_name = "ORDER")]
    pub block_order: Option<Order>,

    /// Number of worker threads of the CPU executor [default: one per core]
    ///
    /// With 1, the whole report is the same in every run. With more, the blocks of large launches
    /// run in parallel, and which of several conflicting threads is shown may change. With
    /// --explore and --seeds, N schedules run in parallel: use 1 if runs of the program disturb
    /// one another. With --seed, this option has no effect.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,

    /// Stop the program after SECONDS [default: no limit]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub timeout: Option<f64>,

    /// Which findings are already known
    #[command(flatten)]
    pub known: Known,

    /// Count possible races and warnings in the exit status
    #[arg(long)]
    pub strict: bool,

    /// Options that `HIRACE_OPTIONS` can also set
    #[command(flatten)]
    pub control: Control,
}

/// Arguments of `hirace run`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS, after_long_help = RUN_NOTES)]
pub struct Run {
    /// How to run and report
    #[command(flatten)]
    pub run: RunAndReport,

    /// The program and its arguments; `--` may come before it
    #[arg(required = true, trailing_var_arg = true, value_name = "PROGRAM")]
    pub program: Vec<std::ffi::OsString>,
}

const RUN_NOTES: &str = "\
The program must have been built with hirace, and the build decided what is instrumented:
of the configuration, only [semantics], [shadow], [report] and [run] apply here. PROGRAM may
also be a script that starts such programs; each of them is checked.

Exit status: as for `hirace check`; 2 also if no program was built with hirace

Examples:
  hirace run -- ./build/solver input.bin 10
  hirace run --format json --output report.json -- ctest --test-dir build";

/// Arguments of `hirace explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// The code, such as HR001; without one, all codes are listed
    #[arg(value_name = "CODE")]
    pub code: Option<String>,

    /// List all codes
    #[arg(long)]
    pub list: bool,
}

/// Values of `--backend`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BackendChoice {
    /// gpu if nvcc and a GPU are found, otherwise cpu
    Auto,
    /// The CPU executor: needs a C++ compiler and no GPU
    Cpu,
    /// nvcc and a GPU
    Gpu,
}

/// Values of `--block-order`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Order {
    /// By block number
    Natural,
    /// Last block first
    Reverse,
    /// Shuffled by the seed
    Random,
}

/// Values of `--seeds`: from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeds {
    /// The first one.
    pub first: u32,
    /// The last one, not below the first.
    pub last: u32,
}

fn parse_seeds(text: &str) -> Result<Seeds, String> {
    let number = |text: &str| {
        text.parse()
            .map_err(|_| format!("`{text}` is not a number below 2^32"))
    };
    let (first, last) = text
        .split_once("..")
        .ok_or("expected A..B, such as 1..20")?;
    let seeds = Seeds {
        first: number(first)?,
        last: number(last)?,
    };
    if seeds.last < seeds.first {
        return Err("the last seed is below the first".to_owned());
    }
    Ok(seeds)
}

fn parse_warp_size(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(lanes) if lanes.is_power_of_two() && lanes <= 32 => Ok(lanes),
        _ => Err("must be 1, 2, 4, 8, 16 or 32".to_owned()),
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds < 1e9 => Ok(seconds),
        Ok(_) => Err("must be more than 0".to_owned()),
        Err(_) => Err("not a number of seconds".to_owned()),
    }
}
