//! Planar graphs: a binary tree and, on each of its levels, a path from left to right.
//!
//! Drawn level by level, no two edges cross. Edges lead from parents to children and from left to
//! right. Vertices are numbered at random.

use super::family::Family;
use super::values::{NODES, Values};
use crate::edges::Edges;
use crate::random::SplitMix64;

pub(super) const FAMILY: Family = Family {
    name: "simple_planar",
    about: "a binary tree with a path along each level",
    parameters: &[NODES],
    random: true,
    count: None,
    build,
};

/// A vertex that is not the root. Vertices are numbered level by level, from left to right.
#[derive(Clone, Copy, Debug)]
struct Child {
    parent: u32,
    /// The distance from the root.
    level: u32,
}

fn build(values: &Values, random: &mut SplitMix64) -> Result<Edges, String> {
    let nodes = values.nodes()?;
    let number = random.shuffled(nodes);
    let mut edges = Edges::new(nodes);
    for (from, to) in drawing(&tree(nodes, random)) {
        edges.push(number[from as usize], number[to as usize]);
    }
    Ok(edges)
}

/// A tree with that many vertices. If a vertex can have two children, it gets each with probability
/// 4/5.
fn tree(nodes: u32, random: &mut SplitMix64) -> Vec<Child> {
    let mut children: Vec<Child> = Vec::with_capacity(nodes as usize - 1);
    let mut parent = 0;
    while children.len() + 1 < nodes as usize {
        let level = match parent {
            0 => 0,
            inner => children[inner as usize - 1].level,
        };
        let drawn = u32::from(random.below(5) > 0) + u32::from(random.below(5) > 0);
        // The last vertex must get a child to continue the tree.
        let is_last = parent as usize == children.len();
        let missing = nodes as usize - 1 - children.len();
        let count = (drawn.max(is_last.into()) as usize).min(missing);
        let level = level + 1;
        children.extend(std::iter::repeat_n(Child { parent, level }, count));
        parent += 1;
    }
    children
}

/// The edges of a tree and those along its levels.
fn drawing(children: &[Child]) -> Vec<(u32, u32)> {
    let mut edges = Vec::with_capacity(2 * children.len());
    for (vertex, child) in (1..).zip(children) {
        edges.push((child.parent, vertex));
    }
    for (vertex, pair) in (1..).zip(children.windows(2)) {
        if pair[0].level == pair[1].level {
            edges.push((vertex, vertex + 1));
        }
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_edges_cross_when_drawn_level_by_level() {
        for (nodes, seed) in (1..60).zip(7..) {
            let children = tree(nodes, &mut SplitMix64::new(seed));
            assert_eq!(children.len() as u32, nodes - 1);
            let level = |vertex: u32| match vertex {
                0 => 0,
                inner => children[inner as usize - 1].level,
            };
            let edges = drawing(&children);
            let (tree, levels): (Vec<_>, Vec<_>) = edges
                .iter()
                .partition(|&&(from, to)| level(from) != level(to));
            // Vertices are in the order of their numbers, level by level.
            assert!((0..nodes).map(level).is_sorted());
            assert!(tree.iter().all(|&(from, to)| level(from) + 1 == level(to)));
            // Between two levels: vertices further left have parents further left, or the same
            // parent.
            assert!(tree.iter().map(|edge| edge.0).is_sorted());
            assert!(tree.iter().map(|edge| edge.1).is_sorted());
            // On a level: from each vertex to the next.
            assert!(levels.iter().all(|&(from, to)| from + 1 == to));
            assert!(
                tree.chunk_by(|a, b| a.0 == b.0)
                    .all(|children| children.len() <= 2)
            );
        }
    }
}
