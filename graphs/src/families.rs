//! The families of graphs, each with its definition.
//!
//! They are those of Liu, Azami, Walters and Burtscher, "The Indigo Program-Verification
//! Microbenchmark Suite of Irregular Parallel Code Patterns", ISPASS 2022, and R-MAT for large
//! graphs. Definitions are those of Indigo's generators but for these: a [`dag`] leads from lower to
//! higher vertices where Indigo's has an order drawn at random, [`power_law`] has Zipf's law for
//! weights where Indigo draws from a geometric distribution, the sides of a [`grid`] need not be
//! equal, and a [`binary_forest`] has as many trees as asked for. Which edges a seed makes is this
//! crate's own; the numbering of [`all`] is Indigo's.

use super::csr::Csr;
use super::edges::{Edges, Orientation};
use super::random::SplitMix64;

pub mod all;
pub mod binary_forest;
pub mod dag;
pub mod grid;
pub mod k_max_degree;
pub mod power_law;
pub mod random_neighbor;
pub mod rmat;
mod sample;
pub mod simple_planar;
pub mod star;
pub mod uniform_degree;
mod values;

pub use values::{Parameter, Value, Values};

/// The most vertices, and the most edges before the orientation, that a generated graph has.
///
/// Such a graph takes a few gigabytes while it is made.
pub const LARGEST: u64 = 1 << 28;

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
    build: fn(&Values, &mut SplitMix64) -> Result<Edges, String>,
    /// Where graphs of a size, the first parameter, are numbered by the second one: how many there
    /// are.
    pub(crate) count: Option<fn(u64, Orientation) -> Option<u64>>,
}

/// All families, by name.
pub const FAMILIES: &[Family] = &[
    all::FAMILY,
    binary_forest::FAMILY,
    binary_forest::TREE,
    dag::FAMILY,
    grid::GRID,
    k_max_degree::FAMILY,
    power_law::FAMILY,
    random_neighbor::FAMILY,
    rmat::FAMILY,
    simple_planar::FAMILY,
    star::FAMILY,
    grid::TORUS,
    uniform_degree::FAMILY,
];

impl Family {
    /// The family of that name; a hyphen stands for an underscore.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        let name = name.replace('-', "_").to_ascii_lowercase();
        FAMILIES.iter().find(|family| family.name == name)
    }

    /// Makes a graph.
    ///
    /// # Errors
    /// There is no such graph; the message says which value is wrong.
    pub fn build(&self, values: &Values, seed: u64) -> Result<Csr, String> {
        let edges = (self.build)(values, &mut SplitMix64::new(seed))?;
        Ok(edges.into_csr(values.orientation()))
    }
}

/// `count` edges among `possible` ones, or the reason why not.
fn edges_of(nodes: u32, count: u64, possible: u64) -> Result<usize, String> {
    if count > possible {
        let vertices = if nodes == 1 { "vertex" } else { "vertices" };
        return Err(format!(
            "{nodes} {vertices} of this family have at most {possible} edges, not {count}"
        ));
    }
    most(count, "edges").map(|count| count as usize)
}

/// A number of vertices or edges that is small enough to be made.
fn most(count: u64, of: &str) -> Result<u32, String> {
    if count > LARGEST {
        return Err(format!(
            "{count} {of} are too many; graphs with up to {LARGEST} are made"
        ));
    }
    Ok(count as u32)
}

/// Ordered pairs of different vertices.
fn ordered_pairs(nodes: u32) -> u64 {
    u64::from(nodes) * u64::from(nodes - 1)
}
