//! Temporary directories.

use tempfile::TempDir;

use hirace_model::error::{Error, Result};

/// Creates a directory that is removed when the value is dropped.
///
/// # Errors
/// It cannot be created.
pub fn temporary_directory() -> Result<TempDir> {
    tempfile::Builder::new()
        .prefix("hirace-")
        .tempdir()
        .map_err(|source| Error::system("create a temporary directory", source))
}
