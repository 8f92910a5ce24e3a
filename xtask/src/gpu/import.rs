//! Imports the results from the machine with a GPU.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};
use hirace::model::Backend;

use super::judge;
use crate::document::write_section;
use crate::tally::Tally;
use crate::{files, process};

/// Judges the tests in a directory that run.sh has written, and puts the table and the verdicts
/// into `docs/benchmarks.md`. Results from the CPU executor are only judged.
///
/// Returns whether every test passed.
pub fn import(results: &Path) -> Result<bool> {
    let read = |name: &str| files::read_text(&results.join(name));
    let backend = backend_of(&read("machine.txt")?)?;
    let table = read("benchmarks.md")?;
    let unpacked = crate::root()
        .join("target/gpu")
        .join(format!("records-{}", std::process::id()));
    super::remove(&unpacked)?;
    fs::create_dir_all(&unpacked)?;
    let archive = results.join("records.tar.gz");
    let mut tar = Command::new("tar");
    tar.arg("-C").arg(&unpacked).arg("-xzf").arg(&archive);
    process::output(&mut tar)?;
    let tally = judge(&read("tests.txt")?, &unpacked.join("records"), backend);
    super::remove(&unpacked)?;
    let mut tally = tally?;
    for line in read("self_test.txt")?.lines() {
        tally.add(match line.split_once('|') {
            Some((_, "ok")) => Tally::pass(),
            _ => Tally::fail(format!("self-test: {line}")),
        });
    }
    println!("tests: {tally}\n\n{table}");
    match backend {
        Backend::Cpu => println!("run on the CPU executor: docs/benchmarks.md stays as it is"),
        Backend::Gpu => {
            let mut verdicts = format!("Programs of `tests/ui`, and the self-test: {tally}.\n");
            for name in &tally.failed {
                verdicts += &format!("- failed: `{name}`\n");
            }
            for reason in &tally.skipped {
                verdicts += &format!("- skipped: {reason}\n");
            }
            write_section("docs/benchmarks.md", "gpu", &format!("{table}\n{verdicts}"))?;
        }
    }
    Ok(tally.failed.is_empty())
}

/// The backend that `machine.txt` names.
fn backend_of(machine: &str) -> Result<Backend> {
    let mut lines = machine.lines();
    match lines.find_map(|line| line.strip_prefix("backend: ")) {
        Some("gpu") => Ok(Backend::Gpu),
        Some("cpu") => Ok(Backend::Cpu),
        other => bail!("machine.txt names no backend: {other:?}"),
    }
}
