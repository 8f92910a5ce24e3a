//! Measures PTX against CUDA source: kernels whose PTX nvcc wrote, and the time to compile Triton's.
//!
//! A program of `bench/` is built twice: as it is, and with `BENCH_PTX`, so that it launches the kernel of a PTX file
//! with the driver API. Host code, sizes and checks are the same.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, anyhow};

use super::{KERNELS, compile, median, number_after, verdict};
use crate::document::publish_benchmark;
use crate::{files, nvcc, process, ptx_compilers};

/// The programs that can launch the kernel of a PTX file.
const PROGRAMS: [&str; 5] = [
    "block_sum",
    "matrix_product",
    "n_body",
    "grid_sum",
    "stencil",
];

/// What nvcc compiles their kernels for.
const ARCHITECTURE: &str = "compute_80";

/// A kernel in `tests/compilers/python/triton_cases`, and the architectures that Triton compiles it for.
const TRITON: &str = "softmax";
const TRITON_ARCHITECTURES: [&str; 2] = ["80", "90"];

/// Writes both tables into `docs/benchmarks.md` if `write` is set.
pub fn run(rounds: usize, write: bool) -> Result<()> {
    let hirace = super::build_hirace()?;
    execution(&hirace, rounds, write)?;
    compilation(&hirace, rounds, write)
}

/// The times of the kernels on one OS thread.
fn execution(hirace: &Path, rounds: usize, write: bool) -> Result<()> {
    let nvcc = nvcc::locate().map_err(|reason| anyhow!(reason))?;
    let mut table =
        String::from("| kernel | PTX / CUDA source | the same, nothing checked |\n|---|---|---|\n");
    // nvcc writes nothing into a folder that does not exist, and says nothing.
    fs::create_dir_all(crate::root().join("target/bench"))?;
    for name in PROGRAMS {
        let about = KERNELS.iter().find(|it| it.name == name);
        let about = about.context("an unknown program")?.about;
        let ptx = crate::root().join("target/bench").join(name);
        let ptx = ptx.with_extension("ptx");
        let mut compiler = nvcc.command_for(ARCHITECTURE);
        let source = format!("bench/{name}.cu");
        compiler
            .args(["-ptx", "-lineinfo", &source, "-o"])
            .arg(&ptx);
        process::output(compiler.current_dir(crate::root()))?;
        let mut ratios = [Vec::new(), Vec::new()];
        let columns = [super::Checked::WhatCanRace, super::Checked::Nothing];
        for (ratios, checked) in ratios.iter_mut().zip(columns) {
            let environment = checked.environment();
            let (file, built) = (format!("{name}.cu"), format!("{name}-{checked:?}"));
            let program = compile(&file, &built, &[], environment)?;
            let loading = compile(&file, &format!("{built}-ptx"), LOADING, environment)?;
            let time = |program: &Path| -> Result<f64> {
                let mut command = Command::new(program);
                command.env("HIRACE_JOBS", "1").env("BENCH_PTX", &ptx);
                command
                    .env("HIRACE_COMMAND", hirace)
                    .env("BENCH_UNCOMPARED", "1");
                command.envs(environment.iter().copied());
                let text = process::output(command.current_dir(crate::root()))?;
                number_after(&text, "processor milliseconds: ", &command)
            };
            for _ in 0..rounds {
                ratios.push(time(&loading)? / time(&program)?);
            }
        }
        let [checked, unchecked] = ratios.map(median);
        writeln!(table, "| {about} | {checked:.2} | {unchecked:.2} |")?;
    }
    publish_benchmark("ptx", &table, write)
}

/// The options with which a program loads its kernel.
const LOADING: &[&str] = &["-DBENCH_PTX", "-lcuda"];

/// The processor time of `hirace check` for a kernel of Triton's.
fn compilation(hirace: &Path, rounds: usize, write: bool) -> Result<()> {
    let python = ptx_compilers::locate().map_err(|reason| anyhow!(reason))?;
    let mut table = String::from("| kernel | after a change, s | unchanged, s |\n|---|---|---|\n");
    for architecture in TRITON_ARCHITECTURES {
        let folder = crate::root().join("target/bench/triton");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let wrote = ptx_compilers::write_case(&python, "triton", architecture, &folder, TRITON);
        wrote.map_err(|why| anyhow!(why))?;
        let ptx = folder.join(TRITON).join("kernel.ptx");
        let text = files::read_text(&ptx)?;
        let mut times = [Vec::new(), Vec::new()];
        for round in 0..=rounds {
            // Another comment makes another program.
            fs::write(&ptx, format!("{text}// {round}\n"))?;
            let changed = check(hirace, &ptx)?;
            let unchanged = check(hirace, &ptx)?;
            // The first one compiles the executor.
            if round > 0 {
                times[0].push(changed);
                times[1].push(unchanged);
            }
        }
        let [changed, unchanged] = times.map(median);
        writeln!(
            table,
            "| Triton's softmax for sm_{architecture} | {changed:.2} | {unchanged:.2} |"
        )?;
    }
    publish_benchmark("ptx-compilation", &table, write)
}

/// The processor time of a check, in seconds.
fn check(hirace: &Path, ptx: &Path) -> Result<f64> {
    let folder = ptx.parent().context("a folder")?;
    let mut command = Command::new(hirace);
    command.args(["check", "kernel.ptx", "--launch", "launch.toml"]);
    command
        .current_dir(folder)
        .env("HIRACE_CACHE", folder.join("cache"));
    verdict::seconds_of(&mut command)
}
