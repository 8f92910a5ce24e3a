//! The arguments of `hirace litmus run`.

use std::path::PathBuf;

use clap::Args;

use super::ModelOptions;
use crate::cli::{FixedBackend, TextFormat};

/// Arguments of `hirace litmus run`.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub struct Run {
    /// Litmus tests, or directories with files that end in .litmus
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Where to run them [default: gpu if there are nvcc and a GPU, else cpu]
    #[arg(long, value_enum, value_name = "BACKEND")]
    pub backend: Option<FixedBackend>,

    /// How often to run each test
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub iterations: u64,

    /// Seed of the schedules
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Techniques that provoke weak behaviour on a GPU: a list of stress, conflicts, sync and random,
    /// or all, or none; repeatable
    #[arg(long, value_name = "LIST", default_value = "all")]
    pub incantations: Vec<String>,

    /// Run each test with each combination of incantations
    #[arg(long, conflicts_with = "incantations")]
    pub every_combination: bool,

    /// The model to compare observed states with
    #[command(flatten)]
    pub model: ModelOptions,

    /// Keep results in an SQLite file, and resume from it
    #[arg(long, value_name = "FILE")]
    pub database: Option<PathBuf>,

    /// Write the programs to this directory, and run nothing
    #[arg(long, value_name = "DIR", conflicts_with = "database")]
    pub emit: Option<PathBuf>,

    /// An argument for nvcc, such as -arch=sm_90; repeatable
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub cc_arg: Vec<String>,

    /// How to print the results: histograms of final states, or one JSON object per line
    #[arg(long, value_enum, default_value_t = TextFormat::Human, value_name = "FORMAT")]
    pub format: TextFormat,
}

const NOTES: &str = "\
Exit status:
  0  the model allows every final state that was seen
  1  the model forbids a final state that was seen
  2  a test could not be run

The CPU executor shows only sequentially consistent states, and incantations have no effect.

Examples:
  hirace litmus run mp.litmus
  hirace litmus run --every-combination -n 1000000 --database results.sqlite tests/
  hirace litmus run --backend gpu --emit programs tests/";
