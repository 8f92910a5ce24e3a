//! The commands in `README.md` and `docs/usage.md` work: each block of them is run, line by line,
//! in a copy of the project in `tests/documented_commands`, and each line exits as the page says.
//!
//! The information string of a block says how it is run:
//!
//! | | |
//! |---|---|
//! | `sh` | each line exits with status 0 |
//! | `sh exits=1,0` | the first line exits with 1, the second one with 0 |
//! | `sh not-run: REASON` | the block is not run |
//! | `cuda`, `text` | the block contains no commands |
//!
//! Any other block fails the test.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

const README: &str = include_str!("../README.md");
const USAGE: &str = include_str!("../docs/usage.md");

/// Information strings of blocks without commands.
const NO_COMMANDS: [&str; 2] = ["cuda", "text"];

/// Part of the lines that need CMake.
const BUILT_BY_CMAKE: &str = "build-checked";

/// A line of a block, and its exit status.
#[derive(Debug, PartialEq, Eq)]
struct Line<'a> {
    text: &'a str,
    status: i32,
}

/// The lines to run, in the order of the page.
fn lines(page: &str) -> Result<Vec<Line<'_>>, String> {
    let mut found = Vec::new();
    let mut rest = page.lines();
    while let Some(line) = rest.next() {
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let block: Vec<&str> = rest.by_ref().take_while(|it| *it != "```").collect();
        if let Some(statuses) = statuses(info, block.len())? {
            let lines = block.into_iter().zip(statuses);
            found.extend(lines.map(|(text, status)| Line { text, status }));
        }
    }
    Ok(found)
}

/// The exit statuses of a block with so many lines; `None` if it is not run.
fn statuses(info: &str, count: usize) -> Result<Option<Vec<i32>>, String> {
    if NO_COMMANDS.contains(&info) {
        return Ok(None);
    }
    let mark = info
        .strip_prefix("sh")
        .ok_or_else(|| format!("a block is marked `{info}`, which does not say how to run it"))?;
    if mark.is_empty() {
        return Ok(Some(vec![0; count]));
    }
    if let Some(reason) = mark.strip_prefix(" not-run: ") {
        return match reason.trim().is_empty() {
            true => Err("a block is not run, without a reason".to_owned()),
            false => Ok(None),
        };
    }
    let numbers = mark
        .strip_prefix(" exits=")
        .ok_or_else(|| format!("unknown mark `{info}`"))?;
    let statuses: Vec<i32> = numbers
        .split(',')
        .map(str::parse)
        .collect::<Result<_, _>>()
        .map_err(|error| format!("`{info}`: {error}"))?;
    match statuses.len() == count {
        true => Ok(Some(statuses)),
        false => Err(format!("`{info}` is for a block of {count} lines")),
    }
}

/// Copies a directory of this repository.
fn copy(from: &str, to: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(from);
    for file in xtask::files::below(&root).expect(from) {
        let target = to.join(file.strip_prefix(&root).expect("below"));
        std::fs::create_dir_all(target.parent().expect("a parent")).expect("a directory");
        std::fs::copy(&file, target).expect("a copy");
    }
}

/// The command's directory and those of CMake come first.
fn search_path(tools: Option<&Path>) -> OsString {
    let own = Path::new(env!("CARGO_BIN_EXE_hirace")).parent();
    let system = std::env::var_os("PATH").unwrap_or_default();
    let all = own
        .into_iter()
        .chain(tools)
        .map(Path::to_owned)
        .chain(std::env::split_paths(&system));
    std::env::join_paths(all).expect("a path")
}

#[track_caller]
fn check(page: &str) {
    let lines = lines(page).unwrap_or_else(|why| panic!("{why}"));
    assert!(!lines.is_empty());
    let tools = xtask::build_tools::locate();
    let path = search_path(tools.as_deref().ok());
    let sandbox = tempfile::tempdir().expect("a temporary directory");
    let work = sandbox.path().join("work");
    copy("tests/documented_commands", &work);
    copy("examples", &work.join("examples"));
    for Line { text, status } in lines {
        if let (Err(reason), true) = (&tools, text.contains(BUILT_BY_CMAKE)) {
            println!("skipped: {text}: {reason}");
            continue;
        }
        let output = Command::new("sh")
            .args(["-c", text])
            .current_dir(&work)
            .env("PATH", &path)
            .env("TMPDIR", sandbox.path())
            .env("HIRACE_BACKEND", "cpu")
            // Compiling takes longer than running here.
            .env("NVCC_APPEND_FLAGS", "-O0")
            .env("LC_ALL", "C.UTF-8")
            .env("NO_COLOR", "1")
            .env_remove("CXX")
            .env_remove("HIRACE_DISABLE")
            .env_remove("HIRACE_OPTIONS")
            .env_remove("MAKEFLAGS")
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        assert_eq!(
            output.status.code(),
            Some(status),
            "{text}\n{}\n{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn commands_of_the_readme() {
    check(README);
}

#[test]
fn commands_of_the_usage_page() {
    check(USAGE);
}

#[test]
fn a_block_is_run_unless_it_is_marked() {
    let page = "a\n```sh\ntrue\n```\n```sh exits=1,0\nfalse\ntrue\n```\n```sh not-run: slow\nb\n```\n```cuda\nc\n```\n";
    let expected = [("true", 0), ("false", 1), ("true", 0)];
    let expected = expected.map(|(text, status)| Line { text, status });
    assert_eq!(lines(page).expect("a page"), expected);
}

#[test]
fn blocks_with_other_marks_are_refused() {
    for info in [
        "",
        "console",
        "sh not-run: ",
        "sh not-run",
        "sh exits=0,0",
        "sh exits=a",
        "sh gpu",
    ] {
        let page = format!("```{info}\ntrue\n```\n");
        assert!(lines(&page).is_err(), "{info}");
    }
}
