//! Several schedules of one program, and one report of all.

use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};

use super::RunOptions;
use crate::error::{Error, Result};
use crate::report::{self, Report};
use crate::toolchain::Output;

/// Runs the program once for each seed, and merges the reports in the order of the seeds.
///
/// The first schedule runs alone, with the program's output; of the others, up to `at_once`
/// run side by side, and what the program writes then is dropped.
///
/// # Errors
/// Those of `run`, and [`Error::Input`] where there is no seed.
pub fn explore(
    seeds: RangeInclusive<u32>,
    at_once: Option<NonZeroU32>,
    options: &RunOptions<'_>,
    run: impl Fn(&RunOptions<'_>) -> Result<Report> + Sync,
) -> Result<Report> {
    let run_seed = |seed, output| {
        let mut report = run(&RunOptions {
            seed,
            // The same seed then gives the same report, whatever number of cores there is.
            jobs: Some(1),
            output,
            ..*options
        })?;
        if let Some(failure) = &mut report.failure {
            failure.seed = Some(seed);
        }
        Ok(report)
    };
    let count = u64::from(seeds.end().saturating_sub(*seeds.start())) + 1;
    let mut rest = seeds;
    let Some(first) = rest.next() else {
        return Err(Error::Input {
            message: "there is no schedule to run".to_owned(),
            help: None,
        });
    };
    let first = run_seed(first, options.output)?;

    // Draws nothing where standard error is no terminal.
    let bar = ProgressBar::new(count).with_style(
        ProgressStyle::with_template("schedule {pos} of {len} {bar:30}")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    bar.inc(1);
    let queue = Mutex::new(rest);
    let reports = Mutex::new(Vec::new());
    let work = || -> Result<()> {
        while let Some(seed) = { queue.lock().expect("no worker panics").next() } {
            let report = run_seed(seed, Output::Discarded).inspect_err(|_| {
                // Nobody will see what the others could still begin.
                *queue.lock().expect("no worker panics") = RangeInclusive::new(1, 0);
            })?;
            reports.lock().expect("no worker panics").push(report);
            bar.inc(1);
        }
        Ok(())
    };
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let workers = at_once.map_or_else(cores, |it| it.get() as usize);
    let done = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|it| it.join().expect("no worker panics"))
    });
    bar.finish_and_clear();
    done?;
    let mut reports = reports.into_inner().expect("no worker panics");
    reports.sort_by_key(|report| report.seed);
    let all = std::iter::once(first).chain(reports);
    Ok(report::merge(all).expect("the first schedule has a report"))
}
