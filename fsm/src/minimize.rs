//! The states that no sequence of inputs can distinguish.

use crate::alphabet::State;
use crate::table::{Table, Transition};

/// The coarsest partition of the states that separates two states if some inputs lead only one of
/// them to [`State::Race`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    class: [usize; State::ALL.len()],
}

impl Classes {
    /// Refines the partition {race, not race} until it is stable (Moore's algorithm).
    #[must_use]
    pub fn of(table: &Table) -> Self {
        let mut class = State::ALL.map(|state| usize::from(state == State::Race));
        loop {
            let mut signatures: Vec<Vec<usize>> = Vec::new();
            let refined = State::ALL.map(|state| {
                let mut signature = vec![class[state.index()]];
                signature.extend(
                    Transition::all()
                        .filter(|transition| transition.state == state)
                        .map(|transition| class[table.next(transition).index()]),
                );
                let known = signatures.iter().position(|other| *other == signature);
                known.unwrap_or_else(|| {
                    signatures.push(signature);
                    signatures.len() - 1
                })
            });
            if refined == class {
                return Self { class };
            }
            class = refined;
        }
    }

    /// Whether no inputs distinguish the two states.
    #[must_use]
    pub fn equivalent(&self, one: State, other: State) -> bool {
        self.class[one.index()] == self.class[other.index()]
    }

    /// The states, grouped; each group and the list in the order of the numbering.
    #[must_use]
    pub fn groups(&self) -> Vec<Vec<State>> {
        let mut groups: Vec<Vec<State>> = Vec::new();
        for state in State::ALL {
            match groups
                .iter_mut()
                .find(|group| self.equivalent(group[0], state))
            {
                Some(group) => group.push(state),
                None => groups.push(vec![state]),
            }
        }
        groups
    }
}
