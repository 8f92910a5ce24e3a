//! Unit, UI and documentation tests: what `cargo test --workspace` runs, two test programs at a
//! time.
//!
//! `cargo test` waits for each test program before it starts the next one, so a core idles while
//! the last test of a program runs.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{iter, thread};

use anyhow::{Context, Result, bail};
use hirace_sample::{Sample, VARIABLE};
use serde_json::Value;

use super::rust;
use crate::process::{capture_within, cargo, output, show};
use crate::tally::Tally;

/// How many test programs run at a time. Each runs as many tests at a time as there are cores.
const AT_A_TIME: usize = 2;

/// The programs that take longest, in this order. They start first.
const LONGEST: [&str; 10] = [
    "ui", "wrapper", "cli", "corpus", "order", "gpu", "programs", "executor", "fix", "builtin",
];

/// The programs that try a sample of their inputs. A part of everything runs a part of each of
/// them, and some of the other programs as a whole.
const SAMPLED: [&str; 9] = [
    "ui", "wrapper", "order", "programs", "executor", "fix", "builtin", "corpus", "naive",
];

/// The programs most of whose tests compile something. A sample has one test of [`TESTS`] of them. A
/// test that is in smaller samples is so in one of a multiple of that: then these are parts of this
/// sample.
const COMPILING: [&str; 3] = ["cli", "sweep", "wrapper"];
const TESTS: u64 = 20;

/// Those of these tests that take samples of many inputs.
const MANY_INPUTS: &str = "docs::";

/// A test program that runs longer waits for something that does not come.
fn time_limit(sample: Sample) -> Duration {
    const MINUTE: u64 = 60;
    Duration::from_secs(match sample.is_everything() {
        true => 240 * MINUTE,
        false => 30 * MINUTE,
    })
}

/// The tests that cargo starts itself.
const DOCUMENTATION: &str = "documentation tests";

/// A program of tests.
struct TestProgram {
    name: String,
    command: Command,
}

/// The output of a program, and how long it ran.
struct Ran {
    name: String,
    tally: Tally,
    time: Duration,
}

impl Ran {
    /// A program that could not be run.
    fn failed(name: String, error: &anyhow::Error) -> Self {
        println!("\n--- {name}: {error:#}");
        Self {
            tally: Tally::fail(format!("{name}, outside its tests")),
            name,
            time: Duration::ZERO,
        }
    }
}

/// Builds and runs all tests.
pub fn run(sample: Sample) -> Result<Tally> {
    let mut programs = build(&["--workspace".to_owned()])?;
    programs.retain(|it| SAMPLED.contains(&it.name.as_str()) || sample.takes(&it.name, 1));
    programs.sort_by_key(|program| {
        let place = LONGEST.iter().position(|it| *it == program.name);
        place.unwrap_or(LONGEST.len())
    });
    if sample.takes(DOCUMENTATION, 1) {
        let mut command = cargo();
        command.args(["test", "--workspace", "--doc"]);
        let name = DOCUMENTATION.to_owned();
        programs.push(TestProgram { name, command });
    }
    Ok(tally(&run_all(programs, sample)))
}

/// Builds and runs the unit tests of some packages, and tests of the root package: filters by
/// test program, of which an empty one selects all tests.
pub fn run_some(
    packages: &[&str],
    tests: &BTreeMap<&str, String>,
    sample: Sample,
) -> Result<Tally> {
    let mut programs = Vec::new();
    if !packages.is_empty() {
        let mut arguments = rust::selected(packages);
        arguments.extend(["--lib", "--bins"].map(str::to_owned));
        programs.extend(build(&arguments)?);
    }
    if !tests.is_empty() {
        let targets = tests.keys().map(|target| format!("--test={target}"));
        let arguments: Vec<String> = iter::once("--package=hirace".to_owned())
            .chain(targets)
            .collect();
        let mut chosen = build(&arguments)?;
        for TestProgram { name, command } in &mut chosen {
            let filter = tests.get(name.as_str()).filter(|it| !it.is_empty());
            command.args(filter);
        }
        programs.extend(chosen);
    }
    Ok(tally(&run_all(programs, sample)))
}

/// Adds up results; prints which took longest.
fn tally(ran: &[Ran]) -> Tally {
    let mut tally = Tally::default();
    println!("\nslowest test programs:");
    for Ran { name, time, .. } in ran.iter().take(10) {
        println!("{:7.1} s  {name}", time.as_secs_f64());
    }
    for ran in ran {
        tally.add(ran.tally.clone());
    }
    tally
}

/// Compiles the test programs that these options of `cargo test` select.
fn build(selected: &[String]) -> Result<Vec<TestProgram>> {
    let start = Instant::now();
    let mut command = cargo();
    command
        .args(["test", "--no-run"])
        .args(selected)
        .args(["--message-format", "json-render-diagnostics"])
        .stdout(Stdio::piped());
    println!("$ {}", show(&command));
    let mut child = command.spawn().context("failed to start cargo")?;
    let stdout = child.stdout.take().context("cargo has no output")?;
    let mut programs = Vec::new();
    for line in BufReader::new(stdout).lines() {
        let line = line.context("failed to read the output of cargo")?;
        // Programs that are started by cargo may print lines that are not JSON.
        let message: Value = serde_json::from_str(&line).unwrap_or_default();
        programs.extend(test_program(&message));
    }
    if !child.wait()?.success() {
        bail!("the tests do not compile");
    }
    println!("compiled in {:.1} s", start.elapsed().as_secs_f64());
    Ok(programs)
}

/// The test program that a message of cargo announces.
fn test_program(message: &Value) -> Option<TestProgram> {
    if message["profile"]["test"] != true {
        return None;
    }
    let executable = message["executable"].as_str()?;
    let manifest = Path::new(message["manifest_path"].as_str()?);
    let package = manifest.parent()?;
    let is_library = message["target"]["kind"][0] == "lib";
    let mut command = Command::new(executable);
    command.current_dir(package);
    Some(TestProgram {
        name: match (is_library, message["target"]["name"].as_str()?) {
            (true, name) => format!("{name} (library)"),
            (false, name) => name.to_owned(),
        },
        command,
    })
}

/// Runs the programs; the slowest comes first in the result.
fn run_all(programs: Vec<TestProgram>, sample: Sample) -> Vec<Ran> {
    let queue = Mutex::new(VecDeque::from(programs));
    let results = Mutex::new(Vec::new());
    let work = || {
        loop {
            // The lock must not be held while the program runs.
            let next = queue.lock().expect("no worker panics").pop_front();
            let Some(program) = next else { return };
            let ran = run_one(program, sample);
            results.lock().expect("no worker panics").push(ran);
        }
    };
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(work);
        }
    });
    let mut results = results.into_inner().expect("no worker panics");
    results.sort_by_key(|it| std::cmp::Reverse(it.time));
    results
}

/// Options with which a test program leaves out the tests that are not in the sample.
fn left_out(program: &Command, sample: Sample) -> Result<Vec<String>> {
    let mut command = Command::new(program.get_program());
    command.args(["--list", "--format", "terse"]);
    if let Some(directory) = program.get_current_dir() {
        command.current_dir(directory);
    }
    let names = output(&mut command)?;
    let names = names.lines().filter_map(|it| it.strip_suffix(": test"));
    let skipped = names.filter(|it| !it.starts_with(MANY_INPUTS) && !sample.takes(it, TESTS));
    // In one word with its option, a name is not taken for a filter, which would choose the test.
    Ok(skipped.map(|it| format!("--skip={it}")).collect())
}

fn run_one(program: TestProgram, sample: Sample) -> Ran {
    let TestProgram { name, mut command } = program;
    let is_cargo = name == DOCUMENTATION;
    if COMPILING.contains(&name.as_str()) && !sample.is_everything() {
        match left_out(&command, sample) {
            Ok(skips) => command.arg("--exact").args(skips),
            Err(error) => return Ran::failed(name, &error),
        };
    }
    // The output of passing tests contains their skips.
    command.args(is_cargo.then_some("--")).arg("--show-output");
    command.env(VARIABLE, sample.to_string());
    let start = Instant::now();
    let output = capture_within(time_limit(sample), &mut command);
    let time = start.elapsed();
    let (success, text) = match output {
        Ok(output) => (output.success, output.text),
        Err(error) => (false, format!("{error:#}")),
    };
    let mut log = TestLog::default();
    text.lines().for_each(|line| log.line(line));
    let mut tally = log.finish();
    if !success && tally.failed.is_empty() {
        tally.add(Tally::fail(format!("{name}, outside its tests")));
    }
    println!("\n--- {name}: {tally} in {:.1} s", time.as_secs_f64());
    if !success {
        println!("{}", text.trim_end());
    }
    Ran { name, tally, time }
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
