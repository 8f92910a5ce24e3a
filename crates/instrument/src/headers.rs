//! The device headers, embedded in the executable.

use std::path::{Path, PathBuf};

use hirace_model::error::{Error, Result};
use hirace_toolchain::cache::{Cache, Key, Kind};

// `EMBEDDED: &[(path below device/hirace, text)]`, sorted by path.
include!(concat!(env!("OUT_DIR"), "/headers.rs"));

/// The headers as pairs of path (relative to `include/hirace`) and text.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    EMBEDDED.iter().copied()
}

/// The directory to search for `<hirace/…>`, written on first use. Dependency files, compiler
/// caches and debuggers may use the path later, so it contains a hash of the content.
///
/// # Errors
/// The cache cannot be written.
pub fn cached(cache: &Cache) -> Result<PathBuf> {
    let key = all().fold(Key::new("headers"), |key, (name, text)| {
        key.with(name).with(text)
    });
    cache.once(Kind::Headers, &key, write)
}

/// Writes the headers below `directory`, which becomes a search directory for `<hirace/…>`.
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
