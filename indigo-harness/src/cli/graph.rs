//! `hirace-indigo graph`.

use std::path::PathBuf;

use clap::Args;
use hirace_graphs::families::FAMILIES;
use hirace_graphs::{Csr, spec};

use super::output::print;
use crate::error::Result;
use crate::graphs;

/// Arguments of `hirace-indigo graph`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct GraphCommand {
    /// A family with its values, or an `.egr` file
    #[arg(
        value_name = "GRAPH",
        required_unless_present = "list",
        conflicts_with = "list"
    )]
    pub graph: Option<String>,

    /// Write the graph to FILE, as ECL's programs read it
    #[arg(long, short, value_name = "FILE", requires = "graph")]
    pub output: Option<PathBuf>,

    /// List the families and their values
    #[arg(long)]
    pub list: bool,
}

const EXAMPLES: &str = "\
Examples:
  hirace-indigo graph rmat:16,seed=7 -o rmat.egr
  hirace-indigo graph grid:4x3x2,undirected -o grid.egr
  hirace-indigo graph all:3#17 -o seventeenth.egr
  hirace-indigo graph grid.egr";

/// Creates or reads a graph, writes it to a file if requested, and describes it.
///
/// # Errors
/// See [`graphs::resolve`] and [`graphs::write`].
pub fn run(command: &GraphCommand) -> Result<()> {
    let Some(graph) = &command.graph else {
        return print(&list());
    };
    let (name, graph) = graphs::resolve(graph)?;
    if let Some(path) = &command.output {
        graphs::write(&graph, path)?;
    }
    print(&describe(&name, &graph))
}

/// The families, and the default graphs of a sweep.
fn list() -> String {
    let mut text = String::new();
    for family in FAMILIES {
        text += &format!("{}\n    {}\n", spec::usage(family), family.about);
        for parameter in family.parameters {
            text += &format!("    {:<7} {}\n", parameter.name, parameter.about);
        }
    }
    text += "\nthe graphs of a sweep that names none:\n";
    for (name, graph) in graphs::standard() {
        text += &format!("    {name}: {}\n", size(&graph));
    }
    text
}

/// A description of a graph.
fn describe(name: &str, graph: &Csr) -> String {
    let degrees = |degrees: Vec<u32>| {
        let (least, most) = (degrees.iter().min(), degrees.iter().max());
        match (least, most) {
            (Some(least), Some(most)) if least < most => format!("{least} to {most}"),
            (Some(all), _) => all.to_string(),
            (None, _) => "none".into(),
        }
    };
    let summary = graph.summary();
    let symmetric = if summary.symmetric { "yes" } else { "no" };
    let mut text = format!(
        "{name}: {}\n  edges out of a vertex: {}\n  edges into a vertex: {}\n  symmetric: {symmetric}\n",
        size(graph),
        degrees(graph.degrees_out()),
        degrees(graph.degrees_in()),
    );
    if graph.weights().is_some() {
        text += "  edges have weights\n";
    }
    for (count, what) in [
        (summary.loops, "edges from a vertex to itself"),
        (summary.repeated, "repeated edges"),
    ] {
        if count > 0 {
            text += &format!("  {what}: {count}\n");
        }
    }
    text
}

fn size(graph: &Csr) -> String {
    let several = |count: u32, one: &str, more: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {more}"),
    };
    format!(
        "{}, {}",
        several(graph.nodes(), "vertex", "vertices"),
        several(graph.edges(), "edge", "edges")
    )
}
