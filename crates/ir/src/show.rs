//! The text of `hirace instrument --show ir`.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::Range;

use hirace_syntax::names::Scope;
use petgraph::visit::EdgeRef;

use crate::function::{AccessKind, BlockId, Edge, Effect, Function, Root};
use crate::intervals;
use crate::synchronisation::Reached;

mod simplify;
use simplify::simplify;

/// The blocks of a function, and what the analyses say of them. `text` is the file's; `reached` are the constructs that
/// the function may reach, if that is known.
pub fn show(function: Function, text: &str, reached: Option<&Reached>) -> String {
    let function = &simplify(function);
    Printer { function, text }.function(reached)
}

struct Printer<'f> {
    function: &'f Function,
    text: &'f str,
}

impl Printer<'_> {
    fn function(&self, reached: Option<&Reached>) -> String {
        let function = self.function;
        let mut out = format!("{}\n", function.name);
        let constructs = reached.into_iter().flat_map(Reached::iter);
        let constructs: Vec<String> = constructs
            .map(|(it, example)| format!("{} (`{example}`)", it.name()))
            .collect();
        if !constructs.is_empty() {
            let _ = writeln!(out, "  may reach {}", constructs.join(", "));
        }
        if let Some(opaque) = &function.opaque {
            let place = self.place(opaque.at);
            let _ = writeln!(out, "  not analysed: {place} {}", opaque.what);
        }
        let stable = intervals::stable_reads(function);
        let effect = |it: &Effect| {
            let is_stable = matches!(it, Effect::Access(number) if stable.contains(*number));
            let note = if is_stable { ", stable" } else { "" };
            format!("    {}{note}\n", self.effect(it))
        };
        for block in function
            .graph
            .node_indices()
            .filter(|it| *it != function.exit)
        {
            let _ = writeln!(out, "  {}:", self.name(block));
            out.extend(function.graph[block].effects.iter().map(effect));
            let _ = writeln!(out, "    {}", self.ways(block));
        }
        if !function.deferred.is_empty() {
            let _ = writeln!(out, "  in lambdas and classes:");
            out.extend(function.deferred.iter().map(effect));
        }
        out
    }

    fn name(&self, block: BlockId) -> String {
        match block == self.function.exit {
            true => "exit".to_owned(),
            false => {
                let before = usize::from(block > self.function.exit);
                format!("b{}", block.index() - before)
            }
        }
    }

    /// The line and the column of a position.
    fn place(&self, at: usize) -> String {
        let before = self.text.get(..at).unwrap_or("");
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|it| *it != '\n').count() + 1;
        format!("{line}:{column}")
    }

    /// The text of a range, on one line.
    fn quoted(&self, range: &Range<usize>) -> String {
        let text = self.text.get(range.clone()).unwrap_or("");
        let words: Vec<&str> = text.split_whitespace().collect();
        format!("`{}`", words.join(" "))
    }

    fn effect(&self, effect: &Effect) -> String {
        let (range, what) = match effect {
            Effect::Access(number) => {
                let access = &self.function.accesses[*number];
                let verb = match access.kind {
                    AccessKind::Read => "read",
                    AccessKind::Write => "write",
                    AccessKind::Update => "update",
                    AccessKind::Atomic => "atomic",
                    AccessKind::Escape => "escape",
                };
                let root = match &access.root {
                    Root::Shared(name) => format!(", shared `{name}`"),
                    Root::Parameter(name) => format!(", parameter `{name}`"),
                    Root::Other(_) => String::new(),
                };
                let text = self.quoted(&access.range);
                return format!("{} {verb} {text}{root}", self.place(access.range.start));
            }
            Effect::Barrier(Scope::Block, range) => (range, "block barrier"),
            Effect::Barrier(_, range) => (range, "warp barrier"),
            Effect::Fence(range) => (range, "fence"),
            Effect::Call(range) => (range, "call"),
            Effect::Unknown(range) => (range, "unknown"),
        };
        format!("{} {what} {}", self.place(range.start), self.quoted(range))
    }

    /// Where control goes from a block.
    fn ways(&self, block: BlockId) -> String {
        // petgraph lists the newest edge first.
        let edges = self.function.graph.edges(block);
        let mut edges: Vec<_> = edges.map(|it| (*it.weight(), it.target())).collect();
        edges.reverse();
        let to = |wanted: Edge| {
            let fitting = edges.iter().filter(|(edge, _)| *edge == wanted);
            let mut names: Vec<String> = fitting.map(|(_, to)| self.name(*to)).collect();
            // Labels of one statement lead to the same block.
            let mut seen = HashSet::new();
            names.retain(|it| seen.insert(it.clone()));
            names.join(", ")
        };
        let decision = self.function.graph[block].decision.as_ref();
        let value = decision.map_or_else(String::new, |it| self.quoted(&it.value));
        let kinds = |wanted: Edge| edges.iter().any(|(edge, _)| *edge == wanted);
        if kinds(Edge::True) && kinds(Edge::False) {
            return format!("if {value} → {} else {}", to(Edge::True), to(Edge::False));
        }
        if kinds(Edge::Case) {
            return format!("switch {value} → {}", to(Edge::Case));
        }
        let names: Vec<String> = edges.iter().map(|(_, to)| self.name(*to)).collect();
        format!("→ {}", names.join(", "))
    }
}
