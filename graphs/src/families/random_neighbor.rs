//! Graphs in which each vertex has an edge to one other vertex, drawn at random.

use super::family::Family;
use super::values::{NODES, Values};
use crate::edges::Edges;
use crate::random::SplitMix64;

pub(super) const FAMILY: Family = Family {
    name: "random_neighbor",
    about: "each vertex has an edge to one other vertex",
    parameters: &[NODES],
    random: true,
    count: None,
    build,
};

fn build(values: &Values, random: &mut SplitMix64) -> Result<Edges, String> {
    let nodes = values.nodes()?;
    if nodes == 1 {
        return Err("a single vertex has no neighbour".into());
    }
    let other = |vertex: u32| {
        let other = random.below(nodes - 1);
        (vertex, other + u32::from(other >= vertex))
    };
    Ok(Edges::from_pairs(nodes, (0..nodes).map(other).collect()))
}
