//! Orders to choose from.

use crate::cat::{Orders, World as _};
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

/// The possible orders of the writes to a location, the initial one first. Without `from`, they are
/// the total orders.
pub fn write_orders(
    candidate: &Candidate,
    location: LocationId,
    from: Option<&Orders>,
) -> Vec<Relation> {
    let (initial, others): (Vec<usize>, Vec<usize>) = candidate
        .writes_to(location)
        .partition(|it| candidate.events[*it].thread.is_none());
    let related =
        |a: usize, b: usize| from.is_none_or(|it| it.related.get(a, b) || it.related.get(b, a));
    let given = from.and_then(|it| it.given.as_ref());
    let precedes = |a: usize, b: usize| related(a, b) && given.is_some_and(|it| it.get(a, b));
    let pairs = initial
        .iter()
        .flat_map(|from| others.iter().map(|to| (*from, *to)));
    let first = Relation::from_pairs(candidate.events.len(), pairs);
    orders(&first, &others, &precedes, &related)
}

/// The possible orders of the fence.sc operations: each relates those whose scopes include each
/// other's threads (PTX ISA, "Fence-SC").
pub fn fence_orders(candidate: &Candidate) -> Vec<Relation> {
    let fences: Vec<usize> = candidate.set(index::SC).iter().collect();
    let precedes = |from: usize, to: usize| candidate.program_order(from, to);
    let related =
        |from: usize, to: usize| precedes(from, to) || candidate.relation(index::SR).get(from, to);
    let none = Relation::empty(candidate.events.len());
    orders(&none, &fences, &precedes, &related)
}

/// `first` with the related pairs of `items` in each order that [`extensions`] has.
fn orders(
    first: &Relation,
    items: &[usize],
    precedes: &dyn Fn(usize, usize) -> bool,
    related: &dyn Fn(usize, usize) -> bool,
) -> Vec<Relation> {
    let mut orders: Vec<Relation> = Vec::new();
    extensions(items, precedes, &mut |extension| {
        let mut order = first.clone();
        for (at, &from) in extension.iter().enumerate() {
            for &to in extension[at + 1..].iter().filter(|to| related(from, **to)) {
                order.set(from, to);
            }
        }
        if !orders.contains(&order) {
            orders.push(order);
        }
    });
    orders
}
