//! Merges several reports into one: of schedules of one program, or of any runs.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher, Hash};

use super::model::{Access, Certainty, Input, Number, Race, Relation, Report};
use super::{faults, phrases};
use hirace_model::Coverage;

/// Merges the reports of schedules, in the order of their seeds. A race in several of them is
/// listed once, from the schedule with the most information, with the seeds of all.
///
/// Returns `None` if there is no report.
#[must_use]
pub fn merge(reports: impl IntoIterator<Item = Report>) -> Option<Report> {
    let mut reports = reports.into_iter();
    let mut merged = reports.next()?;
    for report in reports {
        add(&mut merged, report);
    }
    merged.races.sort_by(|a, b| a.order().cmp(&b.order()));
    merged.finish();
    Some(merged)
}

/// Counts the races that reports have together, as [`merge`] would list them.
#[derive(Debug, Default)]
pub struct Count(HashSet<u64>);

impl Count {
    /// Adds the races of a report, and returns the number of all.
    pub fn add(&mut self, report: &Report) -> usize {
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        self.0
            .extend(report.races.iter().map(|race| hasher.hash_one(key(race))));
        self.0.len()
    }
}

/// Merges the reports of runs of one program or of several. Seeds, which are hardly comparable
/// across programs, are listed once each.
///
/// Returns `None` if there is no report.
#[must_use]
pub fn merge_runs(mut reports: Vec<Report>) -> Option<Report> {
    if reports.len() < 2 {
        return reports.pop();
    }
    let directories: BTreeSet<_> = reports.iter().map(|it| &it.working_directory).collect();
    let one_directory = directories.len() == 1;
    let mut notes = Vec::new();
    reports.iter_mut().for_each(name_program);
    let failed = reports.iter().filter(|it| it.failure.is_some()).skip(1);
    notes.extend(failed.filter_map(|report| {
        let beside = phrases::ended_beside_findings(report);
        beside.or_else(|| report.failure.as_ref().map(phrases::failure))
    }));
    // Equal counts are assumed to be from the same program.
    let mut counts = Vec::new();
    union(
        &mut counts,
        reports.iter().map(|it| it.coverage.counts).collect(),
    );
    if counts.len() > 1 {
        notes.push(
            "the coverage is that of several programs together; files that they share count more \
             than once"
                .to_owned(),
        );
    }
    let mut merged = merge(reports)?;
    merged.coverage = counts
        .into_iter()
        .fold(Coverage::default(), |all, one| all + one)
        .into();
    union(&mut merged.notes, notes);
    let races = merged.races.iter_mut().map(|it| &mut it.seeds);
    let faults = merged.faults.iter_mut().map(|it| &mut it.seeds);
    for seeds in races.chain(faults).chain([&mut merged.seeds]) {
        let mut seen = BTreeSet::new();
        seeds.retain(|seed| seen.insert(*seed));
    }
    if !one_directory {
        merged.working_directory = None;
    }
    merged.identify();
    Some(merged)
}

/// Says in a report's failure whose it is, as far as the files with findings show.
fn name_program(report: &mut Report) {
    let Some(failure) = &mut report.failure else {
        return;
    };
    let main = report.sources.iter().map(|it| it.file.as_str());
    let is_header = |it: &&str| it.ends_with('h') || it.ends_with("hpp");
    if let Some(file) = main
        .clone()
        .find(|it| !is_header(it))
        .or(main.clone().next())
    {
        let named = format!("the program of {file}");
        failure.message = failure.message.replacen("the program", &named, 1);
    }
}

fn add(merged: &mut Report, report: Report) {
    merged.seeds.extend(report.seeds);
    merged.backend = merged.backend.or(report.backend);
    if report.input == Input::Cuda {
        merged.input = Input::Cuda;
    }
    if report.repair.is_none() || merged.repair.as_deref() == Some("") {
        merged.repair = report.repair;
    }
    merged.summary.launches += report.summary.launches;
    merged.summary.accesses += report.summary.accesses;
    let known: HashMap<_, _> = (merged.races.iter().enumerate())
        .map(|(index, race)| (key(race), index))
        .collect();
    for race in report.races {
        match known.get(&key(&race)) {
            Some(&index) => combine(&mut merged.races[index], race),
            None => merged.races.push(race),
        }
    }
    faults::merge(&mut merged.faults, report.faults);
    merged.failure = merged.failure.take().or(report.failure);
    // A program with several processes may have run other ones this time.
    if merged.coverage.counts.monitored == 0 {
        merged.coverage = report.coverage;
    }
    for kernel in report.sampled {
        let known = merged.sampled.iter_mut();
        match known.into_iter().find(|it| it.kernel == kernel.kernel) {
            Some(known) => known.add(&kernel),
            None => merged.sampled.push(kernel),
        }
    }
    union(&mut merged.suppressed, report.suppressed);
    union(&mut merged.not_monitored, report.not_monitored);
    union(&mut merged.switched_off, report.switched_off);
    union(&mut merged.hidden, report.hidden);
    union(&mut merged.warnings, report.warnings);
    union(&mut merged.notes, report.notes);
    union(&mut merged.sources, report.sources);
    merged.sources.sort();
    for construct in report.not_modelled {
        let here = merged.not_modelled.iter_mut().find(|it| {
            (&it.file, it.line, &it.construct)
                == (&construct.file, construct.line, &construct.construct)
        });
        match here {
            Some(known) => known.executed |= construct.executed,
            None => merged.not_modelled.push(construct),
        }
    }
}

/// The races of a run, with those of PTX by the lines that they come from: a compiler makes several instructions of one
/// line, as when it unrolls a loop.
pub(super) fn by_lines(races: Vec<Race>) -> Vec<Race> {
    let mut merged: Vec<Race> = Vec::new();
    let mut known = HashMap::new();
    for race in races {
        let is_of_ptx = race.accesses.iter().any(|it| it.position.is_instruction());
        let index = *known.entry(key(&race)).or_insert(merged.len());
        if is_of_ptx && index < merged.len() {
            combine(&mut merged[index], race);
            merged[index].seeds.dedup();
        } else {
            merged.push(race);
        }
    }
    merged.sort_by(|a, b| a.order().cmp(&b.order()));
    merged
}

fn union<T: PartialEq>(list: &mut Vec<T>, more: Vec<T>) {
    for entry in more {
        if !list.contains(&entry) {
            list.push(entry);
        }
    }
}

/// The key of a race across runs: the same variable at the same two places, in either order.
fn key(race: &Race) -> impl Eq + Hash + use<> {
    let mut places = race.accesses.each_ref().map(place);
    places.sort();
    let between = match race.relation {
        Relation::Launch | Relation::Host => Some(race.relation),
        Relation::Warp | Relation::Block | Relation::Grid => None,
    };
    let variable = race.variable_accessed().map(str::to_owned);
    (race.kernel.clone(), race.space, variable, between, places)
}

/// The place of an access; if it is unknown, the known facts about the access.
fn place(access: &Access) -> impl Ord + Hash + use<> {
    let position = &access.position;
    let is_of_ptx = position.is_instruction();
    let kind = (position.file.is_none() || is_of_ptx).then_some(access.access);
    (
        position.file.clone(),
        position.line,
        position.column,
        position.text.clone().filter(|_| !is_of_ptx),
        kind,
    )
}

/// Adds another schedule's occurrences of a race.
fn combine(known: &mut Race, other: Race) {
    let weight = |race: &Race| {
        let threads = race.accesses.iter().filter(|it| it.thread.is_some());
        (
            race.certainty == Certainty::Definite,
            race.relation,
            threads.count(),
        )
    };
    let occurrences = known.occurrences + other.occurrences;
    let spread = known.spread.take().zip(other.spread.as_deref());
    let spread = spread.map(|(a, b)| Box::new(a.with(b)));
    let (locations, blocks) = match &spread {
        Some(spread) => (
            Number::of(spread.count_places()),
            Number::of(spread.count_blocks()),
        ),
        None => (
            known.locations.zip(other.locations).map(|(a, b)| a.with(b)),
            known.blocks.zip(other.blocks).map(|(a, b)| a.with(b)),
        ),
    };
    let mut seeds = std::mem::take(&mut known.seeds);
    let mut elsewhere = std::mem::take(&mut known.elsewhere);
    elsewhere.extend(other.elsewhere.clone());
    elsewhere.extend([known.sighting(), other.sighting()]);
    let process = if weight(&other) > weight(known) {
        // The seed to run again is that of the race that is shown.
        seeds.splice(0..0, other.seeds.iter().copied());
        std::mem::replace(known, other).process
    } else {
        seeds.extend(&other.seeds);
        other.process
    };
    if let (Some(known), Some(other)) = (&mut known.process, process) {
        known.add(other);
    }
    known.occurrences = occurrences;
    let mut places = HashSet::from([(known.sighting().key(), known.sighting().calls)]);
    elsewhere.retain(|it| places.insert((it.key(), it.calls.clone())));
    known.elsewhere = elsewhere;
    known.locations = locations;
    known.blocks = blocks;
    known.spread = spread;
    known.seeds = seeds;
}
