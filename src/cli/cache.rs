//! The arguments of `hirace cache`.

use clap::{Args, Subcommand};

/// Arguments of `hirace cache`.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub struct Cache {
    /// What to do; the default is to show the cache
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
and compiled programs. It is in $HIRACE_CACHE or, if that is not set, in the user's cache
directory. [cache] in hirace.toml limits its size; `hirace check` and `hirace fix` do not use
it with `--no-cache`.";
