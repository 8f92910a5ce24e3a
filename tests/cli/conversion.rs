//! `hirace report`: reports that were written earlier.

use hirace::report::SCHEMA_VERSION;

use crate::harness::{Outcome, RACY, Sandbox};

/// A sandbox with a racy program and its JSON report, and the outcome of the check.
fn checked() -> (Sandbox, Outcome) {
    let sandbox = Sandbox::with(RACY);
    let outcome = sandbox.check(&[
        "a.cu", "--jobs", "1", "--format", "json", "--output", "r.json",
    ]);
    outcome.ends_with(1);
    (sandbox, outcome)
}

#[test]
fn a_report_reads_back_as_it_was() {
    let (sandbox, checked) = checked();
    let shown = sandbox.run(&["report", "r.json"]);
    shown.ends_with(0);
    assert_eq!(shown.stdout, checked.stderr);
    assert_eq!(shown.stderr, "");

    // From standard input, and as JSON again.
    let mut command = sandbox.command(&["report", "-", "--format", "json"]);
    command.stdin(std::fs::File::open(sandbox.path("r.json")).unwrap());
    let again = Outcome::of(command.output().unwrap());
    assert_eq!(again.ends_with(0).stdout, sandbox.read("r.json"));
}

#[test]
fn a_file_that_has_changed_or_gone_is_not_shown() {
    let (sandbox, _) = checked();
    let place = "(1) write by thread (0,0,0) of block (0,0,0) at a.cu:2:3";
    let sandbox = sandbox.file("a.cu", format!("\n{RACY}"));
    let shown = sandbox.run(&["report", "r.json"]);
    assert!(shown.stdout.contains(place), "{shown:#?}");
    assert!(shown.stdout.contains("`a.cu` has changed"), "{shown:#?}");
    assert!(!shown.stdout.contains("blockIdx"), "{shown:#?}");
    // Changed files do not affect a JSON copy.
    let json = sandbox.run(&["report", "r.json", "--format", "json"]);
    assert_eq!(json.stdout, sandbox.read("r.json"));

    std::fs::remove_file(sandbox.path("a.cu")).unwrap();
    let shown = sandbox.run(&["report", "r.json"]);
    assert!(shown.stdout.contains(place), "{shown:#?}");
}

#[test]
fn a_page_holds_the_source_while_it_is_as_it_was() {
    let sandbox = Sandbox::with(RACY);
    let mut arguments = vec!["a.cu", "--jobs", "1"];
    arguments.extend(["--format", "json", "--output", "r.json"]);
    arguments.extend(["--format", "html", "--output", "r.html"]);
    sandbox.check(&arguments).ends_with(1);
    let written = sandbox.read("r.html");
    assert!(written.starts_with("<!doctype html>"), "{written}");
    assert!(written.contains("blockIdx"), "{written}");
    let again = sandbox.run(&["report", "r.json", "--format", "html"]);
    assert_eq!(again.ends_with(0).stdout, written);

    let sandbox = sandbox.file("a.cu", format!("\n{RACY}"));
    let changed = sandbox.run(&["report", "r.json", "--format", "html"]);
    let page = &changed.ends_with(0).stdout;
    assert!(!page.contains("blockIdx"), "{page}");
    assert!(page.contains("`a.cu` has changed"), "{page}");
}

#[test]
fn the_schema() {
    let outcome = Sandbox::new().run(&["report", "--schema"]);
    let published = include_str!("../../docs/report.schema.json");
    assert_eq!(outcome.ends_with(0).stdout, published);
}

#[track_caller]
fn rejected(text: &str, message: &str) {
    let sandbox = Sandbox::new().file("r.json", text).file("out", "earlier");
    let outcome = sandbox.run(&["report", "r.json", "--format", "json", "--output", "out"]);
    outcome.ends_with(2).says(message);
    assert_eq!(sandbox.read("out"), "earlier");
    assert_eq!(sandbox.files(), ["out", "r.json"]);
}

#[test]
fn what_is_no_report_is_rejected_with_its_place() {
    let (sandbox, _) = checked();
    let report = sandbox.read("r.json");
    rejected(
        "",
        "`r.json` is not a JSON report: EOF while parsing a value at line 1 column 0",
    );
    rejected(
        "{\n  \"schema\":: 1}",
        "at line 2 column 12 ╭─[r.json:2:12]",
    );
    rejected("[]", "`r.json` is not a JSON report");
    rejected("{}", "`r.json` is not a hirace report: it has no `schema`");
    rejected(
        &report[..report.len() / 2],
        "`r.json` is not a JSON report: EOF while parsing",
    );
    rejected(
        &report.replace("hirace-report/1", "hirace-report/2"),
        "`r.json` is of schema `hirace-report/2`; this hirace reads `hirace-report/1`",
    );
    rejected(
        &report.replace("hirace-report/1", "hirace-coverage/1"),
        "help: `hirace check --format json` writes such a report",
    );
    rejected(
        &report.replace("\"seed\": 0", "\"seed\": \"0\""),
        "`r.json` is not a valid report: invalid type: string \"0\", expected u32 at line 7",
    );
    rejected(
        &report.replace("\"status\"", "\"state\""),
        "`r.json` is not a valid report: missing field `status`",
    );
    rejected(
        &(report.replace(
            &format!("\"schema_version\": \"{SCHEMA_VERSION}\""),
            "\"schema_version\": \"1.99\"",
        ))
        .replace("\"status\": \"races\"", "\"status\": \"sunny\""),
        "help: it is of version 1.99, and this hirace knows",
    );
    // Fields that a later version adds are ignored.
    let sandbox = sandbox.file("r.json", report.replacen('{', "{\"new\": [1],", 1));
    sandbox.run(&["report", "r.json"]).ends_with(0);
}

#[test]
fn a_report_or_an_output_that_is_not_there() {
    let (sandbox, _) = checked();
    sandbox
        .run(&["report", "missing.json"])
        .ends_with(2)
        .says("cannot read `missing.json`: no such file or directory");
    sandbox
        .run(&["report", "r.json", "--output", "missing/out"])
        .ends_with(2)
        .says("cannot write `missing/out`: no such file or directory");
    let sandbox = sandbox.file("latin", b"{\"schema\": \"\xe4\"}");
    sandbox
        .run(&["report", "latin"])
        .ends_with(2)
        .says("`latin` is not a JSON report: byte 12 is not UTF-8");
}
