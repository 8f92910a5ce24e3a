//! ECL's binary graph format (`.egr`).
//!
//! All numbers are little-endian `i32`: the number of vertices, the number of edges, the row index
//! (one more entry than vertices), the neighbours, and in some files a weight for each edge.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use super::csr::{Csr, CsrError};

/// Why bytes are not a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EgrError {
    /// There are fewer than the 8 bytes of the header.
    NoHeader {
        /// The length of the file.
        bytes: usize,
    },
    /// The number of vertices or edges is negative.
    NegativeSize {
        /// The number of vertices.
        nodes: i32,
        /// The number of edges.
        edges: i32,
    },
    /// The length does not fit the numbers in the header.
    Length {
        /// The number of vertices.
        nodes: i32,
        /// The number of edges.
        edges: i32,
        /// The length that follows from the header: with weights if the file is longer than
        /// without.
        expected: u64,
        /// The length of the file.
        bytes: u64,
    },
    /// An entry of the row index or a neighbour is negative.
    NegativeEntry {
        /// The byte at which it begins.
        byte: u64,
        /// Its value.
        value: i32,
    },
    /// Rows and neighbours contradict each other.
    Inconsistent {
        /// The position of the first number that is wrong, in bytes.
        byte: u64,
        /// What is wrong with it.
        error: CsrError,
    },
}

impl fmt::Display for EgrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHeader { bytes } => {
                write!(
                    f,
                    "the file ends at byte {bytes}, within the header of 8 bytes"
                )
            }
            Self::NegativeSize { nodes, edges } => {
                let byte = if *nodes < 0 { 0 } else { 4 };
                write!(
                    f,
                    "byte {byte}: the header names {nodes} vertices and {edges} edges"
                )
            }
            Self::Length {
                nodes,
                edges,
                expected,
                bytes,
            } => {
                let what = if bytes < expected {
                    format!("ends at byte {bytes} of {expected}")
                } else {
                    format!("continues after byte {expected}, up to {bytes}")
                };
                write!(
                    f,
                    "the file {what}; the header names {nodes} vertices and {edges} edges"
                )
            }
            Self::NegativeEntry { byte, value } => {
                write!(f, "byte {byte}: the number {value} is negative")
            }
            Self::Inconsistent { byte, error } => write!(f, "byte {byte}: {error}"),
        }
    }
}

impl std::error::Error for EgrError {}

/// The file content of a graph.
pub fn encode(graph: &Csr) -> Vec<u8> {
    let header = [graph.nodes(), graph.edges()];
    let numbers = header.iter().chain(graph.row()).chain(graph.adjacent());
    let weights = graph.weights().unwrap_or_default().iter();
    numbers
        .map(|number| number.to_le_bytes())
        .chain(weights.map(|weight| weight.to_le_bytes()))
        .flatten()
        .collect()
}

/// The graph in a file's content. Allocates no memory beyond what the content needs.
///
/// # Errors
/// The content is not a graph; the error says where.
pub fn decode(bytes: &[u8]) -> Result<Csr, EgrError> {
    let (words, rest) = bytes.as_chunks::<4>();
    let mut numbers = words.iter().map(|word| i32::from_le_bytes(*word));
    let (Some(nodes), Some(edges)) = (numbers.next(), numbers.next()) else {
        return Err(EgrError::NoHeader { bytes: bytes.len() });
    };
    let (Ok(vertices), Ok(count)) = (u64::try_from(nodes), u64::try_from(edges)) else {
        return Err(EgrError::NegativeSize { nodes, edges });
    };
    let numbers: Vec<i32> = numbers.collect();
    let plain = vertices + 1 + count;
    let found = numbers.len() as u64;
    let is_weighted = found > plain && count > 0;
    let expected = if is_weighted { plain + count } else { plain };
    if found != expected || !rest.is_empty() {
        return Err(EgrError::Length {
            nodes,
            edges,
            expected: HEADER + 4 * expected,
            bytes: bytes.len() as u64,
        });
    }
    let (numbers, weights) = numbers.split_at(plain as usize);
    let unsigned = |(position, &value): (usize, &i32)| {
        u32::try_from(value).map_err(|_| EgrError::NegativeEntry {
            byte: byte_of(position as u64),
            value,
        })
    };
    let mut row = numbers
        .iter()
        .enumerate()
        .map(unsigned)
        .collect::<Result<Vec<u32>, _>>()?;
    let adjacent = row.split_off(vertices as usize + 1);
    let graph = Csr::new(row, adjacent).map_err(|error| {
        let position = match error {
            // A file of that size cannot have such a header.
            CsrError::TooLarge | CsrError::FirstRow => 0,
            CsrError::LastRow { .. } => vertices,
            CsrError::Decreasing { vertex } => u64::from(vertex) + 1,
            CsrError::Neighbour { edge, .. } => vertices + 1 + u64::from(edge),
        };
        let byte = byte_of(position);
        EgrError::Inconsistent { byte, error }
    })?;
    Ok(match weights {
        [] => graph,
        weights => graph.with_weights(weights.to_vec()),
    })
}

/// The number of bytes before the row index.
const HEADER: u64 = 8;

/// The byte position of the number at this position after the header.
fn byte_of(position: u64) -> u64 {
    HEADER + 4 * position
}

/// Writes a graph to a file, which appears under its name only when it is complete.
///
/// For a link, the target is written and the link kept. A target that is not a regular file, such
/// as `/dev/stdout`, is written directly.
pub fn write_file(graph: &Csr, path: &Path) -> io::Result<()> {
    if path.metadata().is_ok_and(|it| !it.is_file()) {
        return fs::write(path, encode(graph));
    }
    let target = path.canonicalize();
    let path = target.as_deref().unwrap_or(path);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let partial = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let written = fs::write(&partial, encode(graph)).and_then(|()| fs::rename(&partial, path));
    if written.is_err() {
        // The first error is the one worth reporting.
        let _ = fs::remove_file(&partial);
    }
    written
}

/// Reads a graph from a file; mistakes in the content become `InvalidData`.
pub fn read_file(path: &Path) -> io::Result<Csr> {
    decode(&fs::read(path)?).map_err(|error| {
        let message = format!("{}: {error}", path.display());
        io::Error::new(io::ErrorKind::InvalidData, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Spec;

    fn graph(spec: &str) -> Csr {
        Spec::parse(spec).unwrap().build().unwrap()
    }

    fn bytes_of(numbers: &[i32]) -> Vec<u8> {
        numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect()
    }

    #[track_caller]
    fn check_rejected(bytes: &[u8], message: &str) {
        assert_eq!(decode(bytes).unwrap_err().to_string(), message);
    }

    #[test]
    fn layout_is_that_of_the_format() {
        let graph = Csr::new(vec![0, 2, 2, 3], vec![1, 2, 0]).unwrap();
        assert_eq!(encode(&graph), bytes_of(&[3, 3, 0, 2, 2, 3, 1, 2, 0]));
    }

    #[test]
    fn graphs_survive_a_round_trip() {
        for spec in [
            "dag:32",
            "power_law:32,counter-directed",
            "star:5,undirected",
        ] {
            let graph = graph(spec);
            assert_eq!(decode(&encode(&graph)).unwrap(), graph);
        }
        let empty = Csr::new(vec![0], vec![]).unwrap();
        assert_eq!(decode(&encode(&empty)).unwrap(), empty);
    }

    #[test]
    fn every_truncation_is_rejected() {
        let whole = encode(&graph("dag:5,edges=5"));
        for length in 0..whole.len() {
            assert!(
                decode(&whole[..length]).is_err(),
                "{length} bytes were accepted"
            );
        }
    }

    #[test]
    fn weights_are_kept() {
        let bytes = bytes_of(&[2, 2, 0, 1, 2, 1, 0, -7, 9]);
        let graph = decode(&bytes).unwrap();
        assert_eq!(graph.weights(), Some(&[-7, 9][..]));
        assert_eq!(encode(&graph), bytes);
    }

    #[test]
    fn bad_contents_are_rejected_with_the_place() {
        check_rejected(
            &[0; 7],
            "the file ends at byte 7, within the header of 8 bytes",
        );
        check_rejected(
            &bytes_of(&[-1, 0, 0]),
            "byte 0: the header names -1 vertices and 0 edges",
        );
        check_rejected(
            &bytes_of(&[2, -5, 0]),
            "byte 4: the header names 2 vertices and -5 edges",
        );
        check_rejected(
            &bytes_of(&[1, 1, 0, 1]),
            "the file ends at byte 16 of 20; the header names 1 vertices and 1 edges",
        );
        check_rejected(
            &bytes_of(&[0, 0, 0, 9]),
            "the file continues after byte 12, up to 16; the header names 0 vertices and 0 edges",
        );
        // More bytes than without weights, but not as many as with them.
        check_rejected(
            &bytes_of(&[1, 2, 0, 2, 0, 0, 1]),
            "the file ends at byte 28 of 32; the header names 1 vertices and 2 edges",
        );
        check_rejected(
            &bytes_of(&[1, 1, 0, 1, -4]),
            "byte 16: the number -4 is negative",
        );
        check_rejected(
            &bytes_of(&[1, 1, 1, 1, 0]),
            "byte 8: the row index does not begin with 0",
        );
        check_rejected(
            &bytes_of(&[2, 1, 0, 2, 1, 0]),
            "byte 16: the row of vertex 1 ends before it begins",
        );
        check_rejected(
            &bytes_of(&[1, 1, 0, 0, 0]),
            "byte 12: the row index ends with 0, but there are 1 edges",
        );
        check_rejected(
            &bytes_of(&[1, 2, 0, 2, 0, 5]),
            "byte 20: edge 1 leads to vertex 5, but there are 1 vertices",
        );
        check_rejected(
            &bytes_of(&[i32::MAX, i32::MAX, 0]),
            "the file ends at byte 12 of 17179869188; \
             the header names 2147483647 vertices and 2147483647 edges",
        );
    }
}
