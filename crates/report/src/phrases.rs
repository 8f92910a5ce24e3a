//! The words for findings that all formats share.

pub(super) mod fault;
pub(super) mod place;

use super::codes::{LOCKSTEP, PREDICTED};
use super::failure::DRIVER;
use super::model::{
    Access, AccessKind, Actor, Certainty, Failure, Fault, Number, Position, Race, Relation, Report,
    Role, Space, Stream, Work,
};

/// `1 race`, `2 races`, `2 accesses`.
pub fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 {
        ""
    } else if noun.ends_with('s') || noun.ends_with("ch") {
        "es"
    } else {
        "s"
    };
    format!("{number} {noun}{plural}")
}

/// A race in one line.
pub(super) fn race(race: &Race) -> String {
    let what = match race.certainty {
        Certainty::Definite => "data race",
        Certainty::Possible => "possible data race",
    };
    let space = match race.space {
        Space::Shared => "shared",
        Space::Global => "global",
    };
    if race.relation == Relation::Host {
        return format!(
            "{what} between the host and {}: {}",
            host_and(race),
            race.title
        );
    }
    let variable = race.memory().unwrap_or_else(|| "memory".to_owned());
    // A symbol may be constant memory, which records do not distinguish.
    let is_symbol = race.accesses.iter().filter_map(called);
    let space = match is_symbol.into_iter().any(|it| it.contains("Symbol")) {
        true => String::new(),
        false => format!("{space} "),
    };
    let kernel = if race.is_in_kernel() { "kernel " } else { "" };
    format!(
        "{what} on {space}{variable} in {kernel}`{}`: {}",
        race.kernel, race.title
    )
}

/// What the host races with.
fn host_and(race: &Race) -> String {
    match race.accesses[0].actor {
        Actor::Copy => match called(&race.accesses[0]) {
            Some(function) => format!("`{function}`"),
            None => "an asynchronous copy or fill".to_owned(),
        },
        Actor::Thread | Actor::Host => format!("kernel `{}`", race.kernel),
    }
}

/// The function of the runtime whose call is the place of an access.
pub(super) fn called(access: &Access) -> Option<&str> {
    let text = access.position.text.as_deref()?;
    let (name, _) = text.split_once('(')?;
    name.starts_with("cuda").then(|| name.trim_end())
}

/// A fault in one line.
pub(super) fn fault(fault: &Fault) -> String {
    // Other addresses have no meaning for a reader.
    let address = fault.address.as_ref().filter(|_| fault.code == "HF003");
    let at = address.map_or_else(String::new, |address| format!(" at {address}"));
    format!("{}{at}{}", fault.title, in_kernel(fault.kernel.as_ref()))
}

/// A failure in one line.
pub(super) fn failure(failure: &Failure) -> String {
    let kernel = in_kernel(failure.kernel.as_ref());
    match failure.kind == DRIVER {
        true => failure.message.clone(),
        false => format!("could not check: {}{kernel}", failure.message),
    }
}

/// What is worth a note only: a program that checks its own results and ends with a status of its own has
/// been checked, as the findings show.
pub(super) fn ended_beside_findings(report: &Report) -> Option<String> {
    let failure = report.failure.as_ref().filter(|_| report.is_whole())?;
    // The message may say first what the program lacked: "could not open `x`, and ended".
    Some(match failure.message.contains(" and ended") {
        true => failure.message.clone(),
        false => failure.message.replacen(" ended", " also ended", 1),
    })
}

/// A failure, the compiler's output, and advice.
pub(super) fn failure_details(failure: &Failure) -> Vec<String> {
    let help = failure.help.as_ref().map(|help| format!("help: {help}"));
    let output = failure.output.clone();
    std::iter::once(self::failure(failure))
        .chain(output)
        .chain(help)
        .collect()
}

/// What happens at the other place of a fault.
pub(super) fn others(fault: &Fault) -> &'static str {
    match &*fault.code {
        LOCKSTEP => "another lane accesses the same element",
        _ => "other threads of the block wait",
    }
}

fn in_kernel(kernel: Option<&String>) -> String {
    kernel.map_or_else(String::new, |kernel| format!(" in kernel `{kernel}`"))
}

/// How often a race occurred, and in which of so many schedules.
pub(super) fn sightings(race: &Race, schedules: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if race.certainty == Certainty::Possible {
        let what = match race.relation {
            _ if race.code == PREDICTED => {
                "predicted: it did not happen in this schedule, and may happen in another one"
            }
            Relation::Launch => "something that is not modelled may order the two",
            _ => "the kernel ran a construct that is not modelled and may order the two",
        };
        lines.push(what.to_owned());
    }
    lines.extend(place::of_race(race));
    lines.extend(place::calls_of_race(race));
    lines.extend(place::elsewhere(race));
    lines.extend(race.process.as_ref().map(place::process));
    let mut seen = format!("seen {}", count(race.occurrences, "time"));
    let several = race.occurrences > 1;
    if let Some(number) = race.locations.filter(|_| several) {
        // A copy is one occurrence, however many addresses it has.
        seen += &match u64::from(number.count) > race.occurrences {
            true => format!(", over {}", number_of(number.times(4), "byte")),
            false => format!(", at {}", number_of(number, "address")),
        };
    }
    if let Some(number) = race.blocks.filter(|_| several) {
        seen += &format!(", in {}", number_of(number, "block"));
    }
    lines.push(seen);
    lines.extend(shown_by(&race.seeds, schedules));
    lines
}

fn number_of(number: Number, what: &str) -> String {
    let counted = count(number.count.into(), what);
    match number.or_more {
        true => counted.replacen(' ', " or more ", 1),
        false => counted,
    }
}

/// The schedules that showed a finding, if there were several.
fn shown_by(seeds: &[u32], schedules: usize) -> Option<String> {
    let seed = seeds.first().filter(|_| schedules > 1)?;
    Some(format!(
        "shown by {} of {schedules} schedules; `--seed {seed}` reproduces it",
        seeds.len()
    ))
}

/// An access and its thread: `read by thread (0,0,0) of block (1,0,0)`.
pub(super) fn access(access: &Access) -> String {
    let Some(origin) = &access.origin else {
        return deed(access);
    };
    let kernel = match origin.work {
        Work::Kernel => format!(" in kernel `{}`", origin.kernel),
        Work::Call | Work::Allocation | Work::Release => String::new(),
    };
    match origin.stream {
        Stream::Nested => format!("{}{kernel}", deed(access)),
        on => format!("{}{kernel} on {}", deed(access), stream(on)),
    }
}

/// What was done, and by whom: `read by another thread`, `write by `cudaMemcpyAsync``.
fn deed(access: &Access) -> String {
    match &access.origin {
        Some(origin) if origin.work != Work::Kernel => {
            let what = match origin.work {
                Work::Allocation => "allocation",
                Work::Release => "release",
                Work::Kernel | Work::Call => verb(access),
            };
            format!("{what} by `{}`", origin.kernel)
        }
        _ => {
            let by = match access.actor {
                Actor::Thread => thread(access.block, access.thread),
                Actor::Host | Actor::Copy => None,
            };
            let call = called(access).filter(|_| access.actor == Actor::Copy);
            let by = by.or_else(|| call.map(|it| format!("`{it}`")));
            let by = by.unwrap_or_else(|| somebody(access).to_owned());
            format!("{} by {by}", verb(access))
        }
    }
}

/// A stream in a sentence.
pub(super) fn stream(stream: Stream) -> String {
    match stream {
        Stream::Default => "the default stream".to_owned(),
        Stream::Made(number) => format!("stream {number}"),
        Stream::Graph => "a branch of a graph".to_owned(),
        Stream::Nested => "a stream of a kernel".to_owned(),
    }
}

/// A remark on an access without a certain place.
pub(super) fn unplaced(number: usize, access: &Access) -> Option<String> {
    let position = &access.position;
    if position.file.is_some() {
        return None;
    }
    let what = match &access.origin {
        Some(origin) if origin.work != Work::Kernel => deed(access),
        _ => format!("{} by {}", verb(access), somebody(access)),
    };
    let article = if what.starts_with('a') { "an" } else { "a" };
    let what = format!("({number}), {article} {what},");
    Some(match position.one_of.as_slice() {
        [] => format!("{what} was not recorded with its place"),
        places => format!(
            "{what} is one of {}: files that were compiled separately have the same site number",
            places.join(" and ")
        ),
    })
}

fn somebody(access: &Access) -> &'static str {
    match access.role {
        _ if access.actor == Actor::Host => "the host",
        _ if access.actor == Actor::Copy => "an asynchronous copy or fill",
        Role::Prior if access.origin.is_some() => "a thread",
        Role::Prior => "another thread",
        Role::Current => "a thread",
    }
}

pub(super) fn verb(access: &Access) -> &'static str {
    match access.access {
        AccessKind::VolatileRead if access.of_atomic_object => "atomic read",
        AccessKind::VolatileWrite if access.of_atomic_object => "atomic write",
        AccessKind::Read => "read",
        AccessKind::Write => "write",
        AccessKind::Update => "read and write",
        AccessKind::BlockAtomic => "block-scope atomic",
        AccessKind::DeviceAtomic => "atomic",
        AccessKind::VolatileRead => "volatile read",
        AccessKind::VolatileWrite => "volatile write",
    }
}

fn triple([x, y, z]: [u32; 3]) -> String {
    format!("({x},{y},{z})")
}

/// A thread, if it is known.
pub(super) fn thread(block: Option<[u32; 3]>, thread: Option<[u32; 3]>) -> Option<String> {
    let (block, thread) = (block?, thread?);
    Some(format!(
        "thread {} of block {}",
        triple(thread),
        triple(block)
    ))
}

/// A position in the notation of compilers: `a.cu:16:5`.
pub(super) fn place(position: &Position) -> Option<String> {
    let (file, line) = (position.file.as_ref()?, position.line?);
    Some(match position.column {
        Some(column) => format!("{file}:{line}:{column}"),
        None => format!("{file}:{line}"),
    })
}
