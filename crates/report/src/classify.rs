//! Classifies races. The kind depends on the accesses and on the relation of their threads, never
//! on a guess at the intent.

use super::codes;
use super::model::Relation;
use super::pair::{Overlap, Pair};
use super::reason_and_help;
use hirace_model::wire::numbers::{RaceCause, RaceFacts};

/// A race's code, with the words that go with it.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub code: &'static str,
    pub title: &'static str,
    pub reason: String,
    pub help: String,
}

pub(super) fn classify(pair: Pair<'_>) -> Class {
    let code = code(pair);
    let title = codes::find(code).map_or("", |it| it.title);
    Class {
        code,
        title,
        reason: reason_and_help::reason(code, pair),
        help: reason_and_help::help(code, pair),
    }
}

/// What kept synchronisation from working takes precedence, if the order engine knows it. Then the
/// kind of the accesses takes precedence over the relation of their threads. Different bytes
/// are the cause if both accesses write, or if neither contains the other. A store of a vector
/// whose elements another access reads is not such a case: the two accesses only lack an order.
fn code(pair: Pair<'_>) -> &'static str {
    let (prior, current) = (pair.prior, pair.current);
    match pair.relation {
        Relation::Launch => return "HR008",
        Relation::Host => return "HR017",
        Relation::Warp | Relation::Block | Relation::Grid => {}
    }
    match pair.cause {
        RaceCause::UnorderedCopy if !is_waited_for(pair) => return "HR012",
        // By the kind of the accesses and the relation of their threads.
        RaceCause::None | RaceCause::UnorderedCopy => {}
        RaceCause::NotAcquired => return "HR009",
        RaceCause::NotReleased => return "HR010",
        RaceCause::NarrowScope => return "HR011",
        RaceCause::PendingCopy => return "HR012",
        RaceCause::OtherLanes => return "HR013",
        RaceCause::DifferentBytes => return "HR014",
        RaceCause::AfterRelease
        | RaceCause::OutsideRelease
        | RaceCause::OutsideAcquire
        | RaceCause::AfterArrival => return "HR015",
        RaceCause::LockOrder => return codes::PREDICTED,
        RaceCause::FetchedOwnWrite => return "HR018",
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
    let same_site = prior.position.file.is_some() && prior.position.is_at(&current.position);
    if same_site && prior.access.writes() && current.access.writes() {
        return "HR006";
    }
    match pair.relation {
        Relation::Warp => "HR002",
        Relation::Block => "HR001",
        Relation::Grid | Relation::Launch | Relation::Host => "HR003",
    }
}

/// Whether no wait for a copy is missing: its thread has waited, or the copy is the later access.
fn is_waited_for(pair: Pair<'_>) -> bool {
    pair.facts.has(RaceFacts::COPY_WAITED_FOR) || !pair.facts.has(RaceFacts::PRIOR_COPIES)
}
