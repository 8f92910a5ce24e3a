//! Properties of a graph.

use super::csr::Csr;

/// Properties of a graph as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Whether each edge exists in both directions, equally often.
    pub symmetric: bool,
    /// Number of edges from a vertex to itself.
    pub loops: u32,
    /// Number of edges that repeat an earlier edge between the same vertices in the same direction.
    pub repeated: u32,
}

impl Csr {
    /// Computes the properties of a graph.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let turn = |(from, to)| (to, from);
        let mut edges: Vec<(u32, u32)> = self.pairs().collect();
        let mut turned: Vec<(u32, u32)> = edges.iter().copied().map(turn).collect();
        edges.sort_unstable();
        turned.sort_unstable();
        let count = |count: usize| u32::try_from(count).expect("graphs have 32-bit numbers");
        Summary {
            symmetric: edges == turned,
            loops: count(edges.iter().filter(|(from, to)| from == to).count()),
            repeated: count(edges.windows(2).filter(|pair| pair[0] == pair[1]).count()),
        }
    }

    /// The number of edges out of each vertex.
    #[must_use]
    pub fn degrees_out(&self) -> Vec<u32> {
        let rows = self.row().windows(2);
        rows.map(|row| row[1] - row[0]).collect()
    }

    /// The number of edges into each vertex.
    #[must_use]
    pub fn degrees_in(&self) -> Vec<u32> {
        let mut degrees = vec![0; self.nodes() as usize];
        for &to in self.adjacent() {
            degrees[to as usize] += 1;
        }
        degrees
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(row: &[u32], adjacent: &[u32], expect: (bool, u32, u32)) {
        let graph = Csr::new(row.to_vec(), adjacent.to_vec()).unwrap();
        let summary = graph.summary();
        let (symmetric, loops, repeated) = expect;
        assert_eq!(
            summary,
            Summary {
                symmetric,
                loops,
                repeated
            }
        );
    }

    #[test]
    fn what_is_in_a_graph() {
        check(&[0], &[], (true, 0, 0));
        check(&[0, 1, 2], &[1, 0], (true, 0, 0));
        check(&[0, 1, 1], &[1], (false, 0, 0));
        // One more in one direction than in the other.
        check(&[0, 2, 3], &[1, 1, 0], (false, 0, 1));
        check(&[0, 2, 3], &[1, 0, 0], (true, 1, 0));
        check(&[0, 3, 3], &[0, 0, 0], (true, 3, 2));
    }

    #[test]
    fn degrees() {
        let graph = Csr::new(vec![0, 2, 2, 3], vec![1, 2, 1]).unwrap();
        assert_eq!(graph.degrees_out(), [2, 0, 1]);
        assert_eq!(graph.degrees_in(), [0, 2, 1]);
    }
}
