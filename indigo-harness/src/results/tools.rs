//! Facts about the tools.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::table::Cell;
use crate::store::{Outcome, Results};

/// Name, title, and the run without a checker on the same processor.
type Known = (&'static str, &'static str, Option<&'static str>);

/// The tools that a sweep can run, in the order of the tables.
const KNOWN: [Known; 5] = [
    ("baseline", "sequential comparison", None),
    ("hirace-cpu", "hirace (CPU)", Some("baseline")),
    ("baseline-gpu", "sequential comparison (GPU)", None),
    ("hirace-gpu", "hirace (GPU)", Some("baseline-gpu")),
    ("racecheck", "racecheck", Some("baseline-gpu")),
];

fn known(tool: &str) -> Option<Known> {
    KNOWN.into_iter().find(|(name, ..)| *name == tool)
}

/// The reference of a tool: the program without a checker on the same processor, or on the CPU for
/// an unknown tool. `None` for the program without a checker.
#[must_use]
pub fn reference(tool: &str) -> Option<&'static str> {
    known(tool).map_or(Some("baseline"), |(_, _, reference)| reference)
}

/// Whether the tool is the program itself, which shows a race by a wrong result.
#[must_use]
pub fn is_baseline(tool: &str) -> bool {
    reference(tool).is_none()
}

/// The tool's title for people.
#[must_use]
pub fn title(tool: &str) -> &str {
    known(tool).map_or(tool, |(_, title, _)| title)
}

/// The tool as a table shows it.
#[must_use]
pub fn cell(tool: &str) -> Cell {
    Cell::Named {
        title: title(tool).into(),
        key: tool.into(),
    }
}

/// The order of tools in tables; unknown tools come last, by name.
#[must_use]
pub fn order(a: &str, b: &str) -> Ordering {
    let place = |tool| KNOWN.iter().position(|(name, ..)| *name == tool);
    let place = |tool| place(tool).unwrap_or(KNOWN.len());
    place(a).cmp(&place(b)).then_with(|| a.cmp(b))
}

/// The tools that have runs, in order.
#[must_use]
pub fn of(results: &Results) -> Vec<&str> {
    let names: BTreeSet<&str> = results.runs.iter().map(|run| &run.tool[..]).collect();
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_by(|a, b| order(a, b));
    names
}

/// The runs of a tool.
pub fn runs<'a>(results: &'a Results, tool: &'a str) -> impl Iterator<Item = &'a Outcome> {
    results.runs.iter().filter(move |run| run.tool == tool)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_tools_come_last_and_are_measured_too() {
        let mut tools = ["zz", "racecheck", "aa", "hirace-cpu", "baseline"];
        tools.sort_by(|a, b| order(a, b));
        assert_eq!(tools, ["baseline", "hirace-cpu", "racecheck", "aa", "zz"]);
        assert_eq!(reference("zz"), Some("baseline"));
        assert_eq!(reference("racecheck"), Some("baseline-gpu"));
        assert!(is_baseline("baseline-gpu"));
    }
}
