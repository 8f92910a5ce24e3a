//! Sweeps that are refused.

use std::fs;
use std::process::Command;

use crate::harness::{cache, query, refuse, succeed, sweep};

#[test]
fn options_that_make_no_sense() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("sweep.sqlite");
    for (arguments, expect) in [
        (vec!["--shape", "64"], "THREADSxBLOCKS"),
        (vec!["--shape", "0x4"], "THREADSxBLOCKS"),
        (vec!["--shape", "2048x1"], "1024 threads"),
        (vec!["--warp-size", "12"], "1, 2, 4, 8, 16 or 32"),
        (vec!["--shard", "0/4"], "K/N"),
        (vec!["--shard", "5/4"], "K/N"),
        (vec!["--timeout", "0"], "above 0"),
        (
            vec!["--exact", "no_such_program"],
            "no program `no_such_program`",
        ),
        (vec!["--filter", "no such program"], "`no such program`"),
        (vec!["--graph", "no_such_family:5"], "no_such_family"),
        (vec!["--suite", "/no/such/directory"], "/no/such/directory"),
        (vec!["--tool", "clairvoyance"], "hirace-cpu"),
    ] {
        let message = refuse(
            sweep(&database)
                .args(&arguments)
                .arg("--cache")
                .arg(cache()),
        );
        assert!(message.contains(expect), "{arguments:?}: {message}");
    }
}

/// A tool for a GPU needs nvcc, which is checked first.
#[test]
fn a_tool_that_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("sweep.sqlite");
    let mut command = sweep(&database);
    command.args(["--tool", "racecheck", "--filter", "pull_thread_cond"]);
    command
        .arg("--cache")
        .arg(cache())
        .env("NVCC", folder.path().join("nvcc"));
    let message = refuse(&mut command);
    assert!(message.contains("nvcc"), "{message}");
    assert!(!database.exists());
}

/// A full disk is an error, and the same command resumes when there is space.
#[test]
fn a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("sweep.sqlite");
    let one = ["--filter", "pull_thread_cond", "--shape", "64x4"];
    let other = folder.path().join("other.sqlite");
    succeed(sweep(&other).args(one).arg("--cache").arg(cache()));
    // A limit on the size of files acts like a full disk; its signal must not kill the sweep.
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 40; exec \"$0\" \"$@\""]);
    let whole = sweep(&database);
    limited.arg(whole.get_program()).args(whole.get_args());
    limited.args(one).arg("--cache").arg(cache());
    let message = refuse(&mut limited);
    assert!(
        message.contains("sweep.sqlite") || message.contains("write"),
        "{message}"
    );
    succeed(sweep(&database).args(one).arg("--cache").arg(cache()));
    assert_eq!(
        query(&database, "SELECT count(*) FROM run"),
        query(&other, "SELECT count(*) FROM run")
    );
}

#[test]
fn a_file_that_is_no_database() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("notes.txt");
    fs::write(
        &database,
        "not a database, but somebody's notes\n".repeat(100),
    )
    .unwrap();
    let message = refuse(
        sweep(&database)
            .args(["--filter", "pull_thread_cond"])
            .arg("--cache")
            .arg(cache()),
    );
    assert!(
        message.contains("is not a database of a sweep"),
        "{message}"
    );
    assert!(
        fs::read_to_string(&database)
            .unwrap()
            .starts_with("not a database")
    );
}
