//! Orders to choose from.

use crate::cat::World as _;
use crate::litmus::ast::LocationId;
use crate::relation::Relation;
use crate::world::{Candidate, index};

/// Calls `visit` with each order of `items` in which no item comes after one that it must precede.
pub fn extensions(
    items: &[usize],
    precedes: &dyn Fn(usize, usize) -> bool,
    visit: &mut dyn FnMut(&[usize]),
) {
    fn go(
        left: &mut Vec<usize>,
        chosen: &mut Vec<usize>,
        precedes: &dyn Fn(usize, usize) -> bool,
        visit: &mut dyn FnMut(&[usize]),
    ) {
        if left.is_empty() {
            return visit(chosen);
        }
        for at in 0..left.len() {
            let item = left[at];
            if left.iter().any(|it| precedes(*it, item)) {
                continue;
            }
            left.remove(at);
            chosen.push(item);
            go(left, chosen, precedes, visit);
            chosen.pop();
            left.insert(at, item);
        }
    }
    go(&mut items.to_vec(), &mut Vec::new(), precedes, visit);
}

/// How a model orders writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coherence {
    /// All writes to a location.
    Total,
    /// Those that are morally strong to each other (PTX ISA, "Coherence Order").
    MorallyStrong,
}

/// The possible orders of the writes to a location, the initial one first.
pub fn write_orders(
    candidate: &Candidate,
    location: LocationId,
    coherence: Coherence,
) -> Vec<Relation> {
    let count = candidate.events.len();
    let writes: Vec<usize> = candidate.writes_to(location).collect();
    let (initial, others): (Vec<usize>, Vec<usize>) = writes
        .into_iter()
        .partition(|it| candidate.events[*it].thread.is_none());
    let first = |order: &mut Relation| {
        for from in &initial {
            for to in &others {
                order.set(*from, *to);
            }
        }
    };
    let mut orders: Vec<Relation> = Vec::new();
    let related = |from: usize, to: usize| match coherence {
        Coherence::Total => true,
        Coherence::MorallyStrong => candidate.morally_strong(from, to),
    };
    // In PTX's model an order against program order contradicts "Coherence". A model of the user
    // may allow it.
    let precedes = |from: usize, to: usize| {
        coherence == Coherence::MorallyStrong
            && related(from, to)
            && candidate.program_order(from, to)
    };
    extensions(&others, &precedes, &mut |extension| {
        let mut order = Relation::empty(count);
        for (at, from) in extension.iter().enumerate() {
            for to in &extension[at + 1..] {
                if related(*from, *to) {
                    order.set(*from, *to);
                }
            }
        }
        first(&mut order);
        if !orders.contains(&order) {
            orders.push(order);
        }
    });
    orders
}

/// The possible orders of the fence.sc operations: each relates those whose scopes include each
/// other's threads (PTX ISA, "Fence-SC").
pub fn fence_orders(candidate: &Candidate) -> Vec<Relation> {
    let count = candidate.events();
    let fences: Vec<usize> = candidate.set(index::SC).iter().collect();
    let mut orders = Vec::new();
    let program_order = candidate.relation(index::PO);
    let precedes = |from: usize, to: usize| program_order.get(from, to);
    extensions(&fences, &precedes, &mut |extension| {
        let mut order = Relation::empty(count);
        for (at, &from) in extension.iter().enumerate() {
            for &to in &extension[at + 1..] {
                if precedes(from, to) || candidate.relation(index::SR).get(from, to) {
                    order.set(from, to);
                }
            }
        }
        if !orders.contains(&order) {
            orders.push(order);
        }
    });
    orders
}
