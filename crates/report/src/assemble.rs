//! Making a report of what the program left behind.

use std::collections::{BTreeSet, HashMap};

use hirace_fsm::{State, Table, Transition};

use super::classify::{Class, Pair, classify};
use super::human::count;
use super::model::{
    Access, AccessKind, Certainty, Fault, Launch, NotModelledEntry, Number, Origin, Position, Race,
    Relation, Report, Role, Source, Space, Status, Stream, Summary,
};
use super::records::{End, Entry, EntryType, Kernel, Records, Spread, limits};
use super::{failure, faults};
use hirace_model::Ended;
use hirace_model::table::{Notes, Tables};
use hirace_model::{Backend, SiteKind};

/// One run of a program, and what the instrumenter knows of it.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// Where it ran.
    pub backend: Backend,
    /// With which seed.
    pub seed: u32,
    /// How it ended.
    pub ended: Ended,
    /// Its time limit in seconds.
    pub timeout: Option<f64>,
    /// What it left behind.
    pub records: &'a Records,
    /// What is known of the program's files.
    pub tables: &'a Tables,
}

/// The report of a run.
#[must_use]
pub fn assemble(run: &Run<'_>) -> Report {
    let races = races(run);
    let faults = faults::find(run);
    let failure = failure::find(run);
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
        not_modelled: constructs(run),
        notes: notes(run),
        sources,
        ..Report::of_nothing(Some(run.backend), run.seed)
    };
    report.finish();
    report
}

/// The files that the findings lie in.
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

/// What the files' notes say, sorted. The same place is listed once, whatever number of
/// templates or translation units led to it.
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

/// Bits of the constructs that are not modelled, as in `device/hirace/records/record.h`.
const MEMORY_FENCE: u32 = 1;
const PARTIAL_WARP_BARRIER: u32 = 2;

/// A construct whose place is not known, such as a barrier that a template of a library calls.
fn unplaced_construct(bits: u32, kernel: Option<&Kernel>) -> String {
    let what = if bits & PARTIAL_WARP_BARRIER != 0 {
        "a barrier for some lanes of a warp only"
    } else if bits & MEMORY_FENCE != 0 {
        "a memory fence"
    } else {
        "a construct"
    };
    let kernel = kernel.map_or("(unknown)", |kernel| &kernel.name);
    format!("{what} in kernel `{kernel}`, at a place that is not known")
}

fn constructs(run: &Run<'_>) -> Vec<NotModelledEntry> {
    let mut executed: Vec<(Position, u32)> = Vec::new();
    let mut list = Vec::new();
    let entries = run.records.entries.iter();
    for entry in entries.filter(|entry| entry.kind == EntryType::NotModelled) {
        let bits = entry.not_modelled;
        match failure::position(run.tables, entry.current.site) {
            Some(position) => executed.push((position, bits)),
            None => list.push(NotModelledEntry {
                file: String::new(),
                line: 0,
                construct: unplaced_construct(bits, run.records.kernels.get(entry.kernel as usize)),
                executed: true,
            }),
        }
    }
    let places = run.tables.iter();
    list.extend(
        places
            .flat_map(|table| &table.notes.not_modelled)
            .map(|place| {
                let here = |p: &Position| {
                    p.line == Some(place.line) && p.file.as_ref() == Some(&place.file)
                };
                let found = executed.iter().any(|(position, _)| here(position));
                executed.retain(|(position, _)| !here(position));
                NotModelledEntry {
                    file: place.file.clone(),
                    line: place.line,
                    construct: place.construct.clone(),
                    executed: found,
                }
            }),
    );
    // Found at run time only: a barrier whose mask turned out to be partial, the order that
    // an atomic access asks for.
    list.extend(
        executed
            .into_iter()
            .map(|(position, bits)| NotModelledEntry {
                file: position.file.unwrap_or_default(),
                line: position.line.unwrap_or_default(),
                construct: match position.text.unwrap_or_default() {
                    text if bits & PARTIAL_WARP_BARRIER != 0 => {
                        format!("`{text}` for some lanes of the warp only")
                    }
                    text if bits & MEMORY_FENCE != 0 && !text.contains("fence") => {
                        format!("atomic access to `{text}` that is not relaxed")
                    }
                    text => format!("`{text}`"),
                },
                executed: true,
            }),
    );
    list.sort_by(|a, b| (&a.file, a.line, &a.construct).cmp(&(&b.file, b.line, &b.construct)));
    list.dedup();
    list
}

fn notes(run: &Run<'_>) -> Vec<String> {
    let totals = &run.records.totals;
    let mut notes = Vec::new();
    let mut note = |condition: bool, text: String| {
        if condition {
            notes.push(text);
        }
    };
    let hit = |bit| totals.limits & bit != 0;
    // The kernels of which a limit was reached, each with more about it.
    let kernels_with = |bit, more: &dyn Fn(&Kernel) -> String, before: &str| {
        let kernels = run.records.kernels.iter();
        let named = kernels.filter(|it| it.limits & bit != 0);
        let named: BTreeSet<String> = named
            .map(|it| format!("`{}`{}", it.name, more(it)))
            .collect();
        let named: Vec<String> = named.into_iter().collect();
        match named.is_empty() {
            true => String::new(),
            false => format!("{before}{}", named.join(", ")),
        }
    };
    let after = |bits: u8, what: &str| match bits {
        0 => String::new(),
        _ => format!(" after {} {what} barriers", (1_u64 << bits) - 1),
    };
    note(
        totals.dropped > 0,
        format!(
            "{} occurrences of further races found no room in the records",
            totals.dropped
        ),
    );
    note(
        run.records.halted,
        "the program was stopped at its first finding (`--halt-on-error`); what would have come \
         after it was not checked"
            .to_owned(),
    );
    note(
        run.records.processes > 1,
        format!(
            "{} processes were checked, each for itself; races between them were not looked for",
            run.records.processes
        ),
    );
    note(
        run.records.tables_damaged,
        "some of what the program knows of its source was not readable: it was built by another \
         version of hirace, or the disk is full"
            .to_owned(),
    );
    note(
        hit(limits::HOST_ACCESSES),
        "accesses of the host to device memory were looked for at the beginning of the run only: \
         with this much memory or this many launches it takes too long"
            .to_owned(),
    );
    note(
        hit(limits::GRID),
        format!(
            "a launch{} has more blocks, or more threads in each, than the shadow word can name; \
             it ran unchecked (`[shadow] block-bits`, `thread-bits`, `word-bytes`)",
            kernels_with(limits::GRID, &|_| String::new(), " of ")
        ),
    );
    let from = |bits: u8, what: &str| format!("{what} {} on", 1_u64 << bits);
    note(
        hit(limits::BLOCKS),
        format!(
            "a grid has more blocks than the shadow word can name; accesses to global memory by \
             the others were not checked (`[shadow] block-bits`, `word-bytes`){}",
            kernels_with(
                limits::BLOCKS,
                &|it| from(it.number_bits[0], " from block"),
                ": "
            )
        ),
    );
    note(
        hit(limits::THREADS),
        format!(
            "a block has more threads than the shadow word can name; accesses to global memory by \
             the others were not checked (`[shadow] thread-bits`, `word-bytes`){}",
            kernels_with(
                limits::THREADS,
                &|it| from(it.number_bits[1], " from thread"),
                ": "
            )
        ),
    );
    note(
        hit(limits::BLOCK_CLOCK),
        format!(
            "a thread passed more block barriers than the shadow word can count; what came later \
             was not checked fully (`[shadow] block-clock-bits`){}",
            kernels_with(
                limits::BLOCK_CLOCK,
                &|it| after(it.clock_bits[0], "block"),
                ": in "
            )
        ),
    );
    note(
        hit(limits::WARP_CLOCK),
        format!(
            "a thread passed more warp barriers than the shadow word can count; what came later \
             was not checked fully (`[shadow] warp-clock-bits`){}",
            kernels_with(
                limits::WARP_CLOCK,
                &|it| after(it.clock_bits[1], "warp"),
                ": in "
            )
        ),
    );
    note(
        hit(limits::BYTE_POOL),
        "more memory was accessed byte by byte than there is room to follow; the rest of it was \
         not checked"
            .to_owned(),
    );
    note(
        hit(limits::STREAMS),
        "kernels were launched on several streams and ran one after the other; races between \
         them were not looked for"
            .to_owned(),
    );
    note(
        hit(limits::CHILDREN),
        "kernels that were launched by kernels ran after them, one after the other; races with \
         what their parents did after the launch, and between them, were not looked for"
            .to_owned(),
    );
    note(
        hit(limits::READ_ONLY),
        "a kernel wrote to memory that it seemed only to read, judging by the types of its \
         parameters; races of such writes with reads before them were not looked for \
         (`--check-all` does)"
            .to_owned(),
    );
    note(
        hit(limits::SHADOW_MEMORY),
        "the GPU had no memory for the shadow of all that was accessed; the rest was not checked"
            .to_owned(),
    );
    note(
        hit(limits::SHADOW_CACHED),
        "shadow memory was a cache, for want of memory or by configuration: races may have been \
         missed (`[shadow] memory`)"
            .to_owned(),
    );
    for kernel in run.records.kernels.iter().filter(|it| it.refused) {
        note(
            true,
            format!(
                "a launch of `{}` failed, so that it did not run: its grid, its block or its \
                 dynamic shared memory is too large, or empty",
                kernel.name
            ),
        );
    }
    note(
        totals.outside > 0,
        format!(
            "{} accesses went to memory that hirace does not know, such as registered or \
             pageable memory of the host",
            totals.outside
        ),
    );
    // With no access at all there is a failure that says so.
    let unseen = |kernel: &&Kernel| kernel.unseen && totals.accesses > 0;
    for kernel in run.records.kernels.iter().filter(unseen) {
        note(
            true,
            format!(
                "kernel `{}` ran and none of its accesses was checked: it makes none, or it is \
                 not in the files given, or a macro defines it",
                kernel.name
            ),
        );
    }
    note(
        totals.unmonitored_launches > 0,
        format!(
            "{} ran unchecked, {}",
            count(totals.unmonitored_launches, "kernel launch"),
            if failure::launches_left_out(run) {
                "as the configuration, a comment or an option says"
            } else {
                "as the program has said on standard error"
            }
        ),
    );
    notes
}

/// The relation of accesses by two launches, as in `device/hirace/records/record.h`.
const BETWEEN_LAUNCHES: u8 = 4;

/// A stream by its number in the records.
fn stream(number: u16) -> Stream {
    match number {
        0 => Stream::Default,
        u16::MAX => Stream::Graph,
        made => Stream::Made(made),
    }
}

fn races(run: &Run<'_>) -> Vec<Race> {
    let mut groups: HashMap<_, Vec<&Entry>> = HashMap::new();
    for entry in &run.records.entries {
        if let Some(prior) = entry.prior {
            let (a, b) = (prior.site, entry.current.site);
            // One race for each pair of kernels, whichever of them came first.
            let other = if entry.relation == BETWEEN_LAUNCHES {
                entry.prior_kernel
            } else {
                entry.kernel
            };
            let kernels = [entry.kernel.min(other), entry.kernel.max(other)];
            let between = entry.relation == BETWEEN_LAUNCHES;
            let mut key = (kernels, between, entry.space, a.min(b), a.max(b), [0, 0]);
            // A known site says what the access does; of an unknown one only that is known.
            if a == 0 || b == 0 {
                key.5 = [prior.access, entry.current.access];
            }
            groups.entry(key).or_default().push(entry);
        }
    }
    let mut races: Vec<Race> = groups
        .values()
        .filter_map(|group| race(group, run))
        .collect();
    races.sort_by(|a, b| a.order().cmp(&b.order()));
    races
}

impl Race {
    /// Sorts by the earlier of the two places, then the later one.
    pub(super) fn order(&self) -> impl Ord + '_ {
        let mut places = self.accesses.each_ref().map(|access| {
            let place = &access.position;
            (place.file.is_none(), &place.file, place.line, place.column)
        });
        places.sort();
        (places, &self.kernel, self.space, &self.code)
    }
}

/// The race that all entries of `group` show.
fn race(group: &[&Entry], run: &Run<'_>) -> Option<Race> {
    let (records, tables) = (run.records, run.tables);
    // The widest relation names the remedy: what orders blocks orders warps. Of those
    // entries the one with the most to show, then the first threads, so that the same
    // run makes the same report.
    let shown = group.iter().max_by_key(|entry| {
        let prior = entry.prior?;
        Some((
            entry.not_modelled == 0,
            entry.relation,
            prior.thread.is_some(),
            prior.size != 0,
            std::cmp::Reverse((
                position_key(tables, prior.site),
                prior.thread,
                entry.current.thread,
            )),
        ))
    })?;
    let relation = match shown.relation {
        1 => Relation::Warp,
        2 => Relation::Block,
        BETWEEN_LAUNCHES => Relation::Launch,
        _ => Relation::Grid,
    };
    let space = match shown.space {
        1 => Space::Shared,
        _ => Space::Global,
    };
    let mut prior = access(Role::Prior, shown.prior?, tables);
    let mut current = access(Role::Current, shown.current, tables);
    if prior.size.is_some() && current.size.is_some() {
        prior.begin = shown.prior.map(|end| end.begin.into());
        current.begin = Some(0);
    }
    let kernel = |index: u32| {
        let kernel = records.kernels.get(index as usize);
        kernel.map_or_else(|| "(unknown)".to_owned(), |it| it.name.clone())
    };
    if relation == Relation::Launch {
        let origin = |index, stream| {
            Some(Origin {
                kernel: kernel(index),
                stream,
            })
        };
        let [first, second] = shown.streams.map(stream);
        prior.origin = origin(shown.prior_kernel, first);
        current.origin = origin(shown.kernel, second);
    }
    let Class {
        code,
        title,
        reason,
        help,
    } = classify(Pair {
        relation,
        prior: &prior,
        current: &current,
    });
    let spread = group
        .iter()
        .fold(Spread::default(), |all, entry| all.with(&entry.spread));
    Some(Race {
        // Follows when all of them are known.
        fingerprint: String::new(),
        code: code.into(),
        title: title.into(),
        kernel: kernel(shown.kernel),
        space,
        variable: [&current, &prior]
            .iter()
            .find_map(|access| access.position.variable.clone())
            .unwrap_or_default(),
        relation,
        certainty: certainty(group),
        occurrences: group.iter().map(|entry| entry.count).sum(),
        locations: Number::of(spread.count_places()),
        blocks: Number::of(spread.count_blocks()),
        spread: Some(Box::new(spread)),
        seeds: vec![run.seed],
        accesses: [prior, current],
        launch: Launch::of(shown),
        transition: transition(shown),
        reason,
        help,
    })
}

/// The step at which the machine came to the race. Another one is none of its steps.
fn transition(entry: &Entry) -> Option<String> {
    let transition = Transition::of_index(entry.transition.into())?;
    (Table::EXACT.next(transition) == State::Race).then(|| transition.to_string())
}

fn position_key(tables: &Tables, site: u32) -> (u32, u32) {
    tables
        .site(site)
        .map_or((u32::MAX, 0), |(_, site)| (site.line, site.column))
}

fn access(role: Role, end: End, tables: &Tables) -> Access {
    let updates = tables
        .site(end.site)
        .is_some_and(|(_, site)| site.kind == SiteKind::Update);
    let access = match end.access {
        // Both halves of `x += v` are the one access that stands in the source.
        0 | 1 | 4 if updates => AccessKind::Update,
        0 => AccessKind::Read,
        2 => AccessKind::BlockAtomic,
        3 => AccessKind::DeviceAtomic,
        4 => AccessKind::Update,
        5 => AccessKind::VolatileRead,
        6 => AccessKind::VolatileWrite,
        _ => AccessKind::Write,
    };
    let (block, thread) = end.thread.unzip();
    Access {
        role,
        access,
        position: failure::position(tables, end.site).unwrap_or_default(),
        block,
        thread,
        size: (end.size != 0).then_some(end.size.into()),
        begin: None,
        origin: None,
    }
}

/// Definite where at least once nothing that is not modelled can have come between.
fn certainty(group: &[&Entry]) -> Certainty {
    if group.iter().any(|entry| entry.not_modelled == 0) {
        Certainty::Definite
    } else {
        Certainty::Possible
    }
}
