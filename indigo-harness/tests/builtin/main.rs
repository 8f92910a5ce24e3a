//! The programs of the built-in suite, compiled and run: an eighth of them, or with
//! `HIRACE_INDIGO=all` all.
//!
//! - Programs without a bug compute what their sequential code does, and no race is found.
//! - Of those with a bug the race is found, or the access out of bounds.

mod programs;

use std::process::ExitCode;

use hirace::report::Status;
use hirace_indigo::suite::Label;
use libtest_mimic::{Failed, Trial};
use programs::{Batch, Fixture};

const PROGRAMS_OF_A_BATCH: usize = 32;

fn main() -> ExitCode {
    let arguments = libtest_mimic::Arguments::from_args();
    let trials = programs::sample()
        .chunks(PROGRAMS_OF_A_BATCH)
        .enumerate()
        .map(|(number, chosen)| {
            let chosen = chosen.to_vec();
            Trial::test(format!("verdicts::{number}"), move || {
                verdicts(&Fixture::new(chosen)).map_err(Failed::from)
            })
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn verdicts(fixture: &Fixture) -> Result<(), String> {
    let batch = Batch::build(fixture, 32)?;
    let mut failures = Vec::new();
    for program in batch.programs() {
        let name = program.name();
        let mut found = false;
        for shape in [(64, 4), (32, 16)] {
            for graph in programs::graphs() {
                let mut wrong = |why: String| {
                    failures.push(format!("{name} {shape:?} {}: {why}", graph.display()));
                };
                let report = program.check(&graph, shape)?;
                let races = report.status == Status::Races;
                found |= races;
                match program.label() {
                    Label::Racy => {}
                    _ if races => wrong(format!("{:?}", report.races)),
                    // A loop that ends early may not come so far.
                    _ if program.faults() && report.status != Status::Clean => {
                        found |= report.status == Status::Faults;
                    }
                    _ if program.faults() => {}
                    _ if report.status != Status::Clean => wrong(format!("{report:?}")),
                    _ => {
                        let printed = program.printed(&graph, shape)?;
                        if printed != "result matches serial code\n" {
                            wrong(printed);
                        }
                    }
                }
            }
        }
        if !found && (program.label() == Label::Racy || program.faults()) {
            failures.push(format!("{name}: nothing found on any graph"));
        }
    }
    match failures.as_slice() {
        [] => Ok(()),
        all => Err(all.join("\n")),
    }
}
