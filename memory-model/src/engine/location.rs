//! Checks the accesses to one location without the rest of an execution.
//!
//! Many axioms forbid something: no cycle, or no such pair. If a part of an execution, such as the
//! accesses to one location, contradicts such an axiom, so does the whole
//! ([`Model::refuted_by_parts`]). Paths through the threads have few different projections to a
//! location, so each combination of these is checked once.

use std::collections::HashMap;

use hirace_model::error::Result;

use super::choices::write_orders;
use super::coherence_of;
use super::combine::{initial_write, sources};
use crate::cat::{Checker, Model, Orders};
use crate::deadline::Deadline;
use crate::event::{Action, Event};
use crate::litmus::ast::{LocationId, Test};
use crate::relation::{EventSet, Relation};
use crate::trace::{End, Trace};
use crate::world::{Candidate, PARTIAL, Pairs, index};

/// An access to the location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Step {
    action: Action,
    /// It is the write of the atomic operation whose read is the step before.
    completes: bool,
    /// It belongs to the last round of a loop that the thread never leaves.
    spins: bool,
}

/// The accesses of a path to one location.
type Projection = Vec<Step>;

/// What is searched for executions of some accesses.
struct Search {
    location: LocationId,
    /// The writes that each read may read from.
    sources: Vec<(usize, Vec<usize>)>,
    /// The reads of the last rounds of loops that threads never leave.
    spinning: Vec<usize>,
    /// What the model chooses coherence from.
    orders: Option<Orders>,
}

/// Checks projections.
pub struct LocationChecker<'a> {
    pub(super) test: &'a Test,
    model: &'a Model,
    pub deadline: &'a Deadline<'a>,
    /// The axioms that a part of an execution can contradict.
    axioms: Vec<usize>,
    /// Whether the coherence of a part of an execution is contained in that of the whole.
    knows_order: bool,
    checker: Checker<'a>,
    projections: Vec<Projection>,
    numbers: HashMap<Projection, usize>,
    known: HashMap<(LocationId, Vec<usize>), bool>,
    /// By thread, location and accesses: whether a path with these is possible.
    pub(super) single_paths: HashMap<(usize, LocationId, Vec<Action>), bool>,
}

/// Projections with more candidates than this count as possible.
const MAX_CANDIDATES: u32 = 1_000;

/// So do projections with more writes: they have too many orders.
const MAX_WRITES: usize = 8;

impl<'a> LocationChecker<'a> {
    /// The number of the projection without accesses.
    pub const EMPTY: usize = 0;

    pub fn new(test: &'a Test, model: &'a Model, deadline: &'a Deadline<'a>) -> Self {
        // Otherwise an order of the whole may be none of the part.
        let has_orders = model.coherence_of_parts(PARTIAL);
        let axioms = model.refuted_by_parts(PARTIAL);
        Self {
            test,
            model,
            deadline,
            axioms: if has_orders { axioms } else { Vec::new() },
            knows_order: has_orders && model.shows_parts("mo", PARTIAL).unwrap_or(true),
            checker: Checker::new(model),
            projections: vec![Projection::new()],
            numbers: HashMap::from([(Projection::new(), Self::EMPTY)]),
            known: HashMap::new(),
            single_paths: HashMap::new(),
        }
    }

    /// The numbers of a path's projections, by location.
    pub fn projections(&mut self, trace: &Trace) -> Vec<usize> {
        (0..self.test.locations.len())
            .map(|location| {
                let projection = projection(trace, location);
                let next = self.projections.len();
                *self.numbers.entry(projection.clone()).or_insert_with(|| {
                    self.projections.push(projection);
                    next
                })
            })
            .collect()
    }

    /// Whether the accesses of these projections, one for each of the first threads, may be those to
    /// `location` in an execution. All other threads do not access it.
    pub fn consistent(&mut self, location: LocationId, projections: Vec<usize>) -> Result<bool> {
        let key = (location, projections);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let mut events = vec![initial_write(
            location,
            self.test.locations[location].initial,
        )];
        let (mut pairs, mut spinning) = (Pairs::default(), Vec::new());
        for (thread, number) in key.1.iter().enumerate() {
            for step in &self.projections[*number] {
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
        if events.len() > EventSet::MAX || writes.count() > MAX_WRITES {
            self.known.insert(key, true);
            return Ok(true);
        }
        let mut candidate = Candidate::new(self.test, events, &pairs);
        self.checker.forget();
        let search = Search {
            location,
            sources: sources(&candidate.events),
            spinning,
            orders: self.checker.coherence(&candidate),
        };
        let (mut chosen, mut tries) = (Vec::new(), 0);
        let possible = self.reads(&search, &mut candidate, &mut chosen, &mut tries)?;
        self.known.insert(key, possible);
        Ok(possible)
    }

    /// Whether there are sources of the other reads with which the accesses are possible.
    fn reads(
        &mut self,
        search: &Search,
        candidate: &mut Candidate,
        chosen: &mut Vec<(usize, usize)>,
        tries: &mut u32,
    ) -> Result<bool> {
        let Some((read, writes)) = search.sources.get(chosen.len()) else {
            let rf = Relation::from_pairs(candidate.events.len(), chosen.iter().copied());
            candidate.assign(index::RF, rf);
            return self.writes(search, candidate, tries);
        };
        for write in writes {
            chosen.push((*write, *read));
            let possible = self.reads(search, candidate, chosen, tries)?;
            chosen.pop();
            if possible {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether there is an order of the writes with which the accesses are possible.
    fn writes(
        &mut self,
        search: &Search,
        candidate: &mut Candidate,
        tries: &mut u32,
    ) -> Result<bool> {
        candidate.order_writes(Relation::empty(candidate.events.len()));
        *tries += 1;
        if *tries > MAX_CANDIDATES {
            return Ok(true);
        }
        if !self.holds(candidate) {
            return Ok(false);
        }
        for order in write_orders(candidate, search.location, search.orders.as_ref()) {
            self.deadline.check()?;
            *tries += 1;
            if *tries > MAX_CANDIDATES {
                return Ok(true);
            }
            candidate.order_writes(order);
            if self.holds(candidate) && self.stays(candidate, &search.spinning) {
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

/// The accesses of a path to a location.
fn projection(trace: &Trace, location: LocationId) -> Projection {
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
