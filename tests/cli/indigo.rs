//! `hirace indigo`, which starts another program.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use crate::harness::Sandbox;

/// Runs a copy of `hirace`, so that no other program of the build is next to it.
fn hirace(sandbox: &Sandbox, path: &str, arguments: &[&str]) -> Output {
    let program = sandbox.path("bin/hirace");
    if !program.exists() {
        fs::create_dir_all(sandbox.path("bin")).unwrap();
        fs::copy(env!("CARGO_BIN_EXE_hirace"), &program).unwrap();
    }
    let mut command = Command::new(program);
    command.arg("indigo").args(arguments).env("PATH", path);
    command.output().unwrap()
}

fn executable(sandbox: &Sandbox, name: &str) {
    fs::set_permissions(sandbox.path(name), Permissions::from_mode(0o755)).unwrap();
}

/// Arguments, `--help` included, and the exit status are passed through unchanged.
#[test]
fn the_harness_takes_over() {
    let script = |who: &str| format!("#!/bin/sh\necho \"{who}: $*\"\nexit 7\n");
    let sandbox = Sandbox::new()
        .file("path/hirace-indigo", script("on the path"))
        .file("bin/hirace-indigo", script("beside"));
    executable(&sandbox, "path/hirace-indigo");
    executable(&sandbox, "bin/hirace-indigo");
    let path = sandbox.path("path").display().to_string();
    let arguments = ["sweep", "--help", "-j", "2", "--", "x"];
    let output = hirace(&sandbox, &path, &arguments);
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(output.stdout, b"beside: sweep --help -j 2 -- x\n");
    fs::remove_file(sandbox.path("bin/hirace-indigo")).unwrap();
    let output = hirace(&sandbox, &path, &["--version"]);
    assert_eq!(output.stdout, b"on the path: --version\n");
}

#[test]
fn without_a_harness_it_says_how_to_get_one() {
    let sandbox = Sandbox::new();
    let output = hirace(&sandbox, "", &["sweep"]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("hirace-indigo"), "{message}");
    assert!(message.contains("cargo install"), "{message}");
}
