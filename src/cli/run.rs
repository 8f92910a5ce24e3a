//! Arguments of `hirace run`, and those that `hirace check` shares with it.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use hirace_check::Schedules;
use hirace_config::Explore;

use super::EXIT_STATUS;
use super::control::Control;
use super::headings::{CHECKING, SCHEDULES, STATUS};
use super::known::Known;
use super::outputs::Outputs;

/// Arguments of `hirace run`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS, after_long_help = RUN_NOTES)]
pub struct Run {
    /// How to run and report
    #[command(flatten)]
    pub run: RunAndReport,

    /// The program and its arguments; `--` may come before it
    #[arg(required = true, trailing_var_arg = true, value_name = "PROGRAM")]
    pub program: Vec<std::ffi::OsString>,
}

const RUN_NOTES: &str = "\
The program must have been built with hirace, and the build decided what is instrumented:
of the configuration, only [semantics], [shadow], [report] and [run] apply here. PROGRAM may
also be a script that starts such programs; each of them is checked.

Exit status: as for `hirace check`; 2 also if no program was built with hirace

Examples:
  hirace run -- ./build/solver input.bin 10
  hirace run --format json --output report.json -- ctest --test-dir build";

/// How to run a program, and where to write its report.
#[derive(Debug, Args)]
pub struct RunAndReport {
    /// Which reports to write, and where
    #[command(flatten)]
    pub outputs: Outputs,

    /// Read the configuration from FILE instead of the nearest hirace.toml
    ///
    /// By default, hirace looks for hirace.toml in the directory of the first source file (with
    /// `hirace run`, in the current directory) and its parents.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Seed of the schedule [default: 0, the natural order]
    ///
    /// The seed decides in which order threads and blocks start, which threads continue first after
    /// a barrier, and where threads are interrupted so that others of any block overtake them. With
    /// --seed, the report is the same from run to run, byte for byte, on any number of cores: one
    /// core then runs all blocks.
    #[arg(long, value_name = "N", conflicts_with_all = ["seeds", "explore"], help_heading = SCHEDULES)]
    pub seed: Option<u32>,

    /// Run the schedules of seeds A to B, both included, and merge their reports
    ///
    /// Each race names the seeds that show it. The program's output is that of the first
    /// schedule; the time limit applies to each schedule.
    #[arg(long, value_name = "A..B", value_parser = parse_seeds, conflicts_with = "explore", help_heading = SCHEDULES)]
    pub seeds: Option<Seeds>,

    /// Run N schedules, the same as --seeds 0..N-1 [default: 1]
    ///
    /// Overrides `schedules` under [explore] in the configuration.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = SCHEDULES)]
    pub explore: Option<u32>,

    /// Search for races of a depth up to D with all seeds but 0 [default: 3]
    ///
    /// A race of depth 1 depends on the order of threads alone. Each further step of depth is a
    /// thread that must be interrupted at the right place. The seeds take turns with the depths from
    /// 2 to D; with 1, no thread is interrupted at its synchronising operations. Overrides `depth` under [explore] in the configuration.
    #[arg(long, value_name = "D", value_parser = parse_depth, help_heading = SCHEDULES)]
    pub explore_depth: Option<NonZeroU32>,

    /// The order in which blocks start [default: natural with seed 0, else random]
    #[arg(long, value_enum, value_name = "ORDER", help_heading = SCHEDULES)]
    pub block_order: Option<Order>,

    /// Number of worker threads of the CPU executor [default: one per core]
    ///
    /// With 1, the whole report is the same in every run. With more, the blocks of large launches
    /// run in parallel, and which of several conflicting threads is shown may change. With
    /// --explore and --seeds, N schedules run in parallel: use 1 if runs of the program disturb
    /// one another. With --seed, this option has no effect.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024), help_heading = SCHEDULES)]
    pub jobs: Option<u32>,

    /// Race-detection engine for the CPU executor [default: auto]
    ///
    /// Overrides `engine` under [check] in the configuration.
    #[arg(long, value_enum, value_name = "ENGINE", help_heading = CHECKING)]
    pub engine: Option<EngineChoice>,

    /// Look for races that only another schedule would show, too
    ///
    /// Predicts races between accesses that this schedule ordered only by the order in which threads
    /// happened to take a lock. They are possible races: --strict counts them. This selects nothing:
    /// the order engine predicts, so not with --engine machine. Overrides `predict` under [check] in
    /// the configuration.
    #[arg(long, help_heading = CHECKING)]
    pub predict: bool,

    /// Count reads of device memory that nothing has written as errors
    ///
    /// Without it they are warnings (HF012), which do not change the exit status. Overrides
    /// `init-check` under [check] in the configuration.
    #[arg(long, help_heading = CHECKING)]
    pub init_check: bool,

    /// Stop the program after SECONDS [default: no limit]
    ///
    /// Of several schedules, each has this time. By default, one that takes 100 times as long as the
    /// first, and at least 10 s, is stopped: in some schedules a racy program may never end.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub timeout: Option<f64>,

    /// Which findings are already known
    #[command(flatten)]
    pub known: Known,

    /// Count possible races and warnings in the exit status
    #[arg(long, help_heading = STATUS)]
    pub strict: bool,

    /// Options that `HIRACE_OPTIONS` can also set
    #[command(flatten)]
    pub control: Control,
}

impl RunAndReport {
    /// The schedules that the options select.
    #[must_use]
    pub fn schedules(&self) -> Schedules {
        let explored = self.explore.and_then(NonZeroU32::new);
        match (self.seed, self.seeds, explored) {
            (Some(seed), _, _) => Schedules::Seed(seed),
            (_, Some(Seeds { first, last }), _) => Schedules::Range(first, last),
            (_, _, Some(count)) => Schedules::many(count),
            (None, None, None) => Schedules::Configured,
        }
    }
}

/// Values of `--engine`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineChoice {
    /// `order` for programs in which more than barriers of whole blocks and warps can order
    /// accesses, such as fences, flags and locks; else `machine`
    Auto,
    /// The state machine: exact for barriers of whole blocks and warps, and fast
    Machine,
    /// The order engine: follows everything that orders accesses, and is slower
    Order,
}

/// Values of `--block-order`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Order {
    /// By block number
    Natural,
    /// Last block first
    Reverse,
    /// Shuffled by the seed
    Random,
}

/// Values of `--seeds`: from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeds {
    /// The first one.
    pub first: u32,
    /// The last one, not below the first.
    pub last: u32,
}

fn parse_seeds(text: &str) -> Result<Seeds, String> {
    let (first, last) = Schedules::parse_range(text)?;
    Ok(Seeds { first, last })
}

fn parse_depth(text: &str) -> Result<NonZeroU32, String> {
    let number = text.parse().ok().and_then(NonZeroU32::new);
    number
        .filter(|it| it.get() <= Explore::GREATEST_DEPTH)
        .ok_or_else(|| format!("not a number from 1 to {}", Explore::GREATEST_DEPTH))
}

pub(super) fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds < 1e9 => Ok(seconds),
        Ok(_) => Err("must be more than 0".to_owned()),
        Err(_) => Err("not a number of seconds".to_owned()),
    }
}
