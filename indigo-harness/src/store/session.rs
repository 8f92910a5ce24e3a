//! Sessions: starts of sweeps, and whether they finished.

use rusqlite::params;

use super::Store;
use crate::error::{Error, Result};

/// A start of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Start time: UTC, ISO 8601.
    pub started: String,
    /// Time when all its runs were done; `None` if it is running or was stopped.
    pub finished: Option<String>,
    /// Number of planned runs, including those already in the database; `None` until it is known.
    pub planned: Option<u64>,
    /// The command line.
    pub command: String,
    /// The version of hirace.
    pub version: String,
    /// Processor, cores, system.
    pub machine: String,
}

impl Store {
    /// Records the start of a sweep. Returns the row for [`Self::plan_session`] and
    /// [`Self::finish_session`].
    ///
    /// # Errors
    /// The database cannot be written.
    pub fn begin_session(&self, command: &str, version: &str, machine: &str) -> Result<i64> {
        self.row(
            "INSERT INTO session (started, command, version, machine)
             VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?1, ?2, ?3) RETURNING id",
            params![command, version, machine],
        )
    }

    /// Records the number of planned runs, including those already in the database.
    ///
    /// # Errors
    /// The database cannot be written.
    pub fn plan_session(&self, session: i64, planned: u64) -> Result<()> {
        self.execute(
            "UPDATE session SET planned = ?2 WHERE id = ?1",
            params![session, planned as i64],
        )
    }

    /// Records that all runs of a sweep are done.
    ///
    /// # Errors
    /// The database cannot be written.
    pub fn finish_session(&self, session: i64) -> Result<()> {
        self.execute(
            "UPDATE session SET finished = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = ?1",
            params![session],
        )
    }

    /// All sessions, in order of their start.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn sessions(&self) -> Result<Vec<Session>> {
        let read = || -> rusqlite::Result<Vec<Session>> {
            self.connection
                .prepare(
                    "SELECT started, finished, planned, command, version, machine FROM session
                     ORDER BY started, id",
                )?
                .query_map([], |row| {
                    Ok(Session {
                        started: row.get(0)?,
                        finished: row.get(1)?,
                        planned: row.get::<_, Option<i64>>(2)?.map(i64::cast_unsigned),
                        command: row.get(3)?,
                        version: row.get(4)?,
                        machine: row.get(5)?,
                    })
                })?
                .collect()
        };
        read().map_err(|source| Error::store(&self.path, source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_ends_when_it_is_said_to() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("sweep.sqlite")).unwrap();
        let row = store.begin_session("sweep", "1.2.3", "a machine").unwrap();
        store.plan_session(row, 12).unwrap();
        let [session] = &store.sessions().unwrap()[..] else {
            panic!("one session");
        };
        assert_eq!((session.planned, &session.finished), (Some(12), &None));
        assert!(session.started.ends_with('Z'), "{}", session.started);
        store.finish_session(row).unwrap();
        assert!(store.sessions().unwrap()[0].finished.is_some());
    }
}
