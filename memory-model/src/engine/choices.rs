//! Orders to choose from.

use crate::cat::World as _;
use crate::relation::Relation;
use crate::world::{Candidate, index};

/// Calls `visit` with each order of `items`.
pub fn permutations(items: &[usize], visit: &mut dyn FnMut(&[usize])) {
    fn go(items: &mut Vec<usize>, at: usize, visit: &mut dyn FnMut(&[usize])) {
        if at >= items.len() {
            return visit(items);
        }
        for other in at..items.len() {
            items.swap(at, other);
            go(items, at + 1, visit);
            items.swap(at, other);
        }
    }
    go(&mut items.to_vec(), 0, visit);
}

/// The possible orders of the fence.sc operations: each relates those whose scopes include each
/// other's threads (PTX ISA, "Fence-SC").
pub fn fence_orders(candidate: &Candidate) -> Vec<Relation> {
    let count = candidate.events();
    let fences: Vec<usize> = candidate.set(index::SC).iter().collect();
    let mut orders = Vec::new();
    permutations(&fences, &mut |permutation| {
        let mut order = Relation::empty(count);
        for (at, &from) in permutation.iter().enumerate() {
            for &to in &permutation[at + 1..] {
                let program_order = candidate.relation(index::PO);
                if program_order.get(to, from) {
                    return;
                }
                let related =
                    program_order.get(from, to) || candidate.relation(index::SR).get(from, to);
                if related {
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
