//! Acyclic graphs: every edge leads from a lower to a higher vertex.
//!
//! Each set of edges of the given size is as likely as any other.

use super::family::Family;
use super::limits::{edges_of, ordered_pairs};
use super::sample::distinct;
use super::values::{NODES, Values, edges};
use crate::edges::Edges;
use crate::random::SplitMix64;

pub(super) const FAMILY: Family = Family {
    name: "dag",
    about: "acyclic: every edge leads from a lower to a higher vertex",
    parameters: &[
        NODES,
        edges("number of edges [default: two for each vertex, or all]"),
    ],
    random: true,
    count: None,
    build,
};

fn build(values: &Values, random: &mut SplitMix64) -> Result<Edges, String> {
    let nodes = values.nodes()?;
    let possible = ordered_pairs(nodes) / 2;
    let usual = possible.min(2 * u64::from(nodes));
    let count = edges_of(nodes, values.optional(1).unwrap_or(usual), possible)?;
    let pairs = distinct(count, random, |random| {
        let (a, b) = (random.below(nodes), random.below(nodes));
        (a.min(b), a.max(b))
    })?;
    Ok(Edges::from_pairs(nodes, pairs))
}
