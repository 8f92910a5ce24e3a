//! Advice on the next step: the lines below the findings.

use crate::ATOMIC_UPDATE;
use crate::finding::{Finding, races_by_weight};
use crate::model::{Certainty, Input, Race, Report};

/// How to read more, and how to look for a repair.
pub(super) fn lines(report: &Report) -> Vec<String> {
    let races = races_by_weight(report);
    let first = races.first().map(|race| race.code.as_ref());
    let first = first.or_else(|| Some(Finding::all(report).next()?.code));
    let mut lines = Vec::new();
    if let Some(code) = first {
        lines.push(format!("more about a code: `hirace explain {code}`"));
    }
    // `hirace fix` edits CUDA source, and builds it with its host code.
    if report.input == Input::Cuda && races.iter().any(|race| may_be_repaired(race)) {
        let command = match report.repair.as_deref() {
            None => Some("`hirace fix`, with the same files and arguments".to_owned()),
            Some("") => None,
            Some(command) => Some(format!("`{command}`")),
        };
        lines.extend(command.map(|it| format!("to look for a repair: {it}")));
    }
    lines
}

/// Whether a barrier, an atomic, a wider scope, a fence or a wait may remove the race, so that trying is worthwhile.
/// Other races need another launch or another algorithm.
fn may_be_repaired(race: &Race) -> bool {
    const CODES: [&str; 10] = [
        "HR001", "HR002", "HR004", "HR005", "HR006", "HR009", "HR010", "HR011", "HR012", "HR015",
    ];
    let is_repairable = CODES.contains(&race.code.as_ref())
        || race.has_place_of_grid_barrier()
        || race.help.starts_with(ATOMIC_UPDATE);
    race.certainty == Certainty::Definite && is_repairable
}
