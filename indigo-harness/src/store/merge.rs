//! Merges several databases into one.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params};

use super::{Shape, Store, Verdict};
use crate::error::{Error, Result};

/// The tables to copy from each database.
const TABLES: [&str; 6] = ["session", "program", "graph", "shape", "build", "run"];

/// The result of merging.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Runs in the new database.
    pub runs: u64,
    /// Runs that were in several databases, not counting the first.
    pub repeated: u64,
    /// Runs with different verdicts.
    pub conflicts: Vec<Conflict>,
    /// Databases whose last sweep has not finished.
    pub unfinished: Vec<PathBuf>,
}

/// A run with several verdicts. The first one in the order of [`Verdict::ALL`] is kept: a race that
/// was found exists, and any verdict says more than none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Name of the program.
    pub program: String,
    /// Name of the graph.
    pub graph: String,
    /// The launch.
    pub shape: Shape,
    /// Name of the tool.
    pub tool: String,
    /// The verdicts and their databases; the first one was kept.
    pub verdicts: Vec<(Verdict, PathBuf)>,
}

impl std::fmt::Display for Conflict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            program,
            graph,
            shape,
            tool,
            verdicts,
        } = self;
        let verdict =
            |(verdict, path): &(Verdict, PathBuf)| format!("{verdict} in `{}`", path.display());
        let verdicts: Vec<String> = verdicts.iter().map(verdict).collect();
        write!(
            f,
            "{tool} on {program}, {graph}, {shape}: {}; the first is kept",
            verdicts.join(", ")
        )
    }
}

/// Merges the databases `inputs` into `out`, which may be one of them. An existing `out` stays
/// unchanged until the new one is complete. The result does not depend on the order of `inputs`.
///
/// # Errors
/// An input cannot be read; `out` cannot be written, is not a database, or contains runs that no
/// input has; or two inputs describe the same program differently.
pub fn merge(out: &Path, inputs: &[PathBuf]) -> Result<Merged> {
    let folder = match out.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let unwritable = |source| Error::write(out, source);
    let fresh = tempfile::Builder::new()
        .prefix(".merge-")
        .tempfile_in(folder)
        .map_err(unwritable)?;
    // Nobody sees the file before it is complete, so it needs no journal.
    let store = Store::open_with(fresh.path(), "off")?;
    let merged = fill(&store, inputs)?;
    if out.exists() {
        check_earlier(&store, out)?;
    }
    drop(store);
    File::open(fresh.path())
        .and_then(|file| file.sync_all())
        .map_err(unwritable)?;
    share(&fresh).map_err(unwritable)?;
    fresh
        .persist(out)
        .map_err(|error| unwritable(error.error))?;
    Ok(merged)
}

/// Only the owner may access temporary files; this one gets the permissions of the user's other
/// files.
fn share(fresh: &tempfile::NamedTempFile) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let probe = tempfile::Builder::new()
        .permissions(fs::Permissions::from_mode(0o666))
        .tempfile_in(fresh.path().parent().unwrap_or(Path::new(".")))?;
    fs::set_permissions(fresh.path(), probe.as_file().metadata()?.permissions())
}

/// Copies `inputs` into the empty `store`.
fn fill(store: &Store, inputs: &[PathBuf]) -> Result<Merged> {
    let connection = store.connection();
    let failed = |source| Error::store(&store.path, source);
    let mut merged = Merged::default();
    prepare(connection).map_err(failed)?;
    for (number, input) in inputs.iter().enumerate() {
        let sessions = Store::open_to_read(input)?.sessions()?;
        if sessions.last().is_none_or(|last| last.finished.is_none()) {
            merged.unfinished.push(input.clone());
        }
        attach(connection, input)?;
        for table in TABLES {
            connection
                .execute(
                    &format!("INSERT INTO input_{table} SELECT ?1, * FROM other.{table}"),
                    params![number as i64],
                )
                .map_err(|source| Error::store(input, source))?;
        }
        detach(connection, input)?;
    }
    check_descriptions(store, inputs)?;
    connection
        .execute_batch(include_str!("gather.sql"))
        .map_err(failed)?;
    merged.conflicts = conflicts(connection, inputs).map_err(failed)?;
    note_conflicts(connection).map_err(failed)?;
    let count = |table: &str| {
        let query = format!("SELECT count(*) FROM {table}");
        connection.query_row(&query, [], |row| row.get(0).map(i64::cast_unsigned))
    };
    merged.runs = count("main.run").map_err(failed)?;
    merged.repeated = count("input_run").map_err(failed)? - merged.runs;
    merged.unfinished.sort();
    Ok(merged)
}

/// Creates the temporary tables.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    for table in TABLES {
        connection.execute_batch(&format!(
            "CREATE TEMP TABLE input_{table} AS SELECT 0 AS input, * FROM main.{table}"
        ))?;
    }
    connection.execute_batch("CREATE TEMP TABLE verdict (name TEXT PRIMARY KEY, place INTEGER)")?;
    for (place, verdict) in Verdict::ALL.into_iter().enumerate() {
        connection.execute(
            "INSERT INTO verdict VALUES (?1, ?2)",
            params![verdict, place as i64],
        )?;
    }
    Ok(())
}

fn attach(connection: &Connection, path: &Path) -> Result<()> {
    // SQLite never takes an absolute path for a URI.
    let whole = std::path::absolute(path).map_err(|source| Error::read(path, source))?;
    let name = whole
        .to_str()
        .ok_or_else(|| Error::Usage(format!("`{}` is not UTF-8", path.display())))?;
    connection
        .execute("ATTACH ?1 AS other", params![name])
        .map(drop)
        .map_err(|source| Error::store(path, source))
}

fn detach(connection: &Connection, path: &Path) -> Result<()> {
    connection
        .execute_batch("DETACH other")
        .map_err(|source| Error::store(path, source))
}

/// A program with the same text must have the same description everywhere; otherwise versions were
/// mixed.
fn check_descriptions(store: &Store, inputs: &[PathBuf]) -> Result<()> {
    let differing: Option<(String, String, u32, u32)> = store
        .connection
        .query_row(
            "SELECT a.suite, a.name, a.input, b.input FROM input_program a
             JOIN input_program b USING (suite, name, digest)
             WHERE (a.pattern, a.options, a.bugs, a.label)
                <> (b.pattern, b.options, b.bugs, b.label)
             ORDER BY a.suite, a.name LIMIT 1",
            [],
            |row| row.try_into(),
        )
        .optional()
        .map_err(|source| Error::store(&store.path, source))?;
    let Some((suite, name, one, other)) = differing else {
        return Ok(());
    };
    Err(Error::Usage(format!(
        "`{}` and `{}` describe program `{name}` of suite `{suite}` in different words; they are \
         from different versions",
        inputs[one as usize].display(),
        inputs[other as usize].display()
    )))
}

/// Runs with more than one verdict.
fn conflicts(connection: &Connection, inputs: &[PathBuf]) -> rusqlite::Result<Vec<Conflict>> {
    let mut statement = connection.prepare(
        "SELECT p.name, g.name, s.threads, s.blocks, s.warp_size, c.tool, c.verdict, c.input
         FROM candidate c
         JOIN main.program p ON p.id = c.program
         JOIN main.graph g ON g.id = c.graph
         JOIN main.shape s ON s.id = c.shape
         WHERE (SELECT count(DISTINCT d.verdict) FROM candidate d
                WHERE (d.program, d.graph, d.shape, d.tool)
                    = (c.program, c.graph, c.shape, c.tool)) > 1
         ORDER BY c.program, c.graph, c.shape, c.tool, c.choice",
    )?;
    let mut found: Vec<Conflict> = Vec::new();
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let shape = Shape {
            threads: row.get(2)?,
            blocks: row.get(3)?,
            warp_size: row.get(4)?,
        };
        let conflict = Conflict {
            program: row.get(0)?,
            graph: row.get(1)?,
            shape,
            tool: row.get(5)?,
            verdicts: vec![(row.get(6)?, inputs[row.get::<_, u32>(7)? as usize].clone())],
        };
        match found.last_mut() {
            Some(last)
                if (&last.program, &last.graph, last.shape, &last.tool)
                    == (&conflict.program, &conflict.graph, shape, &conflict.tool) =>
            {
                last.verdicts.extend(conflict.verdicts);
            }
            _ => found.push(conflict),
        }
    }
    Ok(found)
}

/// Notes in the kept run which other verdicts there were.
fn note_conflicts(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(
            "UPDATE main.run SET detail = ltrim(run.detail || '; ', '; ') || 'elsewhere ' || others.list
             FROM (SELECT program, graph, shape, tool, group_concat(verdict, ', ') AS list
                   FROM (SELECT DISTINCT c.program, c.graph, c.shape, c.tool, c.verdict
                         FROM candidate c JOIN candidate kept USING (program, graph, shape, tool)
                         WHERE kept.choice = 1 AND c.verdict <> kept.verdict
                         ORDER BY c.verdict)
                   GROUP BY program, graph, shape, tool) AS others
             WHERE (run.program, run.graph, run.shape, run.tool)
                 = (others.program, others.graph, others.shape, others.tool)",
    )
}

/// Whether `out` may be replaced: `store` has all its runs, and nobody has it open.
fn check_earlier(store: &Store, out: &Path) -> Result<()> {
    // This also completes what a killed sweep left beside the file.
    drop(Store::open_to_read(out)?);
    for suffix in ["-wal", "-journal"] {
        let mut beside = out.as_os_str().to_owned();
        beside.push(suffix);
        if Path::new(&beside).exists() {
            return Err(Error::Usage(format!("`{}` is in use", out.display())));
        }
    }
    let connection = store.connection();
    attach(connection, out)?;
    let keys = |database: &str| {
        format!(
            "SELECT p.suite, p.name, p.digest, g.name, g.digest, s.threads, s.blocks, s.warp_size,
             r.tool FROM {database}.run r
             JOIN {database}.program p ON p.id = r.program
             JOIN {database}.graph g ON g.id = r.graph
             JOIN {database}.shape s ON s.id = r.shape"
        )
    };
    let query = format!(
        "SELECT count(*) FROM ({} EXCEPT {})",
        keys("other"),
        keys("main")
    );
    let lost: i64 = connection
        .query_row(&query, [], |row| row.get(0))
        .map_err(|source| Error::store(out, source))?;
    detach(connection, out)?;
    if lost == 0 {
        return Ok(());
    }
    let runs = if lost == 1 {
        "a run"
    } else {
        &format!("{lost} runs")
    };
    Err(Error::Usage(format!(
        "`{}` has {runs} that would be lost; name it among the databases to merge, or remove it",
        out.display()
    )))
}
