//! Stars: all vertices but one have an edge to that one, which is drawn at random.

use super::family::Family;
use super::values::{NODES, Values};
use crate::edges::Edges;
use crate::random::SplitMix64;

pub(super) const FAMILY: Family = Family {
    name: "star",
    about: "all vertices but one have an edge to that one",
    parameters: &[NODES],
    random: true,
    count: None,
    build,
};

fn build(values: &Values, random: &mut SplitMix64) -> Result<Edges, String> {
    let nodes = values.nodes()?;
    let centre = random.below(nodes);
    let others = (0..nodes).filter(|vertex| *vertex != centre);
    let pairs = others.map(|vertex| (vertex, centre)).collect();
    Ok(Edges::from_pairs(nodes, pairs))
}
