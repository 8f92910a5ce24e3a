//! The sentences for races with an asynchronous copy of another thread, where neither thread has
//! synchronised with the other: a wait for the copy is not what is missing, or not all of it.

use super::super::model::{AccessKind, Relation};
use super::super::pair::Pair;
use super::ptx::Operation;
use super::{in_cluster, nothing_between, threads};
use hirace_model::wire::numbers::{RaceCause, RaceFacts};

pub(super) fn reason(pair: Pair<'_>) -> Option<String> {
    let copies = copies(pair)?;
    let (whose, between) = (threads(pair.relation), nothing_between(pair.relation));
    Some(match pair.facts.has(RaceFacts::CURRENT_COPIES) {
        true => {
            format!("{copies}; {whose}, {between}, which waiting for the copy does not replace")
        }
        false => format!("{copies}; {whose}, {between}"),
    })
}

/// Which of the two accesses belong to copies, if that is the cause.
fn copies(pair: Pair<'_>) -> Option<&'static str> {
    if pair.cause != RaceCause::UnorderedCopy {
        return None;
    }
    let copies = |fact| pair.facts.has(fact);
    Some(
        match (
            copies(RaceFacts::PRIOR_COPIES),
            copies(RaceFacts::CURRENT_COPIES),
        ) {
            (true, true) => "(1) and (2) belong to asynchronous copies",
            (false, true) => "(2) belongs to an asynchronous copy",
            _ => "(1) belongs to an asynchronous copy",
        },
    )
}

pub(super) fn help(pair: Pair<'_>) -> Option<String> {
    copies(pair)?;
    let (call, everyone) = match pair.relation {
        Relation::Grid if in_cluster(pair) => {
            ("a barrier of the cluster", "every thread of the cluster")
        }
        Relation::Warp => ("a `__syncwarp()`", "every lane of the warp"),
        Relation::Block => ("a `__syncthreads()`", "every thread of the block"),
        Relation::Grid | Relation::Launch | Relation::Host => {
            ("a grid barrier", "every thread of the grid")
        }
    };
    let copies = pair.facts.has(RaceFacts::CURRENT_COPIES);
    let copy = if copies { pair.current } else { pair.prior };
    if let Some(operation) = Operation::of(copy) {
        let wait = match operation {
            Operation::Counted => {
                "let the thread of (2) wait, too: for the phase of the `mbarrier` object that counts the \
                 bytes, with its parity"
            }
            Operation::Copy => {
                "let the copies arrive at an `mbarrier` object (`cp.async.mbarrier.arrive.noinc`) for whose phase \
                 the thread of (2) waits"
            }
            Operation::Grouped | Operation::Product => {
                "let the thread that has issued (1) arrive, after its wait, at an `mbarrier` object for whose \
                 phase the thread of (2) waits"
            }
        };
        return Some(match copies {
            true => format!(
                "let the thread of (1) arrive at an `mbarrier` object or a barrier with a number after (1), and \
                 the thread that issues the copy wait before it for that phase, with the parity of that \
                 phase; where one lane arrives for its warp, put a `bar.warp.sync` between (1) and its \
                 arrival; otherwise, put {call} that {everyone} reaches between (1) and the copy{}",
                instead(pair, "on the `mbarrier` object that counts its bytes")
            ),
            false => format!(
                "if (2) needs what was there before, put {call} that {everyone} reaches after (2) and \
                 before the copy is issued; if it needs what the copy brings, put one after the wait for \
                 the copy and before (2), or {wait}"
            ),
        });
    }
    Some(match copies {
        true => format!(
            "in a `cuda::pipeline` that they share, call `consumer_release()` after (1) and \
             `producer_acquire()` before the copy; with a `cuda::barrier` or an `mbarrier`, arrive there \
             after (1) and wait before the copy, and where one lane arrives for its warp, put a \
             `__syncwarp()` between (1) and its arrival; otherwise, put {call} that {everyone} reaches \
             between (1) and the copy{}",
            instead(
                pair,
                "with `consumer_wait()` of the pipeline or `wait()` of the barrier"
            )
        ),
        false => format!(
            "if (2) needs what was there before, put {call} that {everyone} reaches after (2) and \
             before the copy is issued; if it needs what the copy brings, put one after the wait for \
             the copy and before (2), or let the thread of (2) wait, too: `consumer_wait()` of a \
             pipeline or `wait()` of a barrier that both use"
        ),
    })
}

/// What helps instead where a read comes before the copy: it may be one that has not waited for this copy.
fn instead(pair: Pair<'_>, wait: &str) -> String {
    let reads = matches!(
        pair.prior.access,
        AccessKind::Read | AccessKind::VolatileRead
    );
    match reads {
        true => format!(
            "; if (1) needs what this copy brings, its thread has to wait for it before (1), {wait}"
        ),
        false => String::new(),
    }
}
