//! Checks the reads of one path without those of other threads, one location after the other.
//!
//! A thread that has read a write no longer reads the initial value, and so on. This rules out
//! paths through loops that no execution takes, among them many that reach the limit of rounds.

use hirace_model::error::Result;

use super::combine::initial_write;
use super::location::{LocationChecker, event_of};
use crate::cat::World as _;
use crate::event::{Access, Action, Event};
use crate::litmus::ast::{Instruction, LocationId, Value};
use crate::relation::Relation;
use crate::trace::{Step, Trace};
use crate::world::{Candidate, Pairs, index};

/// A write of another thread.
type Outside = (usize, Access, Value);

impl LocationChecker<'_> {
    /// The paths whose reads do not contradict the model.
    pub fn possible(&mut self, mut threads: Vec<Vec<Trace>>) -> Result<Vec<Vec<Trace>>> {
        let code = self.test.threads.iter().flat_map(|it| &it.code);
        let mut instructions = code.map(|it| &it.instruction);
        // A thread that waits at a barrier forever does not reach the end of its path.
        if instructions.any(|it| matches!(it, Instruction::Barrier { .. })) {
            return Ok(threads);
        }
        let mut outside: Vec<Vec<Outside>> = vec![Vec::new(); threads.len()];
        for (thread, paths) in threads.iter().enumerate() {
            for step in paths.iter().flat_map(|it| &it.steps) {
                if let Action::Write(access, value) = step.action {
                    let write = (thread, access, value);
                    let others = outside.iter_mut().enumerate();
                    for (_, list) in others.filter(|it| it.0 != thread) {
                        if !list.contains(&write) {
                            list.push(write);
                        }
                    }
                }
            }
        }
        for (thread, paths) in threads.iter_mut().enumerate() {
            let mut kept = Vec::with_capacity(paths.len());
            for path in paths.drain(..) {
                if self.is_possible(thread, &path, &outside[thread])? {
                    kept.push(path);
                }
            }
            *paths = kept;
        }
        Ok(threads)
    }

    fn is_possible(&mut self, thread: usize, path: &Trace, outside: &[Outside]) -> Result<bool> {
        for location in 0..self.test.locations.len() {
            let steps = path.steps.iter().filter(|it| of_location(it, location));
            let actions: Vec<Action> = steps.map(|it| it.action).collect();
            let key = (thread, location, actions);
            let possible = match self.single_paths.get(&key) {
                Some(known) => *known,
                None => {
                    let possible = self.reads_are_possible(&key, outside)?;
                    self.single_paths.insert(key, possible);
                    possible
                }
            };
            if !possible {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether each read has a source with which it is consistent with the reads whose source is certain.
    /// Only the initial write and those of the thread are certain sources: another thread may write
    /// a value several times.
    fn reads_are_possible(
        &mut self,
        (thread, location, actions): &(usize, LocationId, Vec<Action>),
        outside: &[Outside],
    ) -> Result<bool> {
        let initial = self.test.locations[*location].initial;
        let own = actions.iter().map(|it| event_of(*thread, *it));
        let events: Vec<Event> = [initial_write(*location, initial)]
            .into_iter()
            .chain(own)
            .collect();
        let reads = events
            .iter()
            .enumerate()
            .filter_map(|(at, it)| match it.action {
                Action::Read(_, value) => Some((at, value)),
                _ => None,
            });
        let reads: Vec<(usize, Value)> = reads.collect();
        let within = |wanted: Value| -> Vec<usize> {
            let writes = events
                .iter()
                .enumerate()
                .filter(|(_, it)| matches!(it.action, Action::Write(_, value) if value == wanted));
            writes.map(|it| it.0).collect()
        };
        let from_outside = |wanted: Value| -> Vec<Outside> {
            let fits = |it: &&Outside| it.1.memory == *location && it.2 == wanted;
            outside.iter().filter(fits).copied().collect()
        };
        let mut certain: Vec<(usize, usize)> = Vec::new();
        let mut open: Vec<(usize, Value)> = Vec::new();
        for &(read, value) in &reads {
            match (within(value).as_slice(), from_outside(value).is_empty()) {
                ([write], true) => certain.push((*write, read)),
                _ => open.push((read, value)),
            }
        }
        if !certain.is_empty() && !self.part_holds(&events, &certain)? {
            return Ok(false);
        }
        for (read, value) in open {
            let mut possible = false;
            for write in within(value) {
                let sources: Vec<_> = certain.iter().copied().chain([(write, read)]).collect();
                possible = possible || self.part_holds(&events, &sources)?;
            }
            for (other, access, value) in from_outside(value) {
                let mut events = events.clone();
                let write = events.len();
                events.push(event_of(other, Action::Write(access, value)));
                let sources: Vec<_> = certain.iter().copied().chain([(write, read)]).collect();
                possible = possible || self.part_holds(&events, &sources)?;
            }
            if !possible {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether no axiom is violated by these events, with reads from these sources, and with
    /// nothing but the initial write in order.
    fn part_holds(&mut self, events: &[Event], sources: &[(usize, usize)]) -> Result<bool> {
        self.deadline.check()?;
        let count = events.len();
        if count > crate::relation::EventSet::MAX {
            return Ok(true);
        }
        let mut candidate = Candidate::new(self.test, events.to_vec(), &Pairs::default());
        candidate.assign(
            index::RF,
            Relation::from_pairs(count, sources.iter().copied()),
        );
        let writes = candidate.set(index::W).iter().filter(|it| *it != 0);
        let first = Relation::from_pairs(count, writes.map(|it| (0, it)));
        candidate.order_writes(first);
        Ok(self.holds(&candidate))
    }
}

fn of_location(step: &Step, location: LocationId) -> bool {
    let access = step.action.access();
    access.is_some_and(|it| it.memory == location)
}
