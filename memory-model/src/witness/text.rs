//! An execution as text.

use std::fmt::Write as _;

use super::{Drawing, describe};
use crate::cat::Model;
use crate::litmus::ast::Test;
use crate::world::Candidate;

/// The events of each thread with letters, and the edges between them.
#[must_use]
pub fn text(test: &Test, model: &Model, candidate: &Candidate) -> String {
    let Drawing {
        initial,
        threads,
        edges,
    } = Drawing::of(test, model, candidate);
    let order: Vec<usize> = initial
        .iter()
        .chain(threads.iter().flatten())
        .copied()
        .collect();
    let label = |event: usize| {
        let at = order.iter().position(|it| *it == event).unwrap_or(0);
        letters(at)
    };
    let mut text = String::new();
    for event in &initial {
        let line = describe(test, &candidate.events[*event]);
        let _ = writeln!(text, "  {}: {line}", label(*event));
    }
    for (thread, events) in test.threads.iter().zip(&threads) {
        let _ = writeln!(text, "  {} ({})", thread.name, thread.placement);
        for event in events {
            let line = describe(test, &candidate.events[*event]);
            let _ = writeln!(text, "    {}: {line}", label(*event));
        }
    }
    for name in ["rf", "co", "fr", "sync"] {
        let pairs: Vec<String> = edges
            .iter()
            .filter(|it| it.name == name)
            .map(|it| format!("{} → {}", label(it.from), label(it.to)))
            .collect();
        if !pairs.is_empty() {
            let _ = writeln!(text, "  {name}: {}", pairs.join(", "));
        }
    }
    text
}

/// `a` to `z`, then `aa` and so on.
fn letters(number: usize) -> String {
    let letter = |it: usize| char::from(b'a' + u8::try_from(it % 26).unwrap_or(0));
    match number / 26 {
        0 => letter(number).to_string(),
        more => format!("{}{}", letter(more - 1), letter(number)),
    }
}
