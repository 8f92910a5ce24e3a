//! Everything that keeps `hirace-indigo` from answering.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a command could not be done. Messages are lowercase fragments.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or directory cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },

    /// A file cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },

    /// A mistake in a file of the user's.
    #[error("{}:{line}: {message}", path.display())]
    Mistake {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },

    /// A directory that was to be a suite.
    #[error("`{}` is no suite: {message}", path.display())]
    Suite {
        /// The directory.
        path: PathBuf,
        /// What is missing.
        message: String,
    },

    /// A file that was to be a graph.
    #[error("`{}` is no graph: {message}", path.display())]
    Graph {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        message: String,
    },

    /// A file that is no database of results.
    #[error("`{}` is no database of a sweep", path.display())]
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
        /// What SQLite said.
        source: rusqlite::Error,
    },

    /// hirace itself.
    #[error(transparent)]
    Hirace(#[from] hirace::error::Error),

    /// A command of Slurm's.
    #[error("{command}: {message}")]
    Slurm {
        /// Its name.
        command: String,
        /// What it said, or why it could not be asked.
        message: String,
    },

    /// An option whose value makes no sense.
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

    /// What SQLite said about the database at `path`.
    pub fn store(path: impl AsRef<Path>, source: rusqlite::Error) -> Self {
        Self::Store {
            path: path.as_ref().into(),
            source,
        }
    }
}
