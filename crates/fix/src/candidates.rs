//! Edits that may remove a race.

use std::iter;

use hirace_report::{Certainty, Race, Report};

use super::edit::Edit;
use super::syntax::Sources;
use super::{atomics, barriers, exchange, scopes, synchronisation};

/// A change, as a fragment in Markdown, and its edits.
type Change = (String, Vec<Edit>);

/// A change that may remove a race, and its edits in the current text.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The race's index in the report.
    pub race: usize,
    /// The change, as a fragment in Markdown.
    pub what: String,
    pub edits: Vec<Edit>,
    /// Whether it repairs synchronisation, of which several pieces may be missing.
    pub orders: bool,
}

impl Candidate {
    /// Whether nothing of the user's text is replaced.
    pub fn only_inserts(&self) -> bool {
        self.edits.iter().all(|it| it.range.is_empty())
    }
}

/// Candidates for the definite races of a report, the likeliest first.
pub(super) fn of_report(report: &Report, sources: &Sources<'_>) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = Vec::new();
    for (number, race) in report.races.iter().enumerate() {
        if race.certainty != Certainty::Definite {
            continue;
        }
        let (ordering, others) = of_race(race, sources);
        let ordering = ordering.into_iter().zip(iter::repeat(true));
        let others = others.into_iter().zip(iter::repeat(false));
        for ((what, edits), orders) in ordering.chain(others) {
            if !all.iter().any(|it| it.edits == edits) {
                all.push(Candidate {
                    race: number,
                    what,
                    edits,
                    orders,
                });
            }
        }
    }
    all
}

/// Changes of the synchronisation that the race names, and others.
fn of_race(race: &Race, sources: &Sources<'_>) -> (Vec<Change>, Vec<Change>) {
    let atomics = match race.code.as_ref() {
        // Nothing in the kernel makes the write visible.
        "HR018" => return (Vec::new(), Vec::new()),
        "HR005" => scopes::candidates(race, sources),
        _ => {
            let plain = atomics::candidates(race, sources);
            plain
                .into_iter()
                .chain(exchange::candidates(race, sources))
                .collect()
        }
    };
    let synchronised = synchronisation::candidates(race, sources);
    let barriers = barriers::candidates(race, sources);
    let [a, b] = &race.accesses;
    // Threads that race at one and the same place more often need an atomic than an order.
    let same_place = a.position.range == b.position.range && a.position.file == b.position.file;
    let (first, second) = match race.code.as_ref() {
        "HR001" | "HR002" if !same_place => {
            let waits = synchronisation::waits(race, sources);
            ([barriers, waits].concat(), atomics)
        }
        _ => (atomics, barriers),
    };
    (synchronised, first.into_iter().chain(second).collect())
}
