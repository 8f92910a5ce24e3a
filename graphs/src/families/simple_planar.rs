//! Planar graphs: edges of a triangulation, drawn at random.
//!
//! The triangulation begins with a triangle, into one of whose faces each further vertex is put and
//! joined with the face's three corners (a stacked triangulation), so that it is planar by
//! construction. Edges lead from lower to higher vertices.

use super::values::{NODES, edges};
use super::{Family, Values, edges_of};
use crate::edges::Edges;
use crate::random::SplitMix64;

pub(super) const FAMILY: Family = Family {
    name: "simple_planar",
    about: "edges of a triangulation of the plane",
    parameters: &[
        NODES,
        edges("number of edges [default: two for each vertex, or all]"),
    ],
    random: true,
    build,
};

fn build(values: &Values, random: &mut SplitMix64) -> Result<Edges, String> {
    let nodes = values.nodes()?;
    let possible = match nodes {
        1 | 2 => u64::from(nodes - 1),
        _ => 3 * u64::from(nodes) - 6,
    };
    let usual = possible.min(2 * u64::from(nodes));
    let count = edges_of(nodes, values.optional(1).unwrap_or(usual), possible)?;
    let mut pairs = triangulation(nodes, random);
    random.shuffle(&mut pairs);
    pairs.truncate(count);
    Ok(Edges::from_pairs(nodes, pairs))
}

fn triangulation(nodes: u32, random: &mut SplitMix64) -> Vec<(u32, u32)> {
    let corners = nodes.min(3);
    let mut pairs: Vec<(u32, u32)> = (0..corners)
        .flat_map(|b| (0..b).map(move |a| (a, b)))
        .collect();
    // Both sides of the triangle.
    let mut faces = vec![[0, 1, 2]; 2];
    for vertex in corners..nodes {
        let face = random.below(faces.len() as u32) as usize;
        let [a, b, c] = faces.swap_remove(face);
        pairs.extend([a, b, c].map(|corner| (corner, vertex)));
        faces.extend([[a, b, vertex], [a, c, vertex], [b, c, vertex]]);
    }
    pairs
}
