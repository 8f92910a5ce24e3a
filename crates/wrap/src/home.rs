//! Where the wrapper keeps files that outlive one compiler call: the device headers.
//!
//! Dependency files, compiler caches and debuggers may name a header long after the call,
//! so its path must say what is in it: the directory is named by version and content.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use hirace_instrument::headers;
use hirace_model::error::{Error, Result};

/// The directory that is searched for `<hirace/…>`, written on first use.
pub(super) fn include() -> Result<PathBuf> {
    let mut hasher = DefaultHasher::new();
    for file in headers::all() {
        file.hash(&mut hasher);
    }
    let name = format!("{}-{:016x}", env!("CARGO_PKG_VERSION"), hasher.finish());
    once(&cache()?.join(name), headers::write)
}

/// Makes a directory complete or not at all, and only if it is not there.
pub(super) fn once(directory: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    if directory.is_dir() {
        return Ok(directory.to_owned());
    }
    let parent = directory.parent().unwrap_or(directory);
    std::fs::create_dir_all(parent).map_err(|source| Error::write(parent, source))?;
    let staging = tempfile::Builder::new()
        .prefix(".new-")
        .tempdir_in(parent)
        .map_err(|source| Error::write(parent, source))?;
    let fresh = staging.path().join("fresh");
    std::fs::create_dir(&fresh).map_err(|source| Error::write(&fresh, source))?;
    fill(&fresh)?;
    match std::fs::rename(&fresh, directory) {
        Ok(()) => {}
        // Another call was faster, and wrote the same.
        Err(_) if directory.is_dir() => {}
        Err(source) => return Err(Error::write(directory, source)),
    }
    Ok(directory.to_owned())
}

/// `$HIRACE_CACHE`, or `hirace` in the user's cache directory; without a home, one for the
/// user in the directory for temporary files.
pub(super) fn cache() -> Result<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let directory = if let Some(named) = variable("HIRACE_CACHE") {
        PathBuf::from(named)
    } else if let Some(cache) = variable("XDG_CACHE_HOME") {
        PathBuf::from(cache).join("hirace")
    } else if let Some(home) = variable("HOME") {
        PathBuf::from(home).join(".cache/hirace")
    } else {
        let user = rustix::process::getuid().as_raw();
        std::env::temp_dir().join(format!("hirace-{user}"))
    };
    std::path::absolute(&directory)
        .map_err(|source| Error::system("find the current directory", source))
}
