//! A family of graphs, and how it makes one.

use super::values::{Parameter, Values};
use crate::csr::Csr;
use crate::edges::{Edges, Orientation};
use crate::random::SplitMix64;

/// A family of graphs.
#[derive(Debug)]
pub struct Family {
    /// What it is called.
    pub name: &'static str,
    /// Its definition in a line.
    pub about: &'static str,
    /// What decides which graph it is, in the order of a specification's values.
    pub parameters: &'static [Parameter],
    /// Whether a seed is among what decides.
    pub random: bool,
    /// Makes the edges, in the directed orientation.
    pub(super) build: fn(&Values, &mut SplitMix64) -> Result<Edges, String>,
    /// Where graphs of a size, the first parameter, are numbered by the second one: how many there
    /// are.
    pub(crate) count: Option<fn(u64, Orientation) -> Option<u64>>,
}

impl Family {
    /// Makes a graph.
    ///
    /// # Errors
    /// There is no such graph; the message says which value is wrong.
    pub fn build(&self, values: &Values, seed: u64) -> Result<Csr, String> {
        let edges = (self.build)(values, &mut SplitMix64::new(seed))?;
        Ok(edges.into_csr(values.orientation()))
    }
}
