//! All graphs with a few vertices, by number.
//!
//! The ordered pairs of different vertices are numbered by their first and then their second
//! vertex, from 0. As in Indigo, bit `i` of a directed graph's number is set if there is an edge
//! for pair `i`. Undirected graphs use the same order, but only pairs whose first vertex is the
//! higher one, so that their numbers have no gaps.

use super::family::Family;
use super::values::{Kind, Parameter, Values};
use crate::edges::{Edges, Orientation};
use crate::random::SplitMix64;

/// Maximum number of bits of a number.
const MAX_BITS: u64 = 63;

pub(super) const FAMILY: Family = Family {
    name: "all",
    about: "all graphs with n vertices, by number",
    parameters: &[
        Parameter {
            name: "nodes",
            about: "number of vertices: up to 8, undirected up to 11",
            kind: Kind::Number,
            required: true,
            suffix: "n",
        },
        Parameter {
            name: "number",
            about: "below 2^(n(n-1)), undirected below 2^(n(n-1)/2)",
            kind: Kind::Number,
            required: true,
            suffix: "i",
        },
    ],
    random: false,
    count: Some(count),
    build,
};

/// The number of graphs with `nodes` vertices; `None` if they are not numbered.
#[must_use]
pub fn count(nodes: u64, orientation: Orientation) -> Option<u64> {
    let directed = nodes.checked_mul(nodes.checked_sub(1)?)?;
    let bits = match orientation {
        Orientation::Undirected => directed / 2,
        Orientation::Directed | Orientation::CounterDirected => directed,
    };
    (bits <= MAX_BITS).then(|| 1 << bits)
}

fn build(values: &Values, _: &mut SplitMix64) -> Result<Edges, String> {
    let (nodes, number) = (values.number(0), values.number(1));
    let undirected = values.orientation() == Orientation::Undirected;
    let graphs = count(nodes, values.orientation()).ok_or_else(|| {
        let max_nodes = if undirected { 11 } else { 8 };
        format!("only graphs of 1 to {max_nodes} vertices have numbers, not those of {nodes}")
    })?;
    if number >= graphs {
        return Err(format!(
            "there are {graphs} {} graphs with {nodes} vertices, numbered from 0, and none is \
             number {number}",
            values.orientation()
        ));
    }
    let nodes = nodes as u32;
    let is_pair = |from, to| if undirected { to < from } else { to != from };
    let pairs = (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to)));
    let numbered = pairs.filter(|&(from, to)| is_pair(from, to)).enumerate();
    let edges = numbered.filter(|(bit, _)| number >> bit & 1 == 1);
    Ok(Edges::from_pairs(
        nodes,
        edges.map(|(_, pair)| pair).collect(),
    ))
}
