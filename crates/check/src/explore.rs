//! Several schedules of one program, merged into one report.

use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::time::Instant;

use rayon::iter::{ParallelBridge as _, ParallelIterator as _};

use super::RunOptions;
use hirace_model::error::{Error, Result};
use hirace_report::failure::{INTERRUPTED, signal_name};
use hirace_report::{Count, Failure, Report, human};
use hirace_terminal::progress;
use hirace_toolchain::{Output, interrupt};

/// The order engine follows a program in up to some 25 times the time that it takes without, and other schedules may
/// run beside.
const TIMES_THE_FIRST: f64 = 100.0;
/// In seconds.
const LEAST_LIMIT: f64 = 10.0;

/// Runs the program with each seed from `first` to `last`, and merges the reports in the order of
/// the seeds.
///
/// The first schedule runs alone, with the program's output; up to `at_once` of the others run in
/// parallel, and their output is discarded. SIGINT and SIGTERM stop the running schedules; the
/// report covers what ran until then. Unless a time limit is given, a schedule that takes far longer than the first
/// one is stopped, as one in which a racy program never ends. The progress bar counts `earlier` schedules, too, which
/// the caller ran before.
///
/// ```no_run
/// # use hirace_check::{Program, RunOptions};
/// # use hirace_config::Config;
/// # use hirace_model::error::Result;
/// # use hirace_report::Report;
/// # fn example(program: &Program, config: &Config) -> Result<Report> {
/// let ten = hirace_check::explore(0, 9, 0, None, &RunOptions::default(), |options| {
///     program.run(config, options)
/// })?;
/// for race in &ten.races {
///     println!("{} under the seeds {:?}", race.code, race.seeds);
/// }
/// # Ok(ten)
/// # }
/// ```
///
/// # Errors
/// Those of `run`.
pub fn explore(
    first: u32,
    last: u32,
    earlier: u32,
    at_once: Option<NonZeroU32>,
    options: &RunOptions<'_>,
    run: impl Fn(&RunOptions<'_>) -> Result<Report> + Sync,
) -> Result<Report> {
    let run_seed = |seed, output, timeout| {
        let mut report = run(&RunOptions {
            seed,
            timeout,
            // The same seed then gives the same report on any number of cores.
            jobs: Some(1),
            output,
            ..*options
        })?;
        if let Some(failure) = &mut report.failure {
            failure.seed = Some(seed);
        }
        Ok(report)
    };
    let count = u64::from(last.saturating_sub(first)) + 1;
    let mut rest = first..=last;
    rest.next();
    let begin = Instant::now();
    let mut reports = vec![run_seed(first, options.output, options.timeout)?];
    let limit = (TIMES_THE_FIRST * begin.elapsed().as_secs_f64()).ceil();
    let timeout = options.timeout.or(Some(limit.max(LEAST_LIMIT)));

    let all = count + u64::from(earlier);
    let bar = progress::slow_bar(all, "schedule {pos} of {len} {bar:30} {elapsed}, {msg}");
    bar.inc(earlier.into());
    let races = Mutex::new(Count::default());
    let advance = |report: &Report| {
        let number = races.lock().expect("no worker panics").add(report);
        bar.inc(1);
        bar.set_message(format!("{} so far", human::count(number as u64, "race")));
    };
    reports.iter().for_each(&advance);
    let workers = rayon::ThreadPoolBuilder::new()
        .num_threads(at_once.map_or(0, |it| it.get() as usize))
        .build()
        .map_err(|error| Error::system("start threads", std::io::Error::other(error)))?;
    // The workers take the seeds in order; after an error they take no more.
    let done: Result<Vec<_>> = workers.install(|| {
        rest.take_while(|_| interrupt::arrived().is_none())
            .par_bridge()
            .map(|seed| match run_seed(seed, Output::Discarded, timeout) {
                Ok(report) => {
                    advance(&report);
                    Ok(Some(report))
                }
                // The schedule had not started.
                Err(Error::Interrupted) => Ok(None),
                Err(error) => Err(error),
            })
            .collect()
    });
    bar.finish_and_clear();
    reports.extend(done?.into_iter().flatten());
    reports.sort_by_key(|report| report.seed);
    if let Some(signal) = interrupt::arrived() {
        report_interruption(&mut reports, count, signal);
    }
    Ok(hirace_report::merge(reports).expect("the first schedule has a report"))
}

/// Replaces the schedules' own failures by one, and notes which schedules were completed.
fn report_interruption(reports: &mut [Report], count: u64, signal: i32) {
    let stopped = |report: &Report| {
        let failure = report.failure.as_ref();
        failure.is_some_and(|failure| failure.kind == INTERRUPTED)
    };
    let (whole, cut): (Vec<_>, Vec<_>) = reports.iter().partition(|it| !stopped(it));
    if whole.len() as u64 == count {
        return;
    }
    let spans = |reports: &[&Report]| spans(reports.iter().map(|it| it.seed));
    let mut note = match whole.as_slice() {
        [] => "no schedule was completed".to_owned(),
        whole => format!("schedules completed: seeds {}", spans(whole)),
    };
    if !cut.is_empty() {
        note += &format!("; stopped early: seeds {}", spans(&cut));
    }
    let message = format!(
        "{} interrupted the exploration after {} of {count} schedules",
        signal_name(signal),
        whole.len()
    );
    for report in reports.iter_mut().filter(|it| stopped(it)) {
        report.failure = None;
    }
    // If the program failed in the last schedule, keep that failure.
    if let Some(last) = reports.last_mut() {
        last.notes.push(note);
        last.failure.get_or_insert(Failure {
            kind: INTERRUPTED.into(),
            message,
            help: Some(
                "the report covers what ran until then; the rest was not checked".to_owned(),
            ),
            ..Failure::default()
        });
    }
}

/// Ascending numbers, as briefly as possible: `0 to 4, 7`.
fn spans(numbers: impl Iterator<Item = u32>) -> String {
    let mut spans: Vec<RangeInclusive<u32>> = Vec::new();
    for number in numbers {
        match spans.last_mut() {
            Some(span) if span.end().checked_add(1) == Some(number) => {
                *span = *span.start()..=number;
            }
            _ => spans.push(number..=number),
        }
    }
    let text = |span: &RangeInclusive<u32>| match (span.start(), span.end()) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first} to {last}"),
    };
    spans.iter().map(text).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::spans;

    #[test]
    fn spans_of_seeds() {
        for (numbers, text) in [
            (&[3][..], "3"),
            (&[0, 1, 2, 7, 9, 10], "0 to 2, 7, 9 to 10"),
            (&[u32::MAX - 1, u32::MAX], "4294967294 to 4294967295"),
        ] {
            assert_eq!(spans(numbers.iter().copied()), text);
        }
    }
}
