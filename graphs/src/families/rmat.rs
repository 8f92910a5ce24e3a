//! R-MAT graphs, for large sizes: an edge is found by descending into quadrants of the adjacency
//! matrix, with probabilities 0.57, 0.19, 0.19 and 0.05.
//!
//! Chakrabarti, Zhan and Faloutsos, "R-MAT: A Recursive Model for Graph Mining", SDM 2004; the
//! probabilities and the default of 16 edges per vertex are Graph500's. Unlike there, edges are
//! distinct and vertices are not renumbered, so that low ones have most of the edges.

use super::family::Family;
use super::limits::{LARGEST, edges_of, ordered_pairs};
use super::sample::distinct;
use super::values::{Kind, Parameter, Values, edges};
use crate::edges::Edges;
use crate::random::SplitMix64;

pub(super) const FAMILY: Family = Family {
    name: "rmat",
    about: "recursive quadrants with probabilities 0.57, 0.19, 0.19 and 0.05, as in Graph500",
    parameters: &[
        Parameter {
            name: "scale",
            about: "there are 2 to this power vertices",
            kind: Kind::Number,
            required: true,
            suffix: "",
        },
        edges("number of edges [default: 16 for each vertex, or a quarter of all]"),
    ],
    random: true,
    count: None,
    build,
};

fn build(values: &Values, random: &mut SplitMix64) -> Result<Edges, String> {
    let largest = LARGEST.ilog2();
    let levels = u32::try_from(values.number(0))
        .ok()
        .filter(|scale| *scale <= largest)
        .ok_or_else(|| format!("the scale must be from 0 to {largest}"))?;
    let nodes = 1_u32 << levels;
    let possible = ordered_pairs(nodes);
    let usual = (possible / 4).min(16 * u64::from(nodes));
    let count = edges_of(nodes, values.optional(1).unwrap_or(usual), possible)?;
    let pairs = distinct(count, random, |random| edge(levels, random))?;
    Ok(Edges::from_pairs(nodes, pairs))
}

fn edge(levels: u32, random: &mut SplitMix64) -> (u32, u32) {
    let (mut from, mut to) = (0, 0);
    for _ in 0..levels {
        let (down, right) = match random.below(100) {
            0..57 => (0, 0),
            57..76 => (0, 1),
            76..95 => (1, 0),
            _ => (1, 1),
        };
        from = from << 1 | down;
        to = to << 1 | right;
    }
    (from, to)
}
