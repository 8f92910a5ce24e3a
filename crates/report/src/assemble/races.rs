//! Builds races from the records: entries for the same two sites are one race.

use std::collections::HashMap;

use hirace_fsm::{State, Table, Transition};

use super::calls::{self, kernel_name};
use super::elsewhere;
use super::origins::{place_in_streams, seen_by_host};
use crate::classify::{Class, classify};
use crate::element::element;
use crate::model::{
    Access, AccessKind, Actor, Certainty, Number, Position, Race, Relation, Role, Space,
};
use crate::pair::Pair;
use crate::reason_and_help::overlap_of_parts;
use crate::records::{End, Entry, Line, Records, Spread};
use crate::run::{Run, launch, position, processes};
use hirace_model::SiteKind;
use hirace_model::table::Tables;
use hirace_model::wire::numbers::{RaceCause, RaceFacts};

/// What the entries of one race have in common.
#[derive(PartialEq, Eq, Hash)]
struct Identity {
    /// One race for each pair of kernels, whichever came first.
    kernels: [u32; 2],
    /// Of a race between launches or with the host.
    between: Option<Relation>,
    space: Option<Space>,
    /// A function may access several variables.
    variable: u64,
    sites: [u32; 2],
    /// Of a race with the host: where its access is.
    line: Option<Line>,
    /// A known site determines the access; for an unknown site only the kind of access is known.
    accesses: Option<[Option<AccessKind>; 2]>,
}

impl Identity {
    /// The key of a race; none if the entry is not a race.
    fn of(entry: &Entry, records: &Records) -> Option<Self> {
        let prior = entry.prior?;
        let sorted = |a: u32, b: u32| [a.min(b), a.max(b)];
        let between = entry.relation.filter(|&it| it >= Relation::Launch);
        let prior_kernel = match between {
            Some(_) => entry.prior_kernel,
            None => entry.kernel,
        };
        let is_known = prior.site != 0 && entry.current.site != 0;
        Some(Self {
            kernels: sorted(entry.kernel, prior_kernel),
            between,
            space: entry.space,
            variable: entry.whereabouts.variable,
            sites: sorted(prior.site, entry.current.site),
            line: records.line(entry, entry.host_code).cloned(),
            accesses: (!is_known).then_some([prior.access, entry.current.access]),
        })
    }
}

/// The recorded races, by position.
pub(super) fn find(run: &Run<'_>) -> Vec<Race> {
    let mut groups: HashMap<Identity, Vec<&Entry>> = HashMap::new();
    for entry in &run.records.entries {
        let sites = [entry.prior.map_or(0, |it| it.site), entry.current.site];
        let is_unwanted = sites.iter().any(|it| run.tables.is_order_only(*it));
        if is_unwanted || by_executor(entry, run.records) {
            continue;
        }
        if let Some(identity) = Identity::of(entry, run.records) {
            groups.entry(identity).or_default().push(entry);
        }
    }
    let mut races: Vec<Race> = groups
        .values()
        .filter_map(|group| race(group, run))
        .collect();
    races.sort_by(|a, b| a.order().cmp(&b.order()));
    races
}

/// Why synchronisation did not order the two. No flag that is read after a statement was to protect it from
/// other threads: the statement alone is the cause.
fn cause(entry: &Entry, access: &Position, run: &Run<'_>) -> RaceCause {
    let is_read_later = || {
        let [_, flag] = entry.flag.map(|site| position(run.tables, site));
        let kernel = kernel_name(run.records, entry.kernel);
        flag.is_some_and(|it| calls::comes_after(it, access, &kernel, run.tables))
    };
    let is_same_statement = entry.prior.map(|it| it.site) == Some(entry.current.site);
    match entry.cause {
        RaceCause::OutsideAcquire | RaceCause::NotReleased
            if is_same_statement && is_read_later() =>
        {
            RaceCause::None
        }
        cause => cause,
    }
}

/// Whether an access of the host is the executor's own, which stands for one of the device.
fn by_executor(entry: &Entry, records: &Records) -> bool {
    let line = records.line(entry, entry.host_code);
    line.is_some_and(|line| line.in_executor)
}

/// The name that the first access with a name has for the memory.
fn variable(accesses: [&Access; 2]) -> String {
    let names = accesses.map(|it| it.position.variable.clone());
    let mut known = names.into_iter().flatten().filter(|it| !it.is_empty());
    known.next().unwrap_or_default()
}

/// The race that all entries of `group` describe.
fn race(group: &[&Entry], run: &Run<'_>) -> Option<Race> {
    let (records, tables) = (run.records, run.tables);
    let entry = representative(group, tables)?;
    let relation = entry.relation.unwrap_or(Relation::Grid);
    let space = entry.space.unwrap_or(Space::Global);
    let mut prior = access(Role::Prior, entry.prior?, tables);
    let mut current = access(Role::Current, entry.current, tables);
    if prior.size.is_some() && current.size.is_some() {
        prior.begin = entry.prior.map(|end| end.begin.into());
        current.begin = Some(0);
    }
    calls::follow(group, entry, [&mut prior, &mut current], run);
    let mut main_kernel = entry.kernel;
    if relation == Relation::Launch {
        main_kernel = place_in_streams(entry, run, &mut prior, &mut current);
    }
    if relation == Relation::Host {
        current = seen_by_host(entry, run, &mut prior, current);
    }
    let [written, read] = entry.flag.map(|site| position(tables, site));
    let flag = written.zip(read).map(<[Position; 2]>::from);
    let Class {
        code,
        title,
        reason,
        help,
    } = classify(Pair {
        relation,
        space,
        prior: &prior,
        current: &current,
        cause: cause(entry, &current.position, run),
        facts: entry.facts | contradictions(group),
        not_modelled: entry.not_modelled,
        branch: entry
            .prior
            .and_then(|it| tables.branch_between(it.site, entry.current.site)),
        flag: flag.as_ref(),
    });
    let element = element(entry, run);
    let named = tables.variable(entry.whereabouts.variable);
    let is_dynamic = space == Space::Shared && named.is_none_or(|it| it.is_dynamic);
    let overlap = overlap_of_parts(&prior, &current).filter(|_| is_dynamic);
    let help = match overlap {
        Some(overlap) => format!("{overlap}; if they are meant to share memory, {help}"),
        None => help,
    };
    let spread = group
        .iter()
        .fold(Spread::default(), |all, entry| all.with(&entry.spread));
    Some(Race {
        // Set once all races are known.
        fingerprint: String::new(),
        code: code.into(),
        title: title.into(),
        kernel: match prior.actor {
            Actor::Copy => "(copy)".to_owned(),
            Actor::Thread | Actor::Host => kernel_name(records, main_kernel),
        },
        space,
        variable: variable([&current, &prior]),
        relation,
        certainty: certainty(group),
        occurrences: group.iter().map(|entry| entry.count).sum(),
        locations: Number::of(spread.count_places()),
        blocks: Number::of(spread.count_blocks()).filter(|_| relation != Relation::Host),
        spread: Some(Box::new(spread)),
        seeds: vec![run.seed],
        accesses: [prior, current],
        launch: launch(entry, run),
        elsewhere: elsewhere::others(group, entry, run),
        process: processes(group, entry, run),
        element,
        transition: transition(entry),
        flag,
        reason,
        help,
    })
}

/// What one record knows of its values, or of the place of its flag, holds for all occurrences only if no other
/// contradicts it.
fn contradictions(group: &[&Entry]) -> RaceFacts {
    [RaceFacts::OTHER_VALUES, RaceFacts::FLAG_IN_OTHER_WARP]
        .into_iter()
        .filter(|&fact| group.iter().any(|it| it.facts.has(fact)))
        .fold(RaceFacts::default(), |all, fact| all | fact)
}

/// The entry that represents `group`: one with the widest relation, which determines the remedy,
/// because what orders blocks also orders warps; and with the best cause and flag. Of these it is the
/// one with the most information, then the one with the first threads, so that the same run gives
/// the same report.
fn representative<'a>(group: &[&'a Entry], tables: &Tables) -> Option<&'a Entry> {
    group.iter().copied().max_by_key(|entry| {
        let prior = entry.prior?;
        Some((
            is_certain(entry),
            entry.relation,
            weight(entry.cause),
            !entry.facts.has(RaceFacts::FLAG_WRITTEN_BY_THIRD),
            !entry.facts.has(RaceFacts::FLAG_READ_BY_THIRD),
            // A place that waits for a flag says more than one that writes it and reads what was there.
            entry.flag[0] != entry.flag[1],
            prior.thread.is_some(),
            prior.size != 0,
            std::cmp::Reverse((
                position_key(tables, prior.site),
                prior.thread,
                entry.current.thread,
            )),
        ))
    })
}

/// How well a cause explains a race: best if the two threads use a flag themselves, and not one whose write came too
/// early, which may belong to another round.
fn weight(cause: RaceCause) -> u8 {
    match cause {
        RaceCause::None | RaceCause::LockOrder => 0,
        RaceCause::OutsideRelease | RaceCause::OutsideAcquire => 1,
        RaceCause::AfterRelease => 2,
        _ => 3,
    }
}

/// The transition at which the machine entered `RACE`; `None` if the record does not have it.
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
    let kind = tables.site(end.site).map(|(_, site)| site.kind);
    let updates = kind == Some(SiteKind::Update);
    let access = match end.access {
        // Both halves of `x += v` are one access in the source.
        Some(AccessKind::Read | AccessKind::Write) if updates => AccessKind::Update,
        Some(kind) => kind,
        None => AccessKind::Write,
    };
    let (block, thread) = end.thread.unzip();
    Access {
        role,
        access,
        position: position(tables, end.site).unwrap_or_default(),
        block,
        thread,
        size: (end.size != 0).then_some(end.size.into()),
        begin: None,
        origin: None,
        actor: Actor::Thread,
        of_atomic_object: kind == Some(SiteKind::Atomic)
            && matches!(access, AccessKind::VolatileRead | AccessKind::VolatileWrite),
    }
}

/// Definite if at least one entry is certain.
fn certainty(group: &[&Entry]) -> Certainty {
    if group.iter().any(|entry| is_certain(entry)) {
        Certainty::Definite
    } else {
        Certainty::Possible
    }
}

/// Whether the race happened in this run, and no construct that is not modelled may have ordered its
/// accesses.
fn is_certain(entry: &Entry) -> bool {
    entry.not_modelled.is_empty() && entry.cause != RaceCause::LockOrder
}
