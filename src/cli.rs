//! The command line: names, help texts and what each command does.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use hirace_model::Backend;

mod cache;
mod check;
mod commands;
mod compiler_options;
mod control;
mod doctor;
mod fix;
mod fsm;
mod headings;
mod instrument;
mod known;
mod litmus;
mod outputs;
mod report;
mod run;

pub use commands::main;

/// The names of all commands that people use.
#[must_use]
pub fn commands() -> Vec<String> {
    let command = <Cli as clap::CommandFactory>::command();
    let shown = command.get_subcommands().filter(|it| !it.is_hide_set());
    shown.map(|it| it.get_name().to_owned()).collect()
}

/// A data-race checker for CUDA programs that needs no GPU.
///
/// hirace instruments your CUDA source, compiles it with the system's C++ compiler
/// against a CPU executor (or with nvcc for a GPU), runs it, and shows each data race
/// in global and shared memory with both accesses in your source.
#[derive(Debug, Parser)]
#[command(version, about, long_about, after_help = EXIT_STATUS, propagate_version = true)]
#[command(disable_help_subcommand = true, help_template = HELP)]
pub struct Cli {
    /// Show each compiler call and each run of the program, with its time
    #[arg(long, short, global = true)]
    pub verbose: bool,

    /// The option of `run` and `check`; CTest's memory check puts it before the command
    #[arg(long, value_name = "FILE", hide = true)]
    pub log_file: Option<PathBuf>,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const HELP: &str = "\
{about-with-newline}
{usage-heading} {usage}

Find races:
  check        Instrument, compile and run a CUDA program, and report its data races
  watch        Do the same again each time that a source file changes
  fix          Search for changes that remove a program's races, and test them
  report       Show a saved JSON report, or convert it to other formats
  explain      Explain a code from a report, such as HR001

Whole projects:
  build        Build a project with its own build system and hirace's compiler wrappers
  run          Run a program that was built with hirace, and report its data races
  nvcc, g++    Compile in place of nvcc, and of g++ for host code; c++ and clang++ likewise
  instrument   Write an instrumented copy of files or directory trees, to build with nvcc
  toolkit      Print the directory to use in place of a CUDA toolkit

Memory models and research:
  litmus       Ask a memory model which results of a small concurrent program are allowed
  fsm          Print, verify or trace the access state machine
  indigo       Sweep labelled suites: run every program on every graph with every tool

This installation:
  doctor       Check the environment and suggest fixes
  cache        Show or clear the build cache
  completions  Print a completion script for a shell
  man          Print a manual page

Options:
{options}{after-help}";

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
    Check(check::Check),
    /// Check a program again each time that one of its source files changes
    ///
    /// Takes the arguments of `hirace check`, and watches the directories of the source files and of -I.
    /// Ctrl-C ends it.
    Watch(check::Check),
    /// Build a project with its own build system and hirace's compiler wrappers
    Build(Build),
    /// Run a program that was built with hirace, and report its data races
    Run(run::Run),
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
    /// Ask a memory model which results of a small concurrent program are allowed
    Litmus(litmus::Litmus),
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
    /// Compile PTX to a library, for a program that loads it while it runs, and print its path
    #[command(hide = true)]
    Module(Module),
    /// Print a completion script for a shell
    ///
    /// `hirace indigo` runs a separate program, `hirace-indigo`: `hirace indigo completions SHELL` prints
    /// the script for that.
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print a manual page, in the format of man
    ///
    /// `hirace man check > hirace-check.1` writes that of a command; `man -l hirace-check.1` shows it.
    Man {
        /// The command, or `nvcc` or `g++`; without one, the page of hirace
        #[arg(value_name = "COMMAND")]
        command: Option<String>,
    },
}

/// Arguments of `hirace build`.
#[derive(Debug, Args)]
#[command(after_long_help = BUILD_NOTES)]
pub struct Build {
    /// The backend to build for
    #[arg(long, value_enum, default_value_t = BackendChoice::Auto, value_name = "BACKEND")]
    pub backend: BackendChoice,

    /// Disable all check elimination, overriding [skip] in the configuration
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

Exit status: that of COMMAND; 2 if it could not be started, or there is no nvcc for the gpu
backend

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

/// Arguments of `hirace module`, which programs run (`device/hirace/libraries/driver/loader.h`).
#[derive(Debug, Args)]
pub struct Module {
    /// Copy the file to the cache, where reports can find it later
    #[arg(long, conflicts_with = "source")]
    pub keep: bool,

    /// The file is CUDA C++ as `device/hirace/libraries/nvrtc/nvrtc.inl.h` writes it, rather than PTX
    #[arg(long)]
    pub source: bool,

    /// The name of the source
    #[arg(long, default_value = "default_program")]
    pub name: String,

    /// An expression that names a kernel or a variable of the source
    #[arg(long, allow_hyphen_values = true)]
    pub expression: Vec<String>,

    /// The PTX or the source
    pub file: PathBuf,

    /// NVRTC's options
    #[arg(last = true)]
    pub options: Vec<String>,
}

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
    /// gpu if nvcc and a GPU are found and `hirace doctor --self-test` has passed here, otherwise cpu
    Auto,
    /// The CPU executor: needs a C++ compiler and no GPU
    Cpu,
    /// nvcc and a GPU
    Gpu,
}

/// Values of `--backend`, where the choice must be explicit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FixedBackend {
    /// The CPU executor: needs a C++ compiler and no GPU
    Cpu,
    /// nvcc and a GPU
    Gpu,
}

impl From<FixedBackend> for Backend {
    fn from(backend: FixedBackend) -> Self {
        match backend {
            FixedBackend::Cpu => Self::Cpu,
            FixedBackend::Gpu => Self::Gpu,
        }
    }
}

/// Values of `--format`, of commands without reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TextFormat {
    /// Text
    Human,
    /// JSON
    Json,
}
