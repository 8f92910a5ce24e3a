//! The command line of the development tasks.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use hirace_sample::Sample;
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
    /// Install test dependencies and run the checks.
    ///
    /// Without --all, checks that take long run on a sample of their inputs, which changes every
    /// four hours; CONTRIBUTING.md lists them. HIRACE_SAMPLE repeats an earlier sample. The steps
    /// `resources` and `rumur` run only with --all or if they are named.
    Test {
        /// Run every check in full.
        #[arg(long)]
        all: bool,
        /// With --all, run only the Kth of N parts.
        #[arg(long, value_name = "K/N", requires = "all", value_parser = part)]
        part: Option<Sample>,
        /// Run only these steps, in this order.
        #[arg(long, value_delimiter = ',', value_name = "STEP,…")]
        only: Vec<Step>,
    },
    /// Check what changed: formatting, lints, unit tests, and the UI programs that concern it.
    Quick {
        /// What differs from this commit, instead of what is not committed.
        #[arg(long, value_name = "COMMIT")]
        base: Option<String>,
    },
    /// Write the generated files.
    Codegen {
        /// Write nothing; fail if a file is out of date.
        #[arg(long)]
        check: bool,
    },
    /// Write the input graphs for tests and benchmarks.
    Graphs {
        /// Target directory [default: target/graphs].
        directory: Option<PathBuf>,
    },
    /// Measure the time and memory that checking costs, compared with other ways to run the kernels.
    Bench(Bench),
    /// Prepare the tests and benchmarks that need a GPU, and run them if there is one.
    ///
    /// Writes target/gpu/package, which runs without Rust on a machine with a GPU and nvcc. There,
    /// `bash run.sh OUT` runs each UI program for its verdict, and times each benchmark plain,
    /// instrumented, and under Compute Sanitizer.
    Gpu {
        /// Prepare the package, but do not run it.
        #[arg(long)]
        prepare: bool,
        /// Judge the results that `run.sh` wrote to DIR, and put their table into
        /// docs/benchmarks.md.
        #[arg(long, value_name = "DIR", conflicts_with = "prepare")]
        import: Option<PathBuf>,
    },
    /// Run what nvcc makes of UI programs for a GPU, PTX, on the CPU executor.
    ///
    /// Each program is instrumented for a GPU and checks itself. Prints its verdict, compared with that of
    /// the CPU backend, for each architecture and seed.
    GpuPtx {
        /// Only programs whose names contain one of these [default: a sample].
        #[arg(
            long,
            value_delimiter = ',',
            value_name = "NAME,…",
            conflicts_with = "all"
        )]
        only: Vec<String>,
        /// All programs.
        #[arg(long)]
        all: bool,
        /// How many seeds each program runs with.
        #[arg(long, default_value_t = xtask::gpu_ptx::SEEDS)]
        seeds: u32,
    },
    /// Print the registers and memory that checked kernels need, and the length of a check.
    ///
    /// The numbers come from nvcc, for sm_80 and sm_90; nothing is run.
    Resources {
        /// Also write the result to docs/gpu-resources.md.
        #[arg(long)]
        write: bool,
    },
    /// Print how many of the racy UI programs `hirace fix` repairs; fails if they are too few.
    Repairs {
        /// Also write the result to docs/fix.md.
        #[arg(long)]
        write: bool,
    },
    /// Write the README's pictures to docs/pictures: a report in Chromium and on a terminal.
    Pictures,
    /// Instrument source distributions from PyPI and print their coverage.
    Corpora {
        /// Only these corpora; `cccl` is the toolkit's own.
        #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
        only: Vec<String>,
        /// Also compile the files with nvcc, before and after instrumenting; takes an hour.
        #[arg(long)]
        compile: bool,
        /// Compile device code only to PTX, without optimisation.
        ///
        /// The assembler takes most of the time, and rejects only code that needs too much of a
        /// resource.
        #[arg(long, requires = "compile")]
        ptx: bool,
        /// Also write the result to docs/corpora.md.
        #[arg(long)]
        write: bool,
    },
    /// Build the Python wheels of a release, for every Linux with glibc 2.17 or later.
    ///
    /// Writes them to target/release-wheels. zig from PyPI links them; each processor needs Rust's
    /// standard library for it (`rustup target add aarch64-unknown-linux-gnu`).
    Wheels {
        /// The processors.
        #[arg(value_name = "TARGET", value_parser = xtask::wheels::TARGETS, default_values = xtask::wheels::TARGETS)]
        targets: Vec<String>,
    },
    /// Check the example programs of Debian packages, and print what became of them.
    Programs {
        /// Only programs whose names contain one of these.
        #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
        only: Vec<String>,
        /// How many seconds a program may take, compiling included.
        #[arg(long, default_value_t = 120, value_name = "SECONDS")]
        limit: u64,
        /// Also write the result to docs/programs.md. With --only, the lines of other programs stay.
        #[arg(long)]
        write: bool,
    },
}

/// Reads `K/N`.
fn part(text: &str) -> Result<Sample, String> {
    match text.parse()? {
        sample @ Sample::Part(..) => Ok(sample),
        _ => Err("not K/N".to_owned()),
    }
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

/// Which tables to measure, and how often.
#[derive(Args)]
struct Bench {
    /// Count unchanged shadow words instead; the result is the same on every machine.
    #[arg(long, group = "instead")]
    words: bool,
    /// Count the checks that `[skip]` saves instead; the result is the same on every machine.
    #[arg(long, group = "instead")]
    skips: bool,
    /// Time `hirace nvcc` against nvcc instead.
    #[arg(long, group = "instead")]
    wrapper: bool,
    /// Measure the order engine instead, by kernel and by number of threads.
    #[arg(long, group = "instead")]
    order: bool,
    /// Measure what a launch costs instead, by the size of its grid.
    #[arg(long, group = "instead")]
    launches: bool,
    /// Compare kernels as PTX with the same from CUDA source instead.
    #[arg(long, group = "instead")]
    ptx: bool,
    /// Time programs from `hirace check` to the verdict instead, by the content of the cache.
    #[arg(long, group = "instead")]
    verdict: bool,
    /// Time kernels of Triton and Numba from the launch to the verdict instead.
    #[arg(long, group = "instead")]
    python: bool,
    /// Number of runs of each program; the median is printed.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Also write the result to docs/benchmarks.md.
    #[arg(long)]
    write: bool,
}

/// Returns whether the task succeeded.
fn run(task: Task) -> Result<bool> {
    match task {
        Task::Test { all, part, only } => {
            let everything = all.then_some(part.unwrap_or(Sample::All));
            let sample = everything.unwrap_or_else(Sample::current);
            return Ok(xtask::steps::run(sample, &only));
        }
        Task::Quick { base } => return Ok(xtask::steps::quick(base.as_deref())),
        Task::Codegen { check: true } => xtask::codegen::check()?,
        Task::Codegen { check: false } => xtask::codegen::write()?,
        Task::Graphs { directory } => {
            let directory = directory.unwrap_or_else(|| xtask::root().join("target/graphs"));
            xtask::graphs::ensure(&directory)?;
        }
        Task::Bench(bench) => measure(&bench)?,
        Task::Gpu {
            import: Some(directory),
            ..
        } => return xtask::gpu::import(&directory),
        Task::Gpu { prepare, .. } => return xtask::gpu::run(prepare),
        Task::GpuPtx { only, all, seeds } => {
            let sample = if all { Sample::All } else { Sample::current() };
            let tally = xtask::gpu_ptx::run(&only, sample, seeds)?;
            println!("{tally}");
            return Ok(tally.failed.is_empty());
        }
        Task::Resources { write } => xtask::resources::run(write)?,
        Task::Repairs { write } => xtask::repairs::run(write)?,
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
        Task::Wheels { targets } => xtask::wheels::run(&targets)?,
        Task::Programs { only, limit, write } => {
            xtask::programs::run(&only, Duration::from_secs(limit), write)?;
        }
    }
    Ok(true)
}

/// The benchmarks that one call names.
fn measure(bench: &Bench) -> Result<()> {
    let Bench { rounds, write, .. } = *bench;
    match bench {
        Bench { words: true, .. } => xtask::bench::words::run(write),
        Bench { skips: true, .. } => xtask::bench::skips::run(write),
        Bench { wrapper: true, .. } => xtask::bench::wrapper::run(rounds, write),
        Bench { order: true, .. } => xtask::bench::order::run(rounds, write),
        Bench { launches: true, .. } => xtask::bench::launches::run(rounds, write),
        Bench { ptx: true, .. } => xtask::bench::ptx::run(rounds, write),
        Bench { verdict: true, .. } => xtask::bench::verdict::run(rounds, write),
        Bench { python: true, .. } => xtask::bench::python::run(rounds, write),
        _ => xtask::bench::run(rounds, write),
    }
}
