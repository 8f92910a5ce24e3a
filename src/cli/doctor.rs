//! The arguments of `hirace doctor`.

use clap::{Args, ValueEnum};

/// Arguments of `hirace doctor`.
#[derive(Debug, Args)]
#[command(after_long_help = NOTES)]
pub struct Doctor {
    /// The backend that has to work [default: cpu; with --self-test gpu]
    #[arg(long, value_enum, value_name = "BACKEND")]
    pub backend: Option<Needed>,

    /// Compile and run nothing
    #[arg(long, conflicts_with = "self_test")]
    pub quick: bool,

    /// Hold the device code against the specification of the state machine, on the device
    ///
    /// All transitions and over a million random accesses, on each GPU, then kernels with known
    /// verdicts. With --backend cpu the same code runs as C++, without a GPU.
    #[arg(long)]
    pub self_test: bool,

    /// Seed of the random accesses [default: another one each time]
    #[arg(long, value_name = "N", requires = "self_test")]
    pub seed: Option<u64>,

    /// How to print it
    #[arg(long, value_enum, default_value_t = DoctorFormat::Human, value_name = "FORMAT")]
    pub format: DoctorFormat,
}

const NOTES: &str = "\
Exit status:
  0  the backend works: it has compiled and run a small program and found its race
     (with --quick, what it needs is there); with --self-test, that passed, too
  2  it does not

CXX and NVCC name the compilers, as for `hirace check`.";

/// Values of `doctor --backend`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Needed {
    /// The CPU executor
    Cpu,
    /// nvcc and a GPU
    Gpu,
}

/// Values of `doctor --format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DoctorFormat {
    /// A line for each thing
    Human,
    /// One JSON object, schema hirace-doctor/1
    Json,
}
