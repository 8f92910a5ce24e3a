//! `hirace-indigo merge`.

use std::fs;
use std::path::{Path, PathBuf};

use hirace_indigo::store::{Merged, Results, Store, Verdict, merge};
use tempfile::TempDir;

use crate::sample::{Line, database, line, shard};

/// Shards in their own folder.
fn shards(contents: &[&[Line]]) -> (TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let paths = (0..contents.len())
        .map(|number| folder.path().join(format!("shard-{number}.sqlite")))
        .collect::<Vec<_>>();
    for (path, lines) in paths.iter().zip(contents) {
        drop(database(path, lines));
    }
    (folder, paths)
}

fn read(path: &Path) -> Results {
    Store::open_to_read(path).unwrap().results().unwrap()
}

fn joined(out: &Path, inputs: &[PathBuf]) -> (Merged, Results) {
    let merged = merge(out, inputs).unwrap();
    (merged, read(out))
}

fn lines() -> Vec<Line> {
    let mut lines = Vec::new();
    for program in ["pull_raceBug", "pull", "push_raceBug", "push"] {
        for graph in ["star", "grid", "dag"] {
            lines.push(line(program, graph, "baseline", Verdict::Match));
            lines.push(line(program, graph, "hirace-cpu", Verdict::Race));
        }
    }
    lines
}

#[test]
fn shards_in_any_order_are_the_whole_sweep() {
    let all = lines();
    let (folder, mut paths) = shards(&[&all]);
    for (number, lines) in [&all[..10], &all[10..15], &all[15..]]
        .into_iter()
        .enumerate()
    {
        let path = folder.path().join(format!("third-{number}.sqlite"));
        drop(shard(&path, &all, lines));
        paths.insert(number, path);
    }
    let out = folder.path().join("all.sqlite");
    let (merged, ahead) = joined(&out, &paths[..3]);
    assert_eq!((merged.runs, merged.repeated), (24, 0));
    assert!(merged.conflicts.is_empty() && merged.unfinished.is_empty());
    let backwards = [paths[2].clone(), paths[1].clone(), paths[0].clone()];
    let (_, back) = joined(&out, &backwards);
    let whole = read(&paths[3]);
    for other in [&back, &whole] {
        assert_eq!(ahead.programs, other.programs);
        assert_eq!(ahead.graphs, other.graphs);
        assert_eq!(ahead.shapes, other.shapes);
        assert_eq!(ahead.runs, other.runs);
    }
}

#[test]
fn a_run_in_two_shards_counts_once() {
    let all = lines();
    let (folder, mut paths) = shards(&[&all[..10], &all[5..]]);
    let out = folder.path().join("all.sqlite");
    let (merged, _) = joined(&out, &paths);
    assert_eq!((merged.runs, merged.repeated), (24, 5));
    // Merging once more changes nothing, not even the sessions.
    let before = read(&out);
    paths.push(out.clone());
    let (merged, after) = joined(&out, &paths);
    assert_eq!((merged.runs, merged.repeated), (24, 29));
    assert_eq!(after.runs, before.runs);
    assert_eq!(after.sessions, before.sessions);
}

#[test]
fn different_verdicts_are_reported_and_noted() {
    let one = line("pull_raceBug", "star", "hirace-gpu", Verdict::Clean);
    let other = line("pull_raceBug", "star", "hirace-gpu", Verdict::Race);
    let (folder, paths) = shards(&[&[one], &[other]]);
    let out = folder.path().join("all.sqlite");
    let (merged, results) = joined(&out, &paths);
    let message = merged.conflicts[0].to_string();
    assert_eq!(merged.conflicts.len(), 1);
    assert_eq!(
        message.replace(folder.path().to_str().unwrap(), "DIR"),
        "hirace-gpu on pull_raceBug, star, 256x8: race in `DIR/shard-1.sqlite`, clean in \
         `DIR/shard-0.sqlite`; the first is kept"
    );
    assert_eq!(results.runs[0].verdict, Verdict::Race);
    assert_eq!(results.runs[0].detail, "elsewhere clean");
}

#[test]
fn a_failed_merge_leaves_the_earlier_one() {
    let all = lines();
    let (folder, mut paths) = shards(&[&all]);
    let out = folder.path().join("all.sqlite");
    merge(&out, &paths).unwrap();
    let before = fs::read(&out).unwrap();
    let broken = folder.path().join("broken.sqlite");
    fs::write(&broken, "not a database").unwrap();
    paths.push(broken);
    assert!(merge(&out, &paths).is_err());
    assert_eq!(fs::read(&out).unwrap(), before);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 3, "no temporary file is left");
}

/// `merge A B C` by a user who forgot to name the output.
#[test]
fn results_are_not_overwritten() {
    let all = lines();
    let (_folder, paths) = shards(&[&all[..10], &all[10..15], &all[15..]]);
    let error = merge(&paths[0], &paths[1..]).unwrap_err().to_string();
    assert!(error.contains("has 10 runs that would be lost"), "{error}");
    assert_eq!(read(&paths[0]).runs.len(), 10);
    let (merged, _) = joined(&paths[0], &paths);
    assert_eq!(merged.runs, 24);
}

#[test]
fn stopped_sweeps_are_named() {
    let all = lines();
    let (folder, paths) = shards(&[&all[..10], &all[10..]]);
    let store = Store::open(&paths[1]).unwrap();
    store.begin_session("again", "0.1.0", "a machine").unwrap();
    let (merged, _) = joined(&folder.path().join("all.sqlite"), &paths);
    assert_eq!(merged.unfinished, [paths[1].clone()]);
}

#[test]
fn versions_that_label_differently_do_not_mix() {
    let all = lines();
    let (folder, paths) = shards(&[&all[..10], &all[..10]]);
    let store = Store::open(&paths[1]).unwrap();
    let changed = store.connection().execute(
        "UPDATE program SET label = 'unknown' WHERE name = 'pull_raceBug'",
        [],
    );
    assert_eq!(changed.unwrap(), 1);
    let error = merge(&folder.path().join("all.sqlite"), &paths).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("program `pull_raceBug` of suite `sample`")
    );
}
