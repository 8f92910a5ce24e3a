//! `hirace-indigo graph`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn graph(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hirace-indigo"));
    let output = command.arg("graph").args(args).current_dir(dir).output();
    output.expect("hirace-indigo runs")
}

#[track_caller]
fn check(dir: &Path, args: &[&str], expect: &str) {
    let output = graph(dir, args);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expect);
    assert_eq!(output.status.code(), Some(0));
}

#[track_caller]
fn check_refused(dir: &Path, args: &[&str], expect: &str) {
    let output = graph(dir, args);
    assert_eq!(String::from_utf8_lossy(&output.stderr), expect);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn graphs_are_made_written_and_read_back() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let contents = "6 vertices, 7 edges
  edges out of a vertex: 0 to 2
  edges into a vertex: 0 to 2
  symmetric: no
";
    let expect = format!("grid_2x3: {contents}");
    check(dir, &["grid:2x3", "-o", "mine.egr"], &expect);
    check(dir, &["mine.egr"], &format!("mine: {contents}"));
    let numbers = [
        6, 7, 0, 2, 4, 5, 6, 7, 7, // header and rows
        1, 3, 2, 4, 5, 4, 5,
    ];
    let bytes: Vec<u8> = numbers.into_iter().flat_map(i32::to_le_bytes).collect();
    assert_eq!(fs::read(dir.join("mine.egr")).unwrap(), bytes);
}

#[cfg(unix)]
#[test]
fn links_and_devices_are_written_through() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("target.egr"), "old").unwrap();
    std::os::unix::fs::symlink("target.egr", dir.join("link.egr")).unwrap();
    assert!(graph(dir, &["star:2", "-o", "link.egr"]).status.success());
    assert!(dir.join("link.egr").is_symlink());
    assert_eq!(fs::read(dir.join("target.egr")).unwrap().len(), 24);
    std::os::unix::fs::symlink("/dev/stdout", dir.join("out")).unwrap();
    let output = graph(dir, &["star:2", "-o", "out"]);
    assert_eq!(output.stdout[..4], 2_i32.to_le_bytes());
}

#[test]
fn unusual_properties_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let numbers = [2, 3, 0, 3, 3, 0, 1, 1, -5, 6, 7];
    let bytes: Vec<u8> = numbers.into_iter().flat_map(i32::to_le_bytes).collect();
    fs::write(dir.join("odd.egr"), bytes).unwrap();
    check(
        dir,
        &["odd.egr"],
        "odd: 2 vertices, 3 edges
  edges out of a vertex: 0 to 3
  edges into a vertex: 1 to 2
  symmetric: no
  edges have weights
  edges from a vertex to itself: 1
  repeated edges: 1
",
    );
}

#[test]
fn the_list_has_every_family_and_graph() {
    let dir = tempfile::tempdir().unwrap();
    let list = graph(dir.path(), &["--list"]);
    let list = String::from_utf8(list.stdout).unwrap();
    for family in hirace_graphs::families::FAMILIES {
        assert!(list.contains(&format!("\n{}:", family.name)) || list.starts_with(family.name));
    }
    for (name, _) in hirace_indigo::graphs::standard() {
        assert!(list.contains(&format!("    {name}: ")), "{name}");
        assert_eq!(graph(dir.path(), &[&name]).status.code(), Some(0));
    }
}

#[test]
fn bad_input_is_refused_and_nothing_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    fs::write(dir.join("mine.egr"), [3, 0, 0, 0, 9, 0, 0, 0, 0, 0]).unwrap();
    check_refused(
        dir,
        &["mine.egr"],
        "hirace-indigo: `mine.egr` is not a graph: the file ends at byte 10 of 60; the header names \
         3 vertices and 9 edges\n",
    );
    check_refused(
        dir,
        &["star:0", "-o", "mine.egr"],
        "hirace-indigo: graph `star:nodes=0`: a graph has at least 1 vertex\n",
    );
    check_refused(
        dir,
        &["star:5", "-o", "no/such/place.egr"],
        "hirace-indigo: cannot write `no/such/place.egr`: No such file or directory (os error 2)\n",
    );
    assert_eq!(fs::read(dir.join("mine.egr")).unwrap().len(), 10);
    assert_eq!(fs::read_dir(dir).unwrap().count(), 1);
}
