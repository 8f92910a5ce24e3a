//! The steps that run cargo: formatting, lints, documentation, tests, dependencies.

use std::process::Command;

use anyhow::{Result, bail};

use super::Extent;
use crate::process::{cargo, is_there, run, tee};
use crate::tally::Tally;

/// `cargo fmt --check`.
pub fn fmt() -> Result<Tally> {
    if let Err(reason) = component("rustfmt", "fmt") {
        return Ok(Tally::skip(reason));
    }
    run(cargo().args(["fmt", "--all", "--check"]))?;
    Ok(Tally::pass())
}

/// `cargo clippy`, warnings as errors.
pub fn clippy() -> Result<Tally> {
    if let Err(reason) = component("clippy", "clippy") {
        return Ok(Tally::skip(reason));
    }
    run(cargo()
        .args(["clippy", "--workspace", "--all-targets"])
        .args(["--", "-D", "warnings"]))?;
    Ok(Tally::pass())
}

/// `cargo doc` for all crates, warnings as errors.
pub fn docs() -> Result<Tally> {
    run(cargo()
        .args(["doc", "--no-deps", "--lib", "--workspace"])
        .args(["--exclude", "xtask"])
        .env("RUSTDOCFLAGS", "-D warnings"))?;
    Ok(Tally::pass())
}

/// Ensures that a part of the toolchain is installed; rustup's minimal profile omits some.
fn component(name: &str, subcommand: &str) -> Result<(), String> {
    let works = || {
        crate::process::capture(cargo().args([subcommand, "--version"]))
            .is_ok_and(|output| output.success)
    };
    if works() {
        return Ok(());
    }
    if is_there("rustup") {
        run(Command::new("rustup").args(["component", "add", name]))
            .map_err(|error| format!("{name} is not installed: {error:#}"))?;
        if works() {
            return Ok(());
        }
    }
    Err(format!(
        "{name} is not installed, and there is no rustup to install it"
    ))
}

/// The environment variable that makes tests of samples try everything.
const TESTS: &str = "HIRACE_TESTS";

/// Whether tests of samples are to try everything.
#[must_use]
pub fn all_tests() -> bool {
    std::env::var_os(TESTS).is_some_and(|it| it == "all")
}

/// `cargo test`, plus the count of checks that tests skipped.
pub fn tests(extent: Extent) -> Result<Tally> {
    let mut log = TestLog::default();
    // The output of passing tests is needed, because it contains their skips.
    let mut command = cargo();
    command.args(["test", "--workspace", "--no-fail-fast", "--"]);
    command.arg("--show-output");
    if extent == Extent::All {
        command.env(TESTS, "all");
    }
    let success = tee(&mut command, |line| log.line(line))?;
    if !success && log.tally.failed.is_empty() {
        bail!("cargo test failed outside the tests");
    }
    Ok(log.finish())
}

/// Counts tests from the output of the standard test harness and of `libtest-mimic`.
#[derive(Default)]
struct TestLog {
    tally: Tally,
    /// Skips that tests printed: the harness counted these tests as passed.
    printed: usize,
}

impl TestLog {
    fn line(&mut self, line: &str) {
        if let Some(reason) = line.strip_prefix("skipped: ") {
            self.tally.skipped.push(reason.to_owned());
            self.printed += 1;
        } else if let Some((name, verdict)) = line
            .strip_prefix("test ")
            .and_then(|rest| rest.rsplit_once(" ... "))
        {
            match verdict.split([',', ' ']).next() {
                Some("ok") => self.tally.passed += 1,
                Some("FAILED") => self.tally.failed.push(name.trim_end().to_owned()),
                Some("ignored") => self.tally.skipped.push(format!("{name}: {verdict}")),
                _ => {}
            }
        }
    }

    fn finish(mut self) -> Tally {
        self.tally.passed = self.tally.passed.saturating_sub(self.printed);
        self.tally
    }
}

/// `cargo deny check`, if it is installed.
///
/// Advisories are left out: they change from day to day without a change here.
pub fn deny() -> Result<Tally> {
    if !is_there("cargo-deny") {
        return Ok(Tally::skip(
            "cargo-deny is not installed (cargo install cargo-deny)",
        ));
    }
    run(cargo().args(["deny", "check", "bans", "licenses", "sources"]))?;
    Ok(Tally::pass())
}

#[cfg(test)]
mod tests {
    use super::TestLog;

    #[test]
    fn test_output_is_counted() {
        let mut log = TestLog::default();
        let output = "\
running 4 tests
test table::total ... ok
test table::published ... ok
test ui::race/scan.cu  ... FAILED
test gpu ... ignored, needs a GPU
test src/lib.rs - read (line 3) - compile ... ok

---- table::published stdout ----
skipped: published_fsm.csv is not there

test result: FAILED. 3 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out
";
        output.lines().for_each(|line| log.line(line));
        let tally = log.finish();
        assert_eq!(tally.passed, 2);
        assert_eq!(tally.failed, ["ui::race/scan.cu"]);
        assert_eq!(
            tally.skipped,
            [
                "gpu: ignored, needs a GPU",
                "published_fsm.csv is not there"
            ]
        );
    }
}
