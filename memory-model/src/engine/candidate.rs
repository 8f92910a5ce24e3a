//! What the engine asks about a candidate execution.

use crate::cat::World as _;
use crate::event::{Action, Event};
use crate::litmus::ast::{LocationId, Value};
use crate::relation::Relation;
use crate::world::{Candidate, index};

impl Candidate {
    pub(super) fn read_from(&self) -> &Relation {
        self.relation(index::RF)
    }

    /// The order of writes that was chosen.
    #[must_use]
    pub fn coherence(&self) -> &Relation {
        self.relation(index::CO)
    }

    pub(super) fn program_order(&self, a: usize, b: usize) -> bool {
        self.relation(index::PO).get(a, b)
    }

    /// Whether two writes to one location are morally strong to each other.
    pub(super) fn morally_strong(&self, a: usize, b: usize) -> bool {
        let strong = |event: usize| !self.set(index::WEAK).contains(event);
        let path = |event: usize| {
            let access = self.events[event].action.access();
            access.map(|it| (it.proxy, it.location))
        };
        let in_order = self.program_order(a, b) || self.program_order(b, a);
        let in_scope = strong(a) && strong(b) && self.relation(index::SR).get(a, b);
        path(a) == path(b) && (in_order || in_scope)
    }

    pub(super) fn writes_to(&self, location: LocationId) -> impl Iterator<Item = usize> {
        let all = self.events.iter().enumerate();
        all.filter_map(move |(number, event)| match event.action {
            Action::Write(access, _) if access.memory == location => Some(number),
            _ => None,
        })
    }

    /// The values of the writes to a location that no other one follows.
    pub(super) fn last_values(&self, location: LocationId, order: &Relation) -> Vec<Value> {
        let writes: Vec<usize> = self.writes_to(location).collect();
        let last = |it: &&usize| !writes.iter().any(|other| order.get(**it, *other));
        let mut values: Vec<Value> = writes
            .iter()
            .filter(last)
            .filter_map(|write| value_of(&self.events[*write]))
            .collect();
        values.sort_unstable();
        values.dedup();
        values
    }
}

fn value_of(event: &Event) -> Option<Value> {
    match event.action {
        Action::Read(_, value) | Action::Write(_, value) => Some(value),
        _ => None,
    }
}
