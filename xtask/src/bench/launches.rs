//! Measures what a launch of a kernel costs, by the size of its grid and by the memory in use.

use std::fmt::Write as _;
use std::process::Command;

use anyhow::Result;

use super::{Checked, build_hirace, compile, median, number_after};
use crate::document::publish_benchmark;
use crate::process;

/// The shapes that `bench/launches.cu` launches: blocks, and threads of a block.
const SHAPES: [(u32, u32); 4] = [(1, 32), (1, 256), (4, 256), (64, 64)];

/// A column: what is checked, and with which engine.
const COLUMNS: [(&str, Checked, Option<&str>); 3] = [
    ("unmonitored", Checked::Nothing, None),
    ("state machine", Checked::WhatCanRace, Some("machine")),
    ("order engine", Checked::WhatCanRace, Some("order")),
];

/// Writes the table into `docs/benchmarks.md` if `write` is set.
pub fn run(rounds: usize, write: bool) -> Result<()> {
    build_hirace()?;
    let mut table = String::from("| blocks × threads |");
    for (name, ..) in COLUMNS {
        write!(table, " {name}, µs | the same beside 1 GiB |")?;
    }
    table += "\n|---|---|---|---|---|---|---|\n";
    let mut cells = vec![[const { Vec::new() }; 2]; SHAPES.len() * COLUMNS.len()];
    for _ in 0..rounds {
        for (column, (name, checked, engine)) in COLUMNS.iter().enumerate() {
            let program = compile(
                "launches.cu",
                &format!("launches-{name}"),
                &[],
                checked.environment(),
            )?;
            let mut command = Command::new(program);
            command.env("HIRACE_JOBS", "1");
            command.envs(engine.map(|it| ("HIRACE_ENGINE", it)));
            let text = process::output(&mut command)?;
            for (row, (blocks, threads)) in SHAPES.iter().enumerate() {
                for (cell, memory) in ["small", "large"].into_iter().enumerate() {
                    let line = format!("{memory} {blocks}x{threads}: ");
                    let time: f64 = number_after(&text, &line, &command)?;
                    cells[row * COLUMNS.len() + column][cell].push(time);
                }
            }
        }
    }
    for (row, (blocks, threads)) in SHAPES.iter().enumerate() {
        write!(table, "| {blocks} × {threads} |")?;
        for column in 0..COLUMNS.len() {
            for times in &mut cells[row * COLUMNS.len() + column] {
                write!(table, " {:.1} |", median(std::mem::take(times)))?;
            }
        }
        table += "\n";
    }
    publish_benchmark("launches", &table, write)
}
