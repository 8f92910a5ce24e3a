//! Results in SQLite: one file for a sweep, or for a shard of one.
//!
//! `schema.sql` beside this file is the layout. A finished run is committed at once, so that a
//! sweep that is killed loses none and repeats none.

mod merge;
mod open;
mod read;
mod session;
mod verdict;

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params};

use crate::error::{Error, Result};
use crate::suite::Program;

pub use merge::{Conflict, Merged, merge};
pub use open::VERSION;
pub use read::{Outcome, ProgramKey, Results};
pub use session::Session;
pub use verdict::Verdict;

/// An open database.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

/// An input graph, as results know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphKey {
    /// Base name of its file.
    pub name: String,
    /// Number of vertices.
    pub vertices: u64,
    /// Number of directed edges.
    pub edges: u64,
    /// SHA-256 of the file, in hexadecimal digits.
    pub digest: String,
}

/// How a program is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    /// Threads of a block.
    pub threads: u32,
    /// Blocks of the grid.
    pub blocks: u32,
    /// Lanes of a warp.
    pub warp_size: u32,
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.threads, self.blocks)?;
        match self.warp_size {
            32 => Ok(()),
            lanes => write!(f, " in warps of {lanes}"),
        }
    }
}

/// What came of a build.
#[derive(Clone, Debug, PartialEq)]
pub struct Build<'a> {
    /// Row of the program.
    pub program: i64,
    /// Name of the tool that it was built for.
    pub tool: &'a str,
    /// Lanes of a warp that it was built for.
    pub warp_size: u32,
    /// SHA-256 of all that went into it, in hexadecimal digits.
    pub digest: &'a str,
    /// The compiler's messages where it failed.
    pub failure: Option<&'a str>,
    /// Its share of the compiler's time in seconds.
    pub seconds: f64,
}

/// A run that came to its end, in whatever way.
#[derive(Clone, Debug, PartialEq)]
pub struct Run<'a> {
    /// Row of the program.
    pub program: i64,
    /// Row of the graph.
    pub graph: i64,
    /// Row of the shape.
    pub shape: i64,
    /// Name of the tool.
    pub tool: &'a str,
    /// What the tool says.
    pub verdict: Verdict,
    /// One line on why, where the verdict alone does not say.
    pub detail: &'a str,
    /// Number of different races.
    pub races: u64,
    /// Wall time of the process in seconds.
    pub seconds: f64,
    /// Wall time of its kernel launches in seconds, where the tool says.
    pub kernel_seconds: Option<f64>,
    /// Largest resident memory of the process in bytes, where it is known.
    pub peak_bytes: Option<u64>,
    /// The report in JSON, where there is one.
    pub report: Option<&'a str>,
}

impl Store {
    /// The row of a program, which is made where it is new. What is said of it may have changed since:
    /// a label may have been wrong.
    ///
    /// # Errors
    /// The database cannot be written.
    pub fn program(&self, suite: &str, program: &Program, digest: &str) -> Result<i64> {
        let list = |words: &[String]| serde_json::to_string(words).expect("words are JSON");
        self.connection
            .execute(
                "INSERT INTO program (suite, name, pattern, options, bugs, label, digest)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO UPDATE SET
                 pattern = excluded.pattern, options = excluded.options, bugs = excluded.bugs,
                 label = excluded.label",
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
            .and_then(|_| {
                self.connection.query_row(
                    "SELECT id FROM program WHERE suite = ?1 AND name = ?2 AND digest = ?3",
                    params![suite, program.name, digest],
                    |row| row.get(0),
                )
            })
            .map_err(|source| Error::store(&self.path, source))
    }

    /// The row of a graph, which is made where it is new. Results show graphs in the order of their
    /// rows, so a sweep, and each shard of one, asks for all of them before its first run.
    ///
    /// # Errors
    /// The database cannot be written.
    pub fn graph(&self, graph: &GraphKey) -> Result<i64> {
        self.connection
            .execute(
                "INSERT INTO graph (name, vertices, edges, digest) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT DO NOTHING",
                params![
                    graph.name,
                    graph.vertices as i64,
                    graph.edges as i64,
                    graph.digest
                ],
            )
            .and_then(|_| {
                self.connection.query_row(
                    "SELECT id FROM graph WHERE name = ?1 AND digest = ?2",
                    params![graph.name, graph.digest],
                    |row| row.get(0),
                )
            })
            .map_err(|source| Error::store(&self.path, source))
    }

    /// The row of a shape, which is made where it is new; in order as graphs are.
    ///
    /// # Errors
    /// The database cannot be written.
    pub fn shape(&self, shape: Shape) -> Result<i64> {
        let values = params![shape.threads, shape.blocks, shape.warp_size];
        self.connection
            .execute(
                "INSERT INTO shape (threads, blocks, warp_size) VALUES (?1, ?2, ?3)
                 ON CONFLICT DO NOTHING",
                values,
            )
            .and_then(|_| {
                self.connection.query_row(
                    "SELECT id FROM shape WHERE threads = ?1 AND blocks = ?2 AND warp_size = ?3",
                    values,
                    |row| row.get(0),
                )
            })
            .map_err(|source| Error::store(&self.path, source))
    }

    /// Keeps what came of a build; a later one of the same program takes its place.
    ///
    /// # Errors
    /// The database cannot be written.
    pub fn add_build(&self, build: &Build<'_>) -> Result<()> {
        self.connection
            .execute(
                "INSERT INTO build (program, tool, warp_size, digest, outcome, seconds, message)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                 ON CONFLICT (program, tool, warp_size) DO UPDATE SET digest = excluded.digest,
                 outcome = excluded.outcome, seconds = excluded.seconds, message = excluded.message",
                params![
                    build.program,
                    build.tool,
                    build.warp_size,
                    build.digest,
                    if build.failure.is_some() { "failed" } else { "built" },
                    build.seconds,
                    build.failure
                ],
            )
            .map(drop)
            .map_err(|source| Error::store(&self.path, source))
    }

    /// Whether a run is there already.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn has_run(&self, program: i64, graph: i64, shape: i64, tool: &str) -> Result<bool> {
        self.connection
            .prepare_cached(
                "SELECT 1 FROM run WHERE program = ?1 AND graph = ?2 AND shape = ?3 AND tool = ?4",
            )
            .and_then(|mut statement| {
                statement
                    .query_row(params![program, graph, shape, tool], |_| Ok(()))
                    .optional()
            })
            .map(|found| found.is_some())
            .map_err(|source| Error::store(&self.path, source))
    }

    /// Keeps a finished run.
    ///
    /// # Errors
    /// The database cannot be written.
    pub fn add_run(&self, run: &Run<'_>) -> Result<()> {
        self.connection
            .prepare_cached(
                "INSERT INTO run (program, graph, shape, tool, verdict, detail, races, seconds,
                 kernel_seconds, peak_bytes, report)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT DO NOTHING",
            )
            .and_then(|mut statement| {
                statement.execute(params![
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
                ])
            })
            .map(drop)
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
