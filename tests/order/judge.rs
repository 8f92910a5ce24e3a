//! Judges executions by a model.

use std::collections::HashSet;

use hirace_memory_model::cat::{Checker, Model};
use hirace_memory_model::relation::Relation;

use crate::events::{Effect, Events, morally_strong};
use crate::program::{LOCATIONS, Program};

/// What the memory model says of the execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Whether all axioms hold, for some order of the fences.
    pub allowed: bool,
    /// Whether there is a data race, for some such order.
    pub race: bool,
}

/// Judges executions by a model.
pub struct Judge<'a> {
    model: &'a Model,
    checker: Checker<'a>,
}

impl<'a> Judge<'a> {
    pub fn new(model: &'a Model) -> Self {
        Self {
            model,
            checker: Checker::new(model),
        }
    }

    /// The interleaving says what is read, but seldom in which order two fence.sc come: all orders
    /// that the axioms allow are tried.
    pub fn judge(&mut self, program: &Program, interleaving: &[usize]) -> Judged {
        let events = Events::of(program, interleaving);
        let chosen = Chosen::of(&events, interleaving);
        let mut candidate = events.candidate();
        let mut judged = Judged {
            allowed: false,
            race: false,
        };
        for fences in chosen.fence_orders() {
            candidate.choose(chosen.read_from.clone(), chosen.coherence.clone(), fences);
            self.checker.forget();
            let outcome = self.checker.check(&candidate);
            let race = |it: &usize| self.model.axioms()[*it].title() == "race";
            judged.allowed |= outcome.is_allowed();
            judged.race |= outcome.is_allowed() && outcome.flags.iter().any(race);
        }
        judged
    }
}

/// What the interleaving chooses.
struct Chosen {
    read_from: Relation,
    coherence: Relation,
    /// The fence.sc operations of each thread.
    fences: Vec<Vec<Effect>>,
    events: usize,
}

impl Chosen {
    fn of(events: &Events, interleaving: &[usize]) -> Self {
        let count = events.count();
        let threads = events.of_threads.len();
        let mut chosen = Self {
            read_from: Relation::empty(count),
            coherence: Relation::empty(count),
            fences: vec![Vec::new(); threads],
            events: count,
        };
        let mut at = vec![0; threads];
        let mut writes: Vec<Vec<Effect>> = vec![Vec::new(); LOCATIONS];
        for &thread in interleaving {
            for effect in &events.of_threads[thread][at[thread]] {
                match effect {
                    Effect::Read {
                        event,
                        location,
                        from,
                    } => {
                        // The initial write of a location has its number.
                        let from = from.map_or(*location, |made| events.write_of(made));
                        chosen.read_from.set(from, *event);
                    }
                    Effect::Write { event, place, .. } => {
                        let all = &mut writes[place.location];
                        chosen.coherence.set(place.location, *event);
                        for before in all.iter().filter(|it| morally_strong(it, effect)) {
                            chosen.coherence.set(before.event(), *event);
                        }
                        all.push(*effect);
                    }
                    Effect::Fence { .. } => chosen.fences[thread].push(*effect),
                }
            }
            at[thread] += 1;
        }
        chosen
    }

    /// All orders of the fences: of each pair that is morally strong, and no other.
    fn fence_orders(&self) -> HashSet<Relation> {
        let mut orders = HashSet::new();
        let mut next = vec![0; self.fences.len()];
        let order = Relation::empty(self.events);
        self.extend_order(&mut next, &order, &mut orders);
        orders
    }

    /// The orders that begin with the first `next` fences of each thread, which `order` has.
    fn extend_order(&self, next: &mut [usize], order: &Relation, orders: &mut HashSet<Relation>) {
        let mut is_last = true;
        for (thread, fences) in self.fences.iter().enumerate() {
            let Some(fence) = fences.get(next[thread]) else {
                continue;
            };
            is_last = false;
            let mut order = order.clone();
            for (before, &made) in self.fences.iter().zip(&*next) {
                for earlier in &before[..made] {
                    if morally_strong(earlier, fence) {
                        order.set(earlier.event(), fence.event());
                    }
                }
            }
            next[thread] += 1;
            self.extend_order(next, &order, orders);
            next[thread] -= 1;
        }
        if is_last {
            orders.insert(order.clone());
        }
    }
}
