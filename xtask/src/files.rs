//! Finding files in the working tree.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Every file below `directory`, sorted, so that runs are the same on every machine.
///
/// A directory that does not exist has no files.
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
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

/// Whether the file name ends in one of `extensions`.
pub fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension()
        .and_then(OsStr::to_str)
        .is_some_and(|extension| extensions.contains(&extension))
}
