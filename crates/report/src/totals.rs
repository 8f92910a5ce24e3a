//! A report's totals, and the status that follows from them.

use super::model::{Certainty, Report, Severity, Status};

impl Report {
    /// Identifies the findings and counts them.
    pub(super) fn finish(&mut self) {
        self.identify();
        self.count();
    }

    /// Counts the findings and sets the status.
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
