//! The cost of the order engine, for kernels that synchronise by more than barriers of whole blocks.
//!
//! The unmonitored program is compiled without hooks at its accesses, and none of its launches is
//! followed. Both run on one OS thread, as the engine does, and alternately. Times are processor times
//! of the kernel, and memory is the most that was resident.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::{Checked, build_hirace, compile, median, number_after};
use crate::document::publish_benchmark;
use crate::process;

/// A program in `bench/order/`, and the numbers of threads, as powers of two, that it runs with.
/// Blocks that wait for each other need all their threads at once, and so have fewer.
struct Kernel {
    name: &'static str,
    about: &'static str,
    normal: u32,
    largest: u32,
}

const fn kernel(name: &'static str, about: &'static str, normal: u32, largest: u32) -> Kernel {
    Kernel {
        name,
        about,
        normal,
        largest,
    }
}

const KERNELS: [Kernel; 13] = [
    kernel(
        "bucket_locks",
        "eight critical sections a thread, 1024 spin locks",
        13,
        14,
    ),
    kernel(
        "hash_table",
        "hash table with a lock and a list in each bucket",
        12,
        14,
    ),
    kernel(
        "counter_barrier",
        "grid barriers by a counter and a generation",
        13,
        14,
    ),
    kernel(
        "sense_barrier",
        "grid barriers by a counter and a sense",
        13,
        14,
    ),
    kernel(
        "last_block_sum",
        "the last block sums the parts of all",
        18,
        20,
    ),
    kernel("look_back_scan", "scan in one pass by look-back", 18, 20),
    kernel(
        "work_queue",
        "queue behind one lock, eight items a thread",
        10,
        12,
    ),
    kernel("tile_sum", "tiles of sixteen lanes, with shuffles", 18, 20),
    kernel(
        "pipeline_stencil",
        "stencil with a pipeline of two stages",
        12,
        14,
    ),
    kernel(
        "cas_components",
        "connected components by compare-and-swap",
        14,
        16,
    ),
    kernel(
        "flag_chain",
        "a chain of volatile flags through all blocks",
        18,
        20,
    ),
    kernel(
        "private_data",
        "64 updates of private data, and a fence",
        16,
        18,
    ),
    kernel(
        "shared_table",
        "64 lookups in one table, and a fence",
        16,
        20,
    ),
];

/// They poll by plain `volatile` reads, at whose hooks the executor lets other threads run: without
/// hooks they would not end. Their unmonitored program has them.
const POLLING: [&str; 2] = ["counter_barrier", "sense_barrier"];

/// The smallest number of threads.
const SMALLEST: u32 = 10;

/// `BENCH_LAUNCHES` of `bench/timing.h`.
const LAUNCHES: u32 = 5;

/// From one column to the next, the number of threads is doubled twice.
const STEP: usize = 2;

/// Writes the tables into `docs/benchmarks.md` if `write` is set.
pub fn run(rounds: usize, write: bool) -> Result<()> {
    build_hirace()?;
    let mut costs = String::from(
        "| kernel | threads | monitored / unmonitored, time | memory |\n|---|---|---|---|\n",
    );
    let mut sizes = String::from("| kernel |");
    let columns: Vec<u32> = (SMALLEST..=20).step_by(STEP).collect();
    for power in &columns {
        write!(sizes, " 2^{power} |")?;
    }
    writeln!(sizes, "\n|---|{}", "---|".repeat(columns.len()))?;
    let mut logarithms = Vec::new();
    for kernel in &KERNELS {
        let program = |checked: Checked| {
            let name = format!("order-{}-{checked:?}", kernel.name);
            let source = format!("order/{}.cu", kernel.name);
            compile(&source, &name, checked.environment())
        };
        let monitored = program(Checked::WhatCanRace)?;
        let unmonitored = match POLLING.contains(&kernel.name) {
            true => monitored.clone(),
            false => program(Checked::Nothing)?,
        };
        let (mut time, mut memory) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            let without = measure(&unmonitored, kernel.normal, Launches::Excluded)?;
            let with = measure(&monitored, kernel.normal, Launches::Followed)?;
            time.push(with.milliseconds / without.milliseconds);
            memory.push(with.bytes / without.bytes);
        }
        let time = median(time);
        logarithms.push(time.ln());
        writeln!(
            costs,
            "| {} | 2^{} | {time:.1} | {:.1} |",
            kernel.about,
            kernel.normal,
            median(memory)
        )?;
        write!(sizes, "| {} |", kernel.about)?;
        for &power in &columns {
            if power > kernel.largest {
                sizes.push_str(" |");
                continue;
            }
            let cost = measure(&monitored, power, Launches::Followed)?;
            let nanoseconds = cost.milliseconds * 1e6 / cost.accesses;
            write!(sizes, " {nanoseconds:.0} |")?;
        }
        sizes.push('\n');
    }
    let mean = (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp();
    writeln!(costs, "| geometric mean | | {mean:.1} | |")?;
    publish_benchmark("order", &costs, write)?;
    publish_benchmark("order-sizes", &sizes, write)
}

struct Cost {
    milliseconds: f64,
    bytes: f64,
    /// Those that were checked, while it took so long.
    accesses: f64,
}

/// Whether the order engine follows the launches of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Launches {
    Followed,
    Excluded,
}

/// Runs a program with so many threads, as a power of two.
fn measure(program: &Path, power: u32, launches: Launches) -> Result<Cost> {
    let mut command = Command::new(program);
    command.arg((1_u64 << power).to_string());
    command.env("HIRACE_JOBS", "1");
    if launches == Launches::Excluded {
        command.env("HIRACE_OPTIONS", "kernel_name_exclude='*'");
    }
    let text = process::output(&mut command)?;
    Ok(Cost {
        milliseconds: number_after(&text, "processor milliseconds: ", &command)?,
        bytes: number_after(&text, "resident bytes: ", &command)?,
        accesses: accesses_of(&text) / f64::from(LAUNCHES),
    })
}

/// How many accesses a program has checked, by the line that it prints at its end.
fn accesses_of(text: &str) -> f64 {
    let before = text.split(" accesses checked").next();
    let number = before.and_then(|it| it.rsplit(' ').next());
    number.and_then(|it| it.parse().ok()).unwrap_or_default()
}
