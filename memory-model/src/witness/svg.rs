//! An execution as SVG: a column for each thread, time downwards.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Drawing, describe};
use crate::cat::Model;
use crate::litmus::ast::Test;
use crate::world::Candidate;

/// The distances of rows and, between boxes, of columns; the space above the first row.
const ROW: i64 = 52;
const GAP: i64 = 120;
const TOP: i64 = 64;

/// Half of the height of a box.
const HALF: i64 = 12;

/// How far an edge within a column swings out.
const SWING: i64 = 44;

/// The width of a letter of 12 pixels in tenths of pixels.
const LETTER: i64 = 73;

/// The colour of a relation's edges.
pub(super) fn colour(name: &str) -> &'static str {
    match name {
        "po" => "#888888",
        "rf" => "#c0392b",
        "co" => "#2a6fb0",
        "fr" => "#b9770e",
        _ => "#1e8449",
    }
}

/// A picture that needs no other file.
#[must_use]
pub fn svg(test: &Test, model: &Model, candidate: &Candidate) -> String {
    let drawing = Drawing::of(test, model, candidate);
    let layout = Layout::of(test, candidate, &drawing);
    let (width, height) = layout.size;
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
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555555\">{} ({})</text>",
            layout.column(column),
            layout.heads,
            escaped(&thread.name),
            thread.placement
        );
    }
    for events in &drawing.threads {
        for pair in events.windows(2) {
            let ((x, from), (_, to)) = (layout.place[&pair[0]], layout.place[&pair[1]]);
            let path = format!("M{x} {} L{x} {}", from + HALF, to - HALF);
            text += &arrow(&path, "po");
        }
    }
    for edge in &drawing.edges {
        text += &layout.edge(edge.from, edge.to, edge.name);
    }
    for (event, label) in &layout.labels {
        let (x, y) = layout.place[event];
        let _ = writeln!(
            text,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"#f6f6f6\" \
             stroke=\"#bbbbbb\"/>\n<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
            x - layout.half,
            y - HALF,
            2 * layout.half,
            2 * HALF,
            y + 4
        );
    }
    text + "</svg>\n"
}

/// Where everything is, in pixels.
struct Layout {
    /// The middle of each event's box.
    place: BTreeMap<usize, (i64, i64)>,
    /// What is in it.
    labels: BTreeMap<usize, String>,
    /// Half of the width of the boxes.
    half: i64,
    /// The line of the threads' names.
    heads: i64,
    size: (i64, i64),
}

impl Layout {
    fn of(test: &Test, candidate: &Candidate, drawing: &Drawing) -> Self {
        let Drawing {
            initial, threads, ..
        } = drawing;
        let events = initial.iter().chain(threads.iter().flatten());
        let described: BTreeMap<usize, String> = events
            .map(|it| (*it, describe(test, &candidate.events[*it])))
            .collect();
        let heads = test.threads.iter().map(|it| it.name.len() + 20);
        let longest = described.values().map(String::len).chain(heads).max();
        let longest = longest.and_then(|it| i64::try_from(it).ok()).unwrap_or(0);
        let mut layout = Self {
            place: BTreeMap::new(),
            labels: described
                .into_iter()
                .map(|(event, label)| (event, escaped(&label)))
                .collect(),
            half: longest * LETTER / 20 + 8,
            heads: TOP + if initial.is_empty() { 0 } else { ROW },
            size: (0, 0),
        };
        let mut columns = 1;
        let mut rows = 0;
        for (column, event) in initial.iter().enumerate() {
            layout.place.insert(*event, (layout.column(column), TOP));
            columns = columns.max(column + 1);
        }
        for (column, events) in threads.iter().enumerate() {
            let mut y = layout.heads;
            for event in events {
                y += ROW;
                layout.place.insert(*event, (layout.column(column), y));
            }
            columns = columns.max(column + 1);
            rows = rows.max(y);
        }
        layout.size = (
            layout.column(columns - 1) + layout.half + SWING + 24,
            rows + ROW,
        );
        layout
    }

    /// The middle of a column.
    fn column(&self, number: usize) -> i64 {
        let number = i64::try_from(number).unwrap_or(0);
        self.half + 24 + number * (2 * self.half + GAP)
    }

    /// A curve from one box to another, with its name beside it.
    fn edge(&self, from: usize, to: usize, name: &str) -> String {
        let ((x, y), (to_x, to_y)) = (self.place[&from], self.place[&to]);
        let (start, end, control) = if x == to_x {
            let side = x + self.half;
            (
                (side, y),
                (side, to_y),
                (side + 2 * SWING, i64::midpoint(y, to_y)),
            )
        } else {
            let (leave, arrive) = match x < to_x {
                true => (x + self.half, to_x - self.half),
                false => (x - self.half, to_x + self.half),
            };
            let middle = (i64::midpoint(leave, arrive), i64::midpoint(y, to_y) - 12);
            ((leave, y), (arrive, to_y), middle)
        };
        // A third of the way: where two curves cross, their names do not.
        let at = |start: i64, control: i64, end: i64| (4 * start + 4 * control + end) / 9;
        let path = format!(
            "M{} {} Q{} {} {} {}",
            start.0, start.1, control.0, control.1, end.0, end.1
        );
        let mut text = arrow(&path, name);
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{}\" fill=\"{}\">{name}</text>",
            at(start.0, control.0, end.0) + 4,
            at(start.1, control.1, end.1) - 4,
            colour(name)
        );
        text
    }
}

fn arrow(path: &str, name: &str) -> String {
    let colour = colour(name);
    format!("<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" marker-end=\"url(#{name})\"/>\n")
}

/// The heads of the arrows.
fn markers() -> String {
    let mut text = "<defs>\n".to_owned();
    for name in ["po", "rf", "co", "fr", "sync"] {
        let _ = writeln!(
            text,
            "<marker id=\"{name}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" \
             markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"{}\"/></marker>",
            colour(name)
        );
    }
    text + "</defs>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
