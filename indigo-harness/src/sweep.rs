//! Sweeps: every program on every graph, in every shape, with every tool.
//!
//! | module | job |
//! |---|---|
//! | [`plan`] | the runs to do |
//! | [`explore`] | the shapes and warp sizes to try |
//! | [`tool`] | the tools, and the form of a program for each |
//! | [`queue`] | several threads for builds and the runs that follow |
//! | [`build`] | many programs in one executable |
//! | [`cache`] | earlier builds |
//! | [`execute`] | one run |
//! | [`judge`] | the verdict on a run from its output |
//! | [`machine`] | a description of this machine |
//!
//! A finished run is stored in the database at once, and a sweep skips runs that are already there.
//! So rerunning the command resumes a stopped sweep, however it was stopped.

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

/// Runs a sweep, or resumes an earlier one into the same database.
///
/// # Errors
/// Invalid options, no compiler, a full disk, or a signal. Finished runs are kept.
pub fn run(options: &Options, bar: &ProgressBar) -> Result<Summary> {
    let gpu = Gpu::find(&options.tools)?;
    let cache = Cache::open(options.cache.as_deref())?;
    let plan = Plan::make(options, &cache)?;
    // Several machines may access the databases of shards.
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
