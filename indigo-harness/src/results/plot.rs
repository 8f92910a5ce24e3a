//! Plots of results, as SVG.
//!
//! A plot has a row for each value (a pattern, a bug) and tool. Labels are at the left, so that
//! names of any length are readable.

mod bars;
mod boxes;
mod frame;
mod group;

use super::breakdown::{self, Trait};
use super::cost::{self, Measure};
use super::judge::Counts;
use super::spread::Spread;
use super::tools;
use crate::store::Results;
use crate::suite::Label;

use group::Group;

pub use frame::COLOURS;

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Base name of its file; unique in a document.
    pub name: String,
    /// What it shows, and how to read it.
    pub caption: String,
    chart: Chart,
}

#[derive(Clone, Debug, PartialEq)]
enum Chart {
    Boxes(Vec<Group<Costs>>),
    Bars(Vec<Group<Counts>>),
}

/// A row of a box plot.
#[derive(Clone, Debug, PartialEq)]
struct Costs {
    spread: Spread,
    /// How many of the runs are too short to measure.
    short: usize,
}

/// How wide a plot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// For a desk: labels at the left of the rows.
    Wide,
    /// For a telephone: labels above the rows.
    Narrow,
}

impl Plot {
    /// Found races by a property of the programs; `None` if there are no racy programs.
    #[must_use]
    pub fn found(results: &Results, by: Trait) -> Option<Self> {
        let rows = breakdown::rows(results, by, &[Label::Racy]).into_iter();
        let rows = rows.map(|row| (row.value, row.tool, row.counts));
        Self::new(
            format!("found-{}", by.title()),
            format!(
                "Races found, missed and without a verdict, by {}: racy programs × graphs; a race \
                 in any shape is a race.",
                by.title()
            ),
            Chart::Bars(groups(rows)),
        )
    }

    /// The cost of tools by pattern; `None` if it is unknown.
    #[must_use]
    pub fn cost(results: &Results, measure: Measure) -> Option<Self> {
        let mut rows = Vec::new();
        for tool in tools::of(results) {
            let ratios = cost::ratios(results, tool, measure);
            for (pattern, values) in cost::by_pattern(&ratios) {
                let pattern = pattern.unwrap_or(cost::ALL_PATTERNS).to_owned();
                let short = cost::short(&values);
                let costs = cost::spread(&values).map(|spread| Costs { spread, short });
                rows.extend(costs.map(|costs| (pattern, tool.to_owned(), costs)));
            }
        }
        let marked = match rows.iter().any(|(_, _, costs)| costs.short > 0) {
            true => {
                " At the right: how many of the runs take less than a millisecond without a checker; \
                 their ratios are mostly noise."
            }
            false => "",
        };
        Self::new(
            measure.file().to_owned(),
            format!(
                "{}, as a multiple of the run without a checker. The box holds the middle half of \
                 the runs, the line in it is the median, the dot the geometric mean; whiskers reach \
                 the extremes.{marked}",
                measure.title()
            ),
            Chart::Boxes(groups(rows)),
        )
    }

    fn new(name: String, caption: String, chart: Chart) -> Option<Self> {
        let empty = match &chart {
            Chart::Boxes(groups) => groups.is_empty(),
            Chart::Bars(groups) => groups.is_empty(),
        };
        (!empty).then_some(Self {
            name,
            caption,
            chart,
        })
    }

    /// The plot on a white background, as a file of its own.
    #[must_use]
    pub fn svg(&self) -> String {
        self.draw(Width::Wide, true)
    }

    /// The plot without a background, for a page that replaces [`COLOURS`] in dark mode.
    #[must_use]
    pub fn element(&self, width: Width) -> String {
        self.draw(width, false)
    }

    fn draw(&self, width: Width, background: bool) -> String {
        match &self.chart {
            Chart::Boxes(groups) => boxes::draw(groups, width, background),
            Chart::Bars(groups) => bars::draw(groups, width, background),
        }
    }
}

/// Groups rows by value, in order of first appearance.
fn groups<T>(rows: impl IntoIterator<Item = (String, String, T)>) -> Vec<Group<T>> {
    let mut groups: Vec<Group<T>> = Vec::new();
    for (title, tool, value) in rows {
        let row = (tools::title(&tool).to_owned(), value);
        match groups.iter_mut().find(|group| group.title == title) {
            Some(group) => group.rows.push(row),
            None => groups.push(Group {
                title,
                rows: vec![row],
            }),
        }
    }
    groups
}
