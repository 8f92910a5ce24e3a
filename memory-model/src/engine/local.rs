//! What the accesses to one location say by themselves.
//!
//! Many axioms forbid something: no cycle, or no such pair. If a part of an execution, such as the
//! accesses to one location, contradicts such an axiom, so does the whole
//! ([`Model::refuted_by_parts`]). Ways through the threads have few different parts, so each is
//! checked once.

use std::collections::HashMap;

use hirace_model::error::Result;

use super::choices::{Coherence, write_orders};
use super::coherence_of;
use super::combine::{initial_write, sources};
use crate::cat::{Checker, Model};
use crate::deadline::Deadline;
use crate::event::{Action, Event};
use crate::litmus::ast::{LocationId, Test};
use crate::relation::{EventSet, Relation};
use crate::trace::{End, Trace};
use crate::world::{Candidate, EXACT, Pairs, index};

/// An access to the location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Step {
    action: Action,
    /// It is the write of the atomic operation whose read is the step before.
    completes: bool,
    /// It belongs to the last round of a loop that the thread never leaves.
    spins: bool,
}

/// The accesses of one thread to one location.
type Part = Vec<Step>;

/// Checks parts of executions.
pub struct Local<'a> {
    pub(super) test: &'a Test,
    model: &'a Model,
    coherence: Coherence,
    pub deadline: &'a Deadline<'a>,
    /// The axioms that parts can contradict.
    axioms: Vec<usize>,
    /// Whether a part knows only coherence that the whole execution has, too.
    knows_order: bool,
    checker: Checker<'a>,
    parts: Vec<Part>,
    numbers: HashMap<Part, usize>,
    known: HashMap<(LocationId, Vec<usize>), bool>,
    /// By thread, location and accesses: whether a way with these is possible by itself.
    pub(super) alone: HashMap<(usize, LocationId, Vec<Action>), bool>,
}

/// A part with more candidates than this counts as possible.
const MOST: u32 = 1_000;

/// So does a part with more writes: they have too many orders.
const MOST_WRITES: usize = 8;

impl<'a> Local<'a> {
    /// The number of the part without accesses.
    pub const NOTHING: usize = 0;

    pub fn new(
        test: &'a Test,
        model: &'a Model,
        coherence: Coherence,
        deadline: &'a Deadline<'a>,
    ) -> Self {
        Self {
            test,
            model,
            coherence,
            deadline,
            axioms: model.refuted_by_parts(EXACT),
            knows_order: model.shows_parts("mo", EXACT).unwrap_or(true),
            checker: Checker::new(model),
            parts: vec![Part::new()],
            numbers: HashMap::from([(Part::new(), Self::NOTHING)]),
            known: HashMap::new(),
            alone: HashMap::new(),
        }
    }

    /// The numbers of a way's parts, by location.
    pub fn parts(&mut self, trace: &Trace) -> Vec<usize> {
        (0..self.test.locations.len())
            .map(|location| {
                let part = part(trace, location);
                let next = self.parts.len();
                *self.numbers.entry(part.clone()).or_insert_with(|| {
                    self.parts.push(part);
                    next
                })
            })
            .collect()
    }

    /// Whether the accesses of these parts, one for each of the first threads, may be those to
    /// `location` in an execution. All other threads do not access it.
    pub fn consistent(&mut self, location: LocationId, parts: Vec<usize>) -> Result<bool> {
        let key = (location, parts);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let mut events = vec![initial_write(
            location,
            self.test.locations[location].initial,
        )];
        let (mut pairs, mut spinning) = (Pairs::default(), Vec::new());
        for (thread, part) in key.1.iter().enumerate() {
            for step in &self.parts[*part] {
                let event = events.len();
                if step.completes {
                    pairs.rmw.push((event - 1, event));
                }
                if step.spins && matches!(step.action, Action::Read(..)) {
                    spinning.push(event);
                }
                events.push(event_of(thread, step.action));
            }
        }
        let writes = events
            .iter()
            .filter(|it| matches!(it.action, Action::Write(..)));
        if events.len() > EventSet::MAX || writes.count() > MOST_WRITES {
            self.known.insert(key, true);
            return Ok(true);
        }
        let mut candidate = Candidate::new(self.test, events, &pairs);
        let sources = sources(&candidate.events);
        let mut tries = 0;
        let mut chosen = Vec::new();
        let possible = self.reads(
            &mut candidate,
            location,
            &sources,
            &spinning,
            &mut chosen,
            &mut tries,
        )?;
        self.known.insert(key, possible);
        Ok(possible)
    }

    /// Whether there are sources of the other reads with which the part is possible.
    fn reads(
        &mut self,
        candidate: &mut Candidate,
        location: LocationId,
        sources: &[(usize, Vec<usize>)],
        spinning: &[usize],
        chosen: &mut Vec<(usize, usize)>,
        tries: &mut u32,
    ) -> Result<bool> {
        let Some((read, writes)) = sources.get(chosen.len()) else {
            return self.writes(candidate, location, spinning, chosen, tries);
        };
        for write in writes {
            chosen.push((*write, *read));
            let possible = self.reads(candidate, location, sources, spinning, chosen, tries)?;
            chosen.pop();
            if possible {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether there is an order of the writes with which the part is possible.
    fn writes(
        &mut self,
        candidate: &mut Candidate,
        location: LocationId,
        spinning: &[usize],
        chosen: &[(usize, usize)],
        tries: &mut u32,
    ) -> Result<bool> {
        let rf = Relation::from_pairs(candidate.events.len(), chosen.iter().copied());
        candidate.assign(index::RF, rf);
        candidate.order_writes(Relation::empty(candidate.events.len()));
        *tries += 1;
        if *tries > MOST {
            return Ok(true);
        }
        if !self.holds(candidate) {
            return Ok(false);
        }
        for order in write_orders(candidate, location, self.coherence) {
            self.deadline.check()?;
            *tries += 1;
            if *tries > MOST {
                return Ok(true);
            }
            candidate.order_writes(order);
            if self.holds(candidate) && self.stays(candidate, spinning) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn holds(&mut self, candidate: &Candidate) -> bool {
        self.checker.forget();
        let mut axioms = self.axioms.iter();
        axioms.all(|axiom| self.checker.holds(*axiom, candidate))
    }

    /// Whether loops that threads never leave go on reading the same values.
    fn stays(&self, candidate: &Candidate, spinning: &[usize]) -> bool {
        if spinning.is_empty() || !self.knows_order {
            return true;
        }
        let order = coherence_of(self.model, candidate);
        spinning
            .iter()
            .all(|it| candidate.reads_for_ever(*it, &order))
    }
}

pub(super) fn event_of(thread: usize, action: Action) -> Event {
    Event {
        thread: Some(thread),
        action,
        span: None,
    }
}

/// The accesses of a way to a location.
fn part(trace: &Trace, location: LocationId) -> Part {
    let first_of_last_round = match trace.end {
        End::Spinning(step) => step,
        _ => usize::MAX,
    };
    let steps = trace.steps.iter().enumerate();
    steps
        .filter(|(_, it)| it.action.access().is_some_and(|it| it.memory == location))
        .map(|(number, it)| Step {
            action: it.action,
            completes: trace.rmw.iter().any(|pair| pair.1 == number),
            spins: number >= first_of_last_round,
        })
        .collect()
}
