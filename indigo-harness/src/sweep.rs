//! Sweeps: every program on every graph, in every shape, with every tool.
//!
//! | module | job |
//! |---|---|
//! | [`plan`] | what is to be run |
//! | [`explore`] | which shapes and warp sizes are tried |
//! | [`tool`] | the tools, and what a program becomes for them |
//! | [`queue`] | several threads, builds and the runs that they lead to |
//! | [`build`] | many programs in one executable |
//! | [`cache`] | what was built before |
//! | [`execute`] | one run |
//! | [`judge`] | from what a run left behind to a verdict |
//! | [`machine`] | what this machine is |
//!
//! A finished run is in the database at once, and a sweep leaves out what is there. So rerunning
//! the command resumes a sweep that was stopped, in whatever way.

use indicatif::ProgressBar;

use crate::error::Result;
use crate::store::Store;

pub mod build;
pub mod cache;
mod engine;
pub mod execute;
pub mod explore;
mod gpu;
pub mod judge;
pub mod machine;
mod options;
pub mod plan;
pub mod queue;
pub mod tool;

use cache::Cache;
pub use engine::Summary;
use engine::Sweep;
use gpu::Gpu;
pub use options::{Options, Shard};
use plan::Plan;
pub use tool::Tool;

/// Sweeps, and resumes an earlier sweep into the same database.
///
/// # Errors
/// Bad options, no compiler, a disk that is full, or a signal. What was finished is kept.
pub fn run(options: &Options, bar: &ProgressBar) -> Result<Summary> {
    let gpu = Gpu::find(&options.tools)?;
    let cache = Cache::open(options.cache.as_deref())?;
    let plan = Plan::make(options, &cache)?;
    // Shards may lie where several machines see them.
    let store = match options.shard {
        Some(_) => Store::open_shared(&options.database)?,
        None => Store::open(&options.database)?,
    };
    let machine = machine::describe();
    let session = store.begin_session(&options.command, env!("CARGO_PKG_VERSION"), &machine)?;
    let sweep = Sweep::begin(options, &plan, &cache, store, gpu)?;
    let (store, summary) = sweep.work(session, bar)?;
    store.finish_session(session)?;
    Ok(summary)
}
