//! Measures the cost of checking: ratios of times from one run, and memory.
//!
//! There are four tables. The first has three ratios: monitored over unmonitored; the same with
//! every access checked; and unmonitored over the same arithmetic as plain sequential C++, which the
//! programs contain. The unmonitored program is the same one on the same executor, but every
//! variable is excluded, so that it runs without a check. The second table has the time to a
//! verdict, by the content of the cache ([`verdict`]). The third has the same kernels in OpenCL
//! under another checker ([`oclgrind`]), the fourth the memory for the shadow ([`memory`]).
//!
//! The compared programs run alternately, and each round gives a ratio, because the load of the
//! machine varies. For the same reason, the first table compares processor times.

pub mod launches;
pub mod memory;
pub mod oclgrind;
pub mod order;
pub mod ptx;
pub mod python;
pub mod skips;
pub mod verdict;
pub mod words;
pub mod wrapper;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::str::FromStr;

use anyhow::{Context, Result};

use crate::document::publish_benchmark;
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
    publish_benchmark("bench", &table, write)
}

/// Builds the command as users do. Returns its path.
pub(crate) fn build_hirace() -> Result<PathBuf> {
    process::run(cargo().args(["build", "--release", "--quiet", "--package", "hirace"]))?;
    Ok(hirace())
}

/// The command that [`build_hirace`] builds.
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

/// The programs of `bench/`, each compiled once for each [`Checked`].
struct Programs {
    graphs: PathBuf,
    built: HashMap<(&'static str, Checked), PathBuf>,
}

impl Programs {
    /// Builds the command and writes the graphs.
    fn prepare() -> Result<Self> {
        build_hirace()?;
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
        // As `hirace check` runs it.
        command.env("HIRACE_ENGINE", "machine-first");
        command.env("HIRACE_JOBS", jobs.to_string());
        match kernel.graph {
            Some(graph) => {
                command.arg(self.graphs.join(argument.unwrap_or(graph)));
            }
            None => {
                command.args(argument);
            }
        }
        let text = process::output(&mut command)?;
        Ok(Times {
            wall: number_after(&text, "milliseconds: ", &command)?,
            kernel: number_after(&text, "processor milliseconds: ", &command)?,
            sequential: number_after(&text, "sequential milliseconds: ", &command)?,
        })
    }

    /// The compiled program, which is compiled only once.
    fn program(&mut self, kernel: &Kernel, checked: Checked) -> Result<PathBuf> {
        if let Some(program) = self.built.get(&(kernel.name, checked)) {
            return Ok(program.clone());
        }
        let name = format!("{}-{checked:?}", kernel.name);
        let program = compile(&kernel.file(), &name, &[], checked.environment())?;
        self.built.insert((kernel.name, checked), program.clone());
        Ok(program)
    }
}

/// Instruments and compiles a source file of `bench/` as `hirace check` does, with the executor compiled
/// separately. Returns the program.
fn compile(
    source: &str,
    name: &str,
    options: &[&str],
    environment: &[(&str, &str)],
) -> Result<PathBuf> {
    let folder = crate::root().join("target/bench");
    fs::create_dir_all(&folder)?;
    let program = folder.join(name);
    let mut command = Command::new(hirace());
    command
        .current_dir(crate::root())
        .args(["nvcc", "-O2", "-Xcompiler", "-g", "-o"])
        .arg(&program)
        .arg(format!("bench/{source}"))
        .args(options)
        .env("HIRACE_BACKEND", "cpu")
        .envs(environment.iter().copied());
    process::output(&mut command)?;
    Ok(program)
}

/// The number in the line of `text` that begins with `name`.
fn number_after<T: FromStr>(text: &str, name: &str, command: &Command) -> Result<T> {
    let number = text
        .lines()
        .find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    number.with_context(|| format!("{} printed no {name}\n{text}", process::show(command)))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
