//! Development tasks of hirace, run as `cargo xtask …`.
//!
//! This is also a library: the UI tests take their programs from [`ui`] and their input graphs from
//! [`graphs`], and use the same [`nvcc`].

pub mod bench;
pub mod browser;
pub mod build_tools;
pub mod change;
pub mod codegen;
pub mod compile;
pub mod corpora;
mod document;
pub mod files;
pub mod gpu;
pub mod gpu_ptx;
pub mod nvcc;
mod parallel;
pub mod pictures;
pub mod process;
pub mod programs;
pub mod ptx_compilers;
mod pypi;
pub mod repairs;
pub mod resources;
pub mod steps;
pub mod tally;
pub mod ui;
pub mod verdict;
pub mod wheels;

use std::path::{Path, PathBuf};

use hirace::instrument::headers;
use hirace::toolchain::cache::Cache;

pub use hirace_graphs as graphs;

/// The root of the working tree that this crate was built in.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask is a folder of the workspace")
}

/// The directory to search for `<hirace/…>`: a copy of `device/` with the headers that are generated
/// at build time (`device/toolkit.txt`).
pub fn device_headers() -> anyhow::Result<PathBuf> {
    Ok(headers::cached(&Cache::of_user()?)?)
}
