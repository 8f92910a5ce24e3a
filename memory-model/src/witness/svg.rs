//! An execution as SVG: a column for each thread, time downwards.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{columns, describe, drawn, edges};
use crate::cat::Model;
use crate::litmus::ast::Test;
use crate::world::Candidate;

const COLUMN: usize = 260;
const ROW: usize = 46;
const TOP: usize = 70;
const LEFT: usize = 130;

/// The colour of a relation's edges.
pub(super) fn colour(name: &str) -> &'static str {
    match name {
        "rf" => "#c0392b",
        "co" => "#2a6fb0",
        "fr" => "#b9770e",
        _ => "#1e8449",
    }
}

/// A picture that needs no other file.
#[must_use]
pub fn svg(test: &Test, model: &Model, candidate: &Candidate) -> String {
    let edges = edges(model, candidate);
    let (initial, threads) = columns(test, candidate, &edges);
    let mut place = BTreeMap::new();
    for (number, event) in initial.iter().enumerate() {
        place.insert(*event, (LEFT + number * COLUMN, TOP));
    }
    let start = TOP + if initial.is_empty() { 0 } else { ROW * 2 };
    for (column, events) in threads.iter().enumerate() {
        for (row, event) in events.iter().enumerate() {
            place.insert(*event, (LEFT + column * COLUMN, start + row * ROW + ROW));
        }
    }
    let rows = threads.iter().map(Vec::len).max().unwrap_or(0);
    let width = 2 * LEFT + COLUMN * threads.len().max(initial.len()).saturating_sub(1);
    let height = start + ROW * (rows + 1);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"12\">\n\
         <title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{}\" y=\"24\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>\n",
        escaped(&test.name),
        width / 2,
        escaped(&test.question.text),
    );
    text += &markers();
    for (column, thread) in test.threads.iter().enumerate() {
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555555\">{} (block {}, GPU {})</text>",
            LEFT + column * COLUMN,
            start,
            escaped(&thread.name),
            thread.placement.cta,
            thread.placement.gpu
        );
    }
    for events in &threads {
        for pair in events.windows(2) {
            let ((x, from), (_, to)) = (place[&pair[0]], place[&pair[1]]);
            let _ = writeln!(
                text,
                "<path d=\"M{x} {} L{x} {}\" stroke=\"#999999\" marker-end=\"url(#po)\"/>",
                from + 6,
                to - 14
            );
        }
    }
    for edge in drawn(&edges, &initial, candidate) {
        let ((x, y), (to_x, to_y)) = (place[&edge.from], place[&edge.to]);
        // Edges within a column swing out to the right; others bend a little.
        let (middle_x, middle_y) = match x == to_x {
            true => (x + COLUMN / 2, usize::midpoint(y, to_y)),
            false => (
                usize::midpoint(x, to_x),
                usize::midpoint(y, to_y).saturating_sub(16),
            ),
        };
        let colour = colour(edge.name);
        let _ = writeln!(
            text,
            "<path d=\"M{x} {y} Q{middle_x} {middle_y} {to_x} {to_y}\" fill=\"none\" \
             stroke=\"{colour}\" marker-end=\"url(#{0})\"/>\n<text x=\"{middle_x}\" y=\"{middle_y}\" \
             fill=\"{colour}\">{0}</text>",
            edge.name
        );
    }
    for (event, (x, y)) in &place {
        let label = escaped(&describe(test, &candidate.events[*event]));
        let _ = writeln!(
            text,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" stroke=\"white\" stroke-width=\"4\" \
             paint-order=\"stroke\">{label}</text>"
        );
    }
    text + "</svg>\n"
}

/// The heads of the arrows.
fn markers() -> String {
    let mut text = String::new();
    for name in ["po", "rf", "co", "fr", "sync"] {
        let colour = if name == "po" {
            "#999999"
        } else {
            colour(name)
        };
        let _ = writeln!(
            text,
            "<marker id=\"{name}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" \
             markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"{colour}\"/></marker>"
        );
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
