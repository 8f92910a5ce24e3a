//! The output directory of `hirace instrument`: complete or not there at all.

use std::path::{Path, PathBuf};

use super::tree::Tree;
use super::{Instrumented, headers};
use hirace_model::error::{Error, Result};
use hirace_toolchain::interrupt;

/// The file that marks a directory as ours to replace.
pub const MARKER: &str = ".hirace-output";

const MARKER_TEXT: &str = "\
Written by `hirace instrument`, which replaces this whole directory when it runs again.\n";

/// Refuses a directory that holds files of somebody else.
///
/// # Errors
/// It does, or it is no directory.
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

/// Writes the copies and the headers to a directory beside `directory`, then puts it in
/// the place of `directory`.
///
/// # Errors
/// Something cannot be written, or a signal told us to end; `directory` is as it was.
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

    // The old content goes with the staging directory, and comes back if the new one
    // cannot take its place.
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
/// Something cannot be written, or a signal told us to end.
pub fn fill(root: &Path, program: &Instrumented) -> Result<()> {
    for copy in &program.files {
        interrupt::check()?;
        let path: PathBuf = root.join(&copy.path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|source| Error::write(parent, source))?;
        }
        std::fs::write(&path, &copy.bytes).map_err(|source| Error::write(&path, source))?;
    }
    // A copy of an include directory may hold no file of its own.
    for searched in &program.searched {
        let path = root.join(searched);
        std::fs::create_dir_all(&path).map_err(|source| Error::write(&path, source))?;
    }
    Ok(())
}

/// Refuses an output directory above the files to be copied: it would replace them.
///
/// # Errors
/// It is.
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
                "the output directory `{}` holds `{}`, which is to be instrumented",
                directory.display(),
                file.display
            ),
            help: Some("name another directory with `-o`".to_owned()),
        }),
    }
}
