//! Races and faults in one form, for the formats of other tools.

use std::cmp::Reverse;

use super::model::{
    Allocation, Certainty, Fault, Launch, Position, Process, Race, Report, Severity,
};
use super::phrases;

/// A race or a fault.
#[derive(Clone, Debug)]
pub(super) struct Finding<'a> {
    /// Such as `HR001`.
    pub code: &'a str,
    /// The title of that code.
    pub title: &'a str,
    /// Possible races are warnings.
    pub severity: Severity,
    /// A description in one line.
    pub headline: String,
    /// Its places in the source, as far as they are known.
    pub places: Vec<Place<'a>>,
    /// The index of the main place: where it was found.
    pub main: Option<usize>,
    /// Further remarks, one sentence each.
    pub remarks: Vec<String>,
    /// What to do about it.
    pub help: &'a str,
    /// The kernel that ran.
    pub kernel: Option<&'a str>,
    /// The variable at the root of the access, if it is known.
    pub variable: Option<&'a str>,
    /// The variable that was accessed, perhaps through a parameter.
    pub object: Option<&'a str>,
    /// Block and thread of each access, as far as they are known.
    pub threads: [Option<([u32; 3], [u32; 3])>; 2],
    /// The launch, if it is known.
    pub launch: Option<Launch>,
    /// The process, if there were several.
    pub process: Option<Process>,
    /// See [`super::fingerprint`].
    pub fingerprint: &'a str,
    /// How often it occurred.
    pub occurrences: u64,
    /// Whether it ended the run.
    pub ended: bool,
    /// The race; `None` for a fault.
    pub race: Option<&'a Race>,
    /// What a fault missed, or what was freed.
    pub allocation: Option<&'a Allocation>,
}

/// A place, and what happened there.
#[derive(Clone, Debug)]
pub(super) struct Place<'a> {
    /// Its number among the finding's places, from 1.
    pub number: usize,
    /// Such as `(1) read by thread (0,0,0) of block (0,0,0)`.
    pub label: String,
    /// The position; its file is known.
    pub position: &'a Position,
}

impl<'a> Finding<'a> {
    /// All findings of a report.
    pub fn all(report: &'a Report) -> impl Iterator<Item = Self> {
        let schedules = report.seeds.len();
        let races = report.races.iter();
        let faults = report.faults.iter();
        races
            .map(move |race| Self::of_race(race, schedules))
            .chain(faults.map(move |fault| Self::of_fault(fault, schedules)))
    }

    fn of_race(race: &'a Race, schedules: usize) -> Self {
        let mut places = Vec::new();
        let mut remarks = vec![race.reason.clone()];
        for (number, access) in (1..).zip(&race.accesses) {
            match phrases::unplaced(number, access) {
                Some(remark) => remarks.push(remark),
                None => places.push(Place {
                    number,
                    label: format!("({number}) {}", phrases::access(access)),
                    position: &access.position,
                }),
            }
        }
        remarks.extend(phrases::sightings(race, schedules));
        Self {
            code: &race.code,
            title: &race.title,
            severity: match race.certainty {
                Certainty::Definite => Severity::Error,
                Certainty::Possible => Severity::Warning,
            },
            headline: phrases::race(race),
            main: places.len().checked_sub(1),
            places,
            remarks,
            help: &race.help,
            kernel: Some(&race.kernel),
            variable: Some(race.variable.as_str()).filter(|it| !it.is_empty()),
            object: race.element.as_ref().and_then(|it| it.variable.as_deref()),
            threads: race.accesses.each_ref().map(|it| it.block.zip(it.thread)),
            launch: race.launch.clone(),
            process: race.process.clone(),
            fingerprint: &race.fingerprint,
            occurrences: race.occurrences,
            ended: false,
            race: Some(race),
            allocation: None,
        }
    }

    fn of_fault(fault: &'a Fault, schedules: usize) -> Self {
        let thread = phrases::thread(fault.block, fault.thread);
        let label = thread.map_or_else(|| "here".to_owned(), |it| format!("by {it}"));
        let waiting = format!("{} here", phrases::others(fault));
        let places = [
            (label, Some(&fault.position)),
            (waiting, fault.other.as_ref()),
        ];
        let places: Vec<_> = (1..)
            .zip(places)
            .filter_map(|(number, (label, position))| {
                let position = position.filter(|it| it.file.is_some())?;
                Some(Place {
                    number,
                    label,
                    position,
                })
            })
            .collect();
        Self {
            code: &fault.code,
            title: &fault.title,
            severity: fault.severity,
            headline: phrases::fault(fault),
            main: (!places.is_empty()).then_some(0),
            places,
            remarks: phrases::fault::course(fault, schedules),
            help: &fault.help,
            kernel: fault.kernel.as_deref(),
            variable: fault.position.variable.as_deref(),
            object: fault
                .allocation
                .as_ref()
                .and_then(|it| it.variable.as_deref()),
            threads: [fault.block.zip(fault.thread), None],
            launch: fault.launch.clone(),
            process: fault.process.clone(),
            fingerprint: &fault.fingerprint,
            occurrences: fault.occurrences,
            ended: fault.ended,
            race: None,
            allocation: fault.allocation.as_ref(),
        }
    }

    /// The main place.
    pub fn main_place(&self) -> Option<&Place<'a>> {
        self.places.get(self.main?)
    }

    /// Everything but the headline, as lines.
    pub fn details(&self) -> Vec<String> {
        let places = self.places.iter().map(|place| {
            let at = phrases::place(place.position).unwrap_or_default();
            match &place.position.text {
                Some(text) => format!("{} at {at}: `{text}`", place.label),
                None => format!("{} at {at}", place.label),
            }
        });
        let mut lines: Vec<_> = places.chain(self.remarks.iter().cloned()).collect();
        lines.push(format!("help: {}", self.help));
        lines
    }
}

impl Report {
    /// Keeps the findings that are wanted.
    pub(super) fn retain(&mut self, mut wanted: impl FnMut(&Finding<'_>) -> bool) {
        let schedules = self.seeds.len();
        self.races
            .retain(|race| wanted(&Finding::of_race(race, schedules)));
        self.faults
            .retain(|fault| wanted(&Finding::of_fault(fault, schedules)));
        self.count();
    }
}

/// Races by weight: certain ones first, then by occurrences, then by position.
pub(super) fn races_by_weight(report: &Report) -> Vec<&Race> {
    let mut races: Vec<_> = report.races.iter().collect();
    races.sort_by_key(|race| (race.certainty, Reverse(race.occurrences)));
    races
}
