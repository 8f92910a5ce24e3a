//! Graphs in which few vertices have most of the edges.
//!
//! The weight of the vertex of rank `r` is `1 / (r + 1)` (Zipf's law), for both ends of an edge.
//! Ranks are dealt to the vertices at random.

use super::family::Family;
use super::limits::{edges_of, ordered_pairs};
use super::sample::distinct;
use super::values::{NODES, Values, edges};
use crate::edges::Edges;
use crate::random::SplitMix64;

pub(super) const FAMILY: Family = Family {
    name: "power_law",
    about: "few vertices have most of the edges, by Zipf's law for both ends",
    parameters: &[
        NODES,
        edges("number of edges [default: five for each vertex, or a quarter of all]"),
    ],
    random: true,
    count: None,
    build,
};

fn build(values: &Values, random: &mut SplitMix64) -> Result<Edges, String> {
    let nodes = values.nodes()?;
    let possible = ordered_pairs(nodes);
    let usual = (possible / 4).min(5 * u64::from(nodes));
    let count = edges_of(nodes, values.optional(1).unwrap_or(usual), possible)?;
    let vertex_of_rank = random.shuffled(nodes);
    let cumulative = cumulative_zipf_weights(nodes);
    let pairs = distinct(count, random, |random| {
        let mut pick = || vertex_of_rank[pick_weighted(&cumulative, random)];
        (pick(), pick())
    })?;
    Ok(Edges::from_pairs(nodes, pairs))
}

/// Prefix sums of the weights `1 / (rank + 1)`, as integers, so that graphs do not depend on a
/// platform's rounding.
fn cumulative_zipf_weights(n: u32) -> Vec<u64> {
    const ONE: u64 = 1 << 24;
    (1..=u64::from(n))
        .scan(0, |sum, place| {
            *sum += (ONE / place).max(1);
            Some(*sum)
        })
        .collect()
}

/// A rank, drawn with the weights whose prefix sums are in `cumulative`.
fn pick_weighted(cumulative: &[u64], random: &mut SplitMix64) -> usize {
    let total = cumulative[cumulative.len() - 1];
    let target = random.next() % total;
    cumulative.partition_point(|&sum| sum <= target)
}
