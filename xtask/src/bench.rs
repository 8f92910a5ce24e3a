//! Monitored over unmonitored time of a few kernels, as ratios from one run.
//!
//! Both sides are the same program on the same executor; the unmonitored one is
//! instrumented with every variable excluded, so that it runs without a check.
//! The two take turns, because other work on the machine comes and goes.

pub mod words;
pub mod wrapper;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{self, cargo};

/// A program in `bench/` and what it stands for.
struct Kernel {
    file: &'static str,
    about: &'static str,
    graph: Option<&'static str>,
}

const KERNELS: [Kernel; 4] = [
    Kernel {
        file: "block_sum.cu",
        about: "with barriers: tree sum in shared memory, 4096 blocks of 256",
        graph: None,
    },
    Kernel {
        file: "matrix_product.cu",
        about: "with barriers and much reuse: tiled matrix product, 256 × 256",
        graph: None,
    },
    Kernel {
        file: "graph_push.cu",
        about: "graph push with atomics, RMAT, 65,536 vertices",
        graph: Some("rmat_65536n.egr"),
    },
    Kernel {
        file: "stream_triad.cu",
        about: "streaming triad, 4 Mi floats an array",
        graph: None,
    },
];

const BEGIN: &str = "<!-- bench: begin -->";
const END: &str = "<!-- bench: end -->";

/// Times every kernel on one OS thread and on all cores; writes the table into
/// `docs/benchmarks.md` if asked to.
pub fn run(rounds: usize, write: bool) -> Result<()> {
    let graphs = prepare()?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut table = String::from(
        "| kernel | OS threads | unmonitored, ms | monitored, ms | monitored / unmonitored |\n|---|---|---|---|---|\n",
    );
    for kernel in &KERNELS {
        for jobs in [1, cores] {
            let (unmonitored, monitored) = time(kernel, jobs, rounds, &graphs)?;
            writeln!(
                table,
                "| {} | {jobs} | {unmonitored:.2} | {monitored:.2} | {:.2} |",
                kernel.about,
                monitored / unmonitored
            )?;
        }
    }
    println!("{table}");
    if write {
        insert(BEGIN, END, &table)?;
    }
    Ok(())
}

/// Builds the command and writes the graphs; returns where those are.
fn prepare() -> Result<PathBuf> {
    process::run(cargo().args(["build", "--release", "--quiet", "--package", "hirace"]))?;
    let graphs = crate::root().join("target/graphs");
    crate::graphs::ensure(&graphs)?;
    Ok(graphs)
}

/// `hirace check` of a kernel on the CPU executor.
fn check(kernel: &Kernel, jobs: usize, options: &[String], graphs: &Path) -> Command {
    let mut command = Command::new(crate::root().join("target/release/hirace"));
    command
        .current_dir(crate::root())
        .args(["check", &format!("bench/{}", kernel.file)])
        .args(["--backend", "cpu", "--jobs", &jobs.to_string()])
        .args(options);
    if let Some(graph) = kernel.graph {
        command.arg("--").arg(graphs.join(graph));
    }
    command
}

/// The medians of `rounds` turns, in milliseconds.
fn time(kernel: &Kernel, jobs: usize, rounds: usize, graphs: &Path) -> Result<(f64, f64)> {
    let mut unmonitored = Vec::new();
    let mut monitored = Vec::new();
    for _ in 0..rounds {
        unmonitored.push(once(kernel, jobs, graphs, Some("bench/unmonitored.toml"))?);
        monitored.push(once(kernel, jobs, graphs, None)?);
    }
    Ok((median(unmonitored), median(monitored)))
}

fn once(kernel: &Kernel, jobs: usize, graphs: &Path, config: Option<&str>) -> Result<f64> {
    let config: Vec<String> = config
        .into_iter()
        .flat_map(|config| ["--config".to_owned(), config.to_owned()])
        .collect();
    let mut command = check(kernel, jobs, &config, graphs);
    // A run that monitors nothing ends with an error, after the program has run.
    let output = process::capture(&mut command)?;
    let Some(time) = output
        .text
        .lines()
        .find_map(|line| line.strip_prefix("milliseconds: "))
    else {
        bail!(
            "{} printed no time:\n{}",
            process::show(&command),
            output.text
        );
    };
    if config.is_empty() && !output.success {
        bail!("{} failed:\n{}", process::show(&command), output.text);
    }
    time.trim().parse().context("failed to read the time")
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Replaces what stands between two markers in `docs/benchmarks.md`.
fn insert(begin: &str, end: &str, table: &str) -> Result<()> {
    let file = crate::root().join("docs/benchmarks.md");
    let text =
        fs::read_to_string(&file).with_context(|| format!("failed to read {}", file.display()))?;
    let (Some(from), Some(to)) = (text.find(begin), text.find(end)) else {
        bail!("{} lacks the markers {begin} and {end}", file.display());
    };
    let text = format!("{}{begin}\n{table}{}", &text[..from], &text[to..]);
    fs::write(&file, text).with_context(|| format!("failed to write {}", file.display()))
}
