//! Judges the tests' record files like those of any other run.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use hirace::model::Backend;
use hirace::report::{self, Report, Run, records};
use hirace::toolchain::Ended;

use crate::files;
use crate::tally::Tally;
use crate::ui::Program;
use crate::verdict::Expected;

/// Judges the runs listed in `tests` by the record files below `records`.
///
/// A test passes if its report has the expected verdict and no race at an unexpected place. Races
/// that the CPU executor always finds but that are missing are printed: which races occur depends on
/// the hardware's schedule.
pub fn judge(tests: &str, records: &Path, backend: Backend) -> Result<Tally> {
    let mut tally = Tally::default();
    for line in tests.lines() {
        let mut fields = line.split('|');
        let (Some(name), Some(_), Some(seen), Some(status)) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            return Err(anyhow!("not of the form NAME|VERDICT|SEEN|STATUS: {line}"));
        };
        if seen == "no time" {
            tally.add(Tally::skip(format!("{name}: no time left")));
            continue;
        }
        let verdict = if seen == "not compiled" {
            Err(anyhow!("does not compile"))
        } else {
            ended(status).and_then(|ended| judge_one(name, ended, &records.join(name), backend))
        };
        match verdict {
            Ok(missing) => {
                if let Some(missing) = missing {
                    println!("{name}: not found this time: {missing}");
                }
                tally.add(Tally::pass());
            }
            Err(why) if why.is::<Unmodelled>() => tally.add(Tally::skip(format!("{name}: {why}"))),
            Err(why) => {
                println!("FAILED  {name}: {why:#}");
                tally.add(Tally::fail(name));
            }
        }
    }
    Ok(tally)
}

/// Returns an expected race that was not found, if any.
fn judge_one(name: &str, ended: Ended, records: &Path, backend: Backend) -> Result<Option<String>> {
    // Further runs of a program are NAME+1 and so on.
    let program = name.split_once('+').map_or(name, |(program, _)| program);
    let expected = Program::named(program)
        .map_err(|why| anyhow!("{why}"))?
        .expected;
    let report = report_of(records, ended, backend)?;
    admitted(&expected, &report)
}

/// Returns an expected race that a report of the GPU backend does not have, if any. The error is [`Unmodelled`] if
/// the report says itself why its verdict may be another one.
pub fn admitted(expected: &Expected, report: &Report) -> Result<Option<String>> {
    match (expected.admits(report), Expected::explanation(report)) {
        (Ok(()), _) => Ok(expected.missing(report)),
        (Err(_), Some(names)) => Err(Unmodelled(names).into()),
        (Err(why), None) => Err(anyhow!(why)),
    }
}

/// A program uses what the GPU backend does not model, as its report says.
#[derive(Debug)]
pub struct Unmodelled(String);

impl std::fmt::Display for Unmodelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the GPU backend does not model {}", self.0)
    }
}

impl std::error::Error for Unmodelled {}

/// The report on a program that ran on another machine.
fn report_of(file: &Path, ended: Ended, backend: Backend) -> Result<Report> {
    let bytes = files::read(file)?;
    let records = records::parse(&bytes).map_err(|error| anyhow!("{error}"))?;
    if records.backend != Some(backend) {
        return Err(anyhow!("its records are for {:?}", records.backend));
    }
    Ok(report::assemble(&Run {
        backend,
        seed: 0,
        ended,
        timeout: None,
        init_check: false,
        names_process: false,
        records: &records,
        tables: &records.tables,
    }))
}

/// An exit status in the shell's notation.
fn ended(status: &str) -> Result<Ended> {
    if status == "timeout" {
        return Ok(Ended::TimedOut);
    }
    let status: i32 = status
        .parse()
        .with_context(|| format!("no exit status: {status}"))?;
    Ok(match status {
        129.. => Ended::Signalled(status - 128),
        _ => Ended::Exited(status),
    })
}
