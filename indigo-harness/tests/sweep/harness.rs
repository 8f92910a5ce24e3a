//! Runs the command, and reads its databases.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use hirace_indigo::store::{Store, Verdict};

/// `hirace-indigo sweep` into `database`.
pub fn sweep(database: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hirace-indigo"));
    command.arg("sweep").arg("--database").arg(database);
    command.args(["--jobs", "2"]);
    command
}

/// A cache for tests that do not depend on what was built before.
pub fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

/// Runs a command that must succeed.
#[track_caller]
pub fn succeed(command: &mut Command) -> Output {
    let output = command.output().expect("the command starts");
    assert!(
        output.status.success(),
        "{command:?}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// Runs a command that must be refused; returns its message.
#[track_caller]
pub fn refuse(command: &mut Command) -> String {
    let output = command.output().expect("the command starts");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{command:?}\n{message}");
    message
}

/// The outcome of each run, without what differs between two sweeps.
pub fn table(database: &Path) -> BTreeSet<(String, String, String, String, Verdict, u64)> {
    let results = Store::open_to_read(database).unwrap().results().unwrap();
    let rows: BTreeSet<_> = results
        .runs
        .iter()
        .map(|run| {
            (
                results.programs[run.program].name.clone(),
                results.graphs[run.graph].name.clone(),
                results.shapes[run.shape].to_string(),
                run.tool.clone(),
                run.verdict,
                run.races,
            )
        })
        .collect();
    assert_eq!(rows.len(), results.runs.len(), "a run is stored twice");
    rows
}

/// The verdicts of one tool on a program.
pub fn verdicts(database: &Path, program: &str, tool: &str) -> BTreeSet<Verdict> {
    table(database)
        .into_iter()
        .filter(|row| row.0 == program && row.3 == tool)
        .map(|row| row.4)
        .collect()
}

/// The numbers that a query finds.
pub fn query(database: &Path, sql: &str) -> Vec<f64> {
    let connection = rusqlite::Connection::open(database).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}
