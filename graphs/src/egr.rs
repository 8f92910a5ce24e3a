//! ECL's binary graph format (`.egr`).
//!
//! All numbers are little-endian `i32`: the number of vertices, the number of edges, the row index
//! (one entry more than vertices), the neighbours. Some files of that family carry edge weights
//! behind the neighbours; ours do not, and a reader that ignored them would hide a wrong header,
//! so bytes behind the neighbours are an error.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use super::csr::{Csr, CsrError};

/// Why bytes are no graph.
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
        /// The length that the header promises.
        expected: u64,
        /// The length of the file.
        bytes: u64,
    },
    /// An entry of the row index or a neighbour is negative.
    NegativeEntry {
        /// Its position among the numbers behind the header.
        position: usize,
        /// Its value.
        value: i32,
    },
    /// Rows and neighbours do not fit together.
    Inconsistent(CsrError),
}

impl fmt::Display for EgrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHeader { bytes } => {
                write!(f, "the header is truncated: {bytes} of 8 bytes")
            }
            Self::NegativeSize { nodes, edges } => {
                write!(f, "the header names {nodes} vertices and {edges} edges")
            }
            Self::Length { expected, bytes } if bytes < expected => {
                write!(f, "the file is truncated: {bytes} of {expected} bytes")
            }
            Self::Length { expected, bytes } => {
                write!(
                    f,
                    "the file is too long: {bytes} instead of {expected} bytes"
                )
            }
            Self::NegativeEntry { position, value } => {
                write!(
                    f,
                    "number {position} behind the header is negative: {value}"
                )
            }
            Self::Inconsistent(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for EgrError {}

/// The file contents for a graph.
pub fn encode(graph: &Csr) -> Vec<u8> {
    let header = [graph.nodes(), graph.edges()];
    let numbers = header.iter().chain(graph.row()).chain(graph.adjacent());
    numbers.flat_map(|number| number.to_le_bytes()).collect()
}

/// The graph in the contents of a file.
pub fn decode(bytes: &[u8]) -> Result<Csr, EgrError> {
    let (header, body) = bytes
        .split_at_checked(8)
        .ok_or(EgrError::NoHeader { bytes: bytes.len() })?;
    let number = |chunk: &[u8]| i32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
    let (nodes, edges) = (number(&header[..4]), number(&header[4..]));
    let (Ok(rows), Ok(neighbours)) = (u64::try_from(nodes), u64::try_from(edges)) else {
        return Err(EgrError::NegativeSize { nodes, edges });
    };
    let expected = 8 + 4 * (rows + 1 + neighbours);
    if expected != bytes.len() as u64 {
        return Err(EgrError::Length {
            expected,
            bytes: bytes.len() as u64,
        });
    }
    let mut row = Vec::with_capacity(body.len() / 4);
    for (position, chunk) in body.chunks_exact(4).enumerate() {
        let value = number(chunk);
        row.push(u32::try_from(value).map_err(|_| EgrError::NegativeEntry { position, value })?);
    }
    let adjacent = row.split_off(rows as usize + 1);
    Csr::new(row, adjacent).map_err(EgrError::Inconsistent)
}

/// Writes a graph to a file, which appears under its name only when it is complete.
pub fn write_file(graph: &Csr, path: &Path) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let partial = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let written = fs::write(&partial, encode(graph)).and_then(|()| fs::rename(&partial, path));
    if written.is_err() {
        // The first error is the one worth reporting.
        let _ = fs::remove_file(&partial);
    }
    written
}

/// Reads a graph from a file; what is wrong with the contents becomes `InvalidData`.
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
    fn bad_contents_are_rejected_with_the_reason() {
        check_rejected(&[0; 7], "the header is truncated: 7 of 8 bytes");
        check_rejected(
            &bytes_of(&[-1, 0, 0]),
            "the header names -1 vertices and 0 edges",
        );
        check_rejected(
            &bytes_of(&[1, 1, 0, 1]),
            "the file is truncated: 16 of 20 bytes",
        );
        check_rejected(
            &bytes_of(&[0, 0, 0, 9]),
            "the file is too long: 16 instead of 12 bytes",
        );
        check_rejected(
            &bytes_of(&[1, 1, 0, 1, -4]),
            "number 2 behind the header is negative: -4",
        );
        check_rejected(
            &bytes_of(&[1, 1, 0, 0, 0]),
            "the row index ends with 0, but there are 1 edges",
        );
        check_rejected(
            &bytes_of(&[1, 1, 0, 1, 5]),
            "edge 0 leads to vertex 5, but there are 1 vertices",
        );
        check_rejected(
            &bytes_of(&[i32::MAX, i32::MAX, 0]),
            "the file is truncated: 12 of 17179869188 bytes",
        );
    }
}
