//! Enumerates the candidate executions of a test, and keeps those that a model allows.
//!
//! A candidate is a path through each thread, a write for each read (reads-from), an order of the
//! writes to each location (coherence), and an order of the fences that have one. Axioms that do
//! not depend on a later choice are checked before it is made, and paths whose accesses to one
//! location already contradict the model are not combined.

mod candidate;
mod choices;
mod choose;
mod combine;
mod location;
mod paths;
mod single_path;

use hirace_model::error::{Error, Mistake, Result};

use crate::cat::{Checker, Model, Orders, Value as Shown};
use crate::deadline::Deadline;
use crate::litmus::ast::{Test, Value};
use crate::relation::{EventSet, Relation};
use crate::settings::Settings;
use crate::trace::{End, Trace};
use crate::world::{Candidate, index};
use choices::{fence_orders, write_orders};
use choose::each;
use combine::{Combination, sources};
use location::LocationChecker;
use paths::paths;

/// An execution that the model allows, with its results.
#[derive(Clone, Debug)]
pub struct Execution<'a> {
    /// The execution.
    pub candidate: &'a Candidate,
    /// The paths through the threads.
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

/// Calls `visit` for each execution that the model allows and in which all threads end.
///
/// # Errors
/// A limit is reached, or the test does something that has no meaning.
pub fn enumerate(
    test: &Test,
    name: &str,
    text: &str,
    model: &Model,
    settings: &Settings,
    visit: &mut dyn FnMut(&Execution<'_>),
) -> Result<Seen> {
    let deadline = Deadline::new(name, settings.timeout);
    let threads = paths(test, (name, text), settings, &deadline)?;
    let mut locations = LocationChecker::new(test, model, &deadline);
    let threads = locations.possible(threads)?;
    let mut search = Search {
        test,
        name,
        text,
        model,
        checker: Checker::new(model),
        stages: Stages::of(model),
        orders: None,
        limit: settings.limit,
        deadline: &deadline,
        candidates: 0,
        seen: Seen {
            cut: threads.iter().flatten().any(|it| it.end == End::Cut),
            ..Seen::default()
        },
        visit,
    };
    each(test, &threads, &mut locations, &mut |combination| {
        search.combination(combination)
    })?;
    Ok(search.seen)
}

/// The axioms by the last choice that they depend on, and the flags.
#[derive(Default)]
struct Stages {
    reads: Vec<usize>,
    fences: Vec<usize>,
    coherence: Vec<usize>,
    flags: Vec<usize>,
}

impl Stages {
    fn of(model: &Model) -> Self {
        let mut stages = Self::default();
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
    text: &'a str,
    model: &'m Model,
    checker: Checker<'m>,
    stages: Stages,
    /// What the model chooses coherence from in the executions of this combination of paths.
    orders: Option<Orders>,
    limit: u64,
    deadline: &'a Deadline<'a>,
    candidates: u64,
    seen: Seen,
    visit: &'a mut dyn FnMut(&Execution<'_>),
}

impl Search<'_, '_> {
    /// All executions of one combination of paths.
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
        self.checker.forget();
        self.orders = self.checker.coherence(&candidate);
        let sources = sources(&combination.events);
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
            .map(|location| write_orders(candidate, location, self.orders.as_ref()))
            .collect();
        let mut numbers = vec![0; orders.len()];
        loop {
            self.count()?;
            let count = candidate.events.len();
            let mut co = Relation::empty(count);
            for (order, number) in orders.iter().zip(&numbers) {
                co.union_with(&order[*number]);
            }
            candidate.order_writes(co);
            self.checker.changed(&[index::CO, index::FR]);
            if self.hold(&self.stages.coherence.clone(), candidate) {
                self.found(candidate, combination)?;
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

    fn hold(&mut self, axioms: &[usize], candidate: &Candidate) -> bool {
        axioms
            .iter()
            .all(|axiom| self.checker.holds(*axiom, candidate))
    }

    /// An execution that the model allows.
    fn found(&mut self, candidate: &Candidate, combination: &Combination<'_>) -> Result<()> {
        if combination.hangs() {
            let order = coherence_of(self.model, candidate);
            self.seen.may_hang |= combination.stays(candidate, &order);
            return Ok(());
        }
        if let Some(event) = combination.undefined {
            let span = candidate.events[event].span.clone().unwrap_or_default();
            let message = "this reduction meets another kind of barrier, or another reduction, \
                           and PTX leaves its result open";
            let mistake = Mistake::new(self.name, self.text, span, message);
            return Err(Error::Syntax(mistake));
        }
        self.seen.executions += 1;
        let order = coherence_of(self.model, candidate);
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
        Ok(())
    }

    fn count(&mut self) -> Result<()> {
        self.candidates += 1;
        if self.candidates > self.limit {
            let (name, limit) = (self.name, self.limit);
            return Err(Error::Input {
                message: format!("{name}: more than {limit} candidate executions"),
                help: Some("raise --limit, or lower --unroll".to_owned()),
            });
        }
        self.deadline.check()
    }
}

/// Coherence as the model defines it: what it shows as `mo`, or else `co`.
pub(crate) fn coherence_of(model: &Model, candidate: &Candidate) -> Relation {
    let order = shown_relation(model, candidate, "mo");
    order.unwrap_or_else(|| candidate.coherence().clone())
}

/// The relation that the model shows by this name.
pub(crate) fn shown_relation(model: &Model, candidate: &Candidate, name: &str) -> Option<Relation> {
    let mut shown = model.shown(candidate).into_iter();
    match shown.find(|it| it.name == name)?.value {
        Shown::Relation(relation) => Some(relation),
        Shown::Set(_) => None,
    }
}
