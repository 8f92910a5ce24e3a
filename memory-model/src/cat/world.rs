//! What a model is evaluated on.

use super::types::Type;
use crate::relation::{EventSet, Relation};

/// A set or relation that each world has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Base {
    /// Its name in models.
    pub name: &'static str,
    /// Whether it is a set or a relation.
    pub kind: Type,
}

impl Base {
    /// The largest number of sets and relations of a world.
    pub const MAX: usize = 128;

    /// A set.
    #[must_use]
    pub const fn set(name: &'static str) -> Self {
        Self {
            name,
            kind: Type::Set,
        }
    }

    /// A relation.
    #[must_use]
    pub const fn relation(name: &'static str) -> Self {
        Self {
            name,
            kind: Type::Relation,
        }
    }
}

/// A candidate execution. Indices are those of the list of [`Base`]s that the model was parsed with.
pub trait World {
    /// The number of events, at most [`EventSet::MAX`].
    fn events(&self) -> usize;

    /// The set with this index; its type in the list is [`Type::Set`].
    fn set(&self, index: usize) -> EventSet;

    /// The relation with this index, over [`World::events`] events.
    fn relation(&self, index: usize) -> &Relation;
}
