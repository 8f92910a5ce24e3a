//! Facts about the tools.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::table::Cell;
use crate::store::{Outcome, Results};

/// A tool that a sweep can run.
#[derive(Debug)]
struct Known {
    name: &'static str,
    /// The run without a checker on the same processor.
    reference: Option<&'static str>,
}

/// In the order of the tables.
const KNOWN: [Known; 5] = [
    Known {
        name: "baseline",
        reference: None,
    },
    Known {
        name: "hirace-cpu",
        reference: Some("baseline"),
    },
    Known {
        name: "baseline-gpu",
        reference: None,
    },
    Known {
        name: "hirace-gpu",
        reference: Some("baseline-gpu"),
    },
    Known {
        name: "racecheck",
        reference: Some("baseline-gpu"),
    },
];

fn known(tool: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.name == tool)
}

/// The reference of a tool: the program without a checker on the same processor, or on the CPU for
/// an unknown tool. `None` for the program without a checker.
#[must_use]
pub fn reference(tool: &str) -> Option<&'static str> {
    match known(tool) {
        Some(known) => known.reference,
        None => Some("baseline"),
    }
}

/// Whether the tool is the program itself, which shows a race by a wrong result.
#[must_use]
pub fn is_baseline(tool: &str) -> bool {
    reference(tool).is_none()
}

/// The tool's title for people.
#[must_use]
pub fn title(tool: &str) -> &str {
    match tool {
        "baseline" => "sequential comparison",
        "baseline-gpu" => "sequential comparison (GPU)",
        "hirace-cpu" => "hirace (CPU)",
        "hirace-gpu" => "hirace (GPU)",
        other => other,
    }
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
    let place = |tool| KNOWN.iter().position(|known| known.name == tool);
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
