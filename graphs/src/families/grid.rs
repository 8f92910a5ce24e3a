//! Grids and tori of any number of dimensions.
//!
//! Vertices are numbered along the last side first. Each has an edge to the next one along each
//! side; in a torus the first one is next to the last.

use super::family::Family;
use super::limits::checked;
use super::values::{Kind, Parameter, Values};
use crate::edges::Edges;
use crate::random::SplitMix64;

const SIDES: Parameter = Parameter {
    name: "sides",
    about: "vertices along each side, as in 4x3",
    kind: Kind::Sides,
    required: true,
    suffix: "",
};

pub(super) const GRID: Family = Family {
    name: "grid",
    about: "k-dimensional: each vertex has an edge to the next one along each side",
    parameters: &[SIDES],
    random: false,
    count: None,
    build: |values, _: &mut SplitMix64| build(values, false),
};

pub(super) const TORUS: Family = Family {
    name: "torus",
    about: "a grid whose sides are rings",
    parameters: &[SIDES],
    random: false,
    count: None,
    build: |values, _: &mut SplitMix64| build(values, true),
};

fn build(values: &Values, rings: bool) -> Result<Edges, String> {
    let (sides, nodes) = values.sides()?;
    checked(u64::from(nodes) * sides.len() as u64, "edges")?;
    let mut edges = Edges::new(nodes);
    let mut stride = 1;
    for &side in sides.iter().rev() {
        for vertex in 0..nodes {
            let place = vertex / stride % side;
            if place + 1 < side {
                edges.push(vertex, vertex + stride);
            } else if rings && side > 1 {
                edges.push(vertex, vertex - place * stride);
            }
        }
        stride *= side;
    }
    Ok(edges)
}
