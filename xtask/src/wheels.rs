//! Builds the wheels of a release: one per processor, for every Python and every Linux with glibc 2.17 or later.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};

use crate::process;

/// The processors, as rustc names them.
pub const TARGETS: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

/// The oldest Linux that runs them (PEP 600): glibc 2.17, the oldest that Rust supports.
const COMPATIBILITY: &str = "manylinux_2_17";

/// Builds the wheel of each target into `target/release-wheels`, and prints where it is.
pub fn run(targets: &[String]) -> Result<()> {
    let tools = crate::pypi::installed(
        "maturin and zig",
        "release-tools",
        "install_release_tools.py",
        "release-tools-requirements.txt",
    )
    .map_err(|reason| anyhow!(reason))?;
    for target in targets {
        require_standard_library(target)?;
    }
    let wheels = crate::root().join("target/release-wheels");
    for target in targets {
        println!("{}", build(&tools, &wheels, target)?.display());
    }
    Ok(())
}

/// Rust's standard library is installed for each target by itself.
fn require_standard_library(target: &str) -> Result<()> {
    let folder = process::capture(Command::new("rustc").args([
        "--print",
        "target-libdir",
        "--target",
        target,
    ]))?;
    if !folder.success {
        bail!("rustc does not know the target {target}");
    }
    if !Path::new(folder.text.trim()).is_dir() {
        bail!(
            "Rust's standard library for {target} is not installed; `rustup target add {target}` installs it"
        );
    }
    Ok(())
}

/// Builds one wheel, and returns its path.
fn build(tools: &Path, wheels: &Path, target: &str) -> Result<PathBuf> {
    let folder = wheels.join(target);
    // One of another version may be there.
    let _ = std::fs::remove_dir_all(&folder);
    let options =
        format!("--profile release --zig --target {target} --compatibility {COMPATIBILITY}");
    pip_wheel(&tools.join("python"), tools, &options, &folder)?;
    let built = crate::files::below(&folder)?.pop();
    built.with_context(|| format!("pip wrote no wheel into {}", folder.display()))
}

/// Lets `python` build the wheel into a folder, with maturin and the other `programs`, and the `options` of maturin's
/// build.
pub(crate) fn pip_wheel(
    python: &Path,
    programs: &Path,
    options: &str,
    folder: &Path,
) -> Result<()> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let programs = [programs.to_owned()].into_iter();
    let path = std::env::join_paths(programs.chain(std::env::split_paths(&path)))?;
    process::run(
        Command::new(python)
            .args(["-m", "pip", "wheel", "--quiet", "--no-deps"])
            .args(["--no-build-isolation", "--config-settings"])
            .arg(format!("build-args={options}"))
            .arg("--wheel-dir")
            .arg(folder)
            .arg(crate::root().join("python"))
            .env("PATH", path),
    )
}
