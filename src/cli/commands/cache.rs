//! `hirace cache`.

use std::fmt::Write as _;

use crate::cli::cache::{Cache as Arguments, CacheCommand};
use crate::exit::Exit;
use hirace_model::error::Result;
use hirace_terminal::print;
use hirace_toolchain::cache::{Cache, Kind};

pub(super) fn run(arguments: &Arguments) -> Result<Exit> {
    let cache = Cache::of_user()?;
    match arguments.command {
        Some(CacheCommand::Clear) => cache.clear()?,
        None => print(&listed(&cache))?,
    }
    Ok(Exit::Clean)
}

fn listed(cache: &Cache) -> String {
    let mut text = format!("{}\n", cache.directory().display());
    for kind in Kind::ALL {
        let usage = cache.usage(kind);
        let mebibytes = usage.bytes as f64 / f64::from(1 << 20);
        let _ = writeln!(
            text,
            "  {:<8}  {:>5} {}  {mebibytes:>8.1} MiB",
            kind.name(),
            usage.entries,
            if usage.entries == 1 {
                "entry  "
            } else {
                "entries"
            },
        );
    }
    text
}
