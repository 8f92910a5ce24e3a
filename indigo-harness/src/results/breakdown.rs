//! Found and missed by what programs are made of.

use std::collections::BTreeMap;

use super::judge::{Counts, units};
use super::table::{Cell, Table, words};
use super::{tally, tools};
use crate::store::{ProgramKey, Results};
use crate::suite::Label;

/// What programs are told apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trait {
    /// The suite.
    Suite,
    /// The code pattern.
    Pattern,
    /// A planted bug; a program with two counts for either.
    Bug,
    /// What was chosen besides bugs; a program with two counts for either.
    Choice,
}

impl Trait {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Suite, Self::Pattern, Self::Bug, Self::Choice];

    /// For people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Suite => "suite",
            Self::Pattern => "pattern",
            Self::Bug => "bug",
            Self::Choice => "option",
        }
    }

    /// Base name of its table.
    fn file(self) -> &'static str {
        match self {
            Self::Suite => "by-suite",
            Self::Pattern => "by-pattern",
            Self::Bug => "by-bug",
            Self::Choice => "by-option",
        }
    }

    /// What a program has of it.
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

/// What tools found among the programs that have a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The value.
    pub value: String,
    /// Name of the tool.
    pub tool: String,
    /// In programs × graphs; a race in any shape is a race.
    pub counts: Counts,
}

/// The rows by value, each with its tools in order. Only programs with a label of `labels` count.
#[must_use]
pub fn rows(results: &Results, by: Trait, labels: &[Label]) -> Vec<Row> {
    let mut counts: BTreeMap<&str, Vec<(&str, Counts)>> = BTreeMap::new();
    for tool in tools::of(results) {
        let runs = tools::runs(results, tool);
        for ((program, _), said) in units(runs, |run| (run.program, run.graph)) {
            let program = &results.programs[program];
            if !labels.contains(&program.label) {
                continue;
            }
            for value in by.values(program) {
                let tools = counts.entry(value).or_default();
                // Tools come one after the other.
                if tools.last().is_none_or(|(last, _)| *last != tool) {
                    tools.push((tool, Counts::default()));
                }
                let (_, counts) = tools.last_mut().expect("there is this one at least");
                counts.add(program.label, said);
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

/// The rows as a table; `None` where all programs are the same in this.
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
