//! The same kernels in OpenCL under Oclgrind's `--data-races`, at a size that it can finish.
//!
//! `oclgrind-kernel` runs a kernel without a host program: `bench/opencl/NAME.sim` has its
//! arguments. The time of an empty kernel is subtracted from that of the process, so that the start
//! is not counted.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};

use super::{Checked, KERNELS, Kernel, Programs, median};
use crate::document::publish_benchmark;
use crate::graphs::egr;
use crate::{files, process};

const TOOL: &str = "oclgrind-kernel";

/// Times every kernel under both checkers; writes the table into `docs/benchmarks.md` if `write` is
/// set. Without Oclgrind it does nothing.
pub(super) fn run(rounds: usize, write: bool, programs: &mut Programs) -> Result<()> {
    if !process::is_there(TOOL) {
        println!(
            "{TOOL} is not installed, so there is nothing to compare with: on Debian and Ubuntu, \
             `apt-get install oclgrind`\n"
        );
        return Ok(());
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut table =
        String::from("| kernel | size | Oclgrind / hirace monitored |\n|---|---|---|\n");
    let nothing = crate::root().join("bench/opencl/nothing.sim");
    for kernel in &KERNELS {
        let simulation = simulation(kernel, &programs.graphs)?;
        let mut ratios = Vec::new();
        for _ in 0..rounds {
            let oclgrind = seconds(&simulation)? - seconds(&nothing)?;
            let hirace = programs.time(kernel, cores, Some(kernel.small), Checked::WhatCanRace)?;
            ratios.push(oclgrind * 1000.0 / hirace.wall);
        }
        let (name, size) = (kernel.name, kernel.small);
        writeln!(table, "| `{name}` | {size} | {:.0} |", median(ratios))?;
    }
    publish_benchmark("oclgrind", &table, write)
}

/// The description of a kernel's run: a committed file, or one generated for a graph.
fn simulation(kernel: &Kernel, graphs: &Path) -> Result<PathBuf> {
    let sources = crate::root().join("bench/opencl");
    if kernel.graph.is_none() {
        return Ok(sources.join(format!("{}.sim", kernel.name)));
    }
    let graph = graphs.join(kernel.small);
    let graph =
        egr::read_file(&graph).with_context(|| format!("failed to read {}", graph.display()))?;
    let vertices = graph.nodes();
    let mut text = format!(
        "{source}\n{name}\n{threads} 1 1\n256 1 1\n{row}{column}",
        source = sources.join(format!("{}.cl", kernel.name)).display(),
        name = kernel.name,
        threads = vertices.next_multiple_of(256),
        row = integers(graph.row()),
        column = integers(graph.adjacent()),
    );
    // The product also has an array of matrix values, one per edge.
    let floats = kernel.name == "sparse_product";
    if floats {
        writeln!(text, "<size={} float fill=1>", 4 * graph.edges())?;
    }
    let number = if floats { "float" } else { "int" };
    writeln!(text, "<size={} {number} fill=1>", 4 * vertices)?;
    writeln!(text, "<size={} {number} fill=0>", 4 * vertices)?;
    write!(text, "{}", integers(&[vertices]))?;
    let folder = crate::root().join("target/opencl");
    fs::create_dir_all(&folder)?;
    let file = folder.join(format!("{}.sim", kernel.name));
    files::write(&file, text)?;
    Ok(file)
}

/// An argument with these values: an array, or a number if there is only one value.
fn integers(values: &[u32]) -> String {
    let mut text = format!("<size={} int>\n", 4 * values.len());
    for value in values {
        text += &format!("{value} ");
    }
    text + "\n"
}

/// The time of a simulation.
fn seconds(simulation: &Path) -> Result<f64> {
    let mut command = Command::new(TOOL);
    // Paths in the file are relative to it.
    command.current_dir(simulation.parent().unwrap_or(Path::new(".")));
    command.arg("--data-races").arg(simulation);
    let start = Instant::now();
    process::output(&mut command)?;
    Ok(start.elapsed().as_secs_f64())
}
