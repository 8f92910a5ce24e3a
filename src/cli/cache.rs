//! The arguments of `hirace cache`.

use clap::{Args, Subcommand};

/// Arguments of `hirace cache`.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub struct Cache {
    /// What to do; without it, the cache is shown
    #[command(subcommand)]
    pub command: Option<CacheCommand>,
}

/// What to do with the cache.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum CacheCommand {
    /// Remove everything
    Clear,
}

const NOTES: &str = "\
The cache holds the device headers, the compiled executor for each compiler and its options,
and compiled programs. It lies in $HIRACE_CACHE, else in the user's cache directory. [cache] in
hirace.toml bounds its size; `--no-cache` of `hirace check` and `hirace fix` does without it.";
