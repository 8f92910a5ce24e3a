//! Sets of events and relations between them.
//!
//! Events are numbered from 0. A set is one `u128`, and a relation has one set of successors per
//! event. Models are evaluated for millions of executions, so each operation also exists in a form
//! that reuses the memory of its destination.
//!
//! # Invariants
//! - A relation over `n` events only contains pairs of numbers below `n`. Tests: `relation::tests`.

mod cycle;
mod events;

use std::fmt;

pub use events::EventSet;

#[cfg(test)]
mod tests;

/// A binary relation on the events of an execution.
///
/// Operations on two relations expect both to be over the same number of events.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Relation {
    rows: Vec<EventSet>,
}

impl Relation {
    /// The empty relation over `events` events.
    ///
    /// # Panics
    /// There can be at most [`EventSet::MAX`] events.
    #[must_use]
    pub fn empty(events: usize) -> Self {
        let mut relation = Self::default();
        relation.clear(events);
        relation
    }

    /// The relation with these pairs.
    #[must_use]
    pub fn from_pairs(events: usize, pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut relation = Self::empty(events);
        for (from, to) in pairs {
            relation.set(from, to);
        }
        relation
    }

    /// The pairs `(e, e)` for all `e` of `set`.
    #[must_use]
    pub fn identity(events: usize, set: EventSet) -> Self {
        let mut relation = Self::default();
        relation.assign_identity(events, set);
        relation
    }

    /// The number of events that the relation is over.
    #[must_use]
    pub fn events(&self) -> usize {
        self.rows.len()
    }

    /// Adds a pair.
    ///
    /// # Panics
    /// Both events must be less than [`Relation::events`], here and in [`Relation::remove`].
    pub fn set(&mut self, from: usize, to: usize) {
        assert!(to < self.events(), "the relation has no event {to}");
        self.rows[from].insert(to);
    }

    /// Removes a pair.
    pub fn remove(&mut self, from: usize, to: usize) {
        self.rows[from].remove(to);
    }

    /// Whether the pair is in the relation.
    #[must_use]
    pub fn get(&self, from: usize, to: usize) -> bool {
        self.rows.get(from).is_some_and(|row| row.contains(to))
    }

    /// The successors of an event.
    #[must_use]
    pub fn successors(&self, event: usize) -> EventSet {
        self.rows.get(event).copied().unwrap_or_default()
    }

    /// All pairs in ascending order.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let rows = self.rows.iter().enumerate();
        rows.flat_map(|(from, row)| row.iter().map(move |to| (from, to)))
    }

    /// Whether there is no pair.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|row| row.is_empty())
    }

    /// Whether no event is related to itself.
    #[must_use]
    pub fn is_irreflexive(&self) -> bool {
        let mut rows = self.rows.iter().enumerate();
        rows.all(|(event, row)| !row.contains(event))
    }

    /// The successors of all events of `set`.
    fn image(&self, set: EventSet) -> EventSet {
        set.iter()
            .fold(EventSet::EMPTY, |all, event| all | self.successors(event))
    }

    /// The events with a successor.
    #[must_use]
    pub fn domain(&self) -> EventSet {
        let rows = self.rows.iter().enumerate();
        rows.filter(|(_, row)| !row.is_empty())
            .map(|(event, _)| event)
            .collect()
    }

    /// The events with a predecessor.
    #[must_use]
    pub fn range(&self) -> EventSet {
        let rows = self.rows.iter();
        rows.fold(EventSet::EMPTY, |all, &row| all | row)
    }
}

/// Operations that return a new relation.
impl Relation {
    /// The pairs in `self` that are not in `other`.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        let mut new = self.clone();
        new.subtract(other);
        new
    }

    /// The pairs `(a, c)` with `(a, b)` in `self` and `(b, c)` in `other`.
    #[must_use]
    pub fn compose(&self, other: &Self) -> Self {
        let mut new = Self::default();
        new.assign_composition(self, other);
        new
    }

    /// The pairs in the other direction.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut new = Self::default();
        new.assign_inverse(self);
        new
    }
}

/// Operations that reuse the memory of `self`.
impl Relation {
    /// Becomes the empty relation over `events` events.
    ///
    /// # Panics
    /// There can be at most [`EventSet::MAX`] events.
    pub fn clear(&mut self, events: usize) {
        assert!(events <= EventSet::MAX, "more than 128 events");
        self.rows.clear();
        self.rows.resize(events, EventSet::EMPTY);
    }

    /// Becomes a copy of `other`.
    pub fn assign(&mut self, other: &Self) {
        self.rows.clone_from(&other.rows);
    }

    /// Becomes [`Relation::identity`].
    pub fn assign_identity(&mut self, events: usize, set: EventSet) {
        self.clear(events);
        for (event, row) in self.rows.iter_mut().enumerate() {
            *row = EventSet::single(event) & set;
        }
    }

    /// Becomes the pairs of an event of `from` and an event of `to`.
    pub fn assign_product(&mut self, events: usize, from: EventSet, to: EventSet) {
        self.clear(events);
        let to = to & EventSet::all(events);
        for (event, row) in self.rows.iter_mut().enumerate() {
            if from.contains(event) {
                *row = to;
            }
        }
    }

    /// Becomes `first ; second`.
    pub fn assign_composition(&mut self, first: &Self, second: &Self) {
        self.rows.clear();
        let rows = first.rows.iter();
        self.rows.extend(rows.map(|&row| second.image(row)));
    }

    /// Becomes the inverse of `other`.
    pub fn assign_inverse(&mut self, other: &Self) {
        self.clear(other.events());
        for (from, to) in other.pairs() {
            self.rows[to].insert(from);
        }
    }

    /// Adds the pairs of `other`.
    pub fn union_with(&mut self, other: &Self) {
        self.each(other, |row, other| row | other);
    }

    /// Removes the pairs that are not in `other`.
    pub fn intersect_with(&mut self, other: &Self) {
        self.each(other, |row, other| row & other);
    }

    /// Removes the pairs of `other`.
    pub fn subtract(&mut self, other: &Self) {
        self.each(other, |row, other| row - other);
    }

    fn each(&mut self, other: &Self, combine: impl Fn(EventSet, EventSet) -> EventSet) {
        debug_assert_eq!(self.events(), other.events());
        for (row, &other) in self.rows.iter_mut().zip(&other.rows) {
            *row = combine(*row, other);
        }
    }

    /// Becomes its complement.
    pub fn flip(&mut self) {
        let events = self.events();
        for row in &mut self.rows {
            *row = row.complement(events);
        }
    }

    /// Becomes its transitive closure (Warshall's algorithm).
    pub fn close(&mut self) {
        for middle in 0..self.events() {
            let through = self.rows[middle];
            if through.is_empty() {
                continue;
            }
            for row in &mut self.rows {
                if row.contains(middle) {
                    *row = *row | through;
                }
            }
        }
    }

    /// Relates each event to itself.
    pub fn add_identity(&mut self) {
        for (event, row) in self.rows.iter_mut().enumerate() {
            row.insert(event);
        }
    }

    /// Removes the pairs whose first event is not in `set`.
    pub fn restrict_domain(&mut self, set: EventSet) {
        for (event, row) in self.rows.iter_mut().enumerate() {
            if !set.contains(event) {
                *row = EventSet::EMPTY;
            }
        }
    }

    /// Removes the pairs whose second event is not in `set`.
    pub fn restrict_range(&mut self, set: EventSet) {
        for row in &mut self.rows {
            *row = *row & set;
        }
    }
}

impl fmt::Debug for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.pairs()).finish()
    }
}
