//! The arguments of `hirace litmus run`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::ModelOptions;

/// Arguments of `hirace litmus run`.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub struct Run {
    /// Litmus tests, or directories with files that end in .litmus
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Where to run them [default: gpu if there are nvcc and a GPU, else cpu]
    #[arg(long, value_enum, value_name = "BACKEND")]
    pub backend: Option<RunBackend>,

    /// How often to run each test
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub iterations: u64,

    /// Seed of the schedules
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// What brings weak behaviour out on a GPU: stress,conflicts,sync,random, or all, or none; may
    /// be given several times
    #[arg(long, value_name = "LIST", default_value = "all")]
    pub incantations: Vec<String>,

    /// Run each test with each combination of incantations
    #[arg(long, conflicts_with = "incantations")]
    pub every_combination: bool,

    /// The model that the states are held against
    #[command(flatten)]
    pub model: ModelOptions,

    /// Keep results in an SQLite file, and go on where it stops
    #[arg(long, value_name = "FILE")]
    pub database: Option<PathBuf>,

    /// Write the programs to this directory, and run nothing
    #[arg(long, value_name = "DIR", conflicts_with = "database")]
    pub emit: Option<PathBuf>,

    /// An argument for nvcc, such as -arch=sm_90; may be given several times
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub cc_arg: Vec<String>,

    /// How to print the results
    #[arg(long, value_enum, default_value_t = RunFormat::Human, value_name = "FORMAT")]
    pub format: RunFormat,
}

/// Values of `litmus run --backend`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RunBackend {
    /// The CPU executor, which is sequentially consistent
    Cpu,
    /// nvcc and a GPU
    Gpu,
}

/// Values of `litmus run --format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RunFormat {
    /// A histogram of the final states
    Human,
    /// A JSON object for each test and combination, one per line
    Json,
}

const NOTES: &str = "\
Exit status:
  0  every final state is one that the model allows
  1  the model forbids a state that was seen
  2  a test could not be run

On the CPU executor only sequentially consistent states appear, and incantations do nothing.

Examples:
  hirace litmus run mp.litmus
  hirace litmus run --every-combination -n 1000000 --database results.sqlite tests/
  hirace litmus run --backend gpu --emit programs tests/";
