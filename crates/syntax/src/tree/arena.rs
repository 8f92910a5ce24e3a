//! The array that holds a tree.

use super::kinds::{Field, Kind};

/// The index that means no node.
pub(super) const NONE: u32 = u32::MAX;

/// A node, and its relatives by their index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Data {
    pub(super) kind: Kind,
    pub(super) field: Field,
    pub(super) named: bool,
    pub(super) error: bool,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) parent: u32,
    pub(super) first: u32,
    pub(super) next: u32,
}

/// A parsed text.
#[derive(Debug)]
pub struct Tree {
    pub(super) nodes: Vec<Data>,
    pub(super) depth: usize,
}

impl Tree {
    /// The depth of the tree.
    pub fn depth(&self) -> usize {
        self.depth
    }
}
