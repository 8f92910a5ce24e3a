//! A sweep of a part of the built-in suite.

use std::process::Command;

use hirace_indigo::store::{Store, Verdict};
use hirace_indigo::suite::Label;

use crate::harness::{cache, succeed, sweep};

/// Every 32nd program on the six small graphs: no false alarm, every planted race that does not
/// depend on several rounds is found, and bug-free programs compute what their sequential code does.
#[test]
fn a_part_of_the_suite() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("sweep.sqlite");
    succeed(
        sweep(&database)
            .arg("--cache")
            .arg(cache())
            .args(["--shard", "5/32"]),
    );
    let results = Store::open_to_read(&database).unwrap().results().unwrap();
    assert_eq!(results.graphs.len(), 6);
    assert!(results.programs.len() >= 20, "{}", results.programs.len());
    let mut unfound: Vec<&str> = Vec::new();
    for (number, program) in results.programs.iter().enumerate() {
        let runs = || results.runs.iter().filter(|run| run.program == number);
        let checked = || runs().filter(|run| run.tool == "hirace-cpu");
        assert_eq!(
            (runs().count(), checked().count()),
            (12, 6),
            "{}",
            program.name
        );
        let race = checked().any(|run| run.verdict == Verdict::Race);
        match program.label {
            Label::Racy if !race => unfound.push(&program.name),
            Label::Racy => {}
            _ => assert!(!race, "false alarm: {}", program.name),
        }
        if program.bugs.is_empty() {
            for run in runs().filter(|run| run.tool == "baseline") {
                assert_eq!(run.verdict, Verdict::Match, "{}", program.name);
            }
        }
    }
    unfound.retain(|name| name.contains("raceBug") || name.contains("guardBug"));
    assert!(unfound.is_empty(), "missed: {unfound:?}");
    let mut report = Command::new(env!("CARGO_BIN_EXE_hirace-indigo"));
    let report = succeed(report.arg("report").arg(&database));
    let report = String::from_utf8_lossy(&report.stdout);
    assert!(report.contains("hirace-cpu"), "{report}");
}
