//! One report of several schedules of the same program.

use super::faults;
use super::model::{Access, Certainty, Race, Report, Severity, Status};

/// Merges the reports of schedules, in the order of their seeds. A race that several of them
/// show stands there once, as the schedule that says most about it shows it, with the seeds
/// of all.
///
/// Returns `None` where there is no report.
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

fn add(merged: &mut Report, report: Report) {
    merged.seeds.extend(report.seeds);
    merged.backend = merged.backend.or(report.backend);
    merged.summary.launches += report.summary.launches;
    merged.summary.accesses += report.summary.accesses;
    for race in report.races {
        match merged.races.iter_mut().find(|it| same(it, &race)) {
            Some(known) => combine(known, race),
            None => merged.races.push(race),
        }
    }
    faults::merge(&mut merged.faults, report.faults);
    merged.failure = merged.failure.take().or(report.failure);
    // A program of several processes may have run others this time.
    if merged.coverage.counts.monitored == 0 {
        merged.coverage = report.coverage;
    }
    union(&mut merged.suppressed, report.suppressed);
    union(&mut merged.not_monitored, report.not_monitored);
    union(&mut merged.switched_off, report.switched_off);
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

fn union<T: PartialEq>(list: &mut Vec<T>, more: Vec<T>) {
    for entry in more {
        if !list.contains(&entry) {
            list.push(entry);
        }
    }
}

/// Whether two schedules show the same race: the same two places, in either order.
fn same(a: &Race, b: &Race) -> bool {
    (&a.kernel, a.space) == (&b.kernel, b.space) && places(a) == places(b)
}

fn places(race: &Race) -> impl Ord + '_ {
    let mut both = race.accesses.each_ref().map(place);
    both.sort();
    both
}

/// Where an access stands, or what is known of one of which that is not.
fn place(access: &Access) -> impl Ord + '_ {
    let position = &access.position;
    let kind = position.file.is_none().then_some(access.access);
    (
        &position.file,
        position.line,
        position.column,
        &position.text,
        kind,
    )
}

/// Adds what another schedule shows of a race.
fn combine(known: &mut Race, other: Race) {
    let says = |race: &Race| {
        let threads = race.accesses.iter().filter(|it| it.thread.is_some());
        (
            race.certainty == Certainty::Definite,
            race.relation,
            threads.count(),
        )
    };
    let occurrences = known.occurrences + other.occurrences;
    let mut seeds = std::mem::take(&mut known.seeds);
    if says(&other) > says(known) {
        // The seed to run again is the one that shows just this.
        seeds.splice(0..0, other.seeds.iter().copied());
        *known = other;
    } else {
        seeds.extend(&other.seeds);
    }
    known.occurrences = occurrences;
    known.seeds = seeds;
}

impl Report {
    /// Tells the findings apart, and counts them.
    pub(super) fn finish(&mut self) {
        self.identify();
        self.count();
    }

    /// Counts the findings, and says what they come to.
    pub(super) fn count(&mut self) {
        let possible = self
            .races
            .iter()
            .filter(|race| race.certainty == Certainty::Possible)
            .count();
        let errors = (self.faults.iter()).filter(|fault| fault.severity == Severity::Error);
        self.summary.faults = errors.count();
        self.summary.races = self.races.len();
        self.summary.possible = possible;
        self.summary.suppressed = self.suppressed.len();
        self.summary.occurrences = self.races.iter().map(|race| race.occurrences).sum();
        self.status = if possible < self.races.len() {
            Status::Races
        } else if self.summary.faults > 0 {
            Status::Faults
        } else if self.failure.is_some() {
            Status::Failed
        } else if possible > 0 {
            Status::Possible
        } else {
            Status::Clean
        };
    }
}
