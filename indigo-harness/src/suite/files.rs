//! Reads files of suites.

use std::collections::BTreeSet;
use std::fs;
use std::path::{self, Path, PathBuf};

use crate::error::{Error, Result};

/// The name of a suite's manifest.
pub const MANIFEST: &str = "suite.toml";

/// The text of a file.
///
/// # Errors
/// The file cannot be read, or is not UTF-8; the line is named.
pub fn read_text(path: &Path) -> Result<String> {
    let bytes = fs::read(path).map_err(|source| Error::read(path, source))?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        Error::Mistake {
            path: path.into(),
            line: line_of(bytes, valid),
            message: format!("byte 0x{:02x} is not UTF-8", bytes[valid]),
        }
    })
}

/// The text with a line feed at the end of each line, whatever its line ends were.
pub fn with_plain_lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The line of a byte, from 1.
pub fn line_of(text: &[u8], offset: usize) -> usize {
    1 + text[..offset].iter().filter(|&&byte| byte == b'\n').count()
}

/// The files in `dir` whose names end with `.extension`, by name.
///
/// # Errors
/// The directory cannot be read.
pub fn with_extension(dir: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut found = entries(dir)?;
    found.retain(|path| has_extension(path, extension) && path.is_file());
    Ok(found)
}

/// The files in `dir` and below, by path.
///
/// Hidden files are skipped; a directory that is reached twice counts once.
///
/// # Errors
/// A directory cannot be read.
pub fn below(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut waiting = vec![dir.to_path_buf()];
    while let Some(dir) = waiting.pop() {
        let real = fs::canonicalize(&dir).map_err(|source| Error::read(&dir, source))?;
        if !seen.insert(real) {
            continue;
        }
        for path in entries(&dir)? {
            let name = path.file_name().unwrap_or_default();
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            if path.is_dir() {
                waiting.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn entries(dir: &Path) -> Result<Vec<PathBuf>> {
    let failed = |source| Error::read(dir, source);
    let mut paths = fs::read_dir(dir)
        .map_err(failed)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(failed)?;
    paths.sort();
    Ok(paths)
}

/// Whether the name of `path` ends with `.extension`.
pub fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

/// The name of `path` without its extension.
///
/// # Errors
/// The name is not UTF-8.
pub fn stem(path: &Path) -> Result<&str> {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    stem.ok_or_else(|| Error::Usage(format!("the name of `{}` is not UTF-8", path.display())))
}

/// The directories among `candidates` that exist, as absolute paths, each once.
///
/// # Errors
/// The working directory is unknown.
pub fn existing(candidates: impl IntoIterator<Item = PathBuf>) -> Result<Vec<PathBuf>> {
    let mut found: Vec<PathBuf> = Vec::new();
    for candidate in candidates {
        let absolute =
            path::absolute(&candidate).map_err(|source| Error::read(&candidate, source))?;
        if absolute.is_dir() && !found.contains(&absolute) {
            found.push(absolute);
        }
    }
    Ok(found)
}
