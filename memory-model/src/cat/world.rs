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
    /// Whether it is chosen with or before coherence: what a program does leaves it open.
    pub chosen: bool,
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
            chosen: false,
        }
    }

    /// A relation.
    #[must_use]
    pub const fn relation(name: &'static str) -> Self {
        Self {
            name,
            kind: Type::Relation,
            chosen: false,
        }
    }

    /// A relation such as `rf`, which candidate executions of the same events have differently.
    #[must_use]
    pub const fn chosen(name: &'static str) -> Self {
        Self {
            chosen: true,
            ..Self::relation(name)
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
