//! The answer to a test's question.

use hirace_model::error::Result;

use crate::cat::Model;
use crate::engine::{Execution, enumerate};
use crate::litmus::ast::{Quantifier, Term, Test, Value};
pub use crate::settings::Settings;
use crate::world::Candidate;

/// The answer.
#[derive(Clone, Debug, Default)]
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
    let mut verdict = Verdict::default();
    let for_all = test.question.quantifier == Quantifier::ForAll;
    let mut failed = false;
    let seen = enumerate(test, name, text, model, settings, &mut |execution| {
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
        Term::Location(location) => memory[test.memory(*location)],
        Term::Register(thread, name) => {
            let registers = &execution.traces[*thread].registers;
            registers.get(name).copied().unwrap_or(0)
        }
    }
}
