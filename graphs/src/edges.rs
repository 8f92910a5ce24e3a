//! Graphs under construction: pairs of vertices.

use std::fmt;
use std::str::FromStr;

use super::csr::Csr;

/// The edges of a graph under construction, in any order.
///
/// All ends are below the number of vertices, and no edge leads from a vertex to itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edges {
    nodes: u32,
    pairs: Vec<(u32, u32)>,
}

/// The direction of edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Orientation {
    /// As the family defines it, mostly from lower to higher vertices.
    #[default]
    Directed,
    /// Each edge in both directions.
    Undirected,
    /// Each edge reversed.
    CounterDirected,
}

impl Orientation {
    /// All orientations.
    pub const ALL: [Self; 3] = [Self::Directed, Self::Undirected, Self::CounterDirected];

    /// The name in specifications.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Directed => "directed",
            Self::Undirected => "undirected",
            Self::CounterDirected => "counter-directed",
        }
    }
}

impl fmt::Display for Orientation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Orientation {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        let is_named = |one: &Self| one.name() == name;
        Self::ALL.into_iter().find(is_named).ok_or(())
    }
}

impl Edges {
    /// A graph without edges.
    #[must_use]
    pub(crate) fn new(nodes: u32) -> Self {
        Self {
            nodes,
            pairs: Vec::new(),
        }
    }

    /// A graph with these edges. Their ends are checked when they become a [`Csr`].
    #[must_use]
    pub(crate) fn from_pairs(nodes: u32, pairs: Vec<(u32, u32)>) -> Self {
        Self { nodes, pairs }
    }

    /// Adds an edge.
    pub(crate) fn push(&mut self, from: u32, to: u32) {
        debug_assert!(from != to);
        self.pairs.push((from, to));
    }

    /// The graph with the edges in this orientation. Equal edges count once; neighbours are sorted.
    #[must_use]
    pub fn into_csr(self, orientation: Orientation) -> Csr {
        let Self { nodes, mut pairs } = self;
        let turned = |&(from, to): &(u32, u32)| (to, from);
        match orientation {
            Orientation::Directed => {}
            Orientation::Undirected => {
                pairs.extend_from_within(..);
                let half = pairs.len() / 2;
                for pair in &mut pairs[half..] {
                    *pair = turned(pair);
                }
            }
            Orientation::CounterDirected => {
                for pair in &mut pairs {
                    *pair = turned(pair);
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        Csr::from_sorted_edges(nodes, &pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(orientation: Orientation, expect: [&[u32]; 3]) {
        let graph = Edges::from_pairs(3, vec![(2, 1), (0, 1), (1, 0), (0, 1)]);
        let graph = graph.into_csr(orientation);
        let rows: Vec<&[u32]> = (0..3).map(|vertex| graph.neighbours(vertex)).collect();
        assert_eq!(rows, expect);
    }

    #[test]
    fn edges_lead_where_the_orientation_says() {
        check(Orientation::Directed, [&[1], &[0], &[1]]);
        check(Orientation::Undirected, [&[1], &[0, 2], &[1]]);
        check(Orientation::CounterDirected, [&[1], &[0, 2], &[]]);
    }
}
