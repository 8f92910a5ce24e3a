//! The programs of the built-in suite, compiled and run.
//!
//! Each of the two tests runs one program of 42; others next time (`hirace_sample`). `HIRACE_SAMPLE=all` runs all of them, `HIRACE_SAMPLE=K/N` the Kth of N parts.
//!
//! - Programs without a bug compute what their sequential code does, and no race is found.
//! - In programs with a bug, the race or the access out of bounds is found.
//! - Full histories of their accesses agree with hirace's verdict on each run, and with their labels.

mod oracle;
mod programs;

use std::process::ExitCode;

use hirace::report::Status;
use hirace_indigo::suite::builtin::UNFIT;
use hirace_indigo::suite::{Label, Program};
use libtest_mimic::{Failed, Trial};
use programs::{Batch, Executable, Fixture};

const PROGRAMS_PER_BATCH: usize = 54;

fn main() -> ExitCode {
    let arguments = libtest_mimic::Arguments::from_args();
    let mut trials = trials("verdicts", |programs| {
        judge(&Fixture::new(programs), verdicts)
    });
    trials.extend(self::trials("labels", |programs| {
        judge(&Fixture::traced(programs), labels)
    }));
    trials.push(Trial::test("oracle", || {
        oracle::check().map_err(Failed::from)
    }));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trials(name: &str, check: fn(Vec<Program>) -> Result<(), String>) -> Vec<Trial> {
    let programs = programs::sample(name);
    let batches = programs.chunks(PROGRAMS_PER_BATCH).enumerate();
    let trial = |(number, batch): (usize, &[Program])| {
        let batch = batch.to_vec();
        Trial::test(format!("{name}::{number}"), move || {
            check(batch).map_err(Failed::from)
        })
    };
    batches.map(trial).collect()
}

/// Builds programs and checks each of them.
fn judge(
    fixture: &Fixture,
    check: fn(&Executable<'_>) -> Result<Vec<String>, String>,
) -> Result<(), String> {
    let mut failures = Vec::new();
    for program in Batch::build(fixture)?.programs() {
        for why in check(&program)? {
            failures.push(format!("{}: {why}", program.name()));
        }
    }
    match failures.as_slice() {
        [] => Ok(()),
        all => Err(all.join("\n")),
    }
}

/// Runs a program on all graphs in shapes of several warps and blocks.
fn verdicts(program: &Executable<'_>) -> Result<Vec<String>, String> {
    let mut failures = Vec::new();
    let mut found = false;
    for shape in [(64, 4), (32, 16)] {
        for graph in programs::graphs() {
            let mut wrong =
                |why: String| failures.push(format!("{shape:?} {}: {why}", graph.display()));
            let report = program.check(&graph, shape)?;
            let races = report.status == Status::Races;
            found |= races;
            match program.label() {
                Label::Racy => {}
                _ if races => wrong(programs::places(&report)),
                // A loop that ends early may not reach the bug.
                _ if program.faults() && report.status != Status::Clean => {
                    found |= report.status == Status::Faults;
                }
                _ if program.faults() => {}
                _ if report.status != Status::Clean => {
                    wrong(format!("{:?} {:?}", report.status, report.failure));
                }
                _ => {
                    let printed = program.printed(&graph, shape)?;
                    if printed != "result matches serial code\n" {
                        wrong(printed);
                    }
                }
            }
        }
    }
    let small = programs::smallest_graphs();
    let graph = small.first().ok_or("no graphs")?;
    let unfit = Some(UNFIT).filter(|_| program.needs_warps());
    for (shape, expected) in [
        ((0, 4), Some(UNFIT)),
        ((64, 0), Some(UNFIT)),
        ((33, 2), unfit),
    ] {
        let status = program.status(graph, shape)?;
        if (status == Some(UNFIT)) != expected.is_some() {
            failures.push(format!("{shape:?} ends with {status:?}"));
        }
    }
    if !found && (program.label() == Label::Racy || program.faults()) {
        failures.push("nothing was found on any graph".into());
    }
    Ok(failures)
}

/// Runs a program on small graphs in a small shape, and judges a full history of each run.
fn labels(program: &Executable<'_>) -> Result<Vec<String>, String> {
    let mut failures = Vec::new();
    let mut raced = false;
    for graph in programs::smallest_graphs() {
        let races = oracle::races(&program.trace(&graph, oracle::SHAPE)?)?;
        let report = program.check(&graph, oracle::SHAPE)?;
        if races != (report.status == Status::Races) {
            let found = programs::places(&report);
            let truth = if races { "a race" } else { "none" };
            failures.push(format!("{}: {truth}, found: {found}", graph.display()));
        }
        raced |= races;
    }
    if raced != (program.label() == Label::Racy) {
        failures.push(format!("labelled {:?}, races: {raced}", program.label()));
    }
    Ok(failures)
}
