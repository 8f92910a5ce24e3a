//! The arguments of `hirace litmus generate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::ModelOptions;

/// Arguments of `hirace litmus generate`.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub struct Generate {
    /// The edges of one cycle [default: all cycles of the relaxations]
    #[arg(value_name = "EDGE", conflicts_with_all = ["relaxations", "accesses", "threads", "size", "most"])]
    pub cycle: Vec<String>,

    /// Relaxations to build cycles from
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "LIST",
        default_value = "rfe,fre,coe,po,fence.sc.gpu,addr,data,ctrl"
    )]
    pub relaxations: Vec<String>,

    /// Kinds of accesses to use
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "LIST",
        default_value = "relaxed.gpu"
    )]
    pub accesses: Vec<String>,

    /// Build cycles of at most N threads
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=6))]
    pub threads: u8,

    /// Build cycles of at most N edges
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(2..=12))]
    pub size: u8,

    /// Use at most N cycles; a note says if there are more
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub most: usize,

    /// Where the threads run; repeatable
    #[arg(long, value_enum, value_name = "PLACE", default_value = "grid")]
    pub placement: Vec<Place>,

    /// Keep only tests whose cycle the model forbids or allows, with the question that then holds
    #[arg(long, value_enum, value_name = "OUTCOME")]
    pub outcome: Option<Outcome>,

    /// The model and its limits, for --outcome
    #[command(flatten)]
    pub model: ModelOptions,

    /// Write each test to a file NAME.litmus in this directory
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Print names and cycles only
    #[arg(long, conflicts_with = "output")]
    pub list: bool,
}

/// Where threads run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Place {
    /// In one warp
    Warp,
    /// In warps of one block
    Block,
    /// In blocks of one GPU
    Grid,
    /// On several GPUs
    System,
}

/// Whether a model allows a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Outcome {
    /// No execution has it: the question is ~exists
    Forbidden,
    /// Some execution has it: the question is exists
    Allowed,
}

const NOTES: &str = "\
Relaxations are rfe fre coe (from one thread to another), rfi fri coi (within one), po, po-loc,
addr, data, ctrl, rmw, and fence.sc or fence.acq_rel with a scope. po-loc stays at one location.
The edges of a cycle are named as in diy: Rfe, PodWR (d: different locations), PosRR (s: the
same), Fence.sc.gpu.dWW, DpAddrdR, DpDatadW, DpCtrldW, Rmw. An access in brackets is the
access between two edges; the default is relaxed.gpu.

Tests have their customary names: MP, SB, LB, R, S, 2+2W, WRC, IRIW, CoRR and so on, followed by
what their threads contain. Two cycles that are the same up to rotation make one test.

Examples:
  hirace litmus generate PodWW '[release.gpu]' Rfe '[acquire.gpu]' PodRR Fre
  hirace litmus generate --threads 3 --outcome forbidden --output tests
  hirace litmus generate --relaxations rfe,fre,po,fence.sc.cta --accesses weak,relaxed.cta \\
      --placement block --placement grid --list";
