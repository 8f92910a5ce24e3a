//! An execution for Graphviz.

use std::fmt::Write as _;

use super::{Drawing, Edge, describe};
use crate::cat::Model;
use crate::litmus::ast::Test;
use crate::world::Candidate;

/// A digraph with a cluster for each thread.
#[must_use]
pub fn dot(test: &Test, model: &Model, candidate: &Candidate) -> String {
    let Drawing {
        initial,
        threads,
        edges,
    } = Drawing::of(test, model, candidate);
    let mut text = format!("digraph {} {{\n", quoted(&test.name));
    text += "  node [shape=plaintext, fontname=\"monospace\", fontsize=10];\n";
    text += "  edge [fontname=\"monospace\", fontsize=9];\n";
    let node = |text: &mut String, event: usize| {
        let label = quoted(&describe(test, &candidate.events[event]));
        let _ = writeln!(text, "  e{event} [label={label}];");
    };
    for event in &initial {
        node(&mut text, *event);
    }
    for (number, (thread, events)) in test.threads.iter().zip(&threads).enumerate() {
        let label = format!("{}: {}", thread.name, thread.placement);
        let _ = writeln!(
            text,
            "  subgraph cluster{number} {{\n  label={};",
            quoted(&label)
        );
        for event in events {
            node(&mut text, *event);
        }
        for pair in events.windows(2) {
            let _ = writeln!(
                text,
                "  e{} -> e{} [label=\"po\", color=\"gray50\"];",
                pair[0], pair[1]
            );
        }
        text += "  }\n";
    }
    for Edge { from, to, name } in &edges {
        let colour = super::svg::colour(name);
        let _ = writeln!(
            text,
            "  e{from} -> e{to} [label=\"{name}\", color=\"{colour}\", fontcolor=\"{colour}\", constraint=false];"
        );
    }
    text + "}\n"
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
