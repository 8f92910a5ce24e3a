//! An execution as a picture: text, Graphviz, SVG.

mod dot;
mod svg;
mod text;

use crate::cat::{Model, World as _};
use crate::engine::{coherence_of, shown_relation};
use crate::event::{Action, Event};
use crate::litmus::ast::{Order, Proxy, Scope, Test};
use crate::relation::Relation;
use crate::world::{Candidate, index};

pub use dot::dot;
pub use svg::svg;
pub use text::text;

/// An edge between two events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The first event.
    pub from: usize,
    /// The second event.
    pub to: usize,
    /// Such as `rf`.
    pub name: &'static str,
}

/// The edges that explain an execution: what is read, in which order writes and fences are, and
/// what synchronises. Edges that follow from others are left out.
#[must_use]
pub fn edges(model: &Model, candidate: &Candidate) -> Vec<Edge> {
    let coherence = coherence_of(model, candidate);
    let rf = candidate.relation(index::RF).clone();
    let mut from_read = rf.inverse().compose(&coherence);
    for event in 0..candidate.events.len() {
        from_read.remove(event, event);
    }
    let mut edges = Vec::new();
    let mut add = |name: &'static str, relation: &Relation| {
        edges.extend(relation.pairs().map(|(from, to)| Edge { from, to, name }));
    };
    add("rf", &rf);
    add("co", &direct(&coherence));
    add("fr", &direct_from(&from_read, &coherence));
    if let Some(sync) = shown_relation(model, candidate, "sync") {
        add("sync", &sync);
    }
    edges
}

/// The pairs of an order that do not follow from others.
fn direct(order: &Relation) -> Relation {
    order.difference(&order.compose(order))
}

/// The first of the writes that come after each read's.
fn direct_from(from_read: &Relation, coherence: &Relation) -> Relation {
    from_read.difference(&from_read.compose(coherence))
}

/// An event as an instruction would be written, with the value.
#[must_use]
pub fn describe(test: &Test, event: &Event) -> String {
    match &event.action {
        Action::Read(access, value) => {
            let name = &test.locations[access.location].name;
            format!(
                "R{} {name} = {value}",
                suffix(access.order, access.scope, access.proxy)
            )
        }
        Action::Write(access, value) => {
            let name = &test.locations[access.location].name;
            match event.thread {
                None => format!("initially {name} = {value}"),
                Some(_) => format!(
                    "W{} {name} = {value}",
                    suffix(access.order, access.scope, access.proxy)
                ),
            }
        }
        Action::Fence { sc: true, scope } => format!("fence.sc.{}", scope.name()),
        Action::Fence { sc: false, scope } => format!("fence.acq_rel.{}", scope.name()),
        Action::ProxyFence(None) => "fence.proxy.alias".to_owned(),
        Action::ProxyFence(Some(proxy)) => format!("fence.proxy.{}", proxy.name()),
        Action::Barrier {
            kind,
            number,
            reduction,
            ..
        } => {
            let result = reduction.map_or_else(String::new, |it| format!(" = {}", it.result));
            format!("bar.cta.{} {number}{result}", kind.name())
        }
    }
}

fn suffix(order: Order, scope: Option<Scope>, proxy: Proxy) -> String {
    let scope = match (order, scope) {
        (Order::Volatile, _) | (_, None) => String::new(),
        (_, Some(scope)) => format!(".{}", scope.name()),
    };
    let proxy = match proxy {
        Proxy::Generic => String::new(),
        other => format!(" ({})", other.name()),
    };
    format!(".{}{scope}{proxy}", order.name())
}

/// What is drawn of an execution.
struct Drawing {
    /// The initial writes that are read.
    initial: Vec<usize>,
    /// The events of each thread in program order.
    threads: Vec<Vec<usize>>,
    /// The edges between these events.
    edges: Vec<Edge>,
}

impl Drawing {
    fn of(test: &Test, model: &Model, candidate: &Candidate) -> Self {
        let mut edges = edges(model, candidate);
        let events_of = |thread: Option<usize>| -> Vec<usize> {
            let all = candidate.events.iter().enumerate();
            let own = all.filter(|(_, it)| it.thread == thread);
            own.map(|(number, _)| number).collect()
        };
        let mut initial = events_of(None);
        initial.retain(|event| edges.iter().any(|it| it.from == *event && it.name == "rf"));
        let is_drawn =
            |event: usize| candidate.events[event].thread.is_some() || initial.contains(&event);
        edges.retain(|it| is_drawn(it.from) && is_drawn(it.to));
        Self {
            threads: (0..test.threads.len())
                .map(|it| events_of(Some(it)))
                .collect(),
            initial,
            edges,
        }
    }
}
