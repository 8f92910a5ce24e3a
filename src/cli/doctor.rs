//! The arguments of `hirace doctor`.

use clap::Args;

use super::{FixedBackend, TextFormat};

/// Arguments of `hirace doctor`.
#[derive(Debug, Args)]
#[command(after_long_help = NOTES)]
pub struct Doctor {
    /// The backend that must work [default: cpu; with --self-test gpu]
    #[arg(long, value_enum, value_name = "BACKEND")]
    pub backend: Option<FixedBackend>,

    /// Look for the tools only; compile and run nothing
    #[arg(long, conflicts_with = "self_test")]
    pub quick: bool,

    /// Test the device code against the specification of the state machine, on the device
    ///
    /// This tests all transitions and over a million random accesses on each GPU, and then kernels
    /// with known verdicts. With --backend cpu, the same code runs as C++, without a GPU. If it passes on
    /// the GPUs, hirace remembers that for this machine: from then on, `--backend auto` means gpu.
    #[arg(long)]
    pub self_test: bool,

    /// Empty the cache first, as `hirace cache clear` does
    #[arg(long)]
    pub clear_cache: bool,

    /// Seed of the random accesses [default: a new one each time]
    #[arg(long, value_name = "N", requires = "self_test")]
    pub seed: Option<u64>,

    /// How to print the result; JSON is one object of schema hirace-doctor/1
    #[arg(long, value_enum, default_value_t = TextFormat::Human, value_name = "FORMAT")]
    pub format: TextFormat,
}

const NOTES: &str = "\
Exit status:
  0  the backend works: it compiled and ran a small program and found its race (with --quick:
     its tools were found); with --self-test, the self-test passed too
  2  the backend does not work, or the self-test failed

CXX and NVCC name the compilers, as for `hirace check`.";
