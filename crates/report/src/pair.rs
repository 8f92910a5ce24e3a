//! Two accesses that race, and the bytes that they share.

use std::ops::Range;

use super::model::{Access, Position, Relation, Space};
use hirace_model::table::Branch;
use hirace_model::wire::numbers::{NotModelled, RaceCause, RaceFacts};

/// Two racing accesses: the input of classification and its texts.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub relation: Relation,
    pub space: Space,
    pub prior: &'a Access,
    pub current: &'a Access,
    pub cause: RaceCause,
    /// What holds for at least one of its occurrences.
    pub facts: RaceFacts,
    /// What may have ordered it and is not followed.
    pub not_modelled: NotModelled,
    /// The branch that has them in different arms.
    pub branch: Option<&'a Branch>,
    /// Where the flag that the cause concerns is written and read.
    pub flag: Option<&'a [Position; 2]>,
}

/// Two accesses that share some bytes and not others.
#[derive(Clone, Debug)]
pub(super) struct Overlap {
    pub prior: Range<i32>,
    pub current: Range<i32>,
}

impl Overlap {
    /// `None` if both access the same bytes, or if the bytes are unknown.
    pub fn of(pair: Pair<'_>) -> Option<Self> {
        let (prior, current) = (pair.prior.bytes()?, pair.current.bytes()?);
        let overlap = prior.start < current.end && current.start < prior.end;
        (overlap && prior != current).then_some(Self { prior, current })
    }

    /// The number of bytes that both access.
    pub fn shared(&self) -> usize {
        let begin = self.prior.start.max(self.current.start);
        (begin..self.prior.end.min(self.current.end)).len()
    }

    /// Each reaches bytes that the other does not.
    pub fn is_staggered(&self) -> bool {
        self.shared() < self.prior.len().min(self.current.len())
    }
}
