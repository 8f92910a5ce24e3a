//! One run of a program in up to two passes: the state machine looks, and the order engine judges. If a
//! launch wrote memory whose reads were not checked, because it seemed only to read it, both are repeated.
//!
//! Two accesses that race by the memory model are unordered for the state machine, too, unless the
//! program has constructs that the machine may miss races of (`device/hirace/executor/check/semantics.h`).
//! So a program without a report has no race, and needs no engine. One with a report runs again, with the
//! same seed, and the engine follows the kernels of these reports only.

use std::collections::BTreeSet;
use std::fs::metadata;
use std::os::unix::fs::FileTypeExt as _;

use hirace_config::Config;
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_model::wire::numbers::{AccessKind, Fault, Limits, NotModelled, RaceScope, RecordType};
use hirace_model::wire::records::KERNEL_CAPACITY;
use hirace_report::records::{End, Entry, Kernel, Records};
use hirace_toolchain::{Ended, Output};

/// The value of `HIRACE_ENGINE` for the second pass.
const JUDGE: &str = "order";

/// The value of `HIRACE_READ_ONLY` for a run in which reads of memory that a launch seems only to read are
/// checked.
const CHECKED: &str = "checked";

type Recorded = (Records, Ended);

/// What checks the launches of a run.
pub(super) struct Pass<'a> {
    /// The value of `HIRACE_ENGINE`.
    pub engine: &'static str,
    /// The value of `HIRACE_JUDGED`: the kernels that the order engine follows, one on a line, if not all.
    pub judged: &'a str,
    /// The value of `HIRACE_READ_ONLY`.
    pub read_only: &'static str,
}

/// Runs a program until every access that may race has been checked: once, unless the executor asks for more.
pub(super) fn run<'a>(
    config: &Config,
    backend: Backend,
    output: Output<'a>,
    run: impl Fn(&Pass<'_>, Output<'a>) -> Result<Recorded>,
) -> Result<Recorded> {
    let first = judged_run(config, output, "", &run)?;
    let is_complete = !first.0.totals.limits.has(Limits::READ_ONLY_WRITTEN);
    // A GPU has no such variable.
    if is_complete || backend == Backend::Gpu || !can_repeat(output) {
        return Ok(first);
    }
    match judged_run(config, Output::Discarded, CHECKED, &run) {
        Ok((second, _)) if differs(&first.0, &second) => Ok(first),
        Err(Error::Interrupted) => Ok(first),
        second => second,
    }
}

/// Whether a second run finished, and was not a repetition of the first one: what a program does may depend on
/// more than the seed.
fn differs(first: &Records, second: &Records) -> bool {
    let names = |records: &Records| -> BTreeSet<String> {
        let kernels = records.kernels.iter();
        kernels.map(|it| it.name.clone()).collect()
    };
    let launches = |records: &Records| (records.totals.launches, names(records));
    second.finished && launches(second) != launches(first)
}

/// Runs a program once or twice, or three times if what it does varies.
fn judged_run<'a>(
    config: &Config,
    output: Output<'a>,
    read_only: &'static str,
    run: impl Fn(&Pass<'_>, Output<'a>) -> Result<Recorded>,
) -> Result<Recorded> {
    let pass = |engine, judged| Pass {
        engine,
        judged,
        read_only,
    };
    let engine = config.semantics.engine.name();
    let Some(first_pass) = config.semantics.first_pass().filter(|_| can_repeat(output)) else {
        return run(&pass(engine, ""), output);
    };
    let (mut first, ended) = run(&pass(first_pass, ""), output)?;
    if first.kernels.iter().any(is_left_to_machine) {
        return match has_race_by_machine(&first) {
            true => judge_all(first, ended, || run(&pass(JUDGE, ""), Output::Discarded)),
            false => Ok((first, ended)),
        };
    }
    if !first.totals.limits.has(Limits::MACHINE_FIRST) {
        return Ok((first, ended));
    }
    // Launches have nothing in common that the engines remember, so each can have its own.
    let judged = kernels_to_judge(&first);
    if judged.is_empty() {
        forget_order(&mut first, &judged);
        return Ok((first, ended));
    }
    let names: Vec<&str> = judged.iter().map(String::as_str).collect();
    // Kernels that do not fit into the table share its last name.
    let named = match first.kernels.len() < KERNEL_CAPACITY as usize {
        true => names.join("\n"),
        false => String::new(),
    };
    let second = run(&pass(JUDGE, &named), Output::Discarded);
    match second {
        // What the machine says holds for the first run.
        Ok((second, _)) if differs(&first, &second) => Ok((first, ended)),
        // The engine takes more memory and time than the machine.
        Ok((second, stopped)) if is_stopped(&second, stopped, ended) => {
            combine(&mut first, second, &judged);
            let asked = matches!(stopped, Ended::Interrupted(_));
            Ok((first, if asked { stopped } else { ended }))
        }
        // The machine reports in another kernel what it did not report before.
        Ok((second, _)) if !kernels_to_judge(&second).is_subset(&judged) => {
            run(&pass(JUDGE, ""), Output::Discarded)
        }
        Ok((mut second, ended)) => {
            forget_order(&mut second, &judged);
            keep_warnings(&mut second, &first);
            Ok((second, ended))
        }
        Err(Error::Interrupted) => Ok((first, ended)),
        failed @ Err(_) => failed,
    }
}

/// Whether the state machine checked a kernel of a program that needs the order engine, since the kernel does not.
fn is_left_to_machine(kernel: &Kernel) -> bool {
    kernel.limits.has(Limits::MACHINE_FIRST)
}

/// Whether it reported a race there. The machine finds a race at each location that has one, but not all pairs of
/// accesses that race there.
fn has_race_by_machine(records: &Records) -> bool {
    records.entries.iter().any(|it| {
        let kernel = records.kernels.get(it.kernel as usize);
        it.kind == RecordType::Race && kernel.is_some_and(is_left_to_machine)
    })
}

/// The results of a second run in which the order engine follows all kernels, if it came to its end.
fn judge_all(
    first: Records,
    ended: Ended,
    run: impl FnOnce() -> Result<Recorded>,
) -> Result<Recorded> {
    match run() {
        Ok((second, stopped))
            if differs(&first, &second) || is_stopped(&second, stopped, ended) =>
        {
            Ok((first, ended))
        }
        Err(Error::Interrupted) => Ok((first, ended)),
        second => second,
    }
}

/// Whether a second run sees the same input as the first one.
fn can_repeat(output: Output<'_>) -> bool {
    match output {
        Output::To(_) | Output::Discarded => true,
        // A terminal, or nothing.
        Output::Inherited | Output::ToStandardError => {
            metadata("/dev/stdin").is_ok_and(|it| it.file_type().is_char_device())
        }
    }
}

/// The kernels with a race that the engine may take for none, or for another one, and those in which the
/// machine may have missed one. It is exact for accesses that are no atomics in a program whose only order
/// is that of its barriers. Of those, the engine knows the cause if blocks exchange values by atomics.
fn kernels_to_judge(records: &Records) -> BTreeSet<String> {
    let limits = records.totals.limits;
    let is_needed = limits.has(Limits::ENGINE_NEEDED);
    let knows_cause =
        |race: &Entry| limits.has(Limits::FLAGS_POSSIBLE) && race.relation == Some(RaceScope::Grid);
    // The order of launches and of the host is the same for both engines.
    let in_launch = |it: &Entry| !matches!(it.relation, Some(RaceScope::Launch | RaceScope::Host));
    let races = |it: &&Entry| it.kind == RecordType::Race && in_launch(it);
    let is_atomic = |end: &End| {
        !matches!(
            end.access,
            Some(AccessKind::Read | AccessKind::Write | AccessKind::Update)
        )
    };
    let is_judged = |race: &&Entry| {
        is_needed
            || is_atomic(&race.current)
            || race.prior.as_ref().is_none_or(is_atomic)
            || knows_cause(race)
    };
    let entries = records.entries.iter().filter(races).filter(is_judged);
    let reported = entries.map(|it| kernel_of(records, it));
    let kernels = records.kernels.iter();
    let forgetful = kernels.filter(|it| it.limits.has(Limits::VOLATILE_READS_FORGOTTEN));
    reported
        .chain(forgetful.map(|it| it.name.clone()))
        .collect()
}

/// The number of a kernel.
fn kernel_called(records: &Records, name: &str) -> Option<u32> {
    let found = records.kernels.iter().position(|it| it.name == name)?;
    u32::try_from(found).ok()
}

fn kernel_of(records: &Records, entry: &Entry) -> String {
    let kernel = records.kernels.get(entry.kernel as usize);
    kernel.map(|it| it.name.clone()).unwrap_or_default()
}

/// Adds the warnings of the first pass that only the machine gives.
fn keep_warnings(second: &mut Records, first: &Records) {
    for entry in first
        .entries
        .iter()
        .filter(|it| it.fault == Some(Fault::LanesInLockstep))
    {
        if let Some(kernel) = kernel_called(second, &kernel_of(first, entry)) {
            second.entries.push(Entry {
                kernel,
                ..entry.clone()
            });
        }
    }
}

/// Whether the judge did not get to the end of what the machine has seen.
fn is_stopped(second: &Records, ended: Ended, first_ended: Ended) -> bool {
    let by_itself = matches!(ended, Ended::Exited(_));
    second.totals.limits.has(Limits::MEMORY_USED_UP) || !by_itself && ended != first_ended
}

/// Takes the races of judged kernels for possible ones, unless the judge has got so far as to report them. What
/// else the machine says holds.
fn combine(first: &mut Records, second: Records, judged: &BTreeSet<String>) {
    let sites = |it: &Entry| {
        let ends = [Some(it.current.site), it.prior.map(|it| it.site)];
        (
            it.kind,
            ends.iter().min().copied(),
            ends.iter().max().copied(),
        )
    };
    let races = second
        .entries
        .iter()
        .filter(|it| it.kind == RecordType::Race);
    let known: Vec<Entry> = races
        .filter_map(|it| {
            Some(Entry {
                kernel: kernel_called(first, &kernel_of(&second, it))?,
                ..it.clone()
            })
        })
        .collect();
    let mut entries = std::mem::take(&mut first.entries);
    entries.retain(|it| {
        it.kind != RecordType::Race || known.iter().all(|other| sites(other) != sites(it))
    });
    for entry in &mut entries {
        if entry.kind == RecordType::Race && judged.contains(&kernel_of(first, entry)) {
            entry.not_modelled.0 |= NotModelled::OTHER_CONSTRUCT.0;
        }
    }
    entries.extend(known);
    first.entries = entries;
    first.lines.extend(second.lines);
    first.judge_stopped = true;
    let memory = second.totals.limits.0 & Limits::MEMORY_USED_UP.0;
    first.totals.limits.0 |= memory;
}

/// Forgets the fences and the barriers of some lanes that the machine did not follow in kernels that needed
/// no judge: it needed none of them.
fn forget_order(records: &mut Records, judged: &BTreeSet<String>) {
    let order = NotModelled::MEMORY_FENCE.0 | NotModelled::PARTIAL_WARP_BARRIER.0;
    let entries = std::mem::take(&mut records.entries);
    let is_kept = |entry: &Entry| {
        entry.kind != RecordType::NotModelled
            || entry.not_modelled.0 & !order != 0
            || judged.contains(&kernel_of(records, entry))
    };
    records.entries = entries.into_iter().filter(is_kept).collect();
}
