//! Instrumenting and compiling one program.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::ProgressBar;
use tempfile::TempDir;

use super::Program;
use hirace_config::Config;
use hirace_instrument::tree::{Role, Tree};
use hirace_instrument::{Bases, Instrumented, Plan, headers, output};
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_terminal::progress;
use hirace_toolchain::{Arguments, Compiler, Job};

/// Instruments and compiles the program that consists of `files`, in a temporary directory.
/// `compiler_arguments` are those that a build would give, such as `-Iinclude`.
///
/// # Errors
/// The files are no sound source text, hold no kernel or do not compile.
pub fn build(
    files: &[PathBuf],
    backend: Backend,
    compiler_arguments: &[String],
    config: &Config,
) -> Result<Program> {
    let tree = hirace_instrument::collect(files, &Arguments::parse(compiler_arguments))?;
    let bar = progress::spinner("{spinner} compiling, {pos} of {len} done, {elapsed}");
    let program = compile(&tree, backend, compiler_arguments, config, &bar);
    bar.finish_and_clear();
    program
}

/// Instruments and compiles a program whose texts need not be those on the disk.
///
/// # Errors
/// As [`build`].
pub fn build_tree(
    tree: &Tree,
    backend: Backend,
    compiler_arguments: &[String],
    config: &Config,
) -> Result<Program> {
    let bar = ProgressBar::hidden();
    compile(tree, backend, compiler_arguments, config, &bar)
}

fn compile(
    tree: &Tree,
    backend: Backend,
    compiler_arguments: &[String],
    config: &Config,
    progress: &ProgressBar,
) -> Result<Program> {
    let arguments = arguments(backend, compiler_arguments, config);
    let instrumented = instrumented(tree, backend, &arguments, config, FIRST_BASE)?;
    let directory = build_directory()?;
    let executable = directory.path().join("program");
    let include = write_headers(directory.path())?;
    compile_copies(
        &instrumented,
        backend,
        &arguments,
        &Place {
            scratch: directory.path(),
            include: &include,
            executable: &executable,
        },
        progress,
    )?;
    Ok(Program {
        directory: Arc::new(directory),
        executable,
        member: None,
        backend,
        instrumented,
    })
}

/// The number of a program's first site.
pub(super) const FIRST_BASE: u32 = 1;

/// Where a program is compiled.
pub(super) struct Place<'a> {
    /// A directory for the copies, objects and messages.
    pub(super) scratch: &'a Path,
    /// The directory of the device headers.
    pub(super) include: &'a Path,
    /// The executable to make.
    pub(super) executable: &'a Path,
}

/// What the compiler is told besides our own options.
pub(super) fn arguments(
    backend: Backend,
    compiler_arguments: &[String],
    config: &Config,
) -> Arguments {
    Arguments::parse(&[&config.macros(backend), compiler_arguments].concat())
}

/// The copies of a program's files, with sites from `base` on.
pub(super) fn instrumented(
    tree: &Tree,
    backend: Backend,
    arguments: &Arguments,
    config: &Config,
    base: u32,
) -> Result<Instrumented> {
    hirace_instrument::tree(
        tree,
        Plan {
            backend,
            selection: &config.monitor,
            arguments,
            mark_copies: true,
            bases: Bases::From(base),
            skip: config.skip,
        },
    )
}

pub(super) fn build_directory() -> Result<TempDir> {
    tempfile::Builder::new()
        .prefix("hirace-")
        .tempdir()
        .map_err(|source| Error::system("make a build directory", source))
}

/// Writes the device headers below `directory`; where to search for them.
pub(super) fn write_headers(directory: &Path) -> Result<PathBuf> {
    let include = directory.join("include");
    headers::write(&include)?;
    Ok(include)
}

/// The directories that are searched for our own headers.
pub(super) fn own_includes(include: &Path, backend: Backend) -> Vec<PathBuf> {
    let mut includes = vec![include.to_owned()];
    if backend == Backend::Cpu {
        // Headers with the names of the toolkit's, which may not be there.
        includes.push(include.join("hirace/toolkit"));
    }
    includes
}

/// Writes a program's copies and compiles them.
pub(super) fn compile_copies(
    instrumented: &Instrumented,
    backend: Backend,
    arguments: &Arguments,
    place: &Place<'_>,
    progress: &ProgressBar,
) -> Result<()> {
    let root = place.scratch.join("src");
    output::fill(&root, instrumented)?;
    let mut includes = own_includes(place.include, backend);
    let searched: Vec<PathBuf> = instrumented
        .searched
        .iter()
        .map(|searched| root.join(searched))
        .collect();
    // Directories for quoted includes come before all others, so that the instrumented
    // copies have to stand there, too, in front of the originals.
    let mut quotes = searched.clone();
    quotes.extend(instrumented.originals.iter().cloned());
    includes.extend(searched);
    let units: Vec<PathBuf> = instrumented
        .files
        .iter()
        .filter(|copy| copy.role == Role::Named)
        .map(|copy| root.join(&copy.path))
        .collect();
    progress.set_length(units.len() as u64);
    Compiler::find(backend, &includes, &quotes, arguments)?.run(&Job {
        units: &units,
        scratch: place.scratch,
        executable: place.executable,
        progress,
    })
}
