//! What the engine asks about a candidate execution.

use crate::cat::World as _;
use crate::event::{Action, Event};
use crate::litmus::ast::{LocationId, Value};
use crate::relation::{EventSet, Relation};
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

    /// Whether the value that a read returns is never overwritten by another one in `order`.
    pub(super) fn reads_for_ever(&self, read: usize, order: &Relation) -> bool {
        // A write of the same value, such as that of an exchange in a loop, changes nothing.
        let value = |write: usize| value_of(&self.events[write]);
        let mut writes = self.read_from().pairs().filter(|it| it.1 == read);
        writes.all(|(write, _)| {
            let mut later = order.successors(write).iter();
            later.all(|it| value(it) == value(write))
        })
    }

    /// Chooses coherence, and derives from-read.
    pub(crate) fn order_writes(&mut self, order: Relation) {
        let count = self.events.len();
        let mut fr = self.read_from().inverse().compose(&order);
        fr.subtract(&Relation::identity(count, EventSet::all(count)));
        self.assign(index::CO, order);
        self.assign(index::FR, fr);
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
