//! The families of graphs, each with its definition.
//!
//! They are those of Liu, Azami, Walters and Burtscher, "The Indigo Program-Verification
//! Microbenchmark Suite of Irregular Parallel Code Patterns", ISPASS 2022, and R-MAT for large
//! graphs. Definitions are those of Indigo's generators, with these exceptions: a [`dag`] leads
//! from lower to higher vertices, while Indigo draws an order at random; [`power_law`] has weights
//! by Zipf's law, while Indigo draws from a geometric distribution; the sides of a [`grid`] need
//! not be equal; and the number of trees of a [`binary_forest`] can be chosen. The edges for a seed
//! are this crate's own; the numbering of [`all`] is Indigo's.

pub mod all;
pub mod binary_forest;
pub mod dag;
mod family;
pub mod grid;
pub mod k_max_degree;
mod limits;
pub mod power_law;
pub mod random_neighbor;
pub mod rmat;
mod sample;
pub mod simple_planar;
pub mod star;
pub mod uniform_degree;
mod values;

pub use family::Family;
pub use limits::LARGEST;
pub use values::{Parameter, Value, Values};

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
    /// The family of that name; hyphens are accepted for underscores.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        let name = name.replace('-', "_").to_ascii_lowercase();
        FAMILIES.iter().find(|family| family.name == name)
    }
}
