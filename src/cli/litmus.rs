//! Arguments of `hirace litmus`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Arguments of `hirace litmus`.
#[derive(Debug, Args)]
#[command(after_long_help = LITMUS_NOTES)]
pub struct Litmus {
    /// Litmus tests, or directories with files that end in .litmus
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The memory model: ptx, sc, or a file that ends in .cat
    #[arg(long, default_value = "ptx", value_name = "MODEL")]
    pub model: String,

    /// How to print the verdicts
    #[arg(long, value_enum, default_value_t = LitmusFormat::Human, value_name = "FORMAT")]
    pub format: LitmusFormat,

    /// Follow each loop for at most N rounds
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub unroll: u32,

    /// Consider at most N candidate executions of a test
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    pub limit: u64,

    /// Stop after SECONDS for each test [default: no limit]
    #[arg(long, value_name = "SECONDS", value_parser = super::run::parse_seconds)]
    pub timeout: Option<f64>,
}

/// Values of `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LitmusFormat {
    /// A verdict for each test, with an execution that decides it
    Human,
    /// A JSON object for each test, one per line
    Json,
    /// The deciding executions as graphs for Graphviz
    Dot,
    /// The deciding execution of one test as a picture
    Svg,
}

const LITMUS_NOTES: &str = "\
A litmus test is a small concurrent program with a question about its results:
  exists     some execution that the model allows ends in such a state
  ~exists    none does
  forall     all do

Exit status:
  0  every test holds
  1  a test does not hold
  2  a test or the model could not be read, or a limit was reached

Examples:
  hirace litmus mp.litmus
  hirace litmus --model sc --format json tests/
  hirace litmus --format dot sb.litmus | dot -Tpdf > sb.pdf";
