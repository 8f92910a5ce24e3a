//! The sentences for races of threads that synchronise by a barrier at which some arrive and others wait.

use super::{Flag, Parties, barrier, everyone, line};
use crate::pair::Pair;
use crate::reason_and_help::ptx;
use hirace_model::wire::numbers::{RaceCause, RaceFacts};

pub(super) fn reason(pair: Pair<'_>) -> Option<String> {
    let Parties { writer, reader } = Parties::of(pair);
    let flag = pair.flag.map(Flag::new);
    let (arrival, wait) = flag.map_or_else(Default::default, |it| (it.written(), it.read()));
    let missing = barrier(pair);
    Some(match pair.cause {
        RaceCause::AfterArrival => format!(
            "the thread of (1) arrives at a barrier{arrival}, and the thread of (2) waits there{wait}; but (1) \
             comes after the arrival, which releases only what its thread has done before"
        ),
        _ if !is_barrier(pair) => return None,
        RaceCause::NarrowScope if in_assembly(pair) => format!(
            "the two threads are in different blocks; one arrives at a barrier{arrival}, and the other \
             waits there{wait}, but one of these instructions has the scope `.cta` and orders \
             only the threads of its block"
        ),
        RaceCause::NarrowScope => format!(
            "the two threads are in different blocks; one arrives at a barrier{arrival}, and the other \
             waits there{wait}, but the barrier has block scope and orders only the threads of its block"
        ),
        RaceCause::OutsideRelease => format!(
            "{writer} releases what it has done when it arrives at a barrier{arrival}, and {reader} \
             waits there{wait}; but (1) is not part of that: no {missing} comes between (1) and the \
             arrival"
        ),
        RaceCause::OutsideAcquire => format!(
            "{writer} releases (1) when it arrives at a barrier{arrival}, and {reader} waits \
             there{wait}; but no {missing} comes between that and (2)"
        ),
        _ => return None,
    })
}

pub(super) fn help(pair: Pair<'_>) -> Option<String> {
    let flag = pair.flag.map(Flag::new);
    let (arrival, wait) =
        flag.map_or_else(Default::default, |it| (line(it.written), line(it.read)));
    let (missing, everyone) = (barrier(pair), everyone(pair));
    Some(match pair.cause {
        RaceCause::AfterArrival => format!(
            "move (1) before the arrival{arrival}; if it must come later, let both threads use the \
             barrier once more, with an arrival after (1) and a wait before (2)"
        ),
        _ if !is_barrier(pair) => return None,
        RaceCause::NarrowScope if in_assembly(pair) => {
            "give the arrival and the wait the scope of the cluster: `mbarrier.arrive.release.cluster` and \
             `mbarrier.try_wait.acquire.cluster`"
                .to_owned()
        }
        RaceCause::NarrowScope => {
            "use a barrier of device scope, such as `cuda::barrier<cuda::thread_scope_device>`"
                .to_owned()
        }
        RaceCause::OutsideRelease => {
            format!("put a {missing} that {everyone} reaches between (1) and the arrival{arrival}")
        }
        RaceCause::OutsideAcquire => {
            format!(
                "put a {missing} that {everyone} reaches between the wait{wait} and (2), or let the \
                 thread of (2) wait, too, before (2)"
            )
        }
        _ => return None,
    })
}

/// Whether the arrival is an instruction of inline PTX.
fn in_assembly(pair: Pair<'_>) -> bool {
    let arrival = pair.flag.and_then(|[written, _]| written.text.as_deref());
    arrival.is_some_and(|it| ptx::opcode(it).is_some())
}

fn is_barrier(pair: Pair<'_>) -> bool {
    pair.facts.has(RaceFacts::FLAG_IS_BARRIER)
}
