//! Opens files as databases, and reports files that are none.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use super::Store;
use crate::error::{Error, Result};

/// Marks the file as a database of ours (`PRAGMA application_id`): "HIRI".
const APPLICATION: i32 = 0x4849_5249;

/// The schema's version (`PRAGMA user_version`). There are no migrations: results are cheap to
/// recreate, and mixing versions would be worse.
pub const VERSION: i32 = 1;

impl Store {
    /// Opens the database at `path`, and creates it if it does not exist.
    ///
    /// # Errors
    /// It cannot be opened, is not a database of a sweep, or has another version.
    pub fn open(path: &Path) -> Result<Self> {
        // Readers can continue while a run is committed. Without a sync at each commit, a crash of
        // the machine may lose the last runs; killing the process loses none.
        Self::open_with(path, "wal")
    }

    /// As [`Self::open`], for a directory that several machines see: it needs no memory shared by
    /// readers and writers, which network file systems do not provide.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_shared(path: &Path) -> Result<Self> {
        Self::open_with(path, "truncate")
    }

    pub(super) fn open_with(path: &Path, journal: &str) -> Result<Self> {
        let failed = |source| failure(path, source);
        let connection = Connection::open(path).map_err(failed)?;
        // Several processes may write results into one file; a commit takes milliseconds.
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

    /// Opens an existing database only to read it.
    ///
    /// # Errors
    /// As [`Self::open`]; or it does not exist.
    pub fn open_to_read(path: &Path) -> Result<Self> {
        // SQLite cannot distinguish a missing file from one without read permission.
        File::open(path).map_err(|source| Error::read(path, source))?;
        let failed = |source| failure(path, source);
        // Not read-only, because a half-written transaction of a killed sweep must be rolled back
        // first.
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

/// Whether a database is empty. An error if it is not ours, or is empty although it must not be.
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

/// The error from SQLite while opening the database at `path`.
fn failure(path: &Path, source: rusqlite::Error) -> Error {
    match source.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => Error::NotAStore { path: path.into() },
        _ => Error::store(path, source),
    }
}
