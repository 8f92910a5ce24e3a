//! Enumerates the candidate executions of a test, and keeps those that a model allows.
//!
//! A candidate is a way through each thread, a write for each read (reads-from), an order of the
//! writes to each location (coherence), and an order of the fences that have one. Axioms that do
//! not depend on a later choice are checked before it is made.

mod candidate;
mod choices;
mod combine;

use std::time::Instant;

use hirace_model::error::{Error, Result};

use crate::cat::{Checker, Model, Value as Shown};
use crate::deadline::Deadline;
use crate::litmus::ast::{LocationId, Test, Value};
use crate::relation::{EventSet, Relation};
use crate::trace::{Bounds, End, Trace};
use crate::world::{Candidate, index};
use choices::{extensions, fence_orders};
use combine::Combination;

/// Limits of the search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most rounds of a loop.
    pub unroll: u32,
    /// Most candidate executions.
    pub candidates: u64,
    /// When to stop.
    pub deadline: Option<Instant>,
}

/// What an execution leaves behind.
#[derive(Clone, Debug)]
pub struct Execution<'a> {
    /// The execution.
    pub candidate: &'a Candidate,
    /// The ways through the threads.
    pub traces: &'a [&'a Trace],
    /// The possible final values of each location: several where its last writes are unordered.
    pub memory: &'a [Vec<Value>],
    /// The names of the flags that it raises.
    pub flags: &'a [String],
}

/// What the search has seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// Allowed executions in which all threads end.
    pub executions: u64,
    /// Whether a loop went on beyond the limit.
    pub cut: bool,
    /// Whether a thread may never end.
    pub may_hang: bool,
}

/// How a model orders writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coherence {
    /// All writes to a location.
    Total,
    /// Those that are morally strong to each other (PTX ISA, "Coherence Order").
    MorallyStrong,
}

/// Calls `visit` for each execution that the model allows and in which all threads end.
///
/// # Errors
/// A limit is reached, or the test does something that has no meaning.
pub fn enumerate(
    test: &Test,
    name: &str,
    text: &str,
    model: &Model,
    limits: Limits,
    visit: &mut dyn FnMut(&Execution<'_>),
) -> Result<Seen> {
    let bounds = Bounds {
        unroll: limits.unroll,
        traces: usize::try_from(limits.candidates).unwrap_or(usize::MAX),
    };
    let deadline = Deadline::new(name, limits.deadline);
    let threads = combine::ways(test, (name, text), bounds, &deadline)?;
    let coherence = match model.title() {
        Some(title) if title.starts_with("PTX") => Coherence::MorallyStrong,
        _ => Coherence::Total,
    };
    let mut search = Search {
        test,
        name,
        model,
        checker: Checker::new(model),
        stages: Stages::of(model),
        coherence,
        limits,
        deadline: &deadline,
        candidates: 0,
        seen: Seen {
            cut: threads.iter().flatten().any(|it| it.end == End::Cut),
            ..Seen::default()
        },
        visit,
    };
    combine::each(test, &threads, &deadline, &mut |combination| {
        search.combination(combination)
    })?;
    Ok(search.seen)
}

/// The axioms by the last choice that they depend on, and the flags.
struct Stages {
    reads: Vec<usize>,
    fences: Vec<usize>,
    coherence: Vec<usize>,
    flags: Vec<usize>,
}

impl Stages {
    fn of(model: &Model) -> Self {
        let mut stages = Self {
            reads: Vec::new(),
            fences: Vec::new(),
            coherence: Vec::new(),
            flags: Vec::new(),
        };
        for (number, axiom) in model.axioms().iter().enumerate() {
            let needs = model.depends_on(number);
            let list = if axiom.flag {
                &mut stages.flags
            } else if needs.contains(&index::CO) || needs.contains(&index::FR) {
                &mut stages.coherence
            } else if needs.contains(&index::SYNC_FENCE) {
                &mut stages.fences
            } else {
                &mut stages.reads
            };
            list.push(number);
        }
        stages
    }
}

struct Search<'a, 'm> {
    test: &'a Test,
    name: &'a str,
    model: &'m Model,
    checker: Checker<'m>,
    stages: Stages,
    coherence: Coherence,
    limits: Limits,
    deadline: &'a Deadline<'a>,
    candidates: u64,
    seen: Seen,
    visit: &'a mut dyn FnMut(&Execution<'_>),
}

impl Search<'_, '_> {
    /// All executions of one combination of ways.
    fn combination(&mut self, combination: &Combination<'_>) -> Result<()> {
        let hangs = combination.hangs();
        if hangs && self.seen.may_hang {
            return Ok(());
        }
        if combination.events.len() > EventSet::MAX {
            return Err(Error::Input {
                message: format!(
                    "{}: {} events in an execution; at most {} are possible",
                    self.name,
                    combination.events.len(),
                    EventSet::MAX
                ),
                help: Some("make the test smaller, or lower --unroll".to_owned()),
            });
        }
        let events = combination.events.clone();
        let mut candidate = Candidate::new(self.test, events, &combination.pairs);
        let sources = combination.sources();
        let mut chosen = Vec::with_capacity(sources.len());
        self.reads(&mut candidate, combination, &sources, &mut chosen)
    }

    /// Chooses a write for each read.
    fn reads(
        &mut self,
        candidate: &mut Candidate,
        combination: &Combination<'_>,
        sources: &[(usize, Vec<usize>)],
        chosen: &mut Vec<(usize, usize)>,
    ) -> Result<()> {
        let Some((read, writes)) = sources.get(chosen.len()) else {
            self.count()?;
            let count = candidate.events.len();
            let rf = Relation::from_pairs(count, chosen.iter().copied());
            candidate.assign(index::RF, rf);
            self.checker.forget();
            if !self.hold(&self.stages.reads.clone(), candidate) {
                return Ok(());
            }
            return self.fences(candidate, combination);
        };
        for write in writes {
            chosen.push((*write, *read));
            self.reads(candidate, combination, sources, chosen)?;
            chosen.pop();
        }
        Ok(())
    }

    /// Chooses an order of the sequentially consistent fences.
    fn fences(&mut self, candidate: &mut Candidate, combination: &Combination<'_>) -> Result<()> {
        for order in fence_orders(candidate) {
            self.count()?;
            candidate.assign(index::SYNC_FENCE, order);
            self.checker.changed(&[index::SYNC_FENCE]);
            if self.hold(&self.stages.fences.clone(), candidate) {
                self.writes(candidate, combination)?;
            }
        }
        Ok(())
    }

    /// Chooses an order of the writes to each location.
    fn writes(&mut self, candidate: &mut Candidate, combination: &Combination<'_>) -> Result<()> {
        let orders: Vec<Vec<Relation>> = (0..self.test.locations.len())
            .map(|location| self.orders(candidate, location))
            .collect();
        let mut numbers = vec![0; orders.len()];
        loop {
            self.count()?;
            let count = candidate.events.len();
            let mut co = Relation::empty(count);
            for (order, number) in orders.iter().zip(&numbers) {
                co.union_with(&order[*number]);
            }
            let mut fr = candidate.read_from().inverse().compose(&co);
            fr.subtract(&Relation::identity(count, EventSet::all(count)));
            candidate.assign(index::CO, co);
            candidate.assign(index::FR, fr);
            self.checker.changed(&[index::CO, index::FR]);
            if self.hold(&self.stages.coherence.clone(), candidate) {
                self.found(candidate, combination);
            }
            // The next combination of orders, like an odometer.
            let mut at = 0;
            while at < numbers.len() && numbers[at] + 1 == orders[at].len() {
                numbers[at] = 0;
                at += 1;
            }
            match numbers.get_mut(at) {
                Some(number) => *number += 1,
                None => return Ok(()),
            }
        }
    }

    /// The possible orders of the writes to a location, the initial one first.
    fn orders(&self, candidate: &Candidate, location: LocationId) -> Vec<Relation> {
        let count = candidate.events.len();
        let writes: Vec<usize> = candidate.writes_to(location).collect();
        let (initial, others): (Vec<usize>, Vec<usize>) = writes
            .into_iter()
            .partition(|it| candidate.events[*it].thread.is_none());
        let first = |order: &mut Relation| {
            for from in &initial {
                for to in &others {
                    order.set(*from, *to);
                }
            }
        };
        let mut orders: Vec<Relation> = Vec::new();
        let related = |from: usize, to: usize| match self.coherence {
            Coherence::Total => true,
            Coherence::MorallyStrong => candidate.morally_strong(from, to),
        };
        // In PTX's model an order against program order contradicts "Coherence". A model of the user
        // may allow it.
        let precedes = |from: usize, to: usize| {
            self.coherence == Coherence::MorallyStrong
                && related(from, to)
                && candidate.program_order(from, to)
        };
        extensions(&others, &precedes, &mut |extension| {
            let mut order = Relation::empty(count);
            for (at, from) in extension.iter().enumerate() {
                for to in &extension[at + 1..] {
                    if related(*from, *to) {
                        order.set(*from, *to);
                    }
                }
            }
            first(&mut order);
            if !orders.contains(&order) {
                orders.push(order);
            }
        });
        orders
    }

    fn hold(&mut self, axioms: &[usize], candidate: &Candidate) -> bool {
        axioms
            .iter()
            .all(|axiom| self.checker.holds(*axiom, candidate))
    }

    /// An execution that the model allows.
    fn found(&mut self, candidate: &Candidate, combination: &Combination<'_>) {
        if combination.hangs() {
            let order = self.coherence_of(candidate);
            self.seen.may_hang |= combination.stays(candidate, &order);
            return;
        }
        self.seen.executions += 1;
        let order = self.coherence_of(candidate);
        let memory: Vec<Vec<Value>> = (0..self.test.locations.len())
            .map(|location| candidate.last_values(location, &order))
            .collect();
        let flags = self.stages.flags.clone();
        let flags: Vec<String> = flags
            .into_iter()
            .filter(|flag| self.checker.holds(*flag, candidate))
            .map(|flag| self.model.axioms()[flag].title().to_owned())
            .collect();
        (self.visit)(&Execution {
            candidate,
            traces: &combination.traces,
            memory: &memory,
            flags: &flags,
        });
    }

    /// Coherence as the model defines it: what it shows as `mo`, or else `co`.
    fn coherence_of(&self, candidate: &Candidate) -> Relation {
        let shown = self.model.shown(candidate).into_iter();
        let order = shown
            .filter(|it| it.name == "mo")
            .find_map(|it| match it.value {
                Shown::Relation(order) => Some(order),
                Shown::Set(_) => None,
            });
        order.unwrap_or_else(|| candidate.coherence().clone())
    }

    fn count(&mut self) -> Result<()> {
        self.candidates += 1;
        if self.candidates > self.limits.candidates {
            return Err(Error::Input {
                message: format!(
                    "{}: more than {} candidate executions",
                    self.name, self.limits.candidates
                ),
                help: Some("raise --limit, or lower --unroll".to_owned()),
            });
        }
        self.deadline.check()
    }
}
