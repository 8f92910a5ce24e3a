//! Databases of results, and files that are none.

use std::fs;
use std::path::Path;

use hirace_indigo::error::Error;
use hirace_indigo::store::{Store, Verdict};
use hirace_indigo::suite::Label;
use rusqlite::Connection;

use crate::sample::{add, database, line};

#[test]
fn what_a_sweep_writes_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sweep.sqlite");
    drop(database(
        &path,
        &[
            line("push_warp_raceBug", "star", "hirace-cpu", Verdict::Race),
            line("pull_warp", "grid", "hirace-cpu", Verdict::Clean),
        ],
    ));
    let results = Store::open_to_read(&path).unwrap().results().unwrap();
    let names: Vec<&str> = results.programs.iter().map(|it| &it.name[..]).collect();
    assert_eq!(names, ["pull_warp", "push_warp_raceBug"]);
    let graphs: Vec<&str> = results.graphs.iter().map(|it| &it.name[..]).collect();
    assert_eq!(graphs, ["star", "grid"], "in the order of the sweep");
    let racy = &results.programs[1];
    assert_eq!((&racy.pattern[..], racy.label), ("push", Label::Racy));
    assert_eq!((racy.options.len(), racy.bugs.len()), (1, 1));
    let verdicts: Vec<Verdict> = results.runs.iter().map(|run| run.verdict).collect();
    assert_eq!(verdicts, [Verdict::Clean, Verdict::Race]);
    assert_eq!(results.sessions.len(), 1);
    assert!(results.sessions[0].finished.is_some());
}

#[track_caller]
fn refused(path: &Path, expected: &str) {
    for outcome in [Store::open_to_read(path), Store::open(path)] {
        let error = outcome.expect_err("refused").to_string();
        let expected = expected.replace("FILE", &path.display().to_string());
        assert!(error.contains(&expected), "{error}");
    }
}

#[test]
fn other_files_are_refused_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    fs::write(&text, "all that I know about races\n".repeat(99)).unwrap();
    refused(&text, "`FILE` is not a database of a sweep");
    assert_eq!(fs::read(&text).unwrap().len(), 99 * 28);

    let foreign = folder.path().join("foreign.sqlite");
    let other = Connection::open(&foreign).unwrap();
    other.execute_batch("CREATE TABLE run (a)").unwrap();
    refused(&foreign, "`FILE` is not a database of a sweep");

    let newer = folder.path().join("newer.sqlite");
    drop(database(&newer, &[]));
    let connection = Connection::open(&newer).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    refused(
        &newer,
        "`FILE` has results in layout 99; this hirace-indigo",
    );

    refused(folder.path(), "`FILE`");
}

#[test]
fn reading_creates_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.sqlite");
    let error = Store::open_to_read(&path).unwrap_err();
    assert!(matches!(error, Error::Read { .. }), "{error}");
    assert!(!path.exists());
}

#[test]
fn a_damaged_file_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sweep.sqlite");
    let names = ["a_raceBug", "b_raceBug", "c_raceBug", "d_raceBug"];
    let lines: Vec<_> = names
        .into_iter()
        .flat_map(|name| ["x", "y", "z"].map(|graph| line(name, graph, "tool", Verdict::Race)))
        .collect();
    drop(database(&path, &lines));
    let mut bytes = fs::read(&path).unwrap();
    // All pages but the first, which has the layout.
    bytes[4096..].fill(0xa5);
    fs::write(&path, bytes).unwrap();
    let outcome = Store::open_to_read(&path).and_then(|store| store.results());
    let error = outcome.unwrap_err().to_string();
    assert!(error.contains("malformed"), "{error}");
}

/// SQLite's own limit on the size of a file fails like a full disk.
#[test]
fn a_full_disk_is_reported_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sweep.sqlite");
    let store = database(&path, &[line("pull", "star", "tool", Verdict::Clean)]);
    let run = |number: u32| {
        let store = &store;
        let results = store.results().unwrap().runs[0].clone();
        let report = "x".repeat(5_000);
        let shape = store.shape(hirace_indigo::store::Shape {
            threads: number,
            blocks: 1,
            warp_size: 32,
        })?;
        store.add_run(&hirace_indigo::store::Run {
            program: 1,
            graph: 1,
            shape,
            tool: &results.tool,
            verdict: Verdict::Race,
            detail: "",
            races: 1,
            seconds: 1.0,
            kernel_seconds: None,
            peak_bytes: None,
            report: Some(&report),
        })
    };
    let pages = store.connection().pragma_update(None, "max_page_count", 40);
    pages.unwrap();
    let failed = (1..1000).find_map(|number| run(number).err().map(|error| (number, error)));
    let (number, error) = failed.expect("the disk is full");
    assert!(error.to_string().contains("full"), "{error}");
    assert!(number > 2, "some runs were stored");
    let kept = store.results().unwrap().runs.len();
    drop(store);
    let again = database(&path, &[]);
    assert_eq!(again.results().unwrap().runs.len(), kept);
    add(&again, &line("push", "star", "tool", Verdict::Clean));
    assert_eq!(again.results().unwrap().runs.len(), kept + 1);
}

/// The queries of `docs/indigo-results.md`.
#[test]
fn documented_queries_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sweep.sqlite");
    let line = |tool, verdict| line("pull_persistent_raceBug", "star", tool, verdict);
    let store = database(
        &path,
        &[
            line("hirace-cpu", Verdict::Race),
            line("racecheck", Verdict::Clean),
        ],
    );
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/indigo-results.md");
    let page = fs::read_to_string(page).unwrap();
    let queries: Vec<&str> = page.split("```sql\n").skip(1).collect();
    assert_eq!(queries.len(), 3);
    for query in queries {
        let query = query.split("```").next().unwrap();
        let found = store.connection().query_row(query, [], |row| row.get(0));
        assert_eq!(found, Ok("pull_persistent_raceBug".to_owned()), "{query}");
    }
    for verdict in Verdict::ALL {
        assert!(page.contains(&format!("`{verdict}`")), "{verdict}");
    }
}
