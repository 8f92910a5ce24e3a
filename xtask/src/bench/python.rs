//! Measures what users of Python wait for: the time from the launch of a kernel to its verdict.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use anyhow::{Result, anyhow};

use super::{median, number_after};
use crate::document::publish_benchmark;
use crate::{process, ptx_compilers};

/// The kinds of kernels in `bench/python/vector_add.py`.
const KINDS: [(&str, &str); 2] = [("triton", "Triton"), ("numba", "Numba")];

/// Writes the table into `docs/benchmarks.md` if `write` is set.
pub fn run(rounds: usize, write: bool) -> Result<()> {
    let hirace = super::build_hirace()?;
    let python = ptx_compilers::locate().map_err(|reason| anyhow!(reason))?;
    let root = crate::root();
    let scratch = root.join("target/bench/python");
    if scratch.exists() {
        fs::remove_dir_all(&scratch)?;
    }
    let mut table = String::from(
        "| a vector addition | first, s | first in a new process, s | again, s |\n|---|---|---|---|\n",
    );
    for (kind, name) in KINDS {
        let time = |number: usize| -> Result<[f64; 2]> {
            let mut command = Command::new(&python);
            command
                .arg("bench/python/vector_add.py")
                .args([kind, &number.to_string()])
                .current_dir(crate::root())
                .env("PYTHONPATH", root.join("python/src"))
                .env("PYTHONDONTWRITEBYTECODE", "1")
                .env("HIRACE_COMMAND", &hirace)
                .env("HIRACE_CACHE", scratch.join("cache"))
                .env("TRITON_CACHE_DIR", scratch.join("triton"));
            let text = process::output(&mut command)?;
            Ok([
                number_after(&text, "first: ", &command)?,
                number_after(&text, "again: ", &command)?,
            ])
        };
        // The first one compiles the executor.
        time(0)?;
        let mut times: [Vec<f64>; 3] = Default::default();
        for round in 1..=rounds {
            let [first, again] = time(round)?;
            let [in_new_process, _] = time(round)?;
            for (times, time) in times.iter_mut().zip([first, in_new_process, again]) {
                times.push(time);
            }
        }
        let [first, in_new_process, again] = times.map(median);
        writeln!(
            table,
            "| {name} | {first:.2} | {in_new_process:.2} | {again:.2} |"
        )?;
    }
    publish_benchmark("python", &table, write)
}
