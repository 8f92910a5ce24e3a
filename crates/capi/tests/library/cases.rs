//! Programs in C and C++: `cases.c`, compiled as both, and the example.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

use crate::build::{Language, root, run};

/// `cases.c` as a program, and a directory with PTX.
struct Built {
    directory: TempDir,
    program: PathBuf,
}

fn built(language: Language) -> &'static Built {
    static C: OnceLock<Built> = OnceLock::new();
    static CPP: OnceLock<Built> = OnceLock::new();
    let place = match language {
        Language::C => &C,
        Language::Cpp => &CPP,
    };
    place.get_or_init(|| {
        let directory = TempDir::new().expect("a directory");
        for file in [
            "tests/ptx/tile.ptx",
            "tests/ptx/tile.cu",
            "tests/ptx/pair.ptx",
            "crates/capi/tests/library/own.ptx",
            "crates/capi/tests/library/refused.ptx",
        ] {
            let name = file.rsplit('/').next().unwrap_or(file);
            std::fs::copy(root().join(file), directory.path().join(name)).expect("copied");
        }
        let source = root().join("crates/capi/tests/library/cases.c");
        let program = language.build(&source, &directory);
        Built { directory, program }
    })
}

/// What a case prints.
#[track_caller]
fn case_in(language: Language, name: &str) -> String {
    let built = built(language);
    // Nothing is needed from the path but the compiler, and the user's options are not for the library.
    let mut command = Command::new(&built.program);
    command
        .arg(name)
        .arg(".")
        .current_dir(built.directory.path());
    run(command.env("HIRACE_OPTIONS", "no such option"))
}

#[track_caller]
fn case(name: &str) -> String {
    case_in(Language::C, name)
}

#[track_caller]
fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in:\n{text}");
    }
}

/// The report at the end of what a case has printed.
#[track_caller]
fn report(text: &str) -> Value {
    let (_, json) = text.split_once("\njson\n").expect("a report");
    // What a case prints after it is no JSON.
    let mut values = serde_json::Deserializer::from_str(json).into_iter();
    values.next().expect("a value").expect("JSON")
}

#[test]
fn a_correct_kernel_returns_its_results() {
    for language in [Language::C, Language::Cpp] {
        let text = case_in(language, "correct");
        has(&text, &["status 0\n", "wrong 0\n", "output: .\n"]);
        let report = report(&text);
        assert_eq!(report["status"], "clean");
        assert_eq!(report["input"], "ptx");
        assert_eq!(report["summary"]["launches"], 1);
    }
}

#[test]
fn a_race_is_reported_at_the_source_lines() {
    for language in [Language::C, Language::Cpp] {
        let text = case_in(language, "racy");
        has(&text, &["status 1\n"]);
        let report = report(&text);
        assert_eq!(report["status"], "races");
        let race = &report["races"][0];
        assert_eq!(race["code"], "HR001");
        assert_eq!(race["kernel"], "reverse_without_barrier");
        let access = |number: usize| &race["accesses"][number];
        let line = |number: usize| {
            (
                access(number)["file"].as_str(),
                access(number)["line"].as_u64(),
            )
        };
        assert_eq!(line(0), (Some("tile.cu"), Some(17)));
        assert_eq!(line(1), (Some("tile.cu"), Some(18)));
        // `hirace_launch_at` names a source of the caller.
        assert_eq!(race["launch"]["call"]["file"], "caller.jl");
        assert_eq!(race["launch"]["call"]["line"], 12);
        // The barrier in its help comes from the CUDA source.
        has(&race["help"].to_string(), &["before line 18"]);
    }
}

#[test]
fn several_schedules_return_the_results_of_the_first() {
    let text = case("explored");
    has(&text, &["status 0\n", "wrong 0\n"]);
    assert_eq!(report(&text)["seeds"], serde_json::json!([0, 1, 2]));
    // Those of a racy kernel depend on the schedule.
    let results = |name| {
        let text = case(name);
        let mut lines = text.lines();
        lines
            .find(|it| it.starts_with("results "))
            .map(str::to_owned)
    };
    let first = results("racy");
    assert!(first.is_some());
    assert_eq!(results("racy-explored"), first);
    assert_ne!(results("seeded"), first);
}

#[test]
fn options_have_their_effect() {
    let seeded = report(&case("seeded"));
    assert_eq!(seeded["seeds"], serde_json::json!([7]));
    let excluded = case("excluded");
    has(&excluded, &["status 0\n"]);
    assert_eq!(report(&excluded)["status"], "clean");
}

#[test]
fn launches_share_arrays() {
    // Twice the numbers from 0 to 127, and those of the second half once more.
    let sum = 2 * (0..128).sum::<i32>() + 2 * (64..128).sum::<i32>();
    has(
        &case("several"),
        &["status 0\n", &format!("sum {sum}\n"), "last 128\n"],
    );
}

#[test]
fn constant_memory_stays_as_it_is() {
    has(&case("constant"), &["status 0\n", "in 127 out -1\n"]);
}

#[test]
fn a_launch_with_clusters() {
    // What the other block had, and 100 for each block.
    has(&case("clusters"), &["status 0\n", "out 264 263\n"]);
}

#[test]
fn an_array_that_is_too_small() {
    let text = case("bounds");
    has(&text, &["status 1\n"]);
    let report = report(&text);
    let fault = &report["faults"][0];
    assert_eq!(fault["code"], "HF001");
    assert_eq!(fault["allocation"]["bytes"], 400);
    // Without a place of its own, it is that of the launch.
    assert_eq!(fault["allocation"]["file"], "<launch>");
    assert_eq!(fault["allocation"]["line"], 1);
}

#[test]
fn structures_and_numbers_of_sixteen_bits() {
    // 4, 5, 3.5 and 7.
    has(
        &case("structures"),
        &["status 0\n", "4400 4500 4300 4700\n"],
    );
}

#[test]
fn a_kernel_that_never_ends() {
    let text = case("spin");
    has(&text, &["status 2\n", "error: ", "kept 7\n"]);
    assert_eq!(report(&text)["failure"]["kind"], "timeout");
}

#[test]
fn a_launch_that_fails() {
    let text = case("shape");
    has(
        &text,
        &[
            "status 2\n",
            "output: hirace: kernel `spin` failed",
            "kept 7\n",
        ],
    );
}

#[test]
fn instructions_without_a_translation() {
    let text = case("refused");
    has(&text, &["status 2\n", "refused.ptx:8: `tcgen05.wait.ld`"]);
    assert_eq!(report(&text)["failure"]["kind"], "input");
}

#[test]
fn mistakes_are_errors_of_their_calls() {
    for language in [Language::C, Language::Cpp] {
        assert_eq!(case_in(language, "mistakes"), "failures 0\n");
    }
}

#[test]
fn versions() {
    let version = env!("CARGO_PKG_VERSION");
    let wanted = format!("api 2 2\nversion {version}\nerror ``\n");
    assert_eq!(case("versions"), wanted);
}

#[test]
fn the_example_finds_the_race() {
    let directory = TempDir::new().expect("a directory");
    let source = root().join("examples/c/check_ptx.c");
    let program = Language::C.build(&source, &directory);
    let text = run(Command::new(program)
        .arg("tests/ptx/tile.ptx")
        .current_dir(root()));
    has(
        &text,
        &[
            "reverse: status 0, 0 wrong results\n",
            "reverse_without_barrier: status 1\n",
            "data race on shared `s` in kernel `reverse_without_barrier`",
            "tests/ptx/tile.cu:17:3",
            "examples/c/check_ptx.c:",
        ],
    );
}
