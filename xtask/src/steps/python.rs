//! The tests of the Python package, with Triton and Numba from PyPI.

use std::process::Command;

use anyhow::Result;

use crate::tally::Tally;
use crate::{process, ptx_compilers};

/// Runs them with the command that is built here.
pub fn check() -> Result<Tally> {
    let python = match ptx_compilers::locate() {
        Ok(python) => python,
        Err(reason) => return Ok(Tally::skip(reason)),
    };
    process::run(process::cargo().args(["build", "--quiet", "--package", "hirace"]))?;
    let root = crate::root();
    let mut tests = Command::new(python);
    tests
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
        .arg(root.join("python/tests"))
        .env("PYTHONPATH", root.join("python/src"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("HIRACE_COMMAND", root.join("target/debug/hirace"))
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
