//! Reads all results at once, as typed rows.

use std::collections::HashMap;

use rusqlite::types::{FromSqlError, Type};
use rusqlite::{Row, params};

use super::{GraphKey, Session, Shape, Store, Verdict};
use crate::error::{Error, Result};
use crate::suite::Label;

/// The content of a database, except builds and reports.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// By suite and name.
    pub programs: Vec<ProgramKey>,
    /// In the order of the sweep's options.
    pub graphs: Vec<GraphKey>,
    /// In the order of the sweep's options.
    pub shapes: Vec<Shape>,
    /// By program, graph, shape and tool.
    pub runs: Vec<Outcome>,
    /// In order of their start.
    pub sessions: Vec<Session>,
}

/// A program in results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramKey {
    /// The suite that it is from.
    pub suite: String,
    /// Its name within the suite.
    pub name: String,
    /// The code pattern.
    pub pattern: String,
    /// Options that are not bugs.
    pub options: Vec<String>,
    /// The planted bugs.
    pub bugs: Vec<String>,
    /// The correct verdict of a race checker.
    pub label: Label,
    /// SHA-256 of text and headers, in hexadecimal digits.
    pub digest: String,
}

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Index among [`Results::programs`].
    pub program: usize,
    /// Index among [`Results::graphs`].
    pub graph: usize,
    /// Index among [`Results::shapes`].
    pub shape: usize,
    /// Name of the tool.
    pub tool: String,
    /// The tool's verdict.
    pub verdict: Verdict,
    /// One line with the reason, or empty.
    pub detail: String,
    /// Number of different races.
    pub races: u64,
    /// Wall time of the process in seconds.
    pub seconds: f64,
    /// Wall time of its kernel launches in seconds, if known.
    pub kernel_seconds: Option<f64>,
    /// Largest resident memory of the process in bytes, if known.
    pub peak_bytes: Option<u64>,
}

impl Store {
    /// Reads all results. If the text of a program has changed between sweeps, only results of the
    /// text that was swept last.
    ///
    /// # Errors
    /// The database cannot be read, or contains values that no sweep writes.
    pub fn results(&self) -> Result<Results> {
        let failed = |source| Error::store(&self.path, source);
        // One snapshot of the file, while others write to it.
        let view = self.connection.unchecked_transaction().map_err(failed)?;
        let results = self.read_all().map_err(failed)?;
        view.finish().map_err(failed)?;
        Ok(Results {
            sessions: self.sessions()?,
            ..results
        })
    }

    fn read_all(&self) -> rusqlite::Result<Results> {
        let (programs, program_rows) = self.table(
            "SELECT id, suite, name, pattern, options, bugs, label, digest FROM program
             WHERE id IN (SELECT max(id) FROM program GROUP BY suite, name)
             ORDER BY suite, name",
            |row| {
                Ok(ProgramKey {
                    suite: row.get(1)?,
                    name: row.get(2)?,
                    pattern: row.get(3)?,
                    options: words(row, 4)?,
                    bugs: words(row, 5)?,
                    label: label(row, 6)?,
                    digest: row.get(7)?,
                })
            },
        )?;
        let (graphs, graph_rows) = self.table(
            "SELECT id, name, vertices, edges, digest FROM graph ORDER BY id",
            |row| {
                Ok(GraphKey {
                    name: row.get(1)?,
                    vertices: row.get::<_, i64>(2)?.cast_unsigned(),
                    edges: row.get::<_, i64>(3)?.cast_unsigned(),
                    digest: row.get(4)?,
                })
            },
        )?;
        let (shapes, shape_rows) = self.table(
            "SELECT id, threads, blocks, warp_size FROM shape ORDER BY id",
            |row| {
                Ok(Shape {
                    threads: row.get(1)?,
                    blocks: row.get(2)?,
                    warp_size: row.get(3)?,
                })
            },
        )?;
        let place = |rows: &HashMap<i64, usize>, row: &Row<'_>, column| {
            let id: i64 = row.get(column)?;
            rows.get(&id).copied().ok_or_else(|| {
                let message = format!("no row {id} to refer to");
                strange(column, Type::Integer, message)
            })
        };
        let (mut runs, _) = self.table(
            "SELECT id, program, graph, shape, tool, verdict, detail, races, seconds,
             kernel_seconds, peak_bytes FROM run
             WHERE program IN (SELECT max(id) FROM program GROUP BY suite, name)",
            |row| {
                Ok(Outcome {
                    program: place(&program_rows, row, 1)?,
                    graph: place(&graph_rows, row, 2)?,
                    shape: place(&shape_rows, row, 3)?,
                    tool: row.get(4)?,
                    verdict: row.get(5)?,
                    detail: row.get(6)?,
                    races: row.get::<_, i64>(7)?.cast_unsigned(),
                    seconds: row.get(8)?,
                    kernel_seconds: row.get(9)?,
                    peak_bytes: row.get::<_, Option<i64>>(10)?.map(i64::cast_unsigned),
                })
            },
        )?;
        runs.sort_by(|a, b| a.key().cmp(&b.key()));
        Ok(Results {
            programs,
            graphs,
            shapes,
            runs,
            sessions: Vec::new(),
        })
    }

    /// All rows of a query whose first column is the row's number, and the index of each number.
    fn table<T>(
        &self,
        query: &str,
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<(Vec<T>, HashMap<i64, usize>)> {
        let (mut values, mut places) = (Vec::new(), HashMap::new());
        let mut statement = self.connection.prepare(query)?;
        let mut rows = statement.query(params![])?;
        while let Some(row) = rows.next()? {
            places.insert(row.get(0)?, values.len());
            values.push(read(row)?);
        }
        Ok((values, places))
    }
}

impl Outcome {
    /// The key that identifies a run.
    fn key(&self) -> (usize, usize, usize, &str) {
        (self.program, self.graph, self.shape, &self.tool)
    }
}

fn words(row: &Row<'_>, column: usize) -> rusqlite::Result<Vec<String>> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text)
        .map_err(|error| strange(column, Type::Text, format!("`{text}`: {error}")))
}

fn label(row: &Row<'_>, column: usize) -> rusqlite::Result<Label> {
    let name: String = row.get(column)?;
    Label::parse(&name)
        .ok_or_else(|| strange(column, Type::Text, format!("`{name}` is not a label")))
}

/// A value that no sweep writes.
fn strange(column: usize, kind: Type, message: String) -> rusqlite::Error {
    let error = FromSqlError::Other(message.into());
    rusqlite::Error::FromSqlConversionFailure(column, kind, Box::new(error))
}
