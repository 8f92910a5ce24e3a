//! Ways through all threads together.

use std::collections::BTreeSet;

use hirace_model::error::Result;

use crate::deadline::Deadline;
use crate::event::{Access, Action, Event};
use crate::litmus::ast::{LocationId, Order, Proxy, Test};
use crate::relation::Relation;
use crate::trace::{Bounds, Domains, End, Trace, memory, traces};
use crate::world::barrier::blocked;
use crate::world::{Candidate, Pairs};

/// A way through each thread.
pub struct Combination<'a> {
    /// The ways.
    pub traces: Vec<&'a Trace>,
    /// Their events, behind the initial writes.
    pub events: Vec<Event>,
    /// Dependencies and atomic pairs of these events.
    pub pairs: Pairs,
    /// The first event of each thread.
    first: Vec<usize>,
    /// For each thread, whether it waits at a barrier for ever. That wait is its last event.
    blocked: Vec<bool>,
}

/// The ways through each thread, for all values that any thread may write.
pub fn ways(
    test: &Test,
    source: (&str, &str),
    bounds: Bounds,
    deadline: &Deadline<'_>,
) -> Result<Vec<Vec<Trace>>> {
    let mut domains: Domains = test
        .locations
        .iter()
        .map(|location| BTreeSet::from([location.initial]))
        .collect();
    // A value goes through each write once at most on its way to a read.
    let mut rounds = 0;
    loop {
        let threads = (0..test.threads.len())
            .map(|thread| traces(test, source, thread, &domains, bounds, deadline))
            .collect::<Result<Vec<_>>>()?;
        let mut grown = domains.clone();
        let mut writes = 0;
        for trace in threads.iter().flatten() {
            let mut own = 0;
            for step in &trace.steps {
                if let Action::Write(access, value) = step.action {
                    grown[access.memory].insert(value);
                    own += 1;
                }
            }
            writes = writes.max(own);
        }
        rounds += 1;
        if grown == domains || rounds > writes * test.threads.len() {
            return Ok(threads);
        }
        domains = grown;
    }
}

/// Calls `visit` with each combination of ways in which every value that is read is written.
pub fn each(
    test: &Test,
    threads: &[Vec<Trace>],
    deadline: &Deadline<'_>,
    visit: &mut dyn FnMut(&Combination<'_>) -> Result<()>,
) -> Result<()> {
    let usable: Vec<Vec<Summary<'_>>> = threads
        .iter()
        .map(|ways| {
            let ways = ways.iter().filter(|it| it.end != End::Cut);
            ways.map(Summary::of).collect()
        })
        .collect();
    let initial = test.locations.iter().enumerate();
    let initial: BTreeSet<_> = initial.map(|(id, it)| (id, it.initial)).collect();
    // What the threads from each one on may write.
    let mut later = vec![BTreeSet::new(); usable.len() + 1];
    for thread in (0..usable.len()).rev() {
        later[thread] = later[thread + 1].clone();
        later[thread].extend(
            usable[thread]
                .iter()
                .flat_map(|it| it.written.iter().copied()),
        );
    }
    let mut chosen = Vec::new();
    let all = Choices {
        test,
        threads: &usable,
        later: &later,
        initial: &initial,
        deadline,
    };
    choose(&all, &mut chosen, visit)
}

type Values = BTreeSet<(LocationId, i64)>;

/// What a way needs from the others and gives them.
struct Summary<'a> {
    trace: &'a Trace,
    read: Values,
    written: Values,
}

impl<'a> Summary<'a> {
    fn of(trace: &'a Trace) -> Self {
        let (mut read, mut written) = (Values::new(), Values::new());
        for step in &trace.steps {
            match step.action {
                Action::Read(access, value) => drop(read.insert((access.memory, value))),
                Action::Write(access, value) => drop(written.insert((access.memory, value))),
                _ => {}
            }
        }
        Self {
            trace,
            read,
            written,
        }
    }
}

/// What the ways of the threads are chosen from.
struct Choices<'a> {
    test: &'a Test,
    threads: &'a [Vec<Summary<'a>>],
    /// What the threads from each one on may write.
    later: &'a [Values],
    initial: &'a Values,
    deadline: &'a Deadline<'a>,
}

fn choose<'a>(
    all: &Choices<'a>,
    chosen: &mut Vec<&'a Summary<'a>>,
    visit: &mut dyn FnMut(&Combination<'_>) -> Result<()>,
) -> Result<()> {
    all.deadline.check()?;
    let given = |value: &(LocationId, i64)| {
        all.initial.contains(value)
            || all.later[chosen.len()].contains(value)
            || chosen.iter().any(|it| it.written.contains(value))
    };
    if !chosen.iter().flat_map(|it| &it.read).all(given) {
        return Ok(());
    }
    let Some(ways) = all.threads.get(chosen.len()) else {
        let traces = chosen.iter().map(|it| it.trace).collect();
        return visit(&Combination::new(all.test, traces));
    };
    for way in ways {
        chosen.push(way);
        choose(all, chosen, visit)?;
        chosen.pop();
    }
    Ok(())
}

impl<'a> Combination<'a> {
    /// The ways as far as the threads come: one that waits at a barrier for ever stays there.
    fn new(test: &Test, traces: Vec<&'a Trace>) -> Self {
        let whole = Self::up_to(test, traces, None);
        let spins = |it: &&Trace| matches!(it.end, End::Spinning(_));
        let spins: Vec<bool> = whole.traces.iter().map(spins).collect();
        let stops = blocked(test, &whole.events, &spins);
        if stops.iter().all(Option::is_none) {
            return whole;
        }
        Self::up_to(test, whole.traces, Some(&stops))
    }

    /// The ways up to the events `stops`, or without these to their ends.
    fn up_to(test: &Test, traces: Vec<&'a Trace>, stops: Option<&[Option<usize>]>) -> Self {
        let initial = |(location, it): (LocationId, &crate::litmus::ast::Location)| {
            let access = Access {
                location,
                memory: location,
                proxy: Proxy::Generic,
                order: Order::Weak,
                scope: None,
                atomic: false,
                reduction: false,
            };
            (memory(test, location) == location).then_some(Event {
                thread: None,
                action: Action::Write(access, it.initial),
                span: None,
            })
        };
        let mut events: Vec<Event> = test
            .locations
            .iter()
            .enumerate()
            .filter_map(initial)
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
        }
    }

    /// Whether a thread does not end: it waits at a barrier for ever, or stays in a loop.
    pub fn hangs(&self) -> bool {
        let spins = |it: &&Trace| matches!(it.end, End::Spinning(_));
        self.blocked.contains(&true) || self.traces.iter().any(spins)
    }

    /// Whether the threads that come to such a loop stay there: the reads of the last round return
    /// values that are never overwritten.
    pub fn stays(&self, candidate: &Candidate, order: &Relation) -> bool {
        use crate::cat::World as _;
        let rf = candidate.relation(crate::world::index::RF);
        // A write of the same value, such as that of an exchange in such a loop, changes nothing.
        let value = |write: usize| match candidate.events[write].action {
            Action::Write(_, value) => Some(value),
            _ => None,
        };
        let last = |read: usize| {
            let mut writes = rf.pairs().filter(|it| it.1 == read).map(|it| it.0);
            writes.all(|write| {
                let mut later = order.successors(write).iter();
                later.all(|it| value(it) == value(write))
            })
        };
        let threads = self.traces.iter().zip(&self.first).zip(&self.blocked);
        threads
            .filter(|(_, blocked)| !**blocked)
            .all(|((trace, first), _)| match trace.end {
                End::Spinning(step) => (step..trace.steps.len())
                    .filter(|it| matches!(trace.steps[*it].action, Action::Read(..)))
                    .all(|it| last(first + it)),
                _ => true,
            })
    }

    /// For each read, the writes of its value that it may read from. Which of them may come later in
    /// its thread is a matter of the model.
    pub fn sources(&self) -> Vec<(usize, Vec<usize>)> {
        let mut sources = Vec::new();
        for (read, event) in self.events.iter().enumerate() {
            let Action::Read(access, value) = event.action else {
                continue;
            };
            let fits = |write: &usize| match self.events[*write].action {
                Action::Write(other, written) => other.memory == access.memory && written == value,
                _ => false,
            };
            sources.push((read, (0..self.events.len()).filter(fits).collect()));
        }
        sources
    }
}
