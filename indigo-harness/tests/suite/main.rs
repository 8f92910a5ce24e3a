//! `hirace-indigo suite`.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn suite(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hirace-indigo"));
    let output = command.arg("suite").args(args).current_dir(dir).output();
    output.expect("hirace-indigo runs")
}

#[track_caller]
fn listed(dir: &Path, args: &[&str]) -> String {
    let output = suite(dir, args);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[track_caller]
fn check_refused(dir: &Path, args: &[&str], expect: &str) {
    let output = suite(dir, args);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    let message = format!("hirace-indigo: {expect}\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), message);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn programs_are_listed() {
    let dir = tempfile::tempdir().unwrap();
    let expect = "\
push_warp_persistent_reverse_float            clean    push
push_warp_persistent_reverse_float_atomicBug  racy     push  atomicBug
push_warp_persistent_reverse_float_boundsBug  clean    push  boundsBug
push_warp_persistent_reverse_float_guardBug   racy     push  guardBug
push_warp_persistent_reverse_float_raceBug    racy     push  raceBug
push_warp_persistent_reverse_float_syncBug    racy     push  syncBug
push_warp_persistent_reverse_float_syncBug2   racy     push  syncBug2
built-in: 7 programs, 2 clean, 5 racy
";
    let filter = ["--filter", "push_warp_persistent_reverse_float"];
    assert_eq!(listed(dir.path(), &filter), expect);
}

#[test]
fn programs_are_listed_as_json() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["--filter", "pull_block_raceBug", "--format", "json"];
    let listing: Value = serde_json::from_str(&listed(dir.path(), &args)).unwrap();
    let program = serde_json::json!({
        "name": "pull_block_raceBug",
        "label": "racy",
        "pattern": "pull",
        "options": ["block"],
        "bugs": ["raceBug"],
        "args": ["{graph}", "{threads}", "{blocks}"],
    });
    let expect = serde_json::json!({ "suite": "built-in", "programs": [program] });
    assert_eq!(listing, expect);
}

#[test]
fn written_programs_are_listed_alike() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let filter = ["--filter", "worklist_thread"];
    let programs = listed(dir, &filter);

    let written = listed(dir, &[&filter[..], &["-o", "mine"]].concat());

    assert!(
        written.starts_with("mine: built-in: 40 programs"),
        "{written}"
    );
    assert_eq!(listed(dir, &["--suite", "mine"]), programs);
    let text = std::fs::read_to_string(dir.join("mine/worklist_thread_atomicBug.cu")).unwrap();
    assert!(text.contains("// BUG: not atomic."));
    check_refused(dir, &["-o", "mine"], "`mine` is not empty");
}

#[test]
fn no_program_and_no_suite() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let none = "no program of built-in has a name with `nothing`";
    check_refused(dir, &["--filter", "nothing"], none);
    let missing = "cannot read `missing`: No such file or directory (os error 2)";
    check_refused(dir, &["--suite", "missing"], missing);
}

#[test]
fn completions_name_the_commands() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hirace-indigo"));
    let output = command.args(["completions", "bash"]).output().unwrap();
    let script = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && script.contains("sweep"));
}
