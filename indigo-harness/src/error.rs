//! The errors of `hirace-indigo`.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a command failed. Messages are lowercase fragments.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or directory cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },

    /// A file cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },

    /// A mistake in a user's file.
    #[error("{}:{line}: {message}", path.display())]
    Mistake {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },

    /// A directory that is not a suite.
    #[error("`{}` is not a suite: {message}", path.display())]
    Suite {
        /// The directory.
        path: PathBuf,
        /// What is missing.
        message: String,
    },

    /// A file that is not a graph.
    #[error("`{}` is not a graph: {message}", path.display())]
    Graph {
        /// The file.
        path: PathBuf,
        /// The problem and its place.
        message: String,
    },

    /// A file that is not a database of results.
    #[error("`{}` is not a database of a sweep", path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
    },

    /// A database of another version.
    #[error(
        "`{}` has results in layout {found}; this hirace-indigo reads and writes layout {known}",
        path.display()
    )]
    StoreVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i32,
        /// The version of this program.
        known: i32,
    },

    /// SQLite.
    #[error("database `{}`: {source}", path.display())]
    Store {
        /// The file.
        path: PathBuf,
        /// The error from SQLite.
        source: rusqlite::Error,
    },

    /// An error of hirace itself.
    #[error(transparent)]
    Hirace(#[from] hirace::error::Error),

    /// A failed Slurm command.
    #[error("{command}: {message}")]
    Slurm {
        /// Its name.
        command: String,
        /// Its output, or why it could not be run.
        message: String,
    },

    /// An option with an invalid value.
    #[error("{0}")]
    Usage(String),
}

impl Error {
    /// A file that cannot be read.
    pub fn read(path: impl AsRef<Path>, source: io::Error) -> Self {
        Self::Read {
            path: path.as_ref().into(),
            source,
        }
    }

    /// A file that cannot be written.
    pub fn write(path: impl AsRef<Path>, source: io::Error) -> Self {
        Self::Write {
            path: path.as_ref().into(),
            source,
        }
    }

    /// An SQLite error for the database at `path`.
    pub fn store(path: impl AsRef<Path>, source: rusqlite::Error) -> Self {
        Self::Store {
            path: path.as_ref().into(),
            source,
        }
    }
}
