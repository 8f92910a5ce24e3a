//! Counts the accesses that leave their shadow word unchanged, with the masks of the state machine
//! and with words that keep every field.
//!
//! An unchanged word needs no store and no lock. The counts are exact and the same on
//! every machine: the program runs on one OS thread, in the order of its threads, and every
//! access is checked.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use super::{KERNELS, Kernel, number_after};
use crate::document::publish_benchmark;
use crate::process;

/// The counts of `bench/count_words.h`.
struct Counts {
    accesses: u64,
    unchanged: u64,
}

/// Counts for every kernel; writes the table into `docs/benchmarks.md` if `write` is set.
pub fn run(write: bool) -> Result<()> {
    let graphs = super::Programs::prepare()?.graphs;
    let mut table = String::from(
        "| kernel | accesses | unchanged, all fields kept | unchanged, fields that matter |\n\
         |---|---|---|---|\n",
    );
    for kernel in &KERNELS {
        let all = count(kernel, &graphs, true)?;
        let relevant = count(kernel, &graphs, false)?;
        if all.accesses != relevant.accesses {
            bail!("{} does not make the same accesses twice", kernel.name);
        }
        writeln!(
            table,
            "| {} | {} | {} | {} |",
            kernel.about,
            relevant.accesses,
            percentage(&all),
            percentage(&relevant)
        )?;
    }
    publish_benchmark("words", &table, write)
}

fn count(kernel: &Kernel, graphs: &Path, keep_all: bool) -> Result<Counts> {
    let header = crate::root().join("bench/count_words.h");
    let mut command = Command::new(super::hirace());
    command
        .current_dir(crate::root())
        .args(["check", &format!("bench/{}", kernel.file())])
        .args(["--backend", "cpu", "--jobs", "1", "--check-all"])
        // The compiled executor has masks of its own.
        .arg("--no-cache")
        .arg("--cc-arg=-include")
        .arg(format!("--cc-arg={}", header.display()));
    if keep_all {
        command.arg("--cc-arg=-DCOUNT_WORDS_THAT_KEEP_ALL");
    }
    command
        .arg("--")
        .args(kernel.graph.map(|it| graphs.join(it)));
    let text = process::output(&mut command)?;
    Ok(Counts {
        accesses: number_after(&text, "accesses:", &command)?,
        unchanged: number_after(&text, "unchanged:", &command)?,
    })
}

fn percentage(counts: &Counts) -> String {
    let fraction = counts.unchanged as f64 / counts.accesses as f64;
    format!("{:.1} %", fraction * 100.0)
}
