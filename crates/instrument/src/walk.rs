//! Selects the files of a directory tree to copy.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::output;
use super::tree::Collector;
use hirace_model::error::{Error, Result};

const SOURCES: [&str; 16] = [
    "cu", "cuh", "c", "cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx", "h++", "inl", "inc",
    "ipp", "tpp",
];

/// Adds all files below `directory` that a build needs.
///
/// These are files with the names of sources, and files of any name that they include. Hidden
/// entries, links to directories, build trees (with `CACHEDIR.TAG` or `CMakeCache.txt`) and
/// hirace's own output are left out.
///
/// # Errors
/// A directory or a file cannot be read.
pub fn directory(collector: &mut Collector<'_>, directory: &Path) -> Result<()> {
    collector.anchor(directory)?;
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        let mut entries = entries(&directory)?;
        entries.sort();
        // The stack is popped from its end.
        for path in entries.iter().rev().filter(|path| enterable(path)) {
            pending.push(path.clone());
        }
        for path in entries.iter().filter(|path| path.is_file()) {
            if is_source(path) {
                collector.listed(path, true)?;
            } else if is_build_file(path) {
                collector.listed(path, false)?;
            } else {
                collector.candidate(path.clone());
            }
        }
    }
    Ok(())
}

fn entries(directory: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = |source| Error::read(directory, source);
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        if !entry.file_name().as_encoded_bytes().starts_with(b".") {
            entries.push(entry.path());
        }
    }
    Ok(entries)
}

fn enterable(path: &Path) -> bool {
    path.is_dir()
        && !path.is_symlink()
        && !["CACHEDIR.TAG", "CMakeCache.txt", output::MARKER]
            .iter()
            .any(|name| path.join(name).exists())
}

fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    extension.is_some_and(|extension| SOURCES.contains(&extension.to_ascii_lowercase().as_str()))
}

fn is_build_file(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    matches!(
        name,
        "CMakeLists.txt" | "Makefile" | "makefile" | "GNUmakefile"
    ) || [".cmake", ".mk"].iter().any(|end| name.ends_with(end))
}
