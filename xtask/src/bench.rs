//! Measures the cost of checking: ratios of times from one run, and memory.
//!
//! There are four tables. The first has monitored over unmonitored, where both sides are the same
//! program on the same executor and the unmonitored one is instrumented with every variable
//! excluded, so that it runs without a check; the same with every access checked; and unmonitored
//! over the same arithmetic as plain sequential C++, which the programs contain. The second has the
//! time to a verdict, by what the cache holds ([`verdict`]). The third has the same kernels in
//! OpenCL under another checker ([`oclgrind`]), the fourth the memory for the shadow ([`memory`]).
//!
//! The sides take turns and a ratio is computed for each turn, because the load of the machine
//! varies; for the same reason the first table compares processor times.

pub mod memory;
pub mod oclgrind;
pub mod skips;
pub mod verdict;
pub mod words;
pub mod wrapper;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{self, cargo};

/// A program in `bench/` and what it represents.
struct Kernel {
    /// The program's name, and that of its kernel.
    name: &'static str,
    about: &'static str,
    /// The graph that it reads, if any.
    graph: Option<&'static str>,
    /// The argument for a small size, used when a slower tool must keep up.
    small: &'static str,
}

impl Kernel {
    fn file(&self) -> String {
        format!("{}.cu", self.name)
    }
}

const fn kernel(name: &'static str, about: &'static str, small: &'static str) -> Kernel {
    Kernel {
        name,
        about,
        graph: None,
        small,
    }
}

const fn graph_kernel(name: &'static str, about: &'static str) -> Kernel {
    Kernel {
        name,
        about,
        graph: Some("rmat_65536n.egr"),
        small: "rmat_65536n.egr",
    }
}

const KERNELS: [Kernel; 9] = [
    kernel(
        "block_sum",
        "with barriers: tree sum in shared memory, 4096 blocks of 256",
        "256",
    ),
    kernel(
        "matrix_product",
        "with barriers and much reuse: tiled matrix product, 256 × 256",
        "64",
    ),
    kernel(
        "n_body",
        "with barriers, reuse and arithmetic: all pairs of 2048 bodies",
        "512",
    ),
    kernel(
        "grid_sum",
        "few barriers: sum of 4 Mi integers by 64 blocks",
        "262144",
    ),
    kernel(
        "histogram",
        "shared atomics: histogram of 2 Mi integers by 64 blocks",
        "131072",
    ),
    graph_kernel(
        "graph_push",
        "graph push with atomics, RMAT, 65,536 vertices",
    ),
    graph_kernel(
        "sparse_product",
        "no barrier: sparse matrix times vector, the same graph",
    ),
    kernel("stencil", "no barrier: 5-point stencil, 1024 × 1024", "256"),
    kernel(
        "stream_triad",
        "no barrier, no reuse: streaming triad, 4 Mi floats an array",
        "65536",
    ),
];

/// A configuration without a check.
const UNMONITORED: &str = "bench/unmonitored.toml";

const BEGIN: &str = "<!-- bench: begin -->";
const END: &str = "<!-- bench: end -->";

/// Creates the tables; writes them into `docs/benchmarks.md` if `write` is set.
pub fn run(rounds: usize, write: bool) -> Result<()> {
    let mut programs = Programs::prepare()?;
    run_executor(rounds, write, &mut programs)?;
    verdict::run(rounds, write)?;
    oclgrind::run(rounds, write, &mut programs)?;
    memory::run(write)
}

/// Times every kernel on one OS thread and on all cores.
fn run_executor(rounds: usize, write: bool, programs: &mut Programs) -> Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut table = String::from(
        "| kernel | OS threads | monitored / unmonitored | the same, every access checked | unmonitored / sequential |\n|---|---|---|---|---|\n",
    );
    for kernel in &KERNELS {
        for jobs in [1, cores] {
            let mut checking = Vec::new();
            let mut checking_all = Vec::new();
            let mut executing = Vec::new();
            for _ in 0..rounds {
                let mut time = |checked| programs.time(kernel, jobs, None, checked);
                let unmonitored = time(Checked::Nothing)?;
                let monitored = time(Checked::WhatCanRace)?;
                let everything = time(Checked::Everything)?;
                checking.push(monitored.kernel / unmonitored.kernel);
                checking_all.push(everything.kernel / unmonitored.kernel);
                executing.push(unmonitored.kernel / unmonitored.sequential);
            }
            writeln!(
                table,
                "| {} | {jobs} | {:.2} | {:.2} | {:.1} |",
                kernel.about,
                median(checking),
                median(checking_all),
                median(executing)
            )?;
        }
    }
    println!("{table}");
    if write {
        insert(BEGIN, END, &table)?;
    }
    Ok(())
}

/// The command that [`Programs::prepare`] builds.
fn hirace() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let target = target.map_or_else(|| "target".into(), PathBuf::from);
    crate::root().join(target).join("release/hirace")
}

/// The times that a program of `bench/` prints, in milliseconds: wall time of its kernel, processor
/// time of the kernel, and processor time of the sequential code.
struct Times {
    wall: f64,
    kernel: f64,
    sequential: f64,
}

/// Which accesses of a program are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Checked {
    Nothing,
    /// As `hirace check` does by default.
    WhatCanRace,
    Everything,
}

impl Checked {
    fn environment(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Nothing => &[("HIRACE_CONFIG", UNMONITORED)],
            Self::WhatCanRace => &[],
            Self::Everything => &[("HIRACE_CHECK_ALL", "1")],
        }
    }
}

/// The programs of `bench/`, each compiled once per way of checking it.
struct Programs {
    graphs: PathBuf,
    built: HashMap<(&'static str, Checked), PathBuf>,
}

impl Programs {
    /// Builds the command and writes the graphs.
    fn prepare() -> Result<Self> {
        process::run(cargo().args(["build", "--release", "--quiet", "--package", "hirace"]))?;
        let graphs = crate::root().join("target/graphs");
        crate::graphs::ensure(&graphs)?;
        Ok(Self {
            graphs,
            built: HashMap::new(),
        })
    }

    /// Times a program on `jobs` OS threads, with the size `argument`.
    fn time(
        &mut self,
        kernel: &Kernel,
        jobs: usize,
        argument: Option<&str>,
        checked: Checked,
    ) -> Result<Times> {
        let mut command = Command::new(self.program(kernel, checked)?);
        command.env("HIRACE_JOBS", jobs.to_string());
        match kernel.graph {
            Some(graph) => {
                command.arg(self.graphs.join(argument.unwrap_or(graph)));
            }
            None => {
                command.args(argument);
            }
        }
        let text = output_of(&mut command, true)?;
        Ok(Times {
            wall: number_after(&text, "milliseconds: ", &command)?,
            kernel: number_after(&text, "processor milliseconds: ", &command)?,
            sequential: number_after(&text, "sequential milliseconds: ", &command)?,
        })
    }

    /// Instruments and compiles a program, unless that was done before: as `hirace check` does, with
    /// the executor compiled separately.
    fn program(&mut self, kernel: &Kernel, checked: Checked) -> Result<PathBuf> {
        if let Some(program) = self.built.get(&(kernel.name, checked)) {
            return Ok(program.clone());
        }
        let folder = crate::root().join("target/bench");
        fs::create_dir_all(&folder)?;
        let program = folder.join(format!("{}-{checked:?}", kernel.name));
        let mut command = Command::new(hirace());
        command
            .current_dir(crate::root())
            .args(["nvcc", "-O2", "-Xcompiler", "-g", "-o"])
            .arg(&program)
            .arg(format!("bench/{}", kernel.file()))
            .env("HIRACE_BACKEND", "cpu")
            .envs(checked.environment().iter().copied());
        output_of(&mut command, true)?;
        self.built.insert((kernel.name, checked), program.clone());
        Ok(program)
    }
}

/// The output of a command; its failure is an error if it `must_succeed`.
fn output_of(command: &mut Command, must_succeed: bool) -> Result<String> {
    let output = process::capture(command)?;
    if must_succeed && !output.success {
        bail!("{} failed:\n{}", process::show(command), output.text);
    }
    Ok(output.text)
}

/// The number in the line of `text` that begins with `name`.
fn number_after(text: &str, name: &str, command: &Command) -> Result<f64> {
    let number = text
        .lines()
        .find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    number.with_context(|| format!("{} printed no {name}\n{text}", process::show(command)))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Replaces the text between two markers in `docs/benchmarks.md`.
pub(crate) fn insert(begin: &str, end: &str, table: &str) -> Result<()> {
    let file = crate::root().join("docs/benchmarks.md");
    let text =
        fs::read_to_string(&file).with_context(|| format!("failed to read {}", file.display()))?;
    let (Some(from), Some(to)) = (text.find(begin), text.find(end)) else {
        bail!("{} lacks the markers {begin} and {end}", file.display());
    };
    let text = format!("{}{begin}\n{table}{}", &text[..from], &text[to..]);
    fs::write(&file, text).with_context(|| format!("failed to write {}", file.display()))
}
