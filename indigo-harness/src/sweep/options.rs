//! The options of a sweep.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::tool::Tool;

/// The options of a sweep.
#[derive(Clone, Debug)]
pub struct Options {
    /// A directory with a suite; the built-in suite if `None`.
    pub suite: Option<PathBuf>,
    /// Only programs whose names contain one of these texts; all if empty.
    pub filter: Vec<String>,
    /// Only programs with these names; all if empty.
    pub exact: Vec<String>,
    /// Graphs in the syntax of [`crate::graphs::resolve_all`]; the six small ones if empty.
    pub graphs: Vec<String>,
    /// Threads per block and blocks per grid; [`super::explore::ONE`] if empty.
    pub shapes: Vec<(u32, u32)>,
    /// Lanes per warp; 32 if empty.
    pub warp_sizes: Vec<u32>,
    /// Whether to try more shapes and warp sizes.
    pub explore: bool,
    /// At least one.
    pub tools: Vec<Tool>,
    /// The part of the programs to run.
    pub shard: Option<Shard>,
    /// Time limit of a run in seconds.
    pub timeout: f64,
    /// Runs and builds at a time; one per core if `None`.
    pub jobs: Option<NonZeroUsize>,
    /// The directory for built programs; the user's cache directory if `None`.
    pub cache: Option<PathBuf>,
    /// The database of results.
    pub database: PathBuf,
    /// The command line, to store with the results.
    pub command: String,
}

/// Every `count`-th program, starting with the `number`-th.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub number: u32,
    /// Number of shards.
    pub count: u32,
}
