//! Compilers without hirace, for comparisons.

use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use super::ask::ask;
use super::compile::{Compiler, Job};
use super::which::compiler;
use super::{Arguments, temporary_directory};
use hirace_model::Backend;
use hirace_model::error::{Error, Result};

/// The version of a backend's compiler: all that it prints with `--version`.
///
/// # Errors
/// There is none, or it does not answer.
pub fn version(backend: Backend) -> Result<String> {
    let (program, leading) = compiler(backend)?;
    ask(&program, &leading, &["--version"]).map_err(|silence| {
        let name = program.display();
        Error::system(
            "determine the compiler's version",
            std::io::Error::other(format!("`{name}` {silence}")),
        )
    })
}

/// Compiles an unchanged program with nvcc.
///
/// # Errors
/// There is no nvcc, or the program does not compile.
pub fn compile(source: &Path, arguments: &[String], executable: &Path) -> Result<()> {
    let scratch = temporary_directory()?;
    let arguments = Arguments::parse(arguments);
    Compiler::find(Backend::Gpu, &[], &[], &arguments)?.run(&Job {
        units: &[PathBuf::from(source)],
        scratch: scratch.path(),
        executable,
        progress: &ProgressBar::hidden(),
        dependencies: false,
    })
}
