//! Finding, reading and writing files. Errors name the file.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, Result};

/// Every file below `directory`, sorted, so that runs are the same on every machine.
///
/// A directory that does not exist has no files. Links to directories are not followed: packages have
/// them to directories that are elsewhere in the repository.
pub fn below(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if directory.is_dir() {
        collect(directory, &mut found)?;
    }
    found.sort();
    Ok(found)
}

fn collect(directory: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            collect(&path, found)?;
        } else if !path.is_dir() {
            found.push(path);
        }
    }
    Ok(())
}

/// The content of a file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("failed to read {}", path.display()))
}

/// The text of a file.
pub fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("failed to read {}", path.display()))
}

/// Writes a file.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    fs::write(path, content).with_context(|| format!("failed to write {}", path.display()))
}

/// Whether the file name ends in one of `extensions`.
pub fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension()
        .and_then(OsStr::to_str)
        .is_some_and(|extension| extensions.contains(&extension))
}
