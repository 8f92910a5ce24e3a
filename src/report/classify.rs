//! What kind of race two accesses make. The kind follows from what the accesses are and
//! how far apart their threads are, never from a guess at the intent.

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
pub const TITLES: [(&str, &str); 6] = [
    ("HR001", "missing block barrier"),
    ("HR002", "missing warp barrier"),
    ("HR003", "unordered accesses by different blocks"),
    ("HR004", "atomic mixed with plain access"),
    ("HR005", "atomic of too narrow a scope"),
    ("HR006", "same location written by several threads"),
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

fn code(pair: Pair<'_>) -> &'static str {
    let (prior, current) = (pair.prior, pair.current);
    match (prior.access.is_atomic(), current.access.is_atomic()) {
        (true, true) => return "HR005",
        (true, false) | (false, true) => return "HR004",
        (false, false) => {}
    }
    let same_site = prior.position.file.is_some() && prior.position == current.position;
    if same_site && prior.access.writes() && current.access.writes() {
        return "HR006";
    }
    match pair.relation {
        Relation::Warp => "HR002",
        Relation::Block => "HR001",
        Relation::Grid => "HR003",
    }
}
