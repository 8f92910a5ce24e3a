//! Binary trees, one or several: a vertex has edges to at most two children.
//!
//! Vertices are added one after the other, each at a random free place; they are numbered at
//! random.

use super::family::Family;
use super::values::{Kind, NODES, Parameter, Values};
use crate::edges::Edges;
use crate::random::SplitMix64;

pub(super) const FAMILY: Family = Family {
    name: "binary_forest",
    about: "trees whose vertices have edges to at most two children",
    parameters: &[
        NODES,
        Parameter {
            name: "trees",
            about: "number of trees [default: one for each eight vertices, and at least two]",
            kind: Kind::Number,
            required: false,
            suffix: "t",
        },
    ],
    random: true,
    count: None,
    build: |values, random| {
        let nodes = u64::from(values.nodes()?);
        let usual = (nodes / 8).max(2).min(nodes);
        build(values, values.optional(1).unwrap_or(usual), random)
    },
};

pub(super) const TREE: Family = Family {
    name: "binary_tree",
    about: "a tree whose vertices have edges to at most two children",
    parameters: &[NODES],
    random: true,
    count: None,
    build: |values, random| build(values, 1, random),
};

fn build(values: &Values, trees: u64, random: &mut SplitMix64) -> Result<Edges, String> {
    let nodes = values.nodes()?;
    if trees == 0 || trees > nodes.into() {
        return Err(format!(
            "{nodes} vertices form 1 to {nodes} trees, not {trees}"
        ));
    }
    let roots = trees as u32;
    let number = random.shuffled(nodes);
    let mut edges = Edges::new(nodes);
    // A vertex is in this list once for each child that it may still get.
    let mut free: Vec<u32> = (0..roots).flat_map(|root| [root; 2]).collect();
    for vertex in roots..nodes {
        let parent = free.swap_remove(random.below(free.len() as u32) as usize);
        edges.push(number[parent as usize], number[vertex as usize]);
        free.extend([vertex; 2]);
    }
    Ok(edges)
}
