//! The differences between two reports. Findings are matched by their fingerprints, so moved lines
//! change nothing.

use std::collections::HashMap;

use super::model::{Certainty, Fault, Race, Report, Severity};

/// A comparison of a later report with an earlier one.
#[derive(Clone, Debug)]
pub struct Diff {
    /// The later report, with the findings that the earlier one lacks or counts as less certain.
    pub new: Report,
    /// The later report, with its other findings.
    pub same: Report,
    /// The earlier report, with the findings that the later one lacks.
    pub gone: Report,
}

impl Diff {
    /// Compares `new` with `old`.
    #[must_use]
    pub fn between(old: Report, new: Report) -> Self {
        let before = weights(&old);
        let after = weights(&new);
        let known = |fingerprint: &str, weight| {
            before
                .get(fingerprint)
                .is_some_and(|&earlier| earlier >= weight)
        };
        let (mut fresh, mut same, mut gone) = (new.clone(), new, old);
        fresh.keep(|fingerprint, weight| !known(fingerprint, weight));
        same.keep(known);
        gone.keep(|fingerprint, _| {
            let hidden = same.suppressed.iter();
            let mut hidden = hidden.map(|it| it.fingerprint.as_str());
            !after.contains_key(fingerprint) && !hidden.any(|it| it == fingerprint)
        });
        Self {
            new: fresh,
            same,
            gone,
        }
    }
}

/// The weight of each finding: possible races and warnings count less.
fn weights(report: &Report) -> HashMap<String, bool> {
    let races = report.races.iter().map(|it| (&it.fingerprint, of_race(it)));
    let faults = report.faults.iter();
    let faults = faults.map(|it| (&it.fingerprint, of_fault(it)));
    races
        .chain(faults)
        .map(|(fingerprint, weight)| (fingerprint.clone(), weight))
        .collect()
}

fn of_race(race: &Race) -> bool {
    race.certainty == Certainty::Definite
}

fn of_fault(fault: &Fault) -> bool {
    fault.severity == Severity::Error
}

impl Report {
    fn keep(&mut self, wanted: impl Fn(&str, bool) -> bool) {
        self.races
            .retain(|race| wanted(&race.fingerprint, of_race(race)));
        self.faults
            .retain(|fault| wanted(&fault.fingerprint, of_fault(fault)));
        self.count();
    }

    /// The number of findings.
    #[must_use]
    pub fn findings(&self) -> usize {
        self.races.len() + self.faults.len()
    }
}
