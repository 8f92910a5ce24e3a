//! The arguments of `hirace instrument`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::compiler_options::COMPILER_OPTIONS;
use super::{FixedBackend, TextFormat};

/// Arguments of `hirace instrument`.
#[derive(Debug, Args)]
#[command(after_long_help = format!("{COMPILER_OPTIONS}\n\n{NOTES}"))]
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

    /// Replace DIR even if it holds other files
    #[arg(long)]
    pub force: bool,

    /// The backend to instrument for
    #[arg(long, value_enum, default_value_t = FixedBackend::Gpu, value_name = "BACKEND")]
    pub backend: FixedBackend,

    /// Read the configuration from FILE instead of the hirace.toml nearest to the first PATH
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Disable all check elimination, overriding [skip] in the configuration
    #[arg(long)]
    pub check_all: bool,

    /// Write nothing; print the share of device accesses that are monitored, and list the others
    ///
    /// For each file, this counts the device functions, those left unchanged because hirace could
    /// not parse them, and accesses of four kinds: monitored; in no need of a hook, because no
    /// other thread can reach the object or nothing can write it; switched off by the configuration
    /// or a comment; and not monitored, each with the reason. The share leaves out the second kind.
    #[arg(long, conflicts_with = "force")]
    pub coverage: bool,

    /// Write nothing; print what hirace understands of each device function
    ///
    /// `ir` prints the basic blocks: accesses, barriers, fences and calls with their places, and
    /// which block may follow. A `stable` read needs no check, because no thread writes shared
    /// memory between the barriers around it.
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with_all = ["force", "coverage"])]
    pub show: Option<Shown>,

    /// How to print the coverage; JSON is one object of schema hirace-coverage/1
    #[arg(long, value_enum, default_value_t = TextFormat::Human, value_name = "FORMAT", requires = "coverage")]
    pub format: TextFormat,

    /// An option that the files will be compiled with; repeatable; -I and -D need no --cc-arg
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub cc_arg: Vec<String>,
}

/// What `--show` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shown {
    /// The basic blocks of each device function
    Ir,
}

const NOTES: &str = "\
Build the copy like the original, with one more include directory:
  hirace instrument foo.cu -o DIR
  nvcc -I DIR/include DIR/foo.cu
The program prints its races to standard error when it ends.

A file is copied together with the local headers that it includes. From a directory, all C,
C++ and CUDA sources and build files (Makefile, CMakeLists.txt, *.cmake, *.mk) are copied,
except hidden entries, build trees (with CACHEDIR.TAG or CMakeCache.txt) and earlier outputs
of hirace. DIR appears only when it is complete.

Exit status:
  0  written; with --coverage, something is monitored
  2  not written, and DIR is unchanged; with --coverage, nothing is monitored";
