//! The differences between two reports. Findings are matched by their fingerprints, so moved lines
//! change nothing.

use std::collections::HashMap;

use super::finding::Finding;
use super::model::{Report, Severity};

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
        let known = |finding: &Finding<'_>| {
            before
                .get(finding.fingerprint)
                .is_some_and(|&was_error| was_error >= is_error(finding))
        };
        let (mut fresh, mut same, mut gone) = (new.clone(), new, old);
        fresh.retain(|it| !known(it));
        same.retain(known);
        gone.retain(|finding| {
            let mut suppressed = same.suppressed.iter();
            !after.contains_key(finding.fingerprint)
                && !suppressed.any(|it| it.fingerprint == finding.fingerprint)
        });
        Self {
            new: fresh,
            same,
            gone,
        }
    }
}

/// Whether each finding is an error: possible races and warnings count less.
fn weights(report: &Report) -> HashMap<String, bool> {
    Finding::all(report)
        .map(|it| (it.fingerprint.to_owned(), is_error(&it)))
        .collect()
}

fn is_error(finding: &Finding<'_>) -> bool {
    finding.severity == Severity::Error
}

impl Report {
    /// The number of findings.
    #[must_use]
    pub fn findings(&self) -> usize {
        self.races.len() + self.faults.len()
    }
}
