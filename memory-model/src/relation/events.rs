//! Sets of events.

use std::fmt;
use std::ops::{BitAnd, BitOr, Sub};

/// A set of events.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventSet(u128);

impl EventSet {
    /// The largest number of events in an execution.
    pub const MAX: usize = 128;

    /// The set without events.
    pub const EMPTY: Self = Self(0);

    /// The events `0..events`.
    #[must_use]
    pub fn all(events: usize) -> Self {
        match events {
            0 => Self::EMPTY,
            1..Self::MAX => Self(u128::MAX >> (Self::MAX - events)),
            _ => Self(u128::MAX),
        }
    }

    /// The set of one event.
    ///
    /// # Panics
    /// `event` must be less than [`EventSet::MAX`], here and in the methods below.
    #[must_use]
    pub fn single(event: usize) -> Self {
        assert!(event < Self::MAX, "an execution has at most 128 events");
        Self(1 << event)
    }

    /// Adds an event.
    pub fn insert(&mut self, event: usize) {
        *self = *self | Self::single(event);
    }

    /// Removes an event.
    pub fn remove(&mut self, event: usize) {
        *self = *self - Self::single(event);
    }

    /// Whether the event is in the set.
    #[must_use]
    pub fn contains(self, event: usize) -> bool {
        event < Self::MAX && self.0 >> event & 1 == 1
    }

    /// Whether the set has no events.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of events.
    #[must_use]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The event with the smallest number.
    #[must_use]
    pub fn min(self) -> Option<usize> {
        (self.0 != 0).then(|| self.0.trailing_zeros() as usize)
    }

    /// The events of `0..events` that are not in the set.
    #[must_use]
    pub fn complement(self, events: usize) -> Self {
        Self::all(events) - self
    }

    /// The events in ascending order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let event = Self(rest).min()?;
            rest &= rest - 1;
            Some(event)
        })
    }
}

impl BitOr for EventSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for EventSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Sub for EventSet {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl FromIterator<usize> for EventSet {
    fn from_iter<I: IntoIterator<Item = usize>>(events: I) -> Self {
        events
            .into_iter()
            .fold(Self::EMPTY, |set, event| set | Self::single(event))
    }
}

impl fmt::Debug for EventSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
