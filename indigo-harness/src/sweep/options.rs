//! What a sweep is asked to do.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::tool::Tool;

/// What to sweep.
#[derive(Clone, Debug)]
pub struct Options {
    /// A directory with a suite; our own where `None`.
    pub suite: Option<PathBuf>,
    /// Only programs with one of these texts in their names; all where there is none.
    pub filter: Vec<String>,
    /// Only programs with these names; all where there is none.
    pub exact: Vec<String>,
    /// Graphs as [`crate::graphs::resolve_all`] takes them; the six small ones where there is none.
    pub graphs: Vec<String>,
    /// Threads of a block and blocks of the grid; [`super::explore::ONE`] where there is none.
    pub shapes: Vec<(u32, u32)>,
    /// Lanes of a warp; 32 where there is none.
    pub warp_sizes: Vec<u32>,
    /// Whether to try more shapes and warp sizes.
    pub explore: bool,
    /// At least one.
    pub tools: Vec<Tool>,
    /// Which part of the programs.
    pub shard: Option<Shard>,
    /// Seconds that a run may take.
    pub timeout: f64,
    /// Runs and builds at a time; one per core where `None`.
    pub jobs: Option<NonZeroUsize>,
    /// Where built programs are kept; the user's directory for caches where `None`.
    pub cache: Option<PathBuf>,
    /// The results.
    pub database: PathBuf,
    /// The command line, for the results.
    pub command: String,
}

/// Every `count`-th program, from the `number`-th on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub number: u32,
    /// How many there are.
    pub count: u32,
}
