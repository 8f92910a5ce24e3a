//! What kind of race two accesses make. The kind follows from what the accesses are and
//! how far apart their threads are, never from a guess at the intent.

use std::ops::Range;

use super::model::{Access, Relation};
use super::wording;

/// A race's code, with the words that go with it.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub code: &'static str,
    pub title: &'static str,
    pub reason: String,
    pub help: String,
}

/// What the classification looks at.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub relation: Relation,
    pub prior: &'a Access,
    pub current: &'a Access,
}

/// The codes of races with their titles.
pub const TITLES: [(&str, &str); 8] = [
    ("HR001", "missing block barrier"),
    ("HR002", "missing warp barrier"),
    ("HR003", "unordered accesses by different blocks"),
    ("HR004", "atomic mixed with plain access"),
    ("HR005", "atomic of too narrow a scope"),
    ("HR006", "same location written by several threads"),
    ("HR007", "accesses that overlap in part"),
    ("HR008", "unordered accesses by different launches"),
];

pub(super) fn classify(pair: Pair<'_>) -> Class {
    let code = code(pair);
    let title = TITLES
        .iter()
        .find(|(name, _)| *name == code)
        .map_or("", |(_, title)| title);
    Class {
        code,
        title,
        reason: wording::reason(code, pair),
        help: wording::help(code, pair),
    }
}

/// Two accesses that share some bytes and not others.
#[derive(Clone, Debug)]
pub(super) struct Overlap {
    pub prior: Range<i32>,
    pub current: Range<i32>,
}

impl Overlap {
    /// `None` where both access the same bytes, or that is not known.
    pub fn of(pair: Pair<'_>) -> Option<Self> {
        let (prior, current) = (pair.prior.bytes()?, pair.current.bytes()?);
        let overlap = prior.start < current.end && current.start < prior.end;
        (overlap && prior != current).then_some(Self { prior, current })
    }

    /// How many bytes both access.
    pub fn shared(&self) -> usize {
        let begin = self.prior.start.max(self.current.start);
        (begin..self.prior.end.min(self.current.end)).len()
    }

    /// Each reaches bytes that the other does not.
    pub fn is_staggered(&self) -> bool {
        self.shared() < self.prior.len().min(self.current.len())
    }
}

/// What the accesses are comes before how far apart their threads are. Bytes that differ are
/// the cause where both write, or where neither access lies within the other: one that stores
/// a vector whose elements another one reads is in want of what orders them.
fn code(pair: Pair<'_>) -> &'static str {
    let (prior, current) = (pair.prior, pair.current);
    if pair.relation == Relation::Launch {
        return "HR008";
    }
    match (prior.access.is_atomic(), current.access.is_atomic()) {
        (true, true) => return "HR005",
        (true, false) | (false, true) => return "HR004",
        (false, false) => {}
    }
    if let Some(overlap) = Overlap::of(pair)
        && (overlap.is_staggered() || (prior.access.writes() && current.access.writes()))
    {
        return "HR007";
    }
    let same_site = prior.position.file.is_some() && prior.position == current.position;
    if same_site && prior.access.writes() && current.access.writes() {
        return "HR006";
    }
    match pair.relation {
        Relation::Warp => "HR002",
        Relation::Block => "HR001",
        Relation::Grid | Relation::Launch => "HR003",
    }
}
