//! Found and missed by properties of the programs.

use std::collections::BTreeMap;

use super::judge::{Counts, units};
use super::table::{Cell, Table, words};
use super::{tally, tools};
use crate::store::{ProgramKey, Results};
use crate::suite::Label;

/// A property that distinguishes programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trait {
    /// The suite.
    Suite,
    /// The code pattern.
    Pattern,
    /// A planted bug; a program with two bugs counts for both.
    Bug,
    /// An option that is not a bug; a program with two options counts for both.
    Choice,
}

impl Trait {
    /// All properties, in the order of the tables.
    pub const ALL: [Self; 4] = [Self::Suite, Self::Pattern, Self::Bug, Self::Choice];

    /// The title for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Suite => "suite",
            Self::Pattern => "pattern",
            Self::Bug => "bug",
            Self::Choice => "option",
        }
    }

    /// Base name of the property's table.
    fn file(self) -> &'static str {
        match self {
            Self::Suite => "by-suite",
            Self::Pattern => "by-pattern",
            Self::Bug => "by-bug",
            Self::Choice => "by-option",
        }
    }

    /// The values of this property for a program.
    fn values(self, program: &ProgramKey) -> Vec<&str> {
        let list = match self {
            Self::Suite => return vec![&program.suite],
            Self::Pattern => return vec![&program.pattern],
            Self::Bug => &program.bugs,
            Self::Choice => &program.options,
        };
        match list[..] {
            [] => vec!["none"],
            _ => list.iter().map(String::as_str).collect(),
        }
    }
}

/// The counts of a tool for the programs with one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The value.
    pub value: String,
    /// Name of the tool.
    pub tool: String,
    /// In programs × graphs; a race in any shape is a race.
    pub counts: Counts,
}

/// The rows by value, each with its tools in order. Counts only programs with a label of `labels`.
#[must_use]
pub fn rows(results: &Results, by: Trait, labels: &[Label]) -> Vec<Row> {
    let mut counts: BTreeMap<&str, Vec<(&str, Counts)>> = BTreeMap::new();
    for tool in tools::of(results) {
        let runs = tools::runs(results, tool);
        for ((program, _), answer) in units(runs, |run| (run.program, run.graph)) {
            let program = &results.programs[program];
            if !labels.contains(&program.label) {
                continue;
            }
            for value in by.values(program) {
                let tools = counts.entry(value).or_default();
                // Rows of one tool are consecutive.
                if tools.last().is_none_or(|(last, _)| *last != tool) {
                    tools.push((tool, Counts::default()));
                }
                let (_, counts) = tools.last_mut().expect("there is this one at least");
                counts.add(program, answer);
            }
        }
    }
    let rows = counts.into_iter().flat_map(|(value, tools)| {
        tools.into_iter().map(move |(tool, counts)| Row {
            value: value.into(),
            tool: tool.into(),
            counts,
        })
    });
    rows.collect()
}

/// The rows as a table; `None` if all programs have the same value.
#[must_use]
pub fn table(results: &Results, by: Trait) -> Option<Table> {
    let rows = rows(results, by, &Label::ALL);
    if rows.first()?.value == rows.last()?.value {
        return None;
    }
    let head = [words("value", by.title()), words("tool", "tool")];
    let columns = [&head[..], &tally::COUNTS].concat();
    let caption = format!(
        "Programs × graphs by {}; a race in any shape is a race.",
        by.title()
    );
    let mut table = Table::new(by.file(), caption, &columns);
    for row in rows {
        let head = [Cell::text(row.value), tools::cell(&row.tool)];
        table
            .rows
            .push([&head[..], &tally::counts(&row.counts)].concat());
    }
    tally::drop_unlabelled(&mut table, results);
    Some(table)
}
