//! Barriers of blocks: which uses of a barrier meet, and which threads wait forever.

use crate::event::{Action, Event, Reduced};
use crate::litmus::ast::{BarrierKind, ReductionOp, Test, Value};
use crate::relation::Relation;

/// One use of a barrier.
struct Use {
    event: usize,
    thread: usize,
    number: Value,
    kind: BarrierKind,
    /// The threads that it says to wait for; none for all of the block.
    threads: Option<Value>,
    reduction: Option<Reduced>,
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

    fn takes_part_with(&self, other: &Self, test: &Test) -> bool {
        // A thread that a barrier waits for alone meets no other.
        let alone = self.threads == Some(1) || other.threads == Some(1);
        !alone && self.thread != other.thread && self.meets(other, test)
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
                reduction,
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
            reduction,
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
            if to.waits() && from.takes_part_with(to, test) {
                relation.set(from.event, to.event);
            }
        }
    }
    relation
}

/// The reductions of an execution.
#[derive(Debug, Default)]
pub struct Reductions {
    /// Whether each thread that passes the barrier gets the result of all that take part.
    pub agree: bool,
    /// From each use of a barrier to those whose result depends on its predicate.
    pub pairs: Vec<(usize, usize)>,
    /// A reduction that meets another kind of barrier: PTX leaves open what it results in.
    pub mixed: Option<usize>,
}

/// The reductions of these events. `stops` has for each thread the event at which it waits for
/// ever.
#[must_use]
pub fn reductions(test: &Test, events: &[Event], stops: &[Option<usize>]) -> Reductions {
    let uses = uses(events);
    let mut found = Reductions {
        agree: true,
        ..Reductions::default()
    };
    for to in &uses {
        let Some(own) = to.reduction else {
            continue;
        };
        let beside = || uses.iter().filter(|it| it.takes_part_with(to, test));
        found.pairs.extend(beside().map(|it| (it.event, to.event)));
        if beside().any(|it| it.reduction.is_none_or(|other| other.op != own.op)) {
            found.mixed = Some(to.event);
        }
        let predicates = beside().filter_map(|it| Some(it.reduction?.predicate));
        let mut predicates = predicates.chain([own.predicate]);
        let result = match own.op {
            ReductionOp::Popc => predicates.map(Value::from).sum(),
            ReductionOp::And => Value::from(predicates.all(|it| it)),
            ReductionOp::Or => Value::from(predicates.any(|it| it)),
        };
        let passes = stops[to.thread] != Some(to.event);
        found.agree &= !passes || result == own.result;
    }
    found
}

/// For each thread, the event at which it waits forever, if it does. `spins` says of a thread that
/// it never ends, because it stays in a loop after its last event.
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
