//! Measures the time that `hirace nvcc` adds to a compilation.
//!
//! There are four times for each program, taken in turns: nvcc on the original, nvcc on a copy that
//! `hirace instrument` wrote, the wrapper on the original, and the wrapper around an nvcc that does
//! nothing. The last is the wrapper's own time, which is too short to show in the difference of two
//! compilations on a busy machine.

use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Result, anyhow};

use super::KERNELS;
use crate::document::publish_benchmark;
use crate::nvcc::{self, Nvcc};
use crate::process;

/// Times the compilation of every program in `bench/`; writes the table into `docs/benchmarks.md`
/// if `write` is set.
pub fn run(rounds: usize, write: bool) -> Result<()> {
    let hirace = super::build_hirace()?;
    let nvcc = nvcc::locate().map_err(|reason| anyhow!(reason))?;
    let out = crate::root().join("target/bench-wrapper");
    std::fs::create_dir_all(&out)?;
    let mut table = String::from(
        "| program | nvcc, s | nvcc on the instrumented copy, s | hirace nvcc, s | the wrapper alone, s | of the copy's time | of nvcc's time |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for kernel in &KERNELS {
        let [plain, copy, wrapped, alone] = times(&hirace, &nvcc, &kernel.file(), &out, rounds)?;
        writeln!(
            table,
            "| `{}` | {plain:.2} | {copy:.2} | {wrapped:.2} | {alone:.3} | {:.1} % | {:.1} % |",
            kernel.file(),
            alone / copy * 100.0,
            alone / plain * 100.0,
        )?;
    }
    publish_benchmark("wrapper", &table, write)
}

/// The fastest of `rounds` turns, in seconds: other load on the machine only adds time.
fn times(hirace: &Path, nvcc: &Nvcc, file: &str, out: &Path, rounds: usize) -> Result<[f64; 4]> {
    let source = crate::root().join("bench").join(file);
    let copy = out.join("copy");
    let mut instrument = Command::new(hirace);
    instrument.arg("instrument").arg(&source);
    run_once(instrument.arg("--force").arg("-o").arg(&copy))?;

    let nothing = out.join("nothing/nvcc");
    std::fs::create_dir_all(out.join("nothing"))?;
    std::fs::write(&nothing, "#!/bin/sh\n")?;
    std::fs::set_permissions(&nothing, std::fs::Permissions::from_mode(0o755))?;

    let mut all: [Vec<f64>; 4] = Default::default();
    for _ in 0..rounds {
        for (number, times) in all.iter_mut().enumerate() {
            let mut command = match number {
                0 | 1 => Command::new(&nvcc.path),
                _ => {
                    let mut command = Command::new(hirace);
                    command.arg(if number == 2 { &nvcc.path } else { &nothing });
                    command
                }
            };
            command
                .args(nvcc.command().get_args())
                .env("HIRACE_CACHE", out.join("cache"))
                .env("HIRACE_BACKEND", "gpu")
                .arg("-c")
                .arg("-o")
                .arg(out.join("object.o"));
            match number {
                1 => command
                    .arg("-I")
                    .arg(copy.join("include"))
                    .arg(copy.join(file)),
                _ => command.arg(&source),
            };
            times.push(run_once(&mut command)?);
        }
    }
    Ok(all.map(|times| times.into_iter().fold(f64::INFINITY, f64::min)))
}

/// Runs a command that must succeed; returns its time.
fn run_once(command: &mut Command) -> Result<f64> {
    let start = Instant::now();
    process::output(command)?;
    Ok(start.elapsed().as_secs_f64())
}
