//! The final states that a model allows, to compare with those that a machine shows.

use std::collections::BTreeSet;

use hirace_model::error::Result;

use crate::cat::Model;
use crate::engine::enumerate;
use crate::litmus::ast::{Instruction, Term, Test, Value};
use crate::verdict::{Settings, each_memory, value};

/// What is observed of a final state: registers that reads and atomic operations write, those that
/// conditions and `locations` name, and locations.
#[must_use]
pub fn observed(test: &Test) -> Vec<Term> {
    let mut terms: Vec<Term> = Vec::new();
    let mut add = |term: &Term| {
        if !matches!(term, Term::Value(_)) && !terms.contains(term) {
            terms.push(term.clone());
        }
    };
    for (thread, of) in test.threads.iter().enumerate() {
        for line in &of.code {
            let is_observed = matches!(
                line.instruction,
                Instruction::Load { .. } | Instruction::Atomic { .. } | Instruction::Barrier { .. }
            );
            let target = line.instruction.target().filter(|_| is_observed);
            if let Some(target) = target {
                add(&Term::Register(thread, target.to_owned()));
            }
        }
    }
    for condition in test.filter.iter().chain([&test.question.condition]) {
        condition.terms(&mut add);
    }
    test.shown.iter().for_each(&mut add);
    for (id, location) in test.locations.iter().enumerate() {
        if location.alias.is_none() {
            add(&Term::Location(id));
        }
    }
    terms
}

/// The name of a term, as conditions write it.
#[must_use]
pub fn name(test: &Test, term: &Term) -> String {
    match term {
        Term::Value(value) => value.to_string(),
        Term::Register(thread, register) => format!("{}:{register}", test.threads[*thread].name),
        Term::Location(id) => format!("[{}]", test.locations[*id].name),
    }
}

/// The states that a model allows.
#[derive(Clone, Debug)]
pub struct Allowed {
    /// The values of the terms in each state.
    pub states: BTreeSet<Vec<Value>>,
    /// Whether these are all: a loop beyond the limit of rounds may have others.
    pub complete: bool,
    /// Whether a thread may never end.
    pub may_hang: bool,
}

/// Enumerates them, with the values of `terms`.
///
/// # Errors
/// Those of [`judge`](crate::verdict::judge).
pub fn allowed(
    test: &Test,
    (name, text): (&str, &str),
    terms: &[Term],
    model: &Model,
    settings: &Settings,
) -> Result<Allowed> {
    let mut states = BTreeSet::new();
    let seen = enumerate(test, name, text, model, settings, &mut |execution| {
        each_memory(execution.memory, &mut |memory| {
            let values = terms.iter().map(|it| value(test, execution, memory, it));
            states.insert(values.collect());
        });
    })?;
    Ok(Allowed {
        states,
        complete: !seen.cut,
        may_hang: seen.may_hang,
    })
}
