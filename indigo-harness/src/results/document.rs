//! All tables and plots, in order.

use super::breakdown::{self, Trait};
use super::cost::{self, Measure};
use super::judge::Scope;
use super::plot::Plot;
use super::table::Table;
use super::{completeness, tally, tools, wrong};
use crate::store::Results;
use crate::suite::Label;

/// The content of a report on results.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// What was run, in sentences.
    pub facts: Vec<String>,
    /// What a reader must know before any number.
    pub warnings: Vec<String>,
    /// In reading order.
    pub sections: Vec<Section>,
}

/// Tables and plots under a heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// A description of the tables, in sentences.
    pub text: String,
    /// Plots of the same numbers.
    pub plots: Vec<Plot>,
    /// One or more.
    pub tables: Vec<Table>,
}

const VERDICTS: &str = "A race is found where a tool reports one, and by the sequential comparison \
    where the result differs from that of the program's own sequential code. Runs without a verdict \
    count neither as found nor as missed. An access out of bounds can change any result: what is \
    reported of a program that has one, and no race, is no false alarm, and no verdict.";

const COST: &str = "Each run against that of the same program, graph and shape without a checker on \
    the same processor. Quartiles lie on the line between neighbouring values. Of runs that take less \
    than a millisecond without a checker, the ratio says little: most of it is noise.";

const WRONG: &str = "The label says that a program can race, not that every input makes it. Graphs \
    are joined where one command repeats them all.";

impl Document {
    /// The document on `results`.
    #[must_use]
    pub fn of(results: &Results) -> Self {
        let scopes = Scope::of(results).iter();
        let mut verdicts: Vec<Table> = scopes.map(|&scope| tally::table(results, scope)).collect();
        verdicts.push(tally::verdicts(results));
        let traits = Trait::ALL.into_iter();
        let measures = Measure::ALL.into_iter();
        let sections = [
            ("Found and missed", VERDICTS, Vec::new(), verdicts),
            (
                "By pattern, bug and option",
                "A program with several bugs or options counts for each of them.",
                [Trait::Pattern, Trait::Bug]
                    .into_iter()
                    .filter_map(|by| Plot::found(results, by))
                    .collect(),
                traits
                    .filter_map(|by| breakdown::table(results, by))
                    .collect(),
            ),
            (
                "Slowdown and memory",
                COST,
                Measure::ALL
                    .into_iter()
                    .filter_map(|measure| Plot::cost(results, measure))
                    .collect(),
                measures.filter_map(|it| cost::table(results, it)).collect(),
            ),
            (
                "Wrong verdicts",
                WRONG,
                Vec::new(),
                vec![wrong::table(results)],
            ),
        ];
        Self {
            facts: facts(results),
            warnings: completeness::warnings(results),
            sections: sections
                .into_iter()
                .map(|(title, text, plots, mut tables)| {
                    tables.retain(|table| !table.rows.is_empty());
                    Section {
                        title: title.into(),
                        text: text.into(),
                        plots,
                        tables,
                    }
                })
                .filter(|section| !section.tables.is_empty() || !section.plots.is_empty())
                .collect(),
        }
    }

    /// All plots, in order.
    pub fn plots(&self) -> impl Iterator<Item = &Plot> {
        self.sections.iter().flat_map(|section| &section.plots)
    }

    /// All tables, in order.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.sections.iter().flat_map(|section| &section.tables)
    }
}

/// What was run.
fn facts(results: &Results) -> Vec<String> {
    let labelled = |label| {
        let with = |program: &&crate::store::ProgramKey| program.label == label;
        results.programs.iter().filter(with).count()
    };
    let mut programs = format!(
        "{} programs: {} racy, {} clean",
        results.programs.len(),
        labelled(Label::Racy),
        labelled(Label::Clean)
    );
    match labelled(Label::Unknown) {
        0 => {}
        unknown => programs += &format!(", {unknown} without a label"),
    }
    let mut facts = vec![programs];
    let mut suites: Vec<&str> = results.programs.iter().map(|it| &it.suite[..]).collect();
    suites.dedup();
    let shapes: Vec<String> = results.shapes.iter().map(ToString::to_string).collect();
    let graphs: Vec<String> = results
        .graphs
        .iter()
        .map(|graph| {
            let (name, vertices, edges) = (&graph.name, graph.vertices, graph.edges);
            format!("{name} ({vertices} vertices, {edges} edges)")
        })
        .collect();
    let tools: Vec<&str> = tools::of(results).into_iter().map(tools::title).collect();
    let mut machines: Vec<&str> = results.sessions.iter().map(|it| &it.machine[..]).collect();
    let mut versions: Vec<&str> = results.sessions.iter().map(|it| &it.version[..]).collect();
    for list in [&mut machines, &mut versions] {
        list.sort_unstable();
        list.dedup();
    }
    for (name, values) in [
        ("Suite", suites.join(", ")),
        ("Graphs", graphs.join(", ")),
        ("Shapes (threads × blocks)", shapes.join(", ")),
        ("Tools", tools.join(", ")),
        ("Machine", machines.join("; ")),
        ("hirace", versions.join(", ")),
    ] {
        if !values.is_empty() {
            facts.push(format!("{name}: {values}"));
        }
    }
    facts
}
