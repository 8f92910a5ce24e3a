//! The command line of the development tasks.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use xtask::steps::Step;

/// Development tasks of hirace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install what tests need and run every check.
    Test {
        /// Run these steps only, in this order.
        #[arg(long, value_delimiter = ',', value_name = "STEP,…")]
        only: Vec<Step>,
    },
    /// Write the files that are generated from the specification.
    Codegen {
        /// Write nothing; fail when a file is out of date.
        #[arg(long)]
        check: bool,
    },
    /// Write the input graphs that tests and benchmarks use.
    Graphs {
        /// Where to [default: target/graphs].
        directory: Option<PathBuf>,
    },
    /// Measure what checking costs: time and memory, against other ways to run the same kernels.
    Bench {
        /// Count unchanged shadow words instead: the same on every machine.
        #[arg(long, conflicts_with = "rounds")]
        words: bool,
        /// Count the checks that `[skip]` leaves out instead: the same on every machine.
        #[arg(long, conflicts_with_all = ["rounds", "words"])]
        skips: bool,
        /// Time `hirace nvcc` against nvcc instead.
        #[arg(long, conflicts_with_all = ["words", "skips"])]
        wrapper: bool,
        /// How often to run each program; the medians are printed.
        #[arg(long, default_value_t = 5)]
        rounds: usize,
        /// Write the result to docs/benchmarks.md as well.
        #[arg(long)]
        write: bool,
    },
    /// Prepare what needs a GPU, and run it where there is one.
    ///
    /// Writes target/gpu/package, which runs without Rust on a machine with a GPU and nvcc:
    /// `bash run.sh OUT` there takes the verdict of each UI program, and times each benchmark
    /// plain, instrumented, and under Compute Sanitizer.
    Gpu {
        /// Do not run it.
        #[arg(long)]
        prepare: bool,
        /// Judge what `run.sh` has written to DIR, and put its table into docs/benchmarks.md.
        #[arg(long, value_name = "DIR", conflicts_with = "prepare")]
        import: Option<PathBuf>,
    },
    /// Say what registers and memory checked kernels need, and how long a check is.
    ///
    /// nvcc says so, for sm_80 and sm_90; nothing is run.
    Resources {
        /// Write the result to docs/gpu-resources.md as well.
        #[arg(long)]
        write: bool,
    },
    /// Write the pictures of the README to docs/pictures: a report in Chromium and on a terminal.
    Pictures,
    /// Instrument source distributions from PyPI and say how much of them is monitored.
    Corpora {
        /// These corpora only; `cccl` is the toolkit's own.
        #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
        only: Vec<String>,
        /// Compile what compiles with nvcc before and after, too. Takes an hour.
        #[arg(long)]
        compile: bool,
        /// Compile device code to PTX and no further, and do not optimise it.
        ///
        /// The assembler takes most of the time, and refuses only what needs too much of
        /// some resource.
        #[arg(long, requires = "compile")]
        ptx: bool,
        /// Write the result to docs/corpora.md as well.
        #[arg(long)]
        write: bool,
    },
}

fn main() -> ExitCode {
    match run(Cli::parse().task) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Returns whether the task found everything in order.
fn run(task: Task) -> Result<bool> {
    match task {
        Task::Test { only } => return Ok(xtask::steps::run(&only)),
        Task::Codegen { check: true } => xtask::codegen::check()?,
        Task::Codegen { check: false } => xtask::codegen::write()?,
        Task::Graphs { directory } => {
            let directory = directory.unwrap_or_else(|| xtask::root().join("target/graphs"));
            xtask::graphs::ensure(&directory)?;
        }
        Task::Bench {
            words: true, write, ..
        } => xtask::bench::words::run(write)?,
        Task::Bench {
            skips: true, write, ..
        } => xtask::bench::skips::run(write)?,
        Task::Bench {
            wrapper: true,
            rounds,
            write,
            ..
        } => xtask::bench::wrapper::run(rounds, write)?,
        Task::Bench { rounds, write, .. } => xtask::bench::run(rounds, write)?,
        Task::Gpu {
            import: Some(directory),
            ..
        } => return xtask::gpu::import(&directory),
        Task::Gpu { prepare, .. } => return xtask::gpu::run(prepare),
        Task::Resources { write } => xtask::resources::run(write)?,
        Task::Pictures => xtask::pictures::write()?,
        Task::Corpora {
            only,
            compile,
            ptx,
            write,
        } => {
            let depth = match (compile, ptx) {
                (false, _) => None,
                (true, false) => Some(xtask::corpora::Depth::Object),
                (true, true) => Some(xtask::corpora::Depth::Ptx),
            };
            return xtask::corpora::run(&only, depth, write);
        }
    }
    Ok(true)
}
