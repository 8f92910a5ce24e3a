//! Querying a tool, for example for its version.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use thiserror::Error;

/// Why a tool gave no answer.
#[derive(Debug, Error)]
pub enum Silence {
    /// It cannot be started.
    #[error("cannot be started: {0}")]
    Start(io::Error),
    /// It reported an error.
    #[error("fails: {0}")]
    Failed(String),
}

/// Runs a tool and returns its standard output. `leading` are the arguments that belong to
/// its name, as in `ccache g++`.
///
/// # Errors
/// It cannot be started, or its exit status is not 0.
pub fn ask(program: &Path, leading: &[OsString], arguments: &[&str]) -> Result<String, Silence> {
    let output = Command::new(program)
        .args(leading)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(Silence::Start)?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let first = errors.lines().find(|line| !line.trim().is_empty());
        return Err(Silence::Failed(match first {
            Some(line) => format!("{} ({})", line.trim(), output.status),
            None => output.status.to_string(),
        }));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a C++ compiler is GCC.
#[must_use]
pub fn is_gcc(program: &Path, leading: &[OsString]) -> bool {
    gcc_version(program, leading).is_some()
}

/// The major version of a C++ compiler if it is GCC; 0 if it does not say which.
#[must_use]
pub fn gcc_version(program: &Path, leading: &[OsString]) -> Option<u32> {
    let text = ask(program, leading, &["--version"]).ok()?;
    // `g++ (Debian 12.2.0-14) 12.2.0`
    let full = text.lines().next().and_then(|it| it.split(' ').next_back());
    let major = full.and_then(|it| it.split('.').next()?.parse().ok());
    text.contains("Free Software Foundation")
        .then(|| major.unwrap_or(0))
}
