//! Found and missed by tool and graph.

use std::collections::BTreeMap;

use super::judge::{Counts, Scope, units};
use super::table::{Cell, Column, Table, numbers, words};
use super::tools;
use crate::store::{Results, Verdict};
use crate::suite::Label;

/// The counts of a tool on a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Name of the tool.
    pub tool: String,
    /// Index of the graph; `None` for all graphs together, where a race on one is a race.
    pub graph: Option<usize>,
    /// In programs.
    pub counts: Counts,
}

/// The rows by tool, each with its graphs in the sweep's order, and all graphs together last.
#[must_use]
pub fn rows(results: &Results, scope: Scope) -> Vec<Row> {
    let mut rows = Vec::new();
    for tool in tools::of(results) {
        let runs = || tools::runs(results, tool).filter(|run| scope.holds(run));
        let key = |program: usize| &results.programs[program];
        let mut graphs: BTreeMap<usize, Counts> = BTreeMap::new();
        for ((graph, program), answer) in units(runs(), |run| (run.graph, run.program)) {
            graphs.entry(graph).or_default().add(key(program), answer);
        }
        let mut any = Counts::default();
        for (program, answer) in units(runs(), |run| run.program) {
            any.add(key(program), answer);
        }
        let row = |graph, counts| Row {
            tool: tool.into(),
            graph,
            counts,
        };
        rows.extend(graphs.into_iter().map(|(graph, it)| row(Some(graph), it)));
        rows.push(row(None, any));
    }
    rows
}

/// The columns of [`counts`].
pub(super) const COUNTS: [Column; 8] = [
    numbers("found", "races found"),
    numbers("missed", "missed"),
    numbers("recall", "recall"),
    numbers("false_alarms", "false alarms"),
    numbers("quiet", "rightly clean"),
    numbers("unlabelled_races", "unlabelled: race"),
    numbers("unlabelled_clean", "unlabelled: clean"),
    words("unjudged", "no verdict"),
];

/// The cells of counts.
pub(super) fn counts(counts: &Counts) -> [Cell; 8] {
    [
        Cell::Count(counts.found),
        Cell::Count(counts.missed),
        Cell::share(counts.recall()),
        Cell::Count(counts.false_alarms),
        Cell::Count(counts.quiet),
        Cell::Count(counts.unlabelled_races),
        Cell::Count(counts.unlabelled_clean),
        Cell::Named {
            title: counts.unjudged_text(),
            key: counts.unjudged_total().to_string(),
        },
    ]
}

/// Removes the columns for programs without a label if all have one.
pub(super) fn drop_unlabelled(table: &mut Table, results: &Results) {
    if results.programs.iter().all(|it| it.label != Label::Unknown) {
        table.drop(&["unlabelled_races", "unlabelled_clean"]);
    }
}

/// Table I: by tool and graph.
#[must_use]
pub fn table(results: &Results, scope: Scope) -> Table {
    let columns = [
        &[words("tool", "tool"), words("graph", "graph")][..],
        &COUNTS,
    ]
    .concat();
    let (name, launches) = match (scope, &results.shapes[..]) {
        (Scope::FirstShape, [first, ..]) => {
            ("verdicts-first-shape", format!("the first shape, {first}"))
        }
        (_, [only]) => ("verdicts", format!("the shape {only}")),
        (_, all) => ("verdicts", format!("any of {} shapes", all.len())),
    };
    let caption = format!("Programs by tool and graph, launched with {launches}.");
    let mut table = Table::new(name, caption, &columns);
    for row in rows(results, scope) {
        let graph = row.graph.map(|graph| &results.graphs[graph].name[..]);
        let head = [
            tools::cell(&row.tool),
            Cell::text(graph.unwrap_or("any graph")),
        ];
        table.rows.push([&head[..], &counts(&row.counts)].concat());
    }
    drop_unlabelled(&mut table, results);
    table
}

/// The number of runs by tool and verdict; the other tables combine runs.
#[must_use]
pub fn verdicts(results: &Results) -> Table {
    let columns = [
        words("tool", "tool"),
        words("verdict", "verdict"),
        numbers("runs", "runs"),
    ];
    let mut table = Table::new("runs", "Runs by tool and verdict.", &columns);
    for tool in tools::of(results) {
        let mut verdicts: BTreeMap<Verdict, u64> = BTreeMap::new();
        for run in tools::runs(results, tool) {
            *verdicts.entry(run.verdict).or_default() += 1;
        }
        for (verdict, runs) in verdicts {
            let tool = tools::cell(tool);
            table
                .rows
                .push(vec![tool, Cell::text(verdict.name()), Cell::Count(runs)]);
        }
    }
    table
}
