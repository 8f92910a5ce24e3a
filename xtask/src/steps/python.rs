//! The tests of the Python package, with Triton and Numba from PyPI, and of its wheel.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::tally::Tally;
use crate::wheels::pip_wheel;
use crate::{process, ptx_compilers};

/// Runs them with the command that is built here.
pub fn check() -> Result<Tally> {
    let python = match ptx_compilers::locate() {
        Ok(python) => python,
        Err(reason) => return Ok(Tally::skip(reason)),
    };
    process::run(process::cargo().args(["build", "--quiet", "--package", "hirace"]))?;
    let root = crate::root();
    let site = wheel(&python)?;
    let mut tests = Command::new(python);
    tests
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
        .arg(root.join("python/tests"))
        .env("PYTHONPATH", root.join("python/src"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("HIRACE_COMMAND", root.join("target/debug/hirace"))
        .env("HIRACE_TEST_WHEEL", site)
        // Triton keeps what it has compiled by its text alone, with the path that it had first.
        .env("TRITON_CACHE_DIR", root.join("target/triton-cache"))
        .env("HIRACE_CACHE", root.join("target/hirace-cache"));
    Ok(match process::run(&mut tests) {
        Ok(()) => Tally::pass(),
        Err(error) => {
            println!("{error:#}");
            Tally::fail("python")
        }
    })
}

/// Builds the wheel from what is compiled for tests, and installs it into a folder, which is returned. pip takes the
/// requirements from the environment of the tests.
fn wheel(python: &Path) -> Result<PathBuf> {
    let root = crate::root();
    let wheels = root.join("target/wheels");
    // One of another version may be there.
    let _ = std::fs::remove_dir_all(&wheels);
    let scripts = python.parent().context("a Python in a folder")?;
    let programs = scripts.join("../venv/bin").canonicalize()?;
    pip_wheel(python, &programs, "--profile dev", &wheels)?;
    let site = wheels.join("site");
    let mut install = Command::new(python);
    install
        .args(["-m", "pip", "install", "--quiet", "--no-deps", "--no-index"])
        .args(["--find-links"])
        .arg(&wheels)
        .arg("--target")
        .arg(&site)
        .arg("hirace");
    process::run(&mut install)?;
    Ok(site)
}
