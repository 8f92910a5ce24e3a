//! Results in an SQLite file.
//!
//! The table `runs` has a row for each test, machine and combination of incantations, and `states`
//! a row for each final state of it. Runs are done in batches; a batch is one transaction, so that an
//! interrupted command continues where it stopped.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};

use hirace_memory_model::litmus::ast::Value;
use hirace_model::error::{Error, Result};

use super::{Histogram, Incantations, Machine};

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS runs (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    test TEXT NOT NULL,
    file TEXT NOT NULL,
    machine TEXT NOT NULL,
    incantations TEXT NOT NULL,
    seed INTEGER NOT NULL,
    iterations INTEGER NOT NULL,
    parts_done INTEGER NOT NULL DEFAULT 0,
    runs INTEGER NOT NULL DEFAULT 0,
    cut INTEGER NOT NULL DEFAULT 0,
    names TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS states (
    run INTEGER NOT NULL REFERENCES runs(id),
    state TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (run, state)
);
";

/// The version of the tables. A change that breaks readers changes the number.
const VERSION: i64 = 1;

/// The file.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
}

/// What identifies a run. The same key has the same results.
#[derive(Clone, Copy, Debug)]
pub struct Key<'a> {
    /// The name of the test.
    pub test: &'a str,
    /// Its file.
    pub file: &'a str,
    /// The program that is made of it: another test, or another generator, makes another program.
    pub program: &'a str,
    /// What the values of a state are.
    pub names: &'a [String],
    /// Where it runs.
    pub machine: Machine,
    /// With which compiler arguments.
    pub compiler: &'a [String],
    /// With which incantations.
    pub incantations: Incantations,
    /// The first seed.
    pub seed: u64,
    /// How often the test is to run.
    pub iterations: u64,
}

impl Key<'_> {
    fn hash(&self) -> String {
        let mut hash = Sha256::new();
        for part in [
            self.program,
            self.machine.name(),
            &self.compiler.join("\n"),
            &self.incantations.bits().to_string(),
            &self.seed.to_string(),
            &self.iterations.to_string(),
        ] {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
        hash.finalize()
            .iter()
            .map(|it| format!("{it:02x}"))
            .collect()
    }
}

/// A row of `runs`.
#[derive(Debug)]
pub struct Progress {
    id: i64,
    /// How many batches are done.
    pub batches: u64,
    /// The states that they ended in.
    pub histogram: Histogram,
}

impl Store {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    /// It is something else, or of another version.
    pub fn open(path: &Path) -> Result<Self> {
        let connection = Connection::open(path).map_err(|it| failed(path, &it))?;
        let store = Self {
            path: path.to_owned(),
            connection,
        };
        let version: i64 =
            store.sql(|it| it.query_row("PRAGMA user_version", [], |row| row.get(0)))?;
        let tables: i64 = store
            .sql(|it| it.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)))?;
        if version != VERSION && (version != 0 || tables != 0) {
            return Err(Error::Input {
                message: format!("`{}` has no results of litmus tests", path.display()),
                help: Some("name a file that does not exist yet".to_owned()),
            });
        }
        store.sql(|it| it.execute_batch(SCHEMA))?;
        store.sql(|it| it.pragma_update(None, "user_version", VERSION))?;
        Ok(store)
    }

    fn sql<T>(&self, run: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        run(&self.connection).map_err(|it| failed(&self.path, &it))
    }

    /// What is done already.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn progress(&self, key: &Key<'_>) -> Result<Progress> {
        let hash = key.hash();
        self.sql(|it| {
            it.execute(
                "INSERT OR IGNORE INTO runs (key, test, file, machine, incantations, seed, iterations, names)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![
                    hash,
                    key.test,
                    key.file,
                    key.machine.name(),
                    key.incantations.names().join(","),
                    key.seed.cast_signed(),
                    key.iterations.cast_signed(),
                    key.names.join(" "),
                ],
            )
        })?;
        let row = self.sql(|it| {
            it.query_row(
                "SELECT id, parts_done, cut FROM runs WHERE key = ?1",
                params![hash],
                |row| Ok((row.get(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?)),
            )
            .optional()
        })?;
        let (id, batches, cut) = row.unwrap_or_default();
        let mut histogram = Histogram {
            cut: cut.cast_unsigned(),
            ..Histogram::default()
        };
        self.sql(|it| {
            let mut states = it.prepare("SELECT state, count FROM states WHERE run = ?1")?;
            let mut rows = states.query(params![id])?;
            while let Some(row) = rows.next()? {
                let state: String = row.get(0)?;
                let values = state.split(' ').filter_map(|it| it.parse::<Value>().ok());
                let count: i64 = row.get(1)?;
                histogram
                    .states
                    .insert(values.collect(), count.cast_unsigned());
            }
            Ok(())
        })?;
        Ok(Progress {
            id,
            batches: batches.cast_unsigned(),
            histogram,
        })
    }

    /// Adds a batch.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, progress: &mut Progress, batch: &Histogram) -> Result<()> {
        let path = self.path.clone();
        let write = |connection: &mut Connection| {
            let transaction = connection.transaction()?;
            for (state, count) in &batch.states {
                let state: Vec<String> = state.iter().map(Value::to_string).collect();
                transaction.execute(
                    "INSERT INTO states (run, state, count) VALUES (?1, ?2, ?3)
                     ON CONFLICT (run, state) DO UPDATE SET count = count + excluded.count",
                    params![progress.id, state.join(" "), count.cast_signed()],
                )?;
            }
            transaction.execute(
                "UPDATE runs SET parts_done = parts_done + 1, runs = runs + ?2, cut = cut + ?3
                 WHERE id = ?1",
                params![
                    progress.id,
                    batch.runs().cast_signed(),
                    batch.cut.cast_signed()
                ],
            )?;
            transaction.commit()
        };
        write(&mut self.connection).map_err(|it| failed(&path, &it))?;
        progress.batches += 1;
        progress.histogram.add(batch);
        Ok(())
    }
}

fn failed(path: &Path, error: &rusqlite::Error) -> Error {
    Error::Input {
        message: format!("cannot keep results in `{}`: {error}", path.display()),
        help: None,
    }
}
