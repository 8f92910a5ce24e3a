//! An open database: adds and finds rows.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, Params, params};

use super::row::{Build, GraphKey, Run, Shape};
use crate::error::{Error, Result};
use crate::suite::Program;

/// An open database.
#[derive(Debug)]
pub struct Store {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
}

impl Store {
    /// The row of a program; a new program gets a new row. Its description is updated, because its
    /// label may have been wrong.
    ///
    /// # Errors
    /// The database cannot be written.
    pub fn program(&self, suite: &str, program: &Program, digest: &str) -> Result<i64> {
        let list = |words: &[String]| serde_json::to_string(words).expect("words are JSON");
        self.row(
            "INSERT INTO program (suite, name, pattern, options, bugs, label, digest)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO UPDATE SET
             pattern = excluded.pattern, options = excluded.options, bugs = excluded.bugs,
             label = excluded.label RETURNING id",
            params![
                suite,
                program.name,
                program.pattern,
                list(&program.options),
                list(&program.bugs),
                program.label.name(),
                digest
            ],
        )
    }

    /// The row of a graph; a new graph gets a new row. Results show graphs in the order of their
    /// rows, so a sweep, and each of its shards, adds all of them before its first run.
    ///
    /// # Errors
    /// The database cannot be written.
    pub fn graph(&self, graph: &GraphKey) -> Result<i64> {
        self.row(
            "INSERT INTO graph (name, vertices, edges, digest) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO UPDATE SET name = excluded.name RETURNING id",
            params![
                graph.name,
                graph.vertices as i64,
                graph.edges as i64,
                graph.digest
            ],
        )
    }

    /// The row of a shape; a new shape gets a new row. Shapes are ordered as graphs are.
    ///
    /// # Errors
    /// The database cannot be written.
    pub fn shape(&self, shape: Shape) -> Result<i64> {
        self.row(
            "INSERT INTO shape (threads, blocks, warp_size) VALUES (?1, ?2, ?3)
             ON CONFLICT DO UPDATE SET threads = excluded.threads RETURNING id",
            params![shape.threads, shape.blocks, shape.warp_size],
        )
    }

    /// Stores the outcome of a build; a later one of the same program replaces it.
    ///
    /// # Errors
    /// The database cannot be written.
    pub fn add_build(&self, build: &Build<'_>) -> Result<()> {
        self.execute(
            "INSERT INTO build (program, tool, warp_size, digest, outcome, seconds, message)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (program, tool, warp_size) DO UPDATE SET digest = excluded.digest,
             outcome = excluded.outcome, seconds = excluded.seconds, message = excluded.message",
            params![
                build.program,
                build.tool,
                build.warp_size,
                build.digest,
                if build.failure.is_some() {
                    "failed"
                } else {
                    "built"
                },
                build.seconds,
                build.failure
            ],
        )
    }

    /// Whether a run is already in the database.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn has_run(&self, program: i64, graph: i64, shape: i64, tool: &str) -> Result<bool> {
        self.connection
            .prepare_cached(
                "SELECT 1 FROM run WHERE program = ?1 AND graph = ?2 AND shape = ?3 AND tool = ?4",
            )
            .and_then(|mut statement| statement.exists(params![program, graph, shape, tool]))
            .map_err(|source| Error::store(&self.path, source))
    }

    /// Stores a finished run.
    ///
    /// # Errors
    /// The database cannot be written.
    pub fn add_run(&self, run: &Run<'_>) -> Result<()> {
        self.execute(
            "INSERT INTO run (program, graph, shape, tool, verdict, detail, races, seconds,
             kernel_seconds, peak_bytes, report)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT DO NOTHING",
            params![
                run.program,
                run.graph,
                run.shape,
                run.tool,
                run.verdict,
                run.detail,
                run.races as i64,
                run.seconds,
                run.kernel_seconds,
                run.peak_bytes.map(|bytes| bytes as i64),
                run.report
            ],
        )
    }

    /// Executes a statement without results.
    pub(super) fn execute(&self, sql: &str, values: impl Params) -> Result<()> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(values))
            .map(drop)
            .map_err(|source| Error::store(&self.path, source))
    }

    /// Executes a statement that returns the number of a row.
    pub(super) fn row(&self, sql: &str, values: impl Params) -> Result<i64> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row(values, |row| row.get(0)))
            .map_err(|source| Error::store(&self.path, source))
    }

    /// The connection, for queries.
    #[must_use]
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}
