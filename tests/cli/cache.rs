//! Compiled programs are cached, and reused only if compiling them again would change nothing.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use crate::harness::{CLEAN, Outcome, RACY, Sandbox, in_sample};

/// A compiler that logs each call in the file that `CXX_LOG` names, and the headers that it reads in that
/// of `CXX_HEADERS`. All tests share it, so they share the compiled executor.
fn noting_compiler() -> &'static Path {
    static COMPILER: LazyLock<PathBuf> = LazyLock::new(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("noting-c++");
        let script = "#!/bin/sh\necho call >> \"$CXX_LOG\"\n\
                      if [ -n \"$CXX_HEADERS\" ]; then exec c++ -H \"$@\" 2>> \"$CXX_HEADERS\"; fi\n\
                      exec c++ \"$@\"\n";
        // Written elsewhere and renamed: another run of these tests may be executing it.
        let fresh = path.with_extension(std::process::id().to_string());
        fs::write(&fresh, script).expect("file");
        fs::set_permissions(&fresh, fs::Permissions::from_mode(0o755)).expect("permissions");
        fs::rename(&fresh, &path).expect("file");
        path
    });
    &COMPILER
}

fn command(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    let mut all = vec!["check", "--backend", "cpu", "a.cu", "--cc-arg", "-O0"];
    all.extend(arguments);
    let mut command = sandbox.command(&all);
    command
        .env("CXX", noting_compiler())
        .env("CXX_LOG", sandbox.path("log"));
    command
}

/// The number of compiler calls so far.
fn calls(sandbox: &Sandbox) -> usize {
    fs::read_to_string(sandbox.path("log")).map_or(0, |it| it.lines().count())
}

/// Checks `a.cu`. Returns whether it was compiled.
#[track_caller]
fn check(sandbox: &Sandbox, arguments: &[&str], status: i32) -> bool {
    checked(sandbox, command(sandbox, arguments), status)
}

#[track_caller]
fn checked(sandbox: &Sandbox, mut command: Command, status: i32) -> bool {
    let before = calls(sandbox);
    Outcome::of(command.output().expect("hirace starts")).ends_with(status);
    calls(sandbox) > before
}

#[test]
fn an_unchanged_program_starts_without_a_compiler() {
    let sandbox = Sandbox::with(RACY);
    let first = command(&sandbox, &["--format", "json"]).output().unwrap();
    assert!(calls(&sandbox) > 0);
    let before = calls(&sandbox);
    let second = command(&sandbox, &["--format", "json"]).output().unwrap();
    assert_eq!(calls(&sandbox), before);
    assert_eq!(
        Outcome::of(first).json()["races"],
        Outcome::of(second).json()["races"]
    );
}

#[test]
fn whatever_changes_the_program_compiles_it_anew() {
    if !in_sample() {
        return;
    }
    let source = format!("#include \"b.h\"\n#include <outside.h>\n{CLEAN}");
    let sandbox = Sandbox::with(&source)
        .file("b.h", "#define N 1\n")
        .file("system/outside.h", "#define M 1\n");
    let outside = ["--cc-arg", "-isystem", "--cc-arg", "system"];
    assert!(check(&sandbox, &outside, 0));
    assert!(!check(&sandbox, &outside, 0));

    fs::write(sandbox.path("b.h"), "#define N 2\n").unwrap();
    assert!(check(&sandbox, &outside, 0), "a header of the program's");
    fs::write(sandbox.path("system/outside.h"), "#define M 22\n").unwrap();
    assert!(check(&sandbox, &outside, 0), "a header from elsewhere");
    fs::write(sandbox.path("a.cu"), format!("{source}\n// more\n")).unwrap();
    assert!(check(&sandbox, &outside, 0), "the source");
    assert!(!check(&sandbox, &outside, 0));

    let more = [&outside[..], &["--cc-arg", "-DK=1"]].concat();
    assert!(check(&sandbox, &more, 0), "an option");
    let mut searched = command(&sandbox, &outside);
    searched.env("CPATH", sandbox.path("nowhere"));
    assert!(checked(&sandbox, searched, 0), "the environment");
    fs::write(
        sandbox.path("hirace.toml"),
        "[monitor]\nspaces = [\"global\"]\n",
    )
    .unwrap();
    assert!(check(&sandbox, &outside, 0), "the configuration");
}

/// The header that a program begins with was compiled before, unless another one may be meant.
#[test]
fn headers_are_precompiled() {
    if !hirace::toolchain::is_gcc(Path::new("c++"), &[]) {
        return;
    }
    let sandbox = Sandbox::with(RACY);
    fs::create_dir(sandbox.path("include")).unwrap();
    let is_precompiled = |arguments: &[&str]| {
        let headers = sandbox.path("headers");
        let _ = fs::remove_file(&headers);
        let mut command = command(&sandbox, arguments);
        command.env("CXX_HEADERS", &headers);
        assert!(checked(&sandbox, command, 1));
        let read = fs::read_to_string(headers).unwrap();
        // GCC marks a precompiled header that it takes, and one that it cannot take.
        assert!(!read.lines().any(|it| it.starts_with('x')), "{read}");
        read.lines()
            .any(|it| it.starts_with("! ") && it.ends_with("hirace.cuh.gch"))
    };
    assert!(is_precompiled(&[]));
    assert!(is_precompiled(&["-D", "UNKNOWN_TO_HEADERS=3"]));
    assert!(is_precompiled(&["-std=c++20", "-O1"]));
    assert!(!is_precompiled(&["-I", "include"]));
}

#[test]
fn a_program_that_asks_for_the_time_is_not_kept() {
    if !in_sample() {
        return;
    }
    let sandbox = Sandbox::with(format!("const char* built = __TIME__;\n{CLEAN}"));
    assert!(check(&sandbox, &[], 0));
    assert!(check(&sandbox, &[], 0));
}

#[test]
fn without_the_cache_everything_is_compiled() {
    if !in_sample() {
        return;
    }
    let sandbox = Sandbox::with(CLEAN).file("hirace.toml", "");
    let mut command = command(&sandbox, &["--no-cache"]);
    command.env("HIRACE_CACHE", sandbox.path("cache"));
    assert!(checked(&sandbox, command, 0));
    assert!(!sandbox.path("cache").exists());
}

#[test]
fn a_cache_that_cannot_be_written_is_done_without() {
    if !in_sample() {
        return;
    }
    let sandbox = Sandbox::with(CLEAN).file("file", "");
    let mut command = command(&sandbox, &[]);
    command.env("HIRACE_CACHE", sandbox.path("file/cache"));
    assert!(checked(&sandbox, command, 0));
}

#[test]
fn what_is_kept_is_listed_and_removed() {
    let sandbox = Sandbox::new().file("cache/program/0123/program", "12345");
    let run = |sandbox: &Sandbox, arguments: &[&str]| {
        let mut command = sandbox.command(arguments);
        command.env("HIRACE_CACHE", sandbox.path("cache"));
        Outcome::of(command.output().expect("hirace starts"))
    };
    let listed = run(&sandbox, &["cache"]);
    listed.ends_with(0);
    assert!(
        listed.stdout.contains("program       1 entry"),
        "{listed:#?}"
    );
    run(&sandbox, &["cache", "clear"]).ends_with(0);
    assert!(!sandbox.path("cache/program").exists());
    let sandbox = sandbox.file("cache/program/0123/program", "12345");
    run(&sandbox, &["doctor", "--quick", "--clear-cache"]).ends_with(0);
    assert!(!sandbox.path("cache/program").exists());
}

#[test]
fn a_size_is_a_number_and_a_unit() {
    let sandbox = Sandbox::with(CLEAN).file("hirace.toml", "[cache]\nsize = \"much\"\n");
    let outcome = sandbox.check(&["a.cu"]);
    outcome.ends_with(2).says("bad size \"much\"");
}
