//! Options for which launches are checked, when the program stops and how hirace exits: on the
//! command line, and in `HIRACE_OPTIONS` with and without the command.

use std::process::Command;
use std::sync::LazyLock;

use crate::harness::{Outcome, Sandbox};

/// Three racy launches, of two kernels.
const LAUNCHES: &str = "\
#include <cstdio>

__global__ void first(int* left) { *left = blockIdx.x; }
__global__ void second(int* right) { *right = blockIdx.x; }

int main() {
  int *a, *b;
  cudaMalloc(&a, sizeof(int));
  cudaMalloc(&b, sizeof(int));
  first<<<2, 1>>>(a);
  second<<<2, 1>>>(b);
  second<<<3, 1>>>(b);
  std::puts(\"the end\");
  return cudaDeviceSynchronize();
}
";

/// A sandbox with [`LAUNCHES`] as `a.cu`, and as `program`, which checks itself. It is compiled once.
fn sandbox() -> Sandbox {
    static BUILT: LazyLock<Sandbox> = LazyLock::new(|| {
        let sandbox = Sandbox::with(LAUNCHES);
        sandbox
            .run(&["instrument", "--backend", "cpu", "a.cu", "-o", "out"])
            .ends_with(0);
        let compiler = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
        let output = Command::new(compiler)
            .current_dir(sandbox.path("."))
            .args(["-std=c++17", "-pthread", "-I", "out/include"])
            .args(["-I", "out/include/hirace/toolkit", "-x", "c++"])
            .args(["out/a.cu", "-o", "program"])
            .output()
            .expect("a C++ compiler");
        Outcome::of(output).ends_with(0);
        sandbox
    });
    let sandbox = Sandbox::with(LAUNCHES);
    std::fs::copy(BUILT.path("program"), sandbox.path("program")).expect("it was compiled");
    sandbox
}

/// Runs the program without the command.
fn alone(sandbox: &Sandbox, options: &str) -> Outcome {
    let mut command = Command::new(sandbox.path("program"));
    command.current_dir(sandbox.path("."));
    Outcome::of(
        command
            .env("HIRACE_OPTIONS", options)
            .output()
            .expect("it starts"),
    )
}

/// Runs the program under the command.
fn with(sandbox: &Sandbox, options: &str, arguments: &[&str]) -> Outcome {
    let mut command = sandbox.command(&[&["run"], arguments, &["./program"]].concat());
    Outcome::of(command.env("HIRACE_OPTIONS", options).output().unwrap())
}

#[test]
fn launches_are_chosen_by_name_and_number() {
    let sandbox = sandbox();
    for (arguments, options, shown, unchecked) in [
        (
            &["--kernel-name", "fir*"][..],
            "kernel_name='fir*'",
            [true, false],
            2,
        ),
        (
            &["--kernel-name-exclude", "first"],
            "kernel_name_exclude=first",
            [false, true],
            1,
        ),
        (&["--launch-skip", "1"], "launch_skip=1", [false, true], 1),
        (&["--launch-count", "1"], "launch_count=1", [true, false], 2),
        (
            &[
                "--kernel-name=second",
                "--launch-skip=1",
                "--launch-count=1",
            ],
            "kernel_name=second:launch_skip=1:launch_count=1",
            [false, true],
            2,
        ),
    ] {
        let outcomes = [with(&sandbox, "", arguments), with(&sandbox, options, &[])];
        for outcome in outcomes {
            outcome.ends_with(1);
            let note = match unchecked {
                1 => "1 kernel launch ran unchecked, as",
                _ => "2 kernel launches ran unchecked, as",
            };
            outcome.says(note);
            for (kernel, shown) in ["kernel `first`", "kernel `second`"].iter().zip(shown) {
                assert_eq!(
                    outcome.stderr.contains(kernel),
                    shown,
                    "{arguments:?} {outcome:#?}"
                );
            }
        }
        let outcome = alone(&sandbox, options);
        outcome.ends_with(0);
        for (kernel, shown) in ["kernel first", "kernel second"].iter().zip(shown) {
            assert_eq!(
                outcome.stderr.contains(kernel),
                shown,
                "{options} {outcome:#?}"
            );
        }
    }
    // Command-line options override the environment.
    with(&sandbox, "kernel_name=second", &["--kernel-name", "first"])
        .ends_with(1)
        .is_silent_on("kernel `second`");
    with(&sandbox, "kernel_name=third", &[])
        .ends_with(2)
        .says("an option leaves out every kernel");
}

#[test]
fn the_exit_status_and_the_log() {
    let sandbox = sandbox();
    for (options, arguments) in [
        ("exitcode=66:log_path=l", &[][..]),
        ("", &["--error-exitcode", "66", "--log-file", "l"]),
    ] {
        let outcome = with(&sandbox, options, arguments);
        outcome
            .ends_with(66)
            .is_silent_on("data race")
            .says("hirace: 2 races");
        assert!(sandbox.read("l").contains("kernel `first`"));
        std::fs::remove_file(sandbox.path("l")).unwrap();
    }
    let outcome = alone(&sandbox, "exitcode=66:log_path=l:print_limit=1");
    assert_eq!(outcome.ends_with(66).stderr, "");
    let files = sandbox.files();
    let log = files.iter().find(|it| it.starts_with("l.")).expect("a log");
    let log = sandbox.read(log);
    assert_eq!(log.matches("hirace: data race").count(), 1, "{log}");
    assert!(
        log.contains("hirace: 1 more findings are not shown"),
        "{log}"
    );
    assert!(log.contains("hirace: 2 races; 3 launches"), "{log}");

    with(&sandbox, "print_limit=1", &[])
        .ends_with(1)
        .says("1 more race is not shown");
    with(&sandbox, "", &["--print-limit", "1"])
        .ends_with(1)
        .says("1 more race is not shown");
    with(
        &sandbox,
        "log_path=l",
        &["--format", "human", "--output", "m"],
    )
    .ends_with(2)
    .says("has two files");
    // Nothing found: the status is the program's.
    alone(&sandbox, "exitcode=66:kernel_name=third").ends_with(0);
}

#[test]
fn the_program_stops_at_its_first_finding() {
    let sandbox = sandbox();
    for outcome in [
        with(&sandbox, "halt_on_error=1", &[]),
        with(&sandbox, "", &["--halt-on-error"]),
    ] {
        outcome
            .ends_with(1)
            .says("kernel `first`")
            .is_silent_on("kernel `second`")
            .says("the program was stopped at its first finding")
            .says("hirace: 1 race (1 occurrence); 1 kernel launch and 2 accesses checked");
        assert_eq!(outcome.stdout, "");
    }
    let outcome = alone(&sandbox, "halt_on_error=1:exitcode=9");
    outcome.ends_with(9).says("1 race; 1 launch,");
    assert_eq!(outcome.stdout, "");
    let outcome = with(&sandbox, "halt_on_error=0", &[]);
    outcome.ends_with(1).says("kernel `second`");
    assert_eq!(outcome.stdout, "the end\n");

    let sandbox = sandbox.file("s", "kernel:first\n");
    with(&sandbox, "halt_on_error=1:suppressions=s", &[])
        .ends_with(2)
        .says("cannot be combined with suppressions");
    with(&sandbox, "suppressions=s", &[])
        .ends_with(1)
        .says("1 finding suppressed");
}

#[test]
fn a_mistake_in_the_variable_is_told_with_its_place() {
    let sandbox = sandbox();
    for (options, expected) in [
        (
            "exitcode=66:log=x",
            "HIRACE_OPTIONS: character 13: unknown option",
        ),
        ("exitcode=256", "HIRACE_OPTIONS: character 10:"),
        ("halt_on_error", "HIRACE_OPTIONS: character 1:"),
        (
            "log_path='x",
            "HIRACE_OPTIONS: character 10: unterminated quote",
        ),
    ] {
        with(&sandbox, options, &[]).ends_with(2).says(expected);
        alone(&sandbox, options).ends_with(2).says(expected);
    }
    let mut check = sandbox.command(&["check", "--backend", "cpu", "a.cu"]);
    let outcome = Outcome::of(check.env("HIRACE_OPTIONS", "x=1").output().unwrap());
    outcome.ends_with(2).says("unknown option `x`");
}

#[test]
fn the_program_needs_no_dashes_before_it() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["run", "--strict", "sh", "-c", "exit 3", "--strict"])
        .ends_with(2)
        .says("`sh` was not built with hirace (it ended with status 3)");
    sandbox
        .run(&["run", "--no-such-option", "true"])
        .ends_with(2)
        .says("unexpected argument");
}

#[test]
fn the_log_may_stand_before_the_command() {
    let sandbox = sandbox();
    sandbox
        .run(&["--log-file", "l", "run", "./program"])
        .ends_with(1)
        .is_silent_on("data race");
    assert!(sandbox.read("l").contains("data race on global `left`"));
    sandbox
        .run(&["--log-file", "l", "explain", "HR001"])
        .ends_with(2)
        .says("`--log-file` works only with");
}
