//! Measures the memory for a kernel with a gibibyte of data.

use std::fmt::Write as _;
use std::process::Command;

use anyhow::Result;

use super::{Checked, UNMONITORED, hirace, number_after};
use crate::document::publish_benchmark;
use crate::process;

/// The numbers that `bench/large_data.cu` prints, in bytes.
struct Memory {
    data: f64,
    peak: f64,
}

/// Runs the program with and without checks; writes the table into `docs/benchmarks.md` if `write`
/// is set.
pub fn run(write: bool) -> Result<()> {
    let monitored = once(Checked::WhatCanRace)?;
    let unmonitored = once(Checked::Nothing)?;
    let gib = |bytes: f64| bytes / f64::from(1 << 30);
    let mut table = String::from(
        "| device data, GiB | peak unmonitored, GiB | peak monitored, GiB | shadow bytes per byte of data |\n\
         |---|---|---|---|\n",
    );
    writeln!(
        table,
        "| {:.2} | {:.2} | {:.2} | {:.2} |",
        gib(monitored.data),
        gib(unmonitored.peak),
        gib(monitored.peak),
        (monitored.peak - unmonitored.peak) / monitored.data
    )?;
    publish_benchmark("memory", &table, write)
}

fn once(checked: Checked) -> Result<Memory> {
    let mut command = Command::new(hirace());
    command
        .current_dir(crate::root())
        .args(["check", "bench/large_data.cu", "--backend", "cpu"]);
    let text = if checked == Checked::Nothing {
        // It fails, because nothing is monitored.
        command.args(["--config", UNMONITORED]);
        process::capture(&mut command)?.text
    } else {
        process::output(&mut command)?
    };
    Ok(Memory {
        data: number_after(&text, "data bytes: ", &command)?,
        peak: 1024.0 * number_after::<f64>(&text, "peak KiB: ", &command)?,
    })
}
