//! The device headers, carried in the executable.

use std::path::{Path, PathBuf};

use hirace_model::error::{Error, Result};
use hirace_toolchain::cache::{Cache, Key, Kind};

// `EMBEDDED: &[(path below device/hirace, text)]`, sorted by path.
include!(concat!(env!("OUT_DIR"), "/headers.rs"));

/// Paths and texts, the paths relative to `include/hirace`.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    EMBEDDED.iter().copied()
}

/// The directory that is searched for `<hirace/…>`, written on first use. Dependency files, compiler
/// caches and debuggers may name a header long after, so its path says what is in it.
///
/// # Errors
/// The cache cannot be written.
pub fn cached(cache: &Cache) -> Result<PathBuf> {
    let key = all().fold(Key::new("headers"), |key, (name, text)| {
        key.with(name).with(text)
    });
    cache.once(Kind::Headers, &key, write)
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
