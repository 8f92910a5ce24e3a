//! Arguments of `hirace fsm`.

use clap::{Args, Subcommand, ValueEnum};
use hirace_fsm::State;
use hirace_fsm::check::{MAX_THREADS, Shape};

/// Arguments of `hirace fsm`.
#[derive(Debug, Args)]
pub struct Fsm {
    /// What to show.
    #[command(subcommand)]
    pub command: FsmCommand,
}

/// The views of the state machine.
#[derive(Debug, Subcommand)]
pub enum FsmCommand {
    /// Print all transitions: 25 states x 48 inputs
    Table {
        /// The form
        #[arg(long, value_enum, default_value_t = TableFormat::Csv, value_name = "FORMAT")]
        format: TableFormat,
    },
    /// Print the machine as a graph for Graphviz: hirace fsm dot | dot -Tsvg > fsm.svg
    Dot {
        /// Draw only the edges out of STATE, such as READ
        #[arg(long, value_name = "STATE", value_parser = parse_state)]
        state: Option<State>,
    },
    /// Print the machine as a Murphi model, for rumur or CMurphi
    #[command(after_help = MURPHI_NOTES)]
    Murphi(Murphi),
    /// Prove the machine exact by searching all histories
    #[command(after_help = VERIFY_NOTES)]
    Verify(Verify),
    /// Step through a history, comparing the machine with the truth
    #[command(after_help = TRACE_NOTES)]
    Trace(Trace),
}

const MURPHI_NOTES: &str = "\
With rumur:
  hirace fsm murphi --cover > hirace.m
  rumur --deadlock-detection off --output hirace.c hirace.m
  cc -O3 -march=native -mcx16 -pthread hirace.c -o hirace-model -latomic
  ./hirace-model

A grid of 2x2x2 takes about a minute; each further thread makes it many times slower.";

const VERIFY_NOTES: &str = "\
Exit status:
  0  exact: RACE is entered if and only if a race happened
  1  not exact: a shortest history with a wrong verdict is printed
  2  bad input, or a grid that is too large to finish";

const TRACE_NOTES: &str = "\
Events, separated by commas; threads, warps and blocks are numbered across the grid:
  t0:R            thread 0 reads; W writes, BA and GA are atomics of block and device scope
  syncwarp w0     the whole warp 0 passes __syncwarp()
  syncthreads b0  the whole block 0 passes __syncthreads()
  t0:R [READ]     thread 0 reads, and the machine is expected to be in state READ afterwards

Example: hirace fsm trace 't0:R, syncthreads b0, t0:GA, t2:GA'

Exit status:
  0  machine and truth agree, and the states are as expected
  1  they disagree, or a state is not as expected
  2  bad input";

/// Arguments of `hirace fsm murphi`.
#[derive(Debug, Args)]
pub struct Murphi {
    /// Blocks of the grid
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub blocks: usize,

    /// Warps in a block
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub warps: usize,

    /// Threads in a warp
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub threads: usize,

    /// Add `cover` properties, which only rumur supports, for what a full search must reach
    #[arg(long)]
    pub cover: bool,

    /// Which fields a shadow word holds
    #[arg(long, value_enum, default_value_t = ModelWords::Masked, value_name = "WORDS")]
    pub words: ModelWords,

    /// Which transition table to use
    #[arg(long, value_enum, default_value_t = Machine::Exact, value_name = "TABLE")]
    pub table: Machine,
}

/// Arguments of `hirace fsm verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// Search the grid of B blocks of W warps of T threads; repeatable [default: grids of any size at once, then six small ones]
    #[arg(long, value_name = "BxWxT", value_parser = parse_shape)]
    pub shape: Vec<Shape>,

    /// Which fields a shadow word holds
    #[arg(long, value_enum, default_value_t = Words::Both, value_name = "WORDS")]
    pub words: Words,

    /// Which transition table to use
    #[arg(long, value_enum, default_value_t = Machine::Exact, value_name = "TABLE")]
    pub table: Machine,

    /// Give up on a grid after N situations
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub limit: usize,
}

/// Arguments of `hirace fsm trace`.
#[derive(Debug, Args)]
pub struct Trace {
    /// The history, such as 't0:R, syncthreads b0, t2:W'
    #[arg(value_name = "HISTORY")]
    pub history: String,

    /// The grid: B blocks of W warps of T threads
    #[arg(long, value_name = "BxWxT", default_value = "2x2x2", value_parser = parse_shape)]
    pub shape: Shape,

    /// Which transition table to use
    #[arg(long, value_enum, default_value_t = Machine::Exact, value_name = "TABLE")]
    pub table: Machine,
}

/// Values of `fsm table --format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    /// One line per transition
    Csv,
    /// A Markdown table
    Markdown,
    /// One JSON object
    Json,
    /// The C++ header of the device code
    Header,
}

/// Values of `--words`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Words {
    /// Every field, in every state
    Full,
    /// Only the fields that can still matter, as on devices
    Masked,
    /// Both, one after the other
    Both,
}

/// Values of `murphi --words`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModelWords {
    /// Every field, in every state
    Full,
    /// Only the fields that can still matter, as on devices
    Masked,
}

/// Values of `--table`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Machine {
    /// hirace's own table
    Exact,
    /// The table that the authors of the HiRace paper published
    Published,
}

fn parse_state(text: &str) -> Result<State, String> {
    State::from_name(text).ok_or_else(|| {
        let names = State::ALL.map(State::name).join(" ");
        format!("the states are {names}")
    })
}

fn parse_shape(text: &str) -> Result<Shape, String> {
    let numbers: Vec<&str> = text.split('x').collect();
    let &[blocks, warps, threads] = numbers.as_slice() else {
        return Err("expected three numbers, such as 2x2x2".to_owned());
    };
    let mut sizes = [0; 3];
    for (size, (text, name)) in sizes.iter_mut().zip([
        (blocks, "number of blocks"),
        (warps, "number of warps in a block"),
        (threads, "number of threads in a warp"),
    ]) {
        *size = match text.parse() {
            Ok(0) => return Err(format!("the {name} is 0")),
            Ok(size) if text.bytes().all(|byte| byte.is_ascii_digit()) => size,
            _ => return Err(format!("the {name}, `{text}`, is not a number")),
        };
    }
    let [blocks, warps, threads] = sizes;
    Shape::new(blocks, warps, threads)
        .map_err(|_| format!("too large to finish: more than {MAX_THREADS} threads"))
}
