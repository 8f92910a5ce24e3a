//! The arguments of `hirace litmus`.

mod generate;
mod run;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use hirace_memory_model::litmus::instructions;

pub use generate::{Generate, Outcome, Place};
pub use run::Run;

/// Arguments of `hirace litmus`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = NOTES,
    after_long_help = long_notes()
)]
pub struct Litmus {
    /// What to do; the default is to judge tests
    #[command(subcommand)]
    pub command: Option<LitmusCommand>,

    /// Litmus tests, or directories with files that end in .litmus
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The model and its limits
    #[command(flatten)]
    pub model: ModelOptions,

    /// Override the thread placement of the tests; may be given several times
    #[arg(long, value_enum, value_name = "PLACE")]
    pub placement: Vec<Place>,

    /// How to print the verdicts
    #[arg(long, value_enum, default_value_t = LitmusFormat::Human, value_name = "FORMAT")]
    pub format: LitmusFormat,
}

/// What to do with litmus tests, besides judging them.
#[derive(Debug, Subcommand)]
pub enum LitmusCommand {
    /// Make tests from cycles of relaxations
    Generate(Generate),
    /// Run tests on a GPU or on the CPU executor, and count their final states
    Run(Run),
}

/// A memory model and the limits of a search.
#[derive(Debug, Args)]
pub struct ModelOptions {
    /// The memory model: ptx, sc, or a file that ends in .cat
    #[arg(long, default_value = "ptx", value_name = "MODEL")]
    pub model: String,

    /// Follow each loop for at most N rounds
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub unroll: u32,

    /// Consider at most N paths through each thread of a test, and N candidate executions
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    pub limit: u64,

    /// Stop after SECONDS for each test [default: no limit]
    #[arg(long, value_name = "SECONDS", value_parser = super::run::parse_seconds)]
    pub timeout: Option<f64>,
}

/// Values of `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LitmusFormat {
    /// A verdict for each test, with an execution that proves it
    Human,
    /// A JSON object for each test, one per line
    Json,
    /// These executions as graphs for Graphviz
    Dot,
    /// The execution of one test as a picture
    Svg,
}

const NOTES: &str = "\
Exit status:
  0  every test holds
  1  a test does not hold
  2  a test or the model could not be read, or a limit was reached

`hirace litmus --help` shows the format of tests.";

fn long_notes() -> String {
    format!("{FORMAT_NOTES}{}{QUESTION_NOTES}", instructions::help())
}

const FORMAT_NOTES: &str = "\
A litmus test is a small concurrent program with a question about its results:

  PTX MP
  \"message passing\"
  { x = 0; flag = 0; }
   P0@cta 0,gpu 0         | P1@cta 1,gpu 0          ;
   st.weak x, 1           | LC00:                   ;
   st.release.gpu flag, 1 | ld.acquire.gpu r0, flag ;
                          | bne r0, 1, LC00         ;
                          | ld.weak r1, x           ;
  ~exists (P1:r1 != 1)

The first row places the threads. Threads with equal numbers are in the same warp, block or GPU
(`P0@warp 0,cta 0,gpu 0`); a thread without a warp number has a warp of its own. Instructions:

";

const QUESTION_NOTES: &str = "
An instruction may have a guard, as in `@r0 st x, 1` or `@!r0 bra END`.

Types are .b .s and .u with 8, 16, 32 or 64 bits. Registers have 64 bits. An instruction takes the
low bits of its operands, wraps its result to the type, compares signed (.s) or unsigned, and
extends what it puts into a register with the sign (.s) or with zeros (.u .b). Without a type,
arithmetic and branches are .s64, inc and dec are .u32, and other accesses have the type of the
location: the declared one (`uint8_t x = 0`), else that of the first access that has one, else .s64.
All accesses to a location must have the same size. Other types, such as .f32 and vectors, are
rejected.

A declaration `y aliases x` makes y a second virtual address of x. With `s @ surface aliases x`, s
accesses x by the surface proxy at the address of x; `texture` and `constant` do the same. The count
of a barrier is a number of threads of the test, or a multiple of 32, where each thread stands for
its warp. In `bar.cta.sync 4, 1, 2`, as other tools write it, 4 is the number of the instruction.

Questions are `exists`, `~exists` and `forall` with a condition made of `P1:r0 == 1`, `[x] != 0`,
`/\\`, `\\/` and `~`. Before the question, `filter` and a condition exclude executions, and
`locations [x; P1:r0;]` adds values to the final states that `hirace litmus run` prints. The dialect
of Alglave et al., \"GPU Concurrency\" (ASPLOS 2015), with a scope tree, is read as well.
docs/memory-model.md explains the model.

Exit status:
  0  every test holds: some allowed execution ends in such a state (exists), none does (~exists),
     all do (forall)
  1  a test does not hold
  2  a test or the model could not be read, or a limit was reached

Examples:
  hirace litmus mp.litmus
  hirace litmus --model sc --format json tests/
  hirace litmus --format dot sb.litmus | dot -Tpdf > sb.pdf
  hirace litmus generate PodWW Rfe PodRR Fre
  hirace litmus run --incantations all mp.litmus";
