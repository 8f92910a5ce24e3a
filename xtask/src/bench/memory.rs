//! Measures the memory for a kernel with a gibibyte of data.

use std::fmt::Write as _;
use std::process::Command;

use anyhow::Result;

use super::{Checked, UNMONITORED, hirace, insert, number_after, output_of};

const BEGIN: &str = "<!-- memory: begin -->";
const END: &str = "<!-- memory: end -->";

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
    println!("{table}");
    if write {
        insert(BEGIN, END, &table)?;
    }
    Ok(())
}

fn once(checked: Checked) -> Result<Memory> {
    let mut command = Command::new(hirace());
    command
        .current_dir(crate::root())
        .args(["check", "bench/large_data.cu", "--backend", "cpu"]);
    if checked == Checked::Nothing {
        command.args(["--config", UNMONITORED]);
    }
    let text = output_of(&mut command, checked != Checked::Nothing)?;
    Ok(Memory {
        data: number_after(&text, "data bytes: ", &command)?,
        peak: number_after(&text, "peak KiB: ", &command)? * 1024.0,
    })
}
