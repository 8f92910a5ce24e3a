//! Graphs in which each vertex has the same number of edges out, and as many in.
//!
//! No two vertices have edges to each other, so that undirected every vertex has twice as many
//! neighbours. A ring, in which each vertex has edges to those that follow, is mixed by exchanging
//! the ends of two edges at a time, which changes no degree.

use std::collections::HashSet;

use super::values::{Kind, NODES, Parameter};
use super::{Family, Values, most};
use crate::edges::Edges;
use crate::random::SplitMix64;

pub(super) const FAMILY: Family = Family {
    name: "uniform_degree",
    about: "each vertex has k edges out and k in, none of them both ways",
    parameters: &[
        NODES,
        Parameter {
            name: "degree",
            about: "edges out of each vertex; fewer than half as many as vertices",
            kind: Kind::Number,
            required: true,
            suffix: "k",
        },
    ],
    random: true,
    build,
};

fn build(values: &Values, random: &mut SplitMix64) -> Result<Edges, String> {
    let nodes = values.nodes()?;
    let largest = (nodes - 1) / 2;
    let degree = values.number(1);
    if degree > largest.into() {
        return Err(format!(
            "{nodes} vertices have at most {largest} edges each, not {degree}"
        ));
    }
    let count = most(u64::from(nodes) * degree, "edges")?;
    let ring = (0..nodes).flat_map(|vertex| {
        (1..=degree as u32).map(move |step| (vertex, next(vertex, step, nodes)))
    });
    let mut pairs: Vec<(u32, u32)> = ring.collect();
    let mut joined: HashSet<(u32, u32)> = pairs.iter().copied().collect();
    for _ in 0..4 * u64::from(count) {
        let (i, j) = (random.below(count) as usize, random.below(count) as usize);
        let [(a, b), (c, d)] = [pairs[i], pairs[j]];
        let is_new =
            |from, to| from != to && !joined.contains(&(from, to)) && !joined.contains(&(to, from));
        // The new edges must not join the same two vertices either.
        if is_new(a, d) && is_new(c, b) && (a, d) != (b, c) {
            joined.remove(&(a, b));
            joined.remove(&(c, d));
            joined.extend([(a, d), (c, b)]);
            (pairs[i], pairs[j]) = ((a, d), (c, b));
        }
    }
    Ok(Edges::from_pairs(nodes, pairs))
}

/// The vertex that many steps on in a ring.
fn next(vertex: u32, step: u32, nodes: u32) -> u32 {
    (vertex + step) % nodes
}
