//! The output directory of `hirace instrument`: written completely or not at all.

use std::path::{Path, PathBuf};

use super::tree::Tree;
use super::{Instrumented, headers};
use hirace_model::error::{Error, Result};
use hirace_toolchain::interrupt;

/// The file that marks a directory as written by hirace, so that hirace may replace it.
pub const MARKER: &str = ".hirace-output";

const MARKER_TEXT: &str = "\
Written by `hirace instrument`, which replaces this whole directory when it runs again.\n";

/// Refuses a directory that contains files not written by hirace.
///
/// # Errors
/// It contains such files, or it is not a directory.
pub fn check(directory: &Path, force: bool) -> Result<()> {
    if directory.join(MARKER).is_file() {
        return Ok(());
    }
    let occupied = match std::fs::read_dir(directory) {
        Ok(mut entries) => entries.next().is_some(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => false,
        Err(error) => return Err(Error::write(directory, error)),
    };
    if occupied && !force {
        return Err(Error::OutputNotEmpty {
            path: directory.display().to_string(),
        });
    }
    Ok(())
}

/// Writes the copies and the headers to a directory beside `directory`, then replaces `directory`
/// with it.
///
/// # Errors
/// A file cannot be written, or a signal ended the run; `directory` is unchanged.
pub fn write(directory: &Path, program: &Instrumented) -> Result<()> {
    let absolute =
        std::path::absolute(directory).map_err(|source| Error::write(directory, source))?;
    let parent = absolute.parent().unwrap_or(&absolute);
    std::fs::create_dir_all(parent).map_err(|source| Error::write(parent, source))?;
    let staging = tempfile::Builder::new()
        .prefix(".hirace-")
        .tempdir_in(parent)
        .map_err(|source| Error::write(parent, source))?;
    let fresh = staging.path().join("new");
    fill(&fresh, program)?;
    headers::write(&fresh.join("include"))?;
    let marker = fresh.join(MARKER);
    std::fs::write(&marker, MARKER_TEXT).map_err(|source| Error::write(marker, source))?;

    // The old content moves to the staging directory, and moves back if the new one cannot replace
    // it.
    let old = staging.path().join("old");
    let replaced = match std::fs::rename(&absolute, &old) {
        Ok(()) => true,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => false,
        Err(error) => return Err(Error::write(directory, error)),
    };
    std::fs::rename(&fresh, &absolute).map_err(|source| {
        if replaced {
            let _ = std::fs::rename(&old, &absolute);
        }
        Error::write(directory, source)
    })
}

/// Writes the copies below `root`.
///
/// # Errors
/// A file cannot be written, or a signal ended the run.
pub fn fill(root: &Path, program: &Instrumented) -> Result<()> {
    for copy in &program.files {
        interrupt::check()?;
        let path: PathBuf = root.join(&copy.path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|source| Error::write(parent, source))?;
        }
        std::fs::write(&path, &copy.bytes).map_err(|source| Error::write(&path, source))?;
    }
    // A copy of an include directory may have no files of its own.
    for searched in &program.searched {
        let path = root.join(searched);
        std::fs::create_dir_all(&path).map_err(|source| Error::write(&path, source))?;
    }
    Ok(())
}

/// Refuses an output directory that contains input files: it would replace them.
///
/// # Errors
/// It contains an input file.
pub fn check_inputs(directory: &Path, tree: &Tree) -> Result<()> {
    let absolute =
        std::path::absolute(directory).map_err(|source| Error::write(directory, source))?;
    let real = absolute.canonicalize().unwrap_or(absolute);
    let inside = |path: &Path| {
        path.canonicalize()
            .is_ok_and(|path| path.starts_with(&real))
    };
    match tree.files.iter().find(|file| inside(&file.path)) {
        None => Ok(()),
        Some(file) => Err(Error::Input {
            message: format!(
                "the output directory `{}` contains the input file `{}`",
                directory.display(),
                file.display
            ),
            help: Some("name another directory with `-o`".to_owned()),
        }),
    }
}
