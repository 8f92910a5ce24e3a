//! Every wrong verdict, with the command that repeats the run.

use std::collections::BTreeMap;

use super::judge::{Answer, is_false_alarm, units};
use super::repeat::Repeater;
use super::table::{Cell, Table, words};
use super::tools;
use crate::store::{Outcome, Results};
use crate::suite::Label;

/// Runs of a program by a tool in a shape that are all wrong in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Name of the tool.
    pub tool: String,
    /// How they are wrong.
    pub kind: Kind,
    /// Index of the program.
    pub program: usize,
    /// Index of the shape.
    pub shape: usize,
    /// Indices of the graphs.
    pub graphs: Vec<usize>,
}

/// How a verdict is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A race was reported, but there is none.
    FalseAlarm,
    /// There is a race, but none was reported in any run of this program by this tool.
    Missed,
    /// There is a race, but none was reported here. The tool found it on another graph or in
    /// another shape: not every input reaches a race.
    FoundElsewhere,
}

impl Kind {
    /// The title for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::FalseAlarm => "false alarm",
            Self::Missed => "missed",
            Self::FoundElsewhere => "missed here, found elsewhere",
        }
    }
}

/// The wrong verdicts of checkers, by tool, kind, program and shape. The sequential comparison is
/// left out: it misses most races, and reports any other cause of a wrong result as a race.
#[must_use]
pub fn list(results: &Results) -> Vec<Wrong> {
    let mut list = Vec::new();
    let mut tools = tools::of(results);
    tools.retain(|tool| !tools::is_baseline(tool));
    for tool in tools {
        let anywhere = units(tools::runs(results, tool), |run| run.program);
        let kind = |run: &Outcome| {
            let answer = Answer::from(run.verdict);
            let program = &results.programs[run.program];
            match (program.label, answer) {
                _ if is_false_alarm(program, answer) => Some(Kind::FalseAlarm),
                (Label::Racy, Answer::Clean) if anywhere[&run.program] == Answer::Race => {
                    Some(Kind::FoundElsewhere)
                }
                (Label::Racy, Answer::Clean) => Some(Kind::Missed),
                _ => None,
            }
        };
        let mut found: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for run in tools::runs(results, tool) {
            if let Some(kind) = kind(run) {
                let graphs = found.entry((kind, run.program, run.shape)).or_default();
                graphs.push(run.graph);
            }
        }
        list.extend(
            found
                .into_iter()
                .map(|((kind, program, shape), graphs)| Wrong {
                    tool: tool.into(),
                    kind,
                    program,
                    shape,
                    graphs,
                }),
        );
    }
    list
}

/// The list as a table.
#[must_use]
pub fn table(results: &Results) -> Table {
    let columns = [
        words("tool", "tool"),
        words("kind", "how"),
        words("program", "program"),
        words("graphs", "graphs"),
        words("shape", "shape"),
        words("command", "repeated by"),
    ];
    let caption =
        "Verdicts of checkers that the label contradicts; the command runs them once more.";
    let mut table = Table::new("wrong", caption, &columns);
    let repeater = Repeater::new(results);
    for wrong in list(results) {
        let program = &results.programs[wrong.program];
        let graphs: Vec<&str> = wrong
            .graphs
            .iter()
            .map(|&graph| &results.graphs[graph].name[..])
            .collect();
        let shape = results.shapes[wrong.shape];
        let command = repeater.command(program, &graphs, shape, &wrong.tool);
        table.rows.push(vec![
            tools::cell(&wrong.tool),
            Cell::text(wrong.kind.title()),
            Cell::text(&program.name),
            Cell::text(graphs.join(", ")),
            Cell::text(shape.to_string()),
            Cell::Code(command),
        ]);
    }
    table
}
