//! A family of graphs, and how it builds a graph.

use super::values::{Parameter, Values};
use crate::csr::Csr;
use crate::edges::{Edges, Orientation};
use crate::random::SplitMix64;

/// A family of graphs.
#[derive(Debug)]
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// Its definition in one line.
    pub about: &'static str,
    /// Its parameters, in the order of a specification's values.
    pub parameters: &'static [Parameter],
    /// Whether a seed is one of them.
    pub random: bool,
    /// Creates the edges, in the directed orientation.
    pub(super) build: fn(&Values, &mut SplitMix64) -> Result<Edges, String>,
    /// The number of graphs of a size, if the first parameter is the size and the second one a
    /// graph's number.
    pub(crate) count: Option<fn(u64, Orientation) -> Option<u64>>,
}

impl Family {
    /// Builds a graph.
    ///
    /// # Errors
    /// There is no such graph; the message says which value is wrong.
    pub fn build(&self, values: &Values, seed: u64) -> Result<Csr, String> {
        let edges = (self.build)(values, &mut SplitMix64::new(seed))?;
        Ok(edges.into_csr(values.orientation()))
    }
}
