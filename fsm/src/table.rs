//! A transition table, the machine's form on devices.

use crate::alphabet::{Access, Relation, State, Sync};
use crate::spec;

/// The number of different inputs of a state.
pub const INPUTS: usize = Access::ALL.len() * Sync::ALL.len() * Relation::ALL.len();

/// The number of transitions of the machine.
pub const TRANSITIONS: usize = State::ALL.len() * INPUTS;

/// One state with one input, which identifies a transition in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transition {
    /// The state before the access.
    pub state: State,
    /// The kind of the access.
    pub access: Access,
    /// The widest barrier since the recorded access.
    pub sync: Sync,
    /// The closest group that the recorded and the current thread share.
    pub relation: Relation,
}

impl Transition {
    /// The index in the table.
    #[must_use]
    pub const fn index(self) -> usize {
        let input = (self.access.index() * Sync::ALL.len() + self.sync.index())
            * Relation::ALL.len()
            + self.relation.index();
        self.state.index() * INPUTS + input
    }

    /// All transitions in the order of their indices.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..TRANSITIONS).map(Self::at)
    }

    /// The transition at an index; `None` if it is out of range.
    #[must_use]
    pub const fn of_index(index: usize) -> Option<Self> {
        if index < TRANSITIONS {
            Some(Self::at(index))
        } else {
            None
        }
    }

    /// Parses a transition: `BREAD,W,U,B`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let mut parts = name.split(',');
        let transition = Self {
            state: State::from_name(parts.next()?)?,
            access: Access::from_name(parts.next()?)?,
            sync: Sync::from_name(parts.next()?)?,
            relation: Relation::from_name(parts.next()?)?,
        };
        parts.next().is_none().then_some(transition)
    }

    const fn at(index: usize) -> Self {
        let relations = Relation::ALL.len();
        let syncs = Sync::ALL.len();
        Self {
            state: State::ALL[index / INPUTS],
            access: Access::ALL[index / relations / syncs % Access::ALL.len()],
            sync: Sync::ALL[index / relations % syncs],
            relation: Relation::ALL[index % relations],
        }
    }
}

impl std::fmt::Display for Transition {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            state,
            access,
            sync,
            relation,
        } = self;
        write!(formatter, "{state},{access},{sync},{relation}")
    }
}

/// The next state for each of the 1200 transitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    bytes: [u8; TRANSITIONS],
}

impl Table {
    /// The machine of the specification.
    pub const EXACT: Self = Self::exact();

    const fn exact() -> Self {
        let mut bytes = [0; TRANSITIONS];
        let mut index = 0;
        while index < TRANSITIONS {
            let at = Transition::at(index);
            bytes[index] = spec::next(at.state, at.access, at.sync, at.relation) as u8;
            index += 1;
        }
        Self { bytes }
    }

    /// The state after a transition.
    #[must_use]
    pub fn next(&self, transition: Transition) -> State {
        State::ALL[usize::from(self.bytes[transition.index()])]
    }

    /// The table with one transition changed.
    #[must_use]
    pub fn with(mut self, transition: Transition, next: State) -> Self {
        self.bytes[transition.index()] = next as u8;
        self
    }

    /// The state numbers in the order of the transitions.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; TRANSITIONS] {
        &self.bytes
    }
}
