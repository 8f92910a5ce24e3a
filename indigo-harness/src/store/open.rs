//! A file to a database, or why it is none.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use super::Store;
use crate::error::{Error, Result};

/// Marks the file as one of ours (`PRAGMA application_id`): "HIRI".
const APPLICATION: i32 = 0x4849_5249;

/// The layout's version (`PRAGMA user_version`). There is no way from one to another: results are
/// cheap to make anew, and mixing them is worse.
pub const VERSION: i32 = 1;

impl Store {
    /// Opens the database at `path`, and makes it where there is none.
    ///
    /// # Errors
    /// It cannot be opened, is no database of a sweep, or is one of another version.
    pub fn open(path: &Path) -> Result<Self> {
        // Readers go on while a run is committed. Without a sync at each commit a crash of the
        // machine may lose the last runs, a kill of the process none.
        Self::open_with(path, "wal")
    }

    /// As [`Self::open`], for a directory that several machines see: readers and writers need no
    /// memory in common, which a file system across machines has not.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_shared(path: &Path) -> Result<Self> {
        Self::open_with(path, "truncate")
    }

    pub(super) fn open_with(path: &Path, journal: &str) -> Result<Self> {
        let failed = |source| failure(path, source);
        let connection = Connection::open(path).map_err(failed)?;
        // Several processes may sweep into one file; a commit takes milliseconds.
        connection
            .busy_timeout(Duration::from_secs(60))
            .map_err(failed)?;
        let fresh = check(&connection, path, true)?;
        connection
            .pragma_update(None, "journal_mode", journal)
            .and_then(|()| connection.pragma_update(None, "synchronous", "normal"))
            .and_then(|()| connection.pragma_update(None, "foreign_keys", true))
            .map_err(failed)?;
        if fresh {
            let make = Transaction::new_unchecked(&connection, TransactionBehavior::Immediate)
                .map_err(failed)?;
            // Another process may have been faster.
            if check(&make, path, true)? {
                make.execute_batch(include_str!("schema.sql"))
                    .and_then(|()| make.pragma_update(None, "application_id", APPLICATION))
                    .and_then(|()| make.pragma_update(None, "user_version", VERSION))
                    .map_err(failed)?;
            }
            make.commit().map_err(failed)?;
        }
        Ok(Self {
            connection,
            path: path.into(),
        })
    }

    /// Opens a database that is there, only to read it.
    ///
    /// # Errors
    /// As [`Self::open`]; or there is none.
    pub fn open_to_read(path: &Path) -> Result<Self> {
        // SQLite cannot tell a file that is not there from one that it may not read.
        File::open(path).map_err(|source| Error::read(path, source))?;
        let failed = |source| failure(path, source);
        // What a killed sweep left half written has to be rolled back first, so not read-only.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
        connection
            .busy_timeout(Duration::from_secs(60))
            .map_err(failed)?;
        check(&connection, path, false)?;
        connection
            .pragma_update(None, "query_only", true)
            .map_err(failed)?;
        Ok(Self {
            connection,
            path: path.into(),
        })
    }
}

/// Whether a database is empty; an error where it is none of ours, or empty and may not be so.
fn check(connection: &Connection, path: &Path, may_be_empty: bool) -> Result<bool> {
    let number = |query| connection.query_row(query, [], |row| row.get(0));
    let failed = |source| failure(path, source);
    let tables: i32 = number("SELECT count(*) FROM sqlite_schema").map_err(failed)?;
    let application: i32 = number("PRAGMA application_id").map_err(failed)?;
    let version: i32 = number("PRAGMA user_version").map_err(failed)?;
    if tables == 0 && may_be_empty {
        return Ok(true);
    }
    if application != APPLICATION {
        return Err(Error::NotAStore { path: path.into() });
    }
    if version != VERSION {
        return Err(Error::StoreVersion {
            path: path.into(),
            found: version,
            known: VERSION,
        });
    }
    Ok(false)
}

/// What SQLite said while it opened the database at `path`.
fn failure(path: &Path, source: rusqlite::Error) -> Error {
    match source.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => Error::NotAStore { path: path.into() },
        _ => Error::store(path, source),
    }
}
