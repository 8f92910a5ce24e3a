//! One run of a program in up to two passes: the state machine looks, and the order engine judges.
//!
//! Two accesses that race by the memory model are unordered for the state machine, too, unless the
//! program has constructs that the machine may miss races of (`device/hirace/executor/check/semantics.h`).
//! So a program without a report has no race, and needs no engine. One with a report runs again, with the
//! same seed.

use std::fs::metadata;
use std::os::unix::fs::FileTypeExt as _;

use hirace_config::Config;
use hirace_model::error::{Error, Result};
use hirace_model::wire::numbers::{AccessKind, Limits, NotModelled, RaceScope, RecordType};
use hirace_report::records::{End, Entry, Records};
use hirace_toolchain::{Ended, Output};

/// The value of `HIRACE_ENGINE` for the second pass.
const JUDGE: &str = "clocks";

type Recorded = (Records, Ended);

/// Runs a program once or twice; `run` gets the value of `HIRACE_ENGINE`.
pub(super) fn run<'a>(
    config: &Config,
    output: Output<'a>,
    run: impl Fn(&'static str, Output<'a>) -> Result<Recorded>,
) -> Result<Recorded> {
    let engine = config.semantics.engine.name();
    let Some(first_pass) = config.semantics.first_pass().filter(|_| can_repeat(output)) else {
        return run(engine, output);
    };
    let (mut first, ended) = run(first_pass, output)?;
    if !first.totals.limits.has(Limits::MACHINE_FIRST) {
        return Ok((first, ended));
    }
    if !needs_judge(&first) {
        forget_order(&mut first);
        return Ok((first, ended));
    }
    match run(JUDGE, Output::Discarded) {
        // It depends on more than the seed. What the machine says holds for the first run.
        Ok((second, _)) if second.finished && second.totals.launches != first.totals.launches => {
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

/// Whether the engine may take a race of the machine for none, or for another one. The machine is exact
/// for accesses that are no atomics in a program whose only order is that of its barriers.
fn needs_judge(records: &Records) -> bool {
    // The order of launches and of the host is the same for both engines.
    let in_launch = |it: &Entry| !matches!(it.relation, Some(RaceScope::Launch | RaceScope::Host));
    let races = |it: &&Entry| it.kind == RecordType::Race && in_launch(it);
    let is_atomic = |end: &End| {
        !matches!(
            end.access,
            Some(AccessKind::Read | AccessKind::Write | AccessKind::Update)
        )
    };
    let is_needed = records.totals.limits.has(Limits::ENGINE_NEEDED);
    records.entries.iter().filter(races).any(|race| {
        is_needed || is_atomic(&race.current) || race.prior.as_ref().is_none_or(is_atomic)
    })
}

/// Forgets the fences and the barriers of some lanes that the machine does not follow: it needed none.
fn forget_order(records: &mut Records) {
    let order = NotModelled::MEMORY_FENCE.0 | NotModelled::PARTIAL_WARP_BARRIER.0;
    records.entries.retain(|entry| {
        entry.kind != RecordType::NotModelled || entry.not_modelled.0 & !order != 0
    });
}
