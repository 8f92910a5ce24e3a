//! An execution for Graphviz.

use std::fmt::Write as _;

use super::{columns, describe, drawn, edges};
use crate::cat::Model;
use crate::litmus::ast::Test;
use crate::world::Candidate;

/// A digraph with a cluster for each thread.
#[must_use]
pub fn dot(test: &Test, model: &Model, candidate: &Candidate) -> String {
    let edges = edges(model, candidate);
    let (initial, threads) = columns(test, candidate, &edges);
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
    for edge in drawn(&edges, &initial, candidate) {
        let _ = writeln!(
            text,
            "  e{} -> e{} [label=\"{}\", color=\"{}\", fontcolor=\"{}\", constraint=false];",
            edge.from,
            edge.to,
            edge.name,
            super::svg::colour(edge.name),
            super::svg::colour(edge.name),
        );
    }
    text + "}\n"
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
