//! Barriers of blocks: which uses of a barrier meet, and which threads wait for ever.

use crate::event::{Action, Event};
use crate::litmus::ast::{BarrierKind, Test, Value};
use crate::relation::Relation;

/// One use of a barrier.
struct Use {
    event: usize,
    thread: usize,
    number: Value,
    kind: BarrierKind,
    /// The threads that it says to wait for; none for all of the block.
    threads: Option<Value>,
    /// The n-th time that a thread uses a barrier is its n-th phase, because a thread takes part in
    /// each phase once.
    phase: usize,
}

impl Use {
    fn waits(&self) -> bool {
        self.kind != BarrierKind::Arrive
    }

    fn meets(&self, other: &Self, test: &Test) -> bool {
        let same = self.number == other.number && self.phase == other.phase;
        same && same_block(test, self.thread, other.thread)
    }
}

fn same_block(test: &Test, one: usize, other: usize) -> bool {
    let place = |thread: usize| test.threads[thread].placement;
    place(one).same_block(&place(other))
}

fn uses(events: &[Event]) -> Vec<Use> {
    let mut uses: Vec<Use> = Vec::new();
    for (event, it) in events.iter().enumerate() {
        let (
            Some(thread),
            Action::Barrier {
                kind,
                number,
                count,
            },
        ) = (it.thread, it.action)
        else {
            continue;
        };
        let before = |it: &&Use| it.thread == thread && it.number == number;
        let phase = uses.iter().filter(before).count();
        // Counts on a GPU are multiples of the warp size; each thread of a test stands for a warp.
        let threads = count.map(|it| if it % 32 == 0 { it / 32 } else { it });
        uses.push(Use {
            event,
            thread,
            number,
            kind,
            threads,
            phase,
        });
    }
    uses
}

/// From every arrival at a barrier to the waits of the same phase that it lets pass.
pub(super) fn synchronization(test: &Test, events: &[Event]) -> Relation {
    let uses = uses(events);
    let mut relation = Relation::empty(events.len());
    for from in &uses {
        for to in &uses {
            let meets = from.meets(to, test) && from.thread != to.thread;
            // A thread that a barrier waits for alone meets no other.
            let alone = from.threads == Some(1) || to.threads == Some(1);
            if meets && !alone && to.waits() {
                relation.set(from.event, to.event);
            }
        }
    }
    relation
}

/// For each thread, the event at which it waits for ever, if it does. `spins` says of a thread that
/// it never ends, because it stays in a loop behind its last event.
///
/// The threads run until nobody can go on. The order does not matter: an arrival stays.
#[must_use]
pub fn blocked(test: &Test, events: &[Event], spins: &[bool]) -> Vec<Option<usize>> {
    let uses = uses(events);
    let mut passed = vec![false; uses.len()];
    loop {
        let stops: Vec<Option<usize>> = (0..test.threads.len())
            .map(|thread| {
                let open = |it: &usize| {
                    let of = &uses[*it];
                    of.thread == thread && of.waits() && !passed[*it]
                };
                (0..uses.len()).find(open)
            })
            .collect();
        let lets_pass = |wait: &usize| is_complete(test, &uses, &uses[*wait], &stops, spins);
        let free: Vec<usize> = stops.iter().flatten().copied().filter(lets_pass).collect();
        if free.is_empty() {
            let event = |stop: Option<usize>| stop.map(|it| uses[it].event);
            return stops.into_iter().map(event).collect();
        }
        for wait in free {
            passed[wait] = true;
        }
    }
}

/// Whether a wait is over when each thread has come to its stop, or to its end.
fn is_complete(
    test: &Test,
    uses: &[Use],
    wait: &Use,
    stops: &[Option<usize>],
    spins: &[bool],
) -> bool {
    let reached = |it: &Use| stops[it.thread].is_none_or(|stop| it.event <= uses[stop].event);
    let arrived = |thread: usize| {
        let own = uses.iter().filter(|it| it.thread == thread);
        own.filter(|it| reached(it)).any(|it| it.meets(wait, test))
    };
    match wait.threads {
        Some(threads) => {
            let come = (0..stops.len()).filter(|thread| arrived(*thread)).count();
            i64::try_from(come).is_ok_and(|come| come >= threads)
        }
        // Threads of the block that the test does not show arrive, and those that have ended count
        // as if they had.
        None => (0..stops.len()).all(|thread| {
            let ended = stops[thread].is_none() && !spins[thread];
            ended || arrived(thread) || !same_block(test, wait.thread, thread)
        }),
    }
}
