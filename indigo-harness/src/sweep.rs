//! Sweeps: every program on every graph, in every shape, with every tool.
//!
//! | module | job |
//! |---|---|
//! | [`plan`] | what is to be run |
//! | [`explore`] | which shapes and warp sizes are tried |
//! | [`tool`] | the tools, and what a program becomes for them |
//! | [`queue`] | several threads, builds and the runs that they lead to |
//! | [`build`] | many programs in one executable |
//! | [`cache`] | what was built before |
//! | [`execute`] | one run |
//! | [`judge`] | from what a run left behind to a verdict |
//! | [`machine`] | what this machine is |
//!
//! A finished run is in the database at once, and a sweep leaves out what is there. So one that is
//! stopped, in whatever way, is gone on with by the same command.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Mutex;

use hirace::model::Backend;
use hirace::toolchain::{gpu, interrupt, plain};
use indicatif::ProgressBar;

use crate::error::{Error, Result};
use crate::store::{Build, Run, Store, Verdict};

pub mod build;
pub mod cache;
pub mod execute;
pub mod explore;
pub mod judge;
pub mod machine;
pub mod plan;
pub mod queue;
pub mod tool;

use build::{Batch, Outcome, Ready, Workbench};
use cache::Cache;
use execute::{Finished, Start};
use plan::{Plan, Planned};
use queue::Queue;
pub use tool::Tool;

/// What to sweep.
#[derive(Clone, Debug)]
pub struct Options {
    /// A directory with a suite; our own where `None`.
    pub suite: Option<PathBuf>,
    /// Only programs with one of these texts in their names; all where there is none.
    pub filter: Vec<String>,
    /// Only programs with these names; all where there is none.
    pub exact: Vec<String>,
    /// Graphs as [`crate::graphs::resolve_all`] takes them; the six small ones where there is none.
    pub graphs: Vec<String>,
    /// Threads of a block and blocks of the grid; [`explore::ONE`] where there is none.
    pub shapes: Vec<(u32, u32)>,
    /// Lanes of a warp; 32 where there is none.
    pub warp_sizes: Vec<u32>,
    /// Whether to try more shapes and warp sizes.
    pub explore: bool,
    /// At least one.
    pub tools: Vec<Tool>,
    /// Which part of the programs.
    pub shard: Option<Shard>,
    /// Seconds that a run may take.
    pub timeout: f64,
    /// Runs and builds at a time; one per core where `None`.
    pub jobs: Option<NonZeroUsize>,
    /// Where built programs are kept; the user's directory for caches where `None`.
    pub cache: Option<PathBuf>,
    /// The results.
    pub database: PathBuf,
    /// The command line, for the results.
    pub command: String,
}

/// Every `count`-th program, from the `number`-th on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub number: u32,
    /// How many there are.
    pub count: u32,
}

/// What came of a sweep.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Runs that were there already.
    pub before: u64,
    /// Runs that were made, by tool and verdict.
    pub verdicts: BTreeMap<(Tool, Verdict), u64>,
    /// Programs that were not built, with the first line of the reason.
    pub not_built: Vec<(String, String)>,
    /// Programs whose check failed, with the reason.
    pub errors: Vec<(String, String)>,
    /// Programs that were compiled only, by tool, as there is no GPU.
    pub compiled: BTreeMap<Tool, u64>,
    /// What the user asked for and did not get.
    pub notes: Vec<String>,
}

/// Sweeps, and goes on with an earlier sweep into the same database.
///
/// # Errors
/// Bad options, no compiler, a disk that is full, or a signal. What was finished is kept.
pub fn run(options: &Options, bar: &ProgressBar) -> Result<Summary> {
    let gpu = Gpu::find(&options.tools)?;
    let cache = Cache::open(options.cache.as_deref())?;
    let plan = Plan::make(options, &cache)?;
    // Shards may lie where several machines see them.
    let store = match options.shard {
        Some(_) => Store::open_shared(&options.database)?,
        None => Store::open(&options.database)?,
    };
    let machine = machine::describe();
    let session = store.begin_session(&options.command, env!("CARGO_PKG_VERSION"), &machine)?;
    let sweep = Sweep::begin(options, &plan, &cache, store, gpu)?;
    let store = sweep.work(session, bar)?;
    store.0.finish_session(session)?;
    Ok(store.1)
}

/// What there is of a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gpu {
    /// Programs can be run.
    Here,
    /// They can be compiled.
    Absent,
}

impl Gpu {
    fn find(tools: &[Tool]) -> Result<Self> {
        let wanted: Vec<Tool> = tools
            .iter()
            .copied()
            .filter(|tool| tool.form().backend() == Backend::Gpu)
            .collect();
        let here = gpu::available();
        if let Some(tool) = wanted.first() {
            if gpu::nvcc().is_none() {
                return Err(Error::Usage(format!(
                    "{tool} needs nvcc; install the CUDA toolkit, or name its compiler in NVCC"
                )));
            }
            plain::version(Backend::Gpu)?;
        }
        if here && wanted.contains(&Tool::Racecheck) && gpu::on_path(execute::SANITIZER).is_none() {
            return Err(Error::Usage(format!(
                "racecheck needs {}, which comes with the CUDA toolkit",
                execute::SANITIZER
            )));
        }
        Ok(if here { Self::Here } else { Self::Absent })
    }
}

/// A sweep under way.
struct Sweep<'a> {
    options: &'a Options,
    plan: &'a Plan,
    bench: Workbench<'a>,
    gpu: Gpu,
    rows: Rows,
    kept: Mutex<(Store, Summary)>,
}

/// Where things are in the database, by their indices.
struct Rows {
    programs: Vec<i64>,
    graphs: Vec<i64>,
    shapes: Vec<i64>,
}

/// A run, and what to run.
struct Waiting {
    target: usize,
    ready: Ready,
    planned: Planned,
}

impl<'a> Sweep<'a> {
    /// Makes the rows that runs refer to.
    fn begin(
        options: &'a Options,
        plan: &'a Plan,
        cache: &'a Cache,
        store: Store,
        gpu: Gpu,
    ) -> Result<Self> {
        let programs = plan
            .programs
            .iter()
            .map(|it| store.program(&plan.suite, &it.program, &it.digest));
        let programs = programs.collect::<Result<_>>()?;
        let graphs = plan.graphs.iter().map(|it| store.graph(&it.key));
        let graphs = graphs.collect::<Result<_>>()?;
        let shapes = plan.shapes.iter().map(|&it| store.shape(it));
        let shapes = shapes.collect::<Result<_>>()?;
        let summary = Summary {
            notes: plan.notes.clone(),
            ..Summary::default()
        };
        Ok(Self {
            options,
            plan,
            bench: Workbench::new(plan, cache),
            gpu,
            rows: Rows {
                programs,
                graphs,
                shapes,
            },
            kept: Mutex::new((store, summary)),
        })
    }

    fn work(self, session: i64, bar: &ProgressBar) -> Result<(Store, Summary)> {
        let (mut planned, mut left) = (0, 0);
        let mut batches = build::batches(self.plan);
        {
            let (store, summary) = &mut *self.kept();
            for batch in &mut batches {
                let mut kept = Vec::new();
                for &target in &batch.targets {
                    let open = self.left(store, target)?.len() as u64;
                    let runs = if self.can_run(target) {
                        self.plan.targets[target].runs.len() as u64
                    } else {
                        0
                    };
                    planned += runs;
                    left += open.min(runs);
                    if open > 0 {
                        kept.push(target);
                    }
                }
                batch.targets = kept;
            }
            batches.retain(|batch| !batch.targets.is_empty());
            store.plan_session(session, planned)?;
            summary.before = planned - left;
        }
        bar.set_length(planned);
        bar.set_position(planned - left);
        bar.reset_eta();
        let threads = self.options.jobs.map_or_else(
            || std::thread::available_parallelism().map_or(1, usize::from),
            NonZeroUsize::get,
        );
        let outcome = Queue::new(batches).work(
            threads,
            |batch: Batch| self.build(&batch, bar),
            |waiting: Waiting| self.run(&waiting, bar),
        );
        // Whatever else went wrong then is a consequence of it.
        if interrupt::arrived().is_some() {
            return Err(hirace::error::Error::Interrupted.into());
        }
        outcome?;
        Ok(self.kept.into_inner().expect("no worker panics"))
    }

    /// The runs of a target that are not in the database.
    fn left(&self, store: &Store, target: usize) -> Result<Vec<Planned>> {
        let it = &self.plan.targets[target];
        let mut left = Vec::new();
        for &planned in &it.runs {
            if !store.has_run(
                self.rows.programs[it.program],
                self.rows.graphs[planned.graph],
                self.rows.shapes[planned.shape],
                planned.tool.name(),
            )? {
                left.push(planned);
            }
        }
        Ok(left)
    }

    fn can_run(&self, target: usize) -> bool {
        self.gpu == Gpu::Here || self.plan.targets[target].form.backend() == Backend::Cpu
    }

    /// Builds a batch, and hands out the runs that it makes possible.
    fn build(&self, batch: &Batch, bar: &ProgressBar) -> Result<Vec<Waiting>> {
        bar.set_message("compiling");
        let mut waiting = Vec::new();
        for outcome in self.bench.build(batch)? {
            let runs = {
                let (store, _) = &*self.kept();
                self.note_build(store, &outcome)?;
                self.left(store, outcome.target)?
            };
            match outcome.ready {
                Ok(ready) if self.can_run(outcome.target) => {
                    waiting.extend(runs.into_iter().map(|planned| Waiting {
                        target: outcome.target,
                        ready: ready.clone(),
                        planned,
                    }));
                }
                Ok(_) => {
                    let tools: std::collections::BTreeSet<Tool> =
                        runs.iter().map(|it| it.tool).collect();
                    let (_, summary) = &mut *self.kept();
                    for tool in tools {
                        *summary.compiled.entry(tool).or_default() += 1;
                    }
                }
                Err(message) => self.not_built(outcome.target, &message, &runs, bar)?,
            }
        }
        Ok(waiting)
    }

    fn note_build(&self, store: &Store, outcome: &Outcome) -> Result<()> {
        let Some(seconds) = outcome.seconds else {
            return Ok(());
        };
        let target = &self.plan.targets[outcome.target];
        let mut tools: Vec<Tool> = target.runs.iter().map(|it| it.tool).collect();
        tools.sort_unstable();
        tools.dedup();
        for tool in tools {
            store.add_build(&Build {
                program: self.rows.programs[target.program],
                tool: tool.name(),
                warp_size: target.warp_size,
                digest: &outcome.key,
                failure: outcome.ready.as_ref().err().map(String::as_str),
                seconds,
            })?;
        }
        Ok(())
    }

    /// A program that does not compile has a verdict on every graph.
    fn not_built(
        &self,
        target: usize,
        message: &str,
        runs: &[Planned],
        bar: &ProgressBar,
    ) -> Result<()> {
        let first = message.lines().find(|line| line.contains("error"));
        let first = first.or_else(|| message.lines().next()).unwrap_or_default();
        let name = &self.plan.programs[self.plan.targets[target].program]
            .program
            .name;
        let told = (name.clone(), first.trim().to_owned());
        {
            let (_, summary) = &mut *self.kept();
            if !summary.not_built.contains(&told) {
                summary.not_built.push(told);
            }
        }
        for &planned in runs {
            let finished = Finished {
                judgement: judge::Judgement {
                    verdict: Verdict::NotBuilt,
                    detail: first.trim().to_owned(),
                    races: 0,
                },
                seconds: 0.0,
                kernel_seconds: None,
                peak_bytes: None,
                report: None,
            };
            self.keep(target, planned, &finished, bar)?;
        }
        Ok(())
    }

    fn run(&self, waiting: &Waiting, bar: &ProgressBar) -> Result<()> {
        let program = &self.plan.programs[self.plan.targets[waiting.target].program].program;
        bar.set_message(program.name.clone());
        let finished = Start {
            ready: &waiting.ready,
            arguments: &program.arguments,
            graph: &self.plan.graphs[waiting.planned.graph].path,
            shape: self.plan.shapes[waiting.planned.shape],
            tool: waiting.planned.tool,
            timeout: self.options.timeout,
        }
        .run()?;
        self.keep(waiting.target, waiting.planned, &finished, bar)
    }

    fn keep(
        &self,
        target: usize,
        planned: Planned,
        finished: &Finished,
        bar: &ProgressBar,
    ) -> Result<()> {
        let (store, summary) = &mut *self.kept();
        let judgement = &finished.judgement;
        store.add_run(&Run {
            program: self.rows.programs[self.plan.targets[target].program],
            graph: self.rows.graphs[planned.graph],
            shape: self.rows.shapes[planned.shape],
            tool: planned.tool.name(),
            verdict: judgement.verdict,
            detail: &judgement.detail,
            races: judgement.races,
            seconds: finished.seconds,
            kernel_seconds: finished.kernel_seconds,
            peak_bytes: finished.peak_bytes,
            report: finished.report.as_deref(),
        })?;
        if judgement.verdict == Verdict::Error {
            let program = &self.plan.programs[self.plan.targets[target].program].program;
            let told = (program.name.clone(), judgement.detail.clone());
            if !summary.errors.contains(&told) {
                summary.errors.push(told);
            }
        }
        *summary
            .verdicts
            .entry((planned.tool, judgement.verdict))
            .or_default() += 1;
        bar.inc(1);
        Ok(())
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, (Store, Summary)> {
        self.kept.lock().expect("no worker panics")
    }
}
