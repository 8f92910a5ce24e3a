//! Directed graphs in compressed sparse rows.

use std::fmt;

/// A directed graph: the neighbours of all vertices, one row after the other.
///
/// Numbers fit in an `i32`, because the file format and the kernels use that type. Values of this
/// type are always consistent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csr {
    row: Vec<u32>,
    adjacent: Vec<u32>,
    weights: Option<Vec<i32>>,
}

/// Why a row index and a list of neighbours do not form a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CsrError {
    /// A number of vertices or edges does not fit in an `i32`.
    TooLarge,
    /// The row index is empty or does not begin with 0.
    FirstRow,
    /// The row index does not end with the number of edges.
    LastRow {
        /// The last entry of the row index.
        last: u32,
        /// The number of edges.
        edges: u32,
    },
    /// The row of a vertex ends before it begins.
    Decreasing {
        /// The vertex.
        vertex: u32,
    },
    /// An edge leads to a vertex that does not exist.
    Neighbour {
        /// The index of the edge.
        edge: u32,
        /// The neighbour that it names.
        neighbour: u32,
        /// The number of vertices.
        nodes: u32,
    },
}

impl fmt::Display for CsrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => write!(f, "the graph is too large for 32-bit indices"),
            Self::FirstRow => write!(f, "the row index does not begin with 0"),
            Self::LastRow { last, edges } => {
                write!(
                    f,
                    "the row index ends with {last}, but there are {edges} edges"
                )
            }
            Self::Decreasing { vertex } => {
                write!(f, "the row of vertex {vertex} ends before it begins")
            }
            Self::Neighbour {
                edge,
                neighbour,
                nodes,
            } => write!(
                f,
                "edge {edge} leads to vertex {neighbour}, but there are {nodes} vertices"
            ),
        }
    }
}

impl std::error::Error for CsrError {}

impl Csr {
    /// A graph from its row index (one more entry than vertices) and neighbours.
    pub fn new(row: Vec<u32>, adjacent: Vec<u32>) -> Result<Self, CsrError> {
        let fits = |length: usize| i32::try_from(length).is_ok();
        if !fits(row.len()) || !fits(adjacent.len()) {
            return Err(CsrError::TooLarge);
        }
        let edges = adjacent.len() as u32;
        if row.first() != Some(&0) {
            return Err(CsrError::FirstRow);
        }
        if let Some(vertex) = row.windows(2).position(|pair| pair[0] > pair[1]) {
            return Err(CsrError::Decreasing {
                vertex: vertex as u32,
            });
        }
        let last = row[row.len() - 1];
        if last != edges {
            return Err(CsrError::LastRow { last, edges });
        }
        let nodes = row.len() as u32 - 1;
        if let Some(edge) = adjacent.iter().position(|&neighbour| neighbour >= nodes) {
            let neighbour = adjacent[edge];
            return Err(CsrError::Neighbour {
                edge: edge as u32,
                neighbour,
                nodes,
            });
        }
        Ok(Self {
            row,
            adjacent,
            weights: None,
        })
    }

    /// The graph with a weight for each edge, in the order of the neighbours.
    ///
    /// # Panics
    /// There are fewer or more weights than edges.
    #[must_use]
    pub fn with_weights(self, weights: Vec<i32>) -> Self {
        assert_eq!(weights.len(), self.adjacent.len());
        Self {
            weights: Some(weights),
            ..self
        }
    }

    /// A graph from pairs (from, to), which must be sorted and name vertices below `nodes`.
    pub(super) fn from_sorted_edges(nodes: u32, edges: &[(u32, u32)]) -> Self {
        debug_assert!(edges.is_sorted());
        let mut row = vec![0; nodes as usize + 1];
        for &(from, _) in edges {
            row[from as usize + 1] += 1;
        }
        for vertex in 0..nodes as usize {
            row[vertex + 1] += row[vertex];
        }
        let adjacent = edges.iter().map(|&(_, to)| to).collect();
        Self::new(row, adjacent).expect("edges must name existing vertices")
    }

    /// Number of vertices.
    pub fn nodes(&self) -> u32 {
        self.row.len() as u32 - 1
    }

    /// Number of directed edges.
    pub fn edges(&self) -> u32 {
        self.adjacent.len() as u32
    }

    /// The row index: the neighbours of vertex `v` are at `row[v]..row[v + 1]`.
    pub fn row(&self) -> &[u32] {
        &self.row
    }

    /// The neighbours of all vertices.
    pub fn adjacent(&self) -> &[u32] {
        &self.adjacent
    }

    /// The weights of all edges, if they have any.
    pub fn weights(&self) -> Option<&[i32]> {
        self.weights.as_deref()
    }

    /// The neighbours of one vertex.
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.adjacent[self.row[vertex] as usize..self.row[vertex + 1] as usize]
    }

    /// All edges as pairs (from, to), in the order of the rows.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.nodes()).flat_map(|from| self.neighbours(from).iter().map(move |&to| (from, to)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(row: &[u32], adjacent: &[u32], expect: Result<(), CsrError>) {
        assert_eq!(
            Csr::new(row.to_vec(), adjacent.to_vec()).map(|_| ()),
            expect
        );
    }

    #[test]
    fn consistent_graphs_are_accepted() {
        check(&[0], &[], Ok(()));
        check(&[0, 0, 0], &[], Ok(()));
        check(&[0, 2, 2, 3], &[1, 2, 0], Ok(()));
    }

    #[test]
    fn inconsistent_graphs_are_rejected() {
        check(&[], &[], Err(CsrError::FirstRow));
        check(&[1, 1], &[0], Err(CsrError::FirstRow));
        check(&[0, 1], &[], Err(CsrError::LastRow { last: 1, edges: 0 }));
        check(&[0, 2, 1], &[0], Err(CsrError::Decreasing { vertex: 1 }));
        check(
            &[0, 1],
            &[1],
            Err(CsrError::Neighbour {
                edge: 0,
                neighbour: 1,
                nodes: 1,
            }),
        );
    }

    #[test]
    fn edges_become_rows() {
        let graph = Csr::from_sorted_edges(4, &[(0, 1), (0, 3), (2, 0)]);
        assert_eq!(graph.row(), [0, 2, 2, 3, 3]);
        assert_eq!(graph.neighbours(0), [1, 3]);
        assert!(graph.neighbours(1).is_empty());
        assert_eq!(graph.neighbours(2), [0]);
    }
}
