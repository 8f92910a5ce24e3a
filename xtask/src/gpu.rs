//! `cargo xtask gpu`: everything that needs a GPU, in one command.
//!
//! A machine with a GPU may not have Rust. What runs there is a [`package`]: the programs of
//! `tests/ui` and of `bench/`, instrumented here, and a shell script that compiles, runs and
//! measures them. Its results are copied back and judged by the code that creates every report
//! ([`judge`]). Their table goes into `docs/benchmarks.md` ([`import`]).

mod import;
pub mod judge;
mod kernels;
mod package;

pub use import::import;
pub use judge::judge;
pub use kernels::{KERNELS, Kernel};
pub use package::{Contents, ui_programs, write};

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use hirace::model::Backend;
use hirace::toolchain::gpu;

use crate::process;

/// Prepares the package. If there is a GPU and nvcc, also runs it and imports the results.
///
/// Returns whether all results are as expected.
pub fn run(prepare_only: bool) -> Result<bool> {
    let out = crate::root().join("target/gpu");
    let directory = out.join("package");
    let size = write(
        &directory,
        &Contents {
            backend: Backend::Gpu,
            tests: &ui_programs()?,
            self_test: true,
            kernels: &KERNELS,
        },
    )?;
    let relative = directory.strip_prefix(crate::root()).unwrap_or(&directory);
    println!("{}: {:.1} MiB", relative.display(), mib(size));
    if prepare_only || !gpu::available() {
        let reason = if prepare_only {
            "`--prepare` was given"
        } else {
            "this machine has no GPU or no nvcc"
        };
        println!(
            "nothing was run: {reason}. On a machine with both, run\n  \
             bash run.sh OUT\nin a copy of that directory, and then here\n  \
             cargo xtask gpu --import OUT"
        );
        return Ok(true);
    }
    let results = out.join("results");
    remove(&results)?;
    let mut command = Command::new("bash");
    command.arg(directory.join("run.sh")).arg(&results);
    if let Some(nvcc) = gpu::nvcc() {
        command.env("NVCC", nvcc);
    }
    // The results list anything unexpected.
    let as_expected = process::tee(&mut command, |_| ())?;
    Ok(import(&results)? && as_expected)
}

/// Removes a directory that may not exist.
fn remove(directory: &Path) -> Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory)
            .with_context(|| format!("failed to remove {}", directory.display()))?;
    }
    Ok(())
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
