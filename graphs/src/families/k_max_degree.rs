//! Graphs in which no vertex has more than a given number of edges, in and out together.
//!
//! Each vertex draws the number of edges that it wants. Then it draws other vertices that may have
//! room, at most twice as many. An edge leads from the vertex that drew it.

use std::collections::HashSet;

use super::family::Family;
use super::limits::checked;
use super::values::{Kind, NODES, Parameter, Values};
use crate::edges::Edges;
use crate::random::SplitMix64;

pub(super) const FAMILY: Family = Family {
    name: "k_max_degree",
    about: "no vertex has more than k edges, in and out together",
    parameters: &[
        NODES,
        Parameter {
            name: "degree",
            about: "the most edges that a vertex has",
            kind: Kind::Number,
            required: true,
            suffix: "k",
        },
    ],
    random: true,
    count: None,
    build,
};

fn build(values: &Values, random: &mut SplitMix64) -> Result<Edges, String> {
    let nodes = values.nodes()?;
    // A vertex has at most one edge with each other vertex.
    let largest = values.number(1).min(u64::from(nodes - 1)) as u32;
    checked(u64::from(nodes) * u64::from(largest) / 2, "edges")?;
    let mut edges = Edges::new(nodes);
    let mut degrees = vec![0_u32; nodes as usize];
    let mut joined = HashSet::new();
    for vertex in 0..nodes {
        let wanted = random.below(largest + 1);
        for _ in 0..2 * wanted {
            if degrees[vertex as usize] >= wanted {
                break;
            }
            let other = random.below(nodes);
            let room = other != vertex && degrees[other as usize] < largest;
            if room && joined.insert((vertex.min(other), vertex.max(other))) {
                degrees[vertex as usize] += 1;
                degrees[other as usize] += 1;
                edges.push(vertex, other);
            }
        }
    }
    Ok(edges)
}
