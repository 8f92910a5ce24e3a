//! The small commands, and the help.

use crate::harness::{Outcome, Sandbox};

fn run(arguments: &[&str]) -> Outcome {
    Sandbox::new().run(arguments)
}

#[test]
fn version() {
    let outcome = run(&["--version"]);
    outcome.ends_with(0);
    assert_eq!(
        outcome.stdout,
        concat!("hirace ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn help_everywhere_and_exit_status_in_it() {
    for command in [
        &["--help"][..],
        &["check", "--help"],
        &["run", "--help"],
        &["instrument", "--help"],
        &["fsm", "--help"],
        &["fsm", "table", "--help"],
        &["fsm", "murphi", "--help"],
        &["fsm", "dot", "--help"],
        &["fsm", "verify", "--help"],
        &["fsm", "trace", "--help"],
        &["explain", "--help"],
        &["doctor", "--help"],
        &["completions", "--help"],
    ] {
        let outcome = run(command);
        outcome.ends_with(0);
        assert!(outcome.stdout.contains("Usage: hirace"), "{command:?}");
    }
    assert!(run(&["--help"]).stdout.contains("Exit status:"));
    assert!(run(&["check", "--help"]).stdout.contains("Exit status:"));
}

#[test]
fn no_command() {
    run(&[]).ends_with(2);
}

#[test]
fn explain() {
    let page = run(&["explain", "hr001"]);
    page.ends_with(0);
    assert!(page.stdout.starts_with("# HR001: missing block barrier\n"));
    let list = run(&["explain", "--list"]);
    list.ends_with(0);
    assert!(list.stdout.contains("HR006") && list.stdout.contains("HF001"));
    let same = run(&["explain"]);
    same.ends_with(0);
    assert_eq!(same.stdout, list.stdout);
    run(&["explain", "XY999"])
        .ends_with(2)
        .says("no page for `XY999`");
    run(&["explain", "hr01"])
        .ends_with(2)
        .says("did you mean HR001");
}

#[test]
fn completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let outcome = run(&["completions", shell]);
        outcome.ends_with(0);
        assert!(outcome.stdout.contains("instrument"), "{shell}");
    }
}
