//! Graphs without structure: edges connect any two vertices, so that all vertices have about the
//! same number of edges.
//!
//! Each set of edges of the given size, with at most one between two vertices, is as likely as any
//! other.

use super::family::Family;
use super::limits::{edges_of, ordered_pairs};
use super::sample::distinct;
use super::values::{NODES, Values, edges};
use crate::edges::Edges;
use crate::random::SplitMix64;

pub(super) const FAMILY: Family = Family {
    name: "uniform_degree",
    about: "edges between any two vertices, so that all have about as many",
    parameters: &[
        NODES,
        edges("number of edges [default: four for each vertex, or a quarter of all]"),
    ],
    random: true,
    count: None,
    build,
};

fn build(values: &Values, random: &mut SplitMix64) -> Result<Edges, String> {
    let nodes = values.nodes()?;
    let possible = ordered_pairs(nodes) / 2;
    let usual = (possible / 4).min(4 * u64::from(nodes));
    let count = edges_of(nodes, values.optional(1).unwrap_or(usual), possible)?;
    let mut pairs = distinct(count, random, |random| {
        let (a, b) = (random.below(nodes), random.below(nodes));
        (a.min(b), a.max(b))
    })?;
    for (from, to) in &mut pairs {
        if random.below(2) == 1 {
            std::mem::swap(from, to);
        }
    }
    Ok(Edges::from_pairs(nodes, pairs))
}
