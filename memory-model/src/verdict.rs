//! The answer to a test's question.

use std::time::{Duration, Instant};

use hirace_model::error::Result;

use crate::cat::Model;
use crate::engine::{Execution, Limits, enumerate};
use crate::litmus::ast::{Quantifier, Term, Test, Value};
use crate::trace;
use crate::world::Candidate;

/// Limits, as a user gives them.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Most rounds of a loop.
    pub unroll: u32,
    /// Most candidate executions of a test, and most ways through each of its threads.
    pub limit: u64,
    /// Most time for a test.
    pub timeout: Option<Duration>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            unroll: 2,
            limit: 1_000_000,
            timeout: None,
        }
    }
}

impl Settings {
    /// The limits of a search that starts now.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            unroll: self.unroll,
            candidates: self.limit,
            deadline: self.timeout.map(|it| Instant::now() + it),
        }
    }
}

/// The answer.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Whether the question's claim holds.
    pub holds: bool,
    /// The allowed executions that pass the filter.
    pub executions: u64,
    /// Those whose result satisfies the condition.
    pub witnesses: u64,
    /// Whether an execution has a data race.
    pub race: bool,
    /// Whether a thread may never end.
    pub may_hang: bool,
    /// Whether a loop went on beyond the limit of rounds.
    pub cut: bool,
    /// An execution that decides: one that satisfies the condition, or for `forall` one that does
    /// not.
    pub witness: Option<Candidate>,
}

/// Answers the question of a test. `text` is the text that it was read from, `name` its name in
/// messages.
///
/// # Errors
/// A limit is reached, or an instruction has no meaning.
pub fn judge(
    test: &Test,
    name: &str,
    text: &str,
    model: &Model,
    settings: &Settings,
) -> Result<Verdict> {
    let limits = settings.limits();
    let mut verdict = Verdict {
        holds: false,
        executions: 0,
        witnesses: 0,
        race: false,
        may_hang: false,
        cut: false,
        witness: None,
    };
    let for_all = test.question.quantifier == Quantifier::ForAll;
    let mut failed = false;
    let seen = enumerate(test, name, text, model, limits, &mut |execution| {
        verdict.race |= execution.flags.iter().any(|it| it == "race");
        let (mut counts, mut satisfies, mut fails) = (false, false, false);
        each_memory(execution.memory, &mut |memory| {
            let value = |term: &Term| value(test, execution, memory, term);
            if test.filter.as_ref().is_none_or(|it| it.holds(&value)) {
                counts = true;
                let holds = test.question.condition.holds(&value);
                satisfies |= holds;
                fails |= !holds;
            }
        });
        verdict.executions += u64::from(counts);
        verdict.witnesses += u64::from(satisfies);
        failed |= fails;
        let decides = if for_all { fails } else { satisfies };
        if decides && verdict.witness.is_none() {
            verdict.witness = Some(execution.candidate.clone());
        }
    })?;
    verdict.holds = match test.question.quantifier {
        Quantifier::Exists => verdict.witnesses > 0,
        Quantifier::NotExists => verdict.witnesses == 0,
        Quantifier::ForAll => !failed,
    };
    verdict.may_hang = seen.may_hang;
    verdict.cut = seen.cut;
    Ok(verdict)
}

/// Calls `visit` with each choice of a final value for each location.
pub(crate) fn each_memory(choices: &[Vec<Value>], visit: &mut dyn FnMut(&[Value])) {
    fn go(choices: &[Vec<Value>], chosen: &mut Vec<Value>, visit: &mut dyn FnMut(&[Value])) {
        let Some(values) = choices.get(chosen.len()) else {
            return visit(chosen);
        };
        // An alias has no writes of its own.
        for value in values.iter().copied().chain(values.is_empty().then_some(0)) {
            chosen.push(value);
            go(choices, chosen, visit);
            chosen.pop();
        }
    }
    go(choices, &mut Vec::new(), visit);
}

/// What a term is at the end of an execution with these final values of the locations.
pub(crate) fn value(
    test: &Test,
    execution: &Execution<'_>,
    memory: &[Value],
    term: &Term,
) -> Value {
    match term {
        Term::Value(value) => *value,
        Term::Location(location) => memory[trace::memory(test, *location)],
        Term::Register(thread, name) => {
            let registers = &execution.traces[*thread].registers;
            registers.get(name).copied().unwrap_or(0)
        }
    }
}
