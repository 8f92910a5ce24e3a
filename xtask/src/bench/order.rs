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
        "| kernel | threads | `hirace check` / unmonitored, time | memory | all followed / unmonitored, time | memory |\n\
         |---|---|---|---|---|---|\n",
    );
    let mut sizes = String::from("| kernel |");
    let columns: Vec<u32> = (SMALLEST..=20).step_by(STEP).collect();
    for power in &columns {
        write!(sizes, " 2^{power} |")?;
    }
    writeln!(sizes, "\n|---|{}", "---|".repeat(columns.len()))?;
    let mut logarithms = [0.0, 0.0];
    for kernel in &KERNELS {
        let program = |checked: Checked| {
            let name = format!("order-{}-{checked:?}", kernel.name);
            let source = format!("order/{}.cu", kernel.name);
            compile(&source, &name, &[], checked.environment())
        };
        let monitored = program(Checked::WhatCanRace)?;
        let unmonitored = match POLLING.contains(&kernel.name) {
            true => monitored.clone(),
            false => program(Checked::Nothing)?,
        };
        let [mut checked, mut followed] = [(); 2].map(|()| (Vec::new(), Vec::new()));
        for _ in 0..rounds {
            let without = measure(&unmonitored, kernel.normal, Launches::Excluded)?;
            let all = measure(&monitored, kernel.normal, Launches::Followed)?;
            let passes = in_passes(&monitored, kernel.normal, &all)?;
            for ((time, memory), with) in [(&mut checked, passes), (&mut followed, all)] {
                time.push(with.milliseconds / without.milliseconds);
                memory.push(with.bytes / without.bytes);
            }
        }
        write!(costs, "| {} | 2^{} |", kernel.about, kernel.normal)?;
        for (sum, (time, memory)) in logarithms.iter_mut().zip([checked, followed]) {
            let time = median(time);
            *sum += time.ln();
            write!(costs, " {time:.1} | {:.1} |", median(memory))?;
        }
        costs.push('\n');
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
    let [checked, followed] = logarithms.map(|sum| (sum / KERNELS.len() as f64).exp());
    writeln!(
        costs,
        "| geometric mean | | {checked:.1} | | {followed:.1} | |"
    )?;
    publish_benchmark("order", &costs, write)?;
    publish_benchmark("order-sizes", &sizes, write)
}

struct Cost {
    milliseconds: f64,
    bytes: f64,
    /// Those that were checked, while it took so long.
    accesses: f64,
    races: f64,
}

/// What follows the launches of a program.
#[derive(Clone, Copy)]
enum Launches {
    /// The order engine.
    Followed,
    /// The state machine where it can look first, as in the first pass of `hirace check`.
    LookedAt,
    Excluded,
}

/// The cost of a program in `hirace check`, which has the order engine follow what the state machine reports.
fn in_passes(program: &Path, power: u32, followed: &Cost) -> Result<Cost> {
    let mut cost = measure(program, power, Launches::LookedAt)?;
    if cost.races > 0.0 {
        cost.milliseconds += followed.milliseconds;
        cost.bytes = cost.bytes.max(followed.bytes);
    }
    Ok(cost)
}

/// Runs a program with so many threads, as a power of two.
fn measure(program: &Path, power: u32, launches: Launches) -> Result<Cost> {
    let mut command = Command::new(program);
    command.arg((1_u64 << power).to_string());
    command.env("HIRACE_JOBS", "1");
    match launches {
        Launches::Followed => command.env("HIRACE_ENGINE", "order"),
        Launches::LookedAt => command.env("HIRACE_ENGINE", "machine-first"),
        Launches::Excluded => command.env("HIRACE_OPTIONS", "kernel_name_exclude='*'"),
    };
    let text = process::output(&mut command)?;
    Ok(Cost {
        milliseconds: number_after(&text, "processor milliseconds: ", &command)?,
        bytes: number_after(&text, "resident bytes: ", &command)?,
        accesses: number_before(&text, " accesses checked") / f64::from(LAUNCHES),
        races: number_before(&text, " race"),
    })
}

/// A number in the line that a program prints at its end, by what follows there; 0 if it printed none.
fn number_before(text: &str, what: &str) -> f64 {
    let end = text.lines().rev().find(|it| it.contains(" checked"));
    let before = end.and_then(|it| it.split(what).next());
    let number = before.and_then(|it| it.rsplit(' ').next());
    number.and_then(|it| it.parse().ok()).unwrap_or_default()
}
