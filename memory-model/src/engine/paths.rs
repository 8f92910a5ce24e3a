//! The paths through each thread that may be part of an execution.

use std::collections::{BTreeMap, BTreeSet};

use hirace_model::error::Result;

use crate::deadline::Deadline;
use crate::event::Action;
use crate::litmus::ast::{LocationId, Test, Value};
use crate::settings::Settings;
use crate::trace::{Domains, Trace, traces};

/// Values of locations.
pub type Values = BTreeSet<(LocationId, Value)>;

/// What a path reads and writes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Summary {
    /// The values that it needs from other threads.
    pub needed: Values,
    /// The values that it gives them.
    pub written: Values,
}

impl Summary {
    /// Of a path. Which of its own writes it may read is a matter of the model.
    pub fn of(trace: &Trace, initial: &Values) -> Self {
        let (mut read, mut written) = (Values::new(), Values::new());
        for step in &trace.steps {
            match step.action {
                Action::Read(access, value) => drop(read.insert((access.memory, value))),
                Action::Write(access, value) => drop(written.insert((access.memory, value))),
                _ => {}
            }
        }
        read.retain(|it| !written.contains(it) && !initial.contains(it));
        Self {
            needed: read,
            written,
        }
    }
}

/// The initial values.
pub fn initial_values(test: &Test) -> Values {
    let locations = test.locations.iter().enumerate();
    locations.map(|(id, it)| (id, it.initial)).collect()
}

/// The paths through each thread for which the others have paths that write what it reads, and that
/// agree with one another in this.
///
/// Reads may return what such paths write, starting with the initial values. No value is left out
/// that an execution has: take the reads whose values are known to be possible so far, and let all
/// others return initial values. The paths with these values agree, and write what depends on the
/// former reads. So the values of an execution are found in the order of its dependencies. A value
/// that comes out of nothing has no place in that order.
pub fn paths(
    test: &Test,
    source: (&str, &str),
    settings: &Settings,
    deadline: &Deadline<'_>,
) -> Result<Vec<Vec<Trace>>> {
    let initial = initial_values(test);
    let locations = test.locations.iter();
    let mut domains: Domains = locations.map(|it| BTreeSet::from([it.initial])).collect();
    // A value goes through each write once at most on its path to a read.
    let mut rounds = 0;
    loop {
        let mut threads = (0..test.threads.len())
            .map(|thread| traces(test, source, thread, &domains, settings, deadline))
            .collect::<Result<Vec<_>>>()?;
        let all = Agreement::new(&threads, &initial, deadline);
        for (thread, paths) in threads.iter_mut().enumerate() {
            let agree = all.possible(thread)?;
            paths.retain(|it| agree[&Summary::of(it, &initial)]);
        }
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

/// Finds the paths that agree with others about values. Many paths have the same summary.
struct Agreement<'a> {
    threads: Vec<Vec<Summary>>,
    /// What each thread may write at all.
    writable: Vec<Values>,
    deadline: &'a Deadline<'a>,
}

/// After this many tries, a path counts as one that agrees.
const MAX_TRIES: u32 = 20_000;

impl<'a> Agreement<'a> {
    fn new(threads: &[Vec<Trace>], initial: &Values, deadline: &'a Deadline<'a>) -> Self {
        let summaries = |paths: &Vec<Trace>| -> Vec<Summary> {
            let all: BTreeSet<_> = paths.iter().map(|it| Summary::of(it, initial)).collect();
            all.into_iter().collect()
        };
        let threads: Vec<_> = threads.iter().map(summaries).collect();
        let writable = threads.iter().map(|it| {
            let written = it.iter().flat_map(|it| it.written.iter().copied());
            written.collect()
        });
        Self {
            writable: writable.collect(),
            threads,
            deadline,
        }
    }

    /// For each summary of a thread, whether other threads have paths with which it agrees.
    fn possible(&self, thread: usize) -> Result<BTreeMap<&Summary, bool>> {
        let mut found = BTreeMap::new();
        for summary in &self.threads[thread] {
            let mut chosen = vec![None; self.threads.len()];
            chosen[thread] = Some(summary);
            let mut tries = 0;
            found.insert(summary, self.agrees(&mut chosen, &mut tries)?);
        }
        Ok(found)
    }

    fn agrees<'s>(
        &'s self,
        chosen: &mut Vec<Option<&'s Summary>>,
        tries: &mut u32,
    ) -> Result<bool> {
        self.deadline.check()?;
        *tries += 1;
        let given = |value: &(LocationId, Value)| {
            let threads = chosen.iter().zip(&self.writable);
            let mut given =
                threads.map(|(chosen, writable)| chosen.map_or(writable, |it| &it.written));
            given.any(|it| it.contains(value))
        };
        let mut needed = chosen.iter().flatten().flat_map(|it| &it.needed);
        if !needed.all(given) {
            return Ok(false);
        }
        let Some(next) = chosen.iter().position(Option::is_none) else {
            return Ok(true);
        };
        for summary in &self.threads[next] {
            chosen[next] = Some(summary);
            if *tries > MAX_TRIES || self.agrees(chosen, tries)? {
                chosen[next] = None;
                return Ok(true);
            }
        }
        chosen[next] = None;
        Ok(false)
    }
}
