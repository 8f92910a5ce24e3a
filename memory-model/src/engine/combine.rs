//! Paths through all threads together.

use crate::event::{Access, Action, Bytes, Event};
use crate::litmus::ast::{LocationId, Order, Proxy, Test, Value};
use crate::relation::Relation;
use crate::trace::{End, Trace};
use crate::world::barrier::{blocked, reductions};
use crate::world::{Candidate, Pairs};

/// A path through each thread.
pub struct Combination<'a> {
    /// The paths.
    pub traces: Vec<&'a Trace>,
    /// Their events, after the initial writes.
    pub events: Vec<Event>,
    /// Dependencies and atomic pairs of these events.
    pub pairs: Pairs,
    /// The first event of each thread.
    first: Vec<usize>,
    /// For each thread, whether it waits at a barrier forever. That wait is its last event.
    blocked: Vec<bool>,
    /// A reduction whose result PTX leaves open.
    pub undefined: Option<usize>,
}

/// The write of a location's initial value.
pub fn initial_write(location: LocationId, value: Value) -> Event {
    let access = Access {
        location,
        address: location,
        memory: location,
        proxy: Proxy::Generic,
        order: Order::Weak,
        scope: None,
        atomic: false,
        reduction: false,
        bytes: Bytes::ALL,
        whole: Bytes::ALL,
    };
    Event {
        thread: None,
        action: Action::Write(access, value),
        span: None,
    }
}

impl<'a> Combination<'a> {
    /// The paths as far as the threads get: one that waits at a barrier forever stays there. None
    /// if a thread expects another result of a reduction than the others give.
    pub fn new(test: &Test, traces: Vec<&'a Trace>) -> Option<Self> {
        let whole = Self::up_to(test, traces, None);
        let spins = |it: &&Trace| matches!(it.end, End::Spinning(_));
        let spins: Vec<bool> = whole.traces.iter().map(spins).collect();
        let stops = blocked(test, &whole.events, &spins);
        let mut combination = match stops.iter().all(Option::is_none) {
            true => whole,
            false => Self::up_to(test, whole.traces, Some(&stops)),
        };
        combination.reduce(test).then_some(combination)
    }

    /// Whether the results of reductions are what the threads give; adds dependencies on them.
    fn reduce(&mut self, test: &Test) -> bool {
        let threads = self.blocked.iter().enumerate();
        let stops: Vec<_> = threads
            .map(|(thread, blocked)| blocked.then(|| self.end_of(thread) - 1))
            .collect();
        let found = reductions(test, &self.events, &stops);
        let own = self.pairs.data.clone();
        for (from, to) in found.pairs {
            let reads = own.iter().filter(|it| it.1 == from);
            self.pairs.data.extend(reads.map(|it| (it.0, to)));
        }
        self.undefined = found.mixed;
        found.agree
    }

    /// The index after the last event of a thread.
    fn end_of(&self, thread: usize) -> usize {
        let next = self.first.get(thread + 1);
        next.copied().unwrap_or(self.events.len())
    }

    /// The paths up to the events `stops`, or without these to their ends.
    fn up_to(test: &Test, traces: Vec<&'a Trace>, stops: Option<&[Option<usize>]>) -> Self {
        let mut events: Vec<Event> = test
            .locations
            .iter()
            .enumerate()
            .filter(|(location, _)| test.memory(*location) == *location)
            .map(|(location, it)| initial_write(location, it.initial))
            .collect();
        let mut pairs = Pairs::default();
        let (mut first, mut waits) = (Vec::new(), Vec::new());
        // Where the events of the thread would be if none before it stopped.
        let mut whole = events.len();
        for (thread, trace) in traces.iter().enumerate() {
            let base = events.len();
            first.push(base);
            let stop = stops.and_then(|stops| stops[thread]);
            waits.push(stop.is_some());
            let length = stop.map_or(trace.steps.len(), |event| event + 1 - whole);
            whole += trace.steps.len();
            events.extend(trace.steps[..length].iter().map(|step| Event {
                thread: Some(thread),
                action: step.action,
                span: Some(step.span.clone()),
            }));
            let shift = |list: &[(usize, usize)]| -> Vec<(usize, usize)> {
                let kept = list.iter().filter(|it| it.0.max(it.1) < length);
                kept.map(|(a, b)| (a + base, b + base)).collect()
            };
            pairs.rmw.extend(shift(&trace.rmw));
            pairs.address.extend(shift(&trace.address));
            pairs.data.extend(shift(&trace.data));
            pairs.control.extend(shift(&trace.control));
        }
        Self {
            traces,
            events,
            pairs,
            first,
            blocked: waits,
            undefined: None,
        }
    }

    /// Whether a thread waits at a barrier forever.
    pub fn is_blocked(&self) -> bool {
        self.blocked.contains(&true)
    }

    /// Whether a thread does not end: it waits at a barrier forever, or stays in a loop.
    pub fn hangs(&self) -> bool {
        let spins = |it: &&Trace| matches!(it.end, End::Spinning(_));
        self.is_blocked() || self.traces.iter().any(spins)
    }

    /// Whether the threads that come to such a loop stay there: the reads of the last round return
    /// values that are never overwritten.
    pub fn stays(&self, candidate: &Candidate, order: &Relation) -> bool {
        let threads = self.traces.iter().zip(&self.first).zip(&self.blocked);
        threads
            .filter(|(_, blocked)| !**blocked)
            .all(|((trace, first), _)| match trace.end {
                End::Spinning(step) => (step..trace.steps.len())
                    .filter(|it| matches!(trace.steps[*it].action, Action::Read(..)))
                    .all(|it| candidate.reads_for_ever(first + it, order)),
                _ => true,
            })
    }
}

/// For each read, the writes of its value that it may read from. Which of them may come later in its
/// thread is a matter of the model.
pub fn sources(events: &[Event]) -> Vec<(usize, Vec<usize>)> {
    let mut sources = Vec::new();
    for (read, event) in events.iter().enumerate() {
        let Action::Read(access, value) = event.action else {
            continue;
        };
        let fits = |write: &usize| match events[*write].action {
            Action::Write(other, written) => other.memory == access.memory && written == value,
            _ => false,
        };
        sources.push((read, (0..events.len()).filter(fits).collect()));
    }
    sources
}
