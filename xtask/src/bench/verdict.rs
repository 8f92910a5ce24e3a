//! Measures the processor time from `hirace check` to its verdict, by the content of the cache.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::median;
use crate::document::publish_benchmark;
use crate::{files, process};

/// Programs that differ in the headers that they include.
const PROGRAMS: [(&str, &str); 3] = [
    ("examples/block_sum.cu", "one kernel, no library"),
    ("examples/programs/fft.cu", "a whole program"),
    (
        "tests/ui/libraries/cub_block_reduce.cu",
        "one kernel that uses CUB",
    ),
];

/// What a check finds in the cache.
#[derive(Clone, Copy)]
enum Cached {
    /// `--no-cache`: the program compiles the whole executor.
    NotUsed,
    Nothing,
    /// The executor, and other programs.
    Executor,
    /// The program itself.
    Program,
}

/// Writes the table; puts it into `docs/benchmarks.md` if `write` is set.
pub fn run(rounds: usize, write: bool) -> Result<()> {
    let mut table = String::from(
        "| program | without a cache, s | nothing cached, s | executor cached, s | unchanged, s | executor cached / without a cache |\n|---|---|---|---|---|---|\n",
    );
    for (file, about) in PROGRAMS {
        let text = files::read_text(&crate::root().join(file))?;
        let mut times: [Vec<f64>; 4] = Default::default();
        let mut ratios = Vec::new();
        for round in 0..rounds {
            let scratch = crate::root().join("target/bench/verdict");
            if scratch.exists() {
                fs::remove_dir_all(&scratch)?;
            }
            fs::create_dir_all(&scratch)?;
            let name = Path::new(file).file_name().context("a file name")?;
            let source = scratch.join(name);
            let steps = [
                Cached::NotUsed,
                Cached::Nothing,
                Cached::Executor,
                Cached::Program,
            ];
            for (number, cached) in steps.into_iter().enumerate() {
                // Another comment makes another program.
                if !matches!(cached, Cached::Program) {
                    fs::write(&source, format!("{text}// {number}, round {round}\n"))?;
                }
                times[number].push(check(&source, &scratch.join("cache"), cached)?);
            }
            ratios.push(times[2][round] / times[0][round]);
        }
        let [none, cold, executor, unchanged] = times.map(median);
        writeln!(
            table,
            "| `{file}`: {about} | {none:.2} | {cold:.2} | {executor:.2} | {unchanged:.2} | {:.2} |",
            median(ratios)
        )?;
    }
    publish_benchmark("verdict", &table, write)
}

/// The processor time of one check, in seconds.
fn check(source: &Path, cache: &Path, cached: Cached) -> Result<f64> {
    let mut command = Command::new(super::hirace());
    command.arg("check").arg(source).env("HIRACE_CACHE", cache);
    if matches!(cached, Cached::NotUsed) {
        command.arg("--no-cache");
    }
    seconds_of(&mut command)
}

/// The processor time of a check that must reach its verdict, in seconds.
pub(super) fn seconds_of(command: &mut Command) -> Result<f64> {
    let before = process::children_time();
    let output = process::capture(command)?;
    let seconds = (process::children_time() - before).as_secs_f64();
    if !output.text.contains("kernel launch") {
        bail!("{} failed:\n{}", process::show(command), output.text);
    }
    Ok(seconds)
}
