//! The arguments of `hirace litmus`.

mod generate;
mod run;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

pub use generate::{Generate, Outcome, Place};
pub use run::{Run, RunBackend, RunFormat};

/// Arguments of `hirace litmus`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = NOTES,
    after_long_help = LONG_NOTES
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

    /// Put the threads elsewhere than the tests say; may be given several times
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

    /// Consider at most N ways through each thread of a test, and N candidate executions of them
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

const NOTES: &str = "\
Exit status:
  0  every test holds
  1  a test does not hold
  2  a test or the model could not be read, or a limit was reached

`hirace litmus --help` shows the format of tests.";

const LONG_NOTES: &str = "\
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

The first row places the threads. Two threads are in one warp, block or GPU if the numbers agree
(`P0@warp 0,cta 0,gpu 0`); a thread whose warp is not given has one of its own. Instructions:

  ld st               .weak, .volatile, .relaxed .acquire .release with .cta .cluster .gpu .sys
  atom red            the same, and .acq_rel; .add .sub .exch .cas .inc .dec .and .or .xor .min .max
  fence               .sc .acq_rel with a scope; .proxy.alias .proxy.texture .proxy.surface ...
  suld sust tld cold  by the surface, texture and constant proxies
  bar.cta             .sync .arrive .red with the barrier's number, and how many threads meet;
                      .red.popc .red.and .red.or r0, BARRIER, r1 reduce r1 of these threads to r0
  membar              .cta .gl .sys; ld.cg, ld.ca and st.cg are weak
  mov add sub mul and or xor min max setp   on registers
  beq bne blt bgt ble bge goto and labels; `@r0` in front of an instruction

Types are .b .s and .u with 8, 16, 32 or 64 bits. Registers have 64 bits. An instruction takes the
low bits of its operands, wraps its result to the type, compares with sign (.s) or without, and
extends what it puts into a register with the sign (.s) or with zeros (.u .b). Without a type,
arithmetic and branches have .s64, inc and dec .u32, and other accesses the type of the location:
the declared one (`uint8_t x = 0`), else that of the first access that has one, else .s64. All
accesses to a location have one size. Other types, such as .f32 and vectors, are refused.

A declaration `y @ generic aliases x` makes y a second address of x; `surface`, `texture` and
`constant` make it another proxy's name. A barrier's count is in threads of the test, or in multiples
of 32, where each thread stands for its warp.

Questions are `exists`, `~exists` and `forall`, and `filter` in front of one of them, with
`P1:r0 == 1`, `[x] != 0`, `/\\`, `\\/` and `~`. `locations [x; P1:r0;]` in front adds values to the
final states that `hirace litmus run` shows. The dialect of Alglave et al., \"GPU Concurrency\"
(ASPLOS 2015), with a scope tree, is read as well. docs/memory-model.md explains the model.

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
