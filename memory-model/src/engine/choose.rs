//! Chooses a path for each thread.

use hirace_model::error::Result;

use super::combine::Combination;
use super::location::LocationChecker;
use super::paths::{Summary, Values, initial_values};
use crate::litmus::ast::{Instruction, LocationId, Test, Value};
use crate::trace::{End, Trace};

/// A path, and what it needs from the others and gives them.
struct Path<'a> {
    trace: &'a Trace,
    summary: Summary,
    /// The numbers of its projections, by location.
    projections: Vec<usize>,
}

/// What the paths of the threads are chosen from.
struct Choices<'a, 'l, 'm> {
    test: &'a Test,
    threads: &'a [Vec<Path<'a>>],
    /// What the threads from each one on may write.
    later: &'a [Values],
    /// For each location, the last thread that accesses it.
    last: &'a [usize],
    /// A thread that waits at a barrier forever does not reach the end of its path.
    has_barriers: bool,
    locations: &'l mut LocationChecker<'m>,
}

/// Calls `visit` with each combination of paths in which every value that is read is written, and in
/// which the accesses to each location do not contradict the model.
pub fn each<'a>(
    test: &'a Test,
    threads: &'a [Vec<Trace>],
    locations: &mut LocationChecker<'_>,
    visit: &mut dyn FnMut(&Combination<'_>) -> Result<()>,
) -> Result<()> {
    let initial = initial_values(test);
    let mut usable: Vec<Vec<Path<'_>>> = Vec::new();
    for traces in threads {
        let ended = traces.iter().filter(|it| it.end != End::Cut);
        let paths = ended.map(|trace| Path {
            trace,
            summary: Summary::of(trace, &initial),
            projections: locations.projections(trace),
        });
        usable.push(paths.collect());
    }
    let mut later = vec![Values::new(); usable.len() + 1];
    for thread in (0..usable.len()).rev() {
        later[thread] = later[thread + 1].clone();
        let written = usable[thread].iter().flat_map(|it| &it.summary.written);
        later[thread].extend(written.copied());
    }
    let accesses = |paths: &Vec<Path<'_>>, location: usize| {
        let mut projections = paths.iter().map(|it| it.projections[location]);
        projections.any(|it| it != LocationChecker::EMPTY)
    };
    let last: Vec<usize> = (0..test.locations.len())
        .map(|location| {
            let last = usable.iter().rposition(|paths| accesses(paths, location));
            last.unwrap_or(0)
        })
        .collect();
    let code = test.threads.iter().flat_map(|it| &it.code);
    let mut all = Choices {
        test,
        threads: &usable,
        later: &later,
        last: &last,
        has_barriers: code
            .into_iter()
            .any(|it| matches!(it.instruction, Instruction::Barrier { .. })),
        locations,
    };
    all.choose(&mut Vec::new(), visit)
}

impl<'a> Choices<'a, '_, '_> {
    fn choose(
        &mut self,
        chosen: &mut Vec<&'a Path<'a>>,
        visit: &mut dyn FnMut(&Combination<'_>) -> Result<()>,
    ) -> Result<()> {
        self.locations.deadline.check()?;
        let given = |value: &(LocationId, Value)| {
            self.later[chosen.len()].contains(value)
                || chosen.iter().any(|it| it.summary.written.contains(value))
        };
        let mut needed = chosen.iter().flat_map(|it| &it.summary.needed);
        if !needed.all(given) {
            return Ok(());
        }
        if !self.has_barriers && !self.consistent(chosen, chosen.len().checked_sub(1))? {
            return Ok(());
        }
        let Some(paths) = self.threads.get(chosen.len()) else {
            let traces = chosen.iter().map(|it| it.trace).collect();
            let Some(combination) = Combination::new(self.test, traces) else {
                return Ok(());
            };
            let unchecked = self.has_barriers && !combination.is_blocked();
            if unchecked && !self.consistent(chosen, None)? {
                return Ok(());
            }
            return visit(&combination);
        };
        for path in paths {
            chosen.push(path);
            self.choose(chosen, visit)?;
            chosen.pop();
        }
        Ok(())
    }

    /// Whether the accesses to each location may be part of an execution; only those locations whose
    /// last accesses are in `thread`, or all.
    fn consistent(&mut self, chosen: &[&Path<'_>], thread: Option<usize>) -> Result<bool> {
        if chosen.is_empty() {
            return Ok(true);
        }
        for location in 0..self.last.len() {
            if thread.is_some_and(|it| it != self.last[location]) {
                continue;
            }
            let projections = chosen.iter().map(|it| it.projections[location]).collect();
            if !self.locations.consistent(location, projections)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
