//! The device headers, carried in the executable.

use std::path::Path;

use hirace_model::error::{Error, Result};

// `EMBEDDED: &[(path below device/hirace, text)]`, sorted by path.
include!(concat!(env!("OUT_DIR"), "/headers.rs"));

/// Paths and texts, the paths relative to `include/hirace`.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    EMBEDDED.iter().copied()
}

/// Writes the headers below `directory`, which is to be searched for `<hirace/…>`.
///
/// # Errors
/// A file cannot be written.
pub fn write(directory: &Path) -> Result<()> {
    for (name, text) in all() {
        let path = directory.join("hirace").join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|source| Error::write(parent, source))?;
        }
        std::fs::write(&path, text).map_err(|source| Error::write(&path, source))?;
    }
    Ok(())
}
