//! Assembles a report from the records of a run.

use std::collections::BTreeSet;

use super::model::{
    Failure, Fault, Race, Report, SampledKernel, Severity, Source, Status, Summary,
};
use super::records::Records;
use super::run::Run;
use super::{failure, faults, merge};
use hirace_model::table::{Notes, Tables};
use hirace_model::wire::numbers::Limits;

mod calls;
mod constructs;
mod elsewhere;
mod notes;
mod origins;
mod races;

/// The report of a run.
#[must_use]
pub fn assemble(run: &Run<'_>) -> Report {
    let races = merge::by_lines(races::find(run));
    let faults = faults::find(run);
    // An access that was a fault is not counted; the fault says enough.
    let has_error = faults.iter().any(|it| it.severity == Severity::Error);
    let says_enough = |it: &Failure| it.kind == failure::NOTHING_MONITORED && has_error;
    let failure = failure::find(run).filter(|it| !says_enough(it));
    let totals = &run.records.totals;
    let sources = sources(run.tables, &races, &faults);
    let mut report = Report {
        status: Status::Clean,
        failure,
        summary: Summary {
            launches: totals.launches,
            accesses: totals.accesses,
            ..Summary::default()
        },
        sampled: sampled(run.records),
        races,
        faults,
        not_monitored: gathered(
            run.tables,
            |notes| &notes.not_monitored,
            |it| (it.file.clone(), it.line, it.reason.clone()),
        ),
        switched_off: gathered(
            run.tables,
            |notes| &notes.switched_off,
            |it| (it.file.clone(), it.line, it.what.clone()),
        ),
        warnings: gathered(
            run.tables,
            |notes| &notes.warnings,
            |it| (it.file.clone(), it.line, it.column),
        ),
        hidden: gathered(
            run.tables,
            |notes| &notes.hidden,
            |it| (it.file.clone(), it.line, it.column),
        ),
        coverage: run.tables.coverage().into(),
        not_modelled: constructs::find(run),
        notes: notes::all(run),
        sources,
        ..Report::of_nothing(Some(run.backend), run.seed)
    };
    report.finish();
    report
}

/// The files that contain findings.
fn sources(tables: &Tables, races: &[Race], faults: &[Fault]) -> Vec<Source> {
    let accesses = races.iter().flat_map(|race| &race.accesses);
    let places = accesses.map(|access| &access.position).chain(
        (faults.iter()).flat_map(|fault| std::iter::once(&fault.position).chain(&fault.other)),
    );
    let files: BTreeSet<_> = places.filter_map(|it| it.file.as_deref()).collect();
    let mut sources: Vec<_> = tables
        .iter()
        .filter(|table| files.contains(table.path.as_str()))
        .map(|table| Source::new(&table.path, table.notes.digest))
        .collect();
    sources.sort();
    sources.dedup();
    sources
}

/// The kernels of which only a sample was checked, by name. Several processes may have launched one.
fn sampled(records: &Records) -> Vec<SampledKernel> {
    let mut kernels: Vec<SampledKernel> = Vec::new();
    let partly = |limits: Limits| limits.has(Limits::ONLY_SAMPLE_CHECKED);
    for kernel in records.kernels.iter().filter(|it| partly(it.limits)) {
        let part = SampledKernel {
            kernel: kernel.name.clone(),
            launches: kernel.launches[0],
            launches_checked: kernel.launches[1],
            blocks: kernel.blocks[0],
            blocks_checked: kernel.blocks[1],
            time_over: kernel.limits.has(Limits::SAMPLE_TIME_OVER),
            memory_used_up: kernel.limits.has(Limits::MEMORY_USED_UP),
        };
        match kernels.iter_mut().find(|it| it.kernel == part.kernel) {
            Some(known) => known.add(&part),
            None => kernels.push(part),
        }
    }
    kernels.sort_by(|a, b| a.kernel.cmp(&b.kernel));
    kernels
}

/// The entries of all files' notes, sorted. An entry is listed once, however many templates or
/// translation units it comes from.
fn gathered<T: Clone + PartialEq, K: Ord>(
    tables: &Tables,
    list: impl Fn(&Notes) -> &[T],
    key: impl Fn(&T) -> K,
) -> Vec<T> {
    let mut all: Vec<T> = tables
        .iter()
        .flat_map(|table| list(&table.notes).iter().cloned())
        .collect();
    all.sort_by_key(key);
    all.dedup();
    all
}
