//! Performs a sweep: builds and runs what is left, and stores the outcomes.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard};

use hirace::model::Backend;
use hirace::toolchain::interrupt;
use indicatif::ProgressBar;

use super::build::{self, Batch, Outcome, Ready, Workbench};
use super::cache::Cache;
use super::execute::{Finished, Start};
use super::gpu::Gpu;
use super::judge::Judgement;
use super::options::Options;
use super::plan::{Plan, Planned};
use super::queue::Queue;
use super::tool::Tool;
use crate::error::Result;
use crate::store::{Build, Run, Store, Verdict};

/// The outcome of a sweep.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Runs that were already in the database.
    pub before: u64,
    /// New runs, by tool and verdict.
    pub verdicts: BTreeMap<(Tool, Verdict), u64>,
    /// Programs that were not built, with the first line of the reason.
    pub not_built: Vec<(String, String)>,
    /// Programs whose check failed, with the reason.
    pub errors: Vec<(String, String)>,
    /// Programs that were only compiled because there is no GPU, by tool.
    pub compiled: BTreeMap<Tool, u64>,
    /// Requests of the user that could not be fulfilled.
    pub notes: Vec<String>,
}

/// A sweep in progress.
pub(super) struct Sweep<'a> {
    options: &'a Options,
    plan: &'a Plan,
    bench: Workbench<'a>,
    gpu: Gpu,
    rows: Rows,
    kept: Mutex<(Store, Summary)>,
}

/// The database rows of programs, graphs and shapes, by their indices.
struct Rows {
    programs: Vec<i64>,
    graphs: Vec<i64>,
    shapes: Vec<i64>,
}

/// A run with its executable.
struct Waiting {
    target: usize,
    ready: Ready,
    planned: Planned,
}

impl<'a> Sweep<'a> {
    /// Adds the rows that runs refer to.
    pub fn begin(
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

    /// Works until nothing is left. Returns the database and the outcome.
    pub fn work(self, session: i64, bar: &ProgressBar) -> Result<(Store, Summary)> {
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
        // After a signal, other errors are its consequences.
        if interrupt::arrived().is_some() {
            return Err(hirace::error::Error::Interrupted.into());
        }
        outcome?;
        Ok(self.kept.into_inner().expect("no worker panics"))
    }

    /// The runs of a target that are not in the database.
    fn left(&self, store: &Store, target: usize) -> Result<Vec<Planned>> {
        let target = &self.plan.targets[target];
        let mut left = Vec::new();
        for &planned in &target.runs {
            if !store.has_run(
                self.rows.programs[target.program],
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

    /// Builds a batch, and returns the runs that are now possible.
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
                    let tools: BTreeSet<Tool> = runs.iter().map(|it| it.tool).collect();
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

    /// A program that does not compile gets a verdict on every graph.
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
        let entry = (name.clone(), first.trim().to_owned());
        {
            let (_, summary) = &mut *self.kept();
            if !summary.not_built.contains(&entry) {
                summary.not_built.push(entry);
            }
        }
        for &planned in runs {
            let finished = Finished {
                judgement: Judgement {
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
            let entry = (program.name.clone(), judgement.detail.clone());
            if !summary.errors.contains(&entry) {
                summary.errors.push(entry);
            }
        }
        *summary
            .verdicts
            .entry((planned.tool, judgement.verdict))
            .or_default() += 1;
        bar.inc(1);
        Ok(())
    }

    fn kept(&self) -> MutexGuard<'_, (Store, Summary)> {
        self.kept.lock().expect("no worker panics")
    }
}
