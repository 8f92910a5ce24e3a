//! Branches and calls.

use std::fmt::Write as _;

use hirace_instrument::rewrite::ptx::{self, Instruction, Operand};

use super::{Lowering, cpp_function};
use crate::module::{Statement, StatementKind, Term};
use crate::names::identifier;
use crate::{find, variables};

impl Lowering<'_> {
    pub(super) fn branch(&self, terms: &[Term]) -> Option<String> {
        let [Term::Operand(Operand::Register(name))] = terms else {
            return None;
        };
        self.goto(name)
    }

    fn goto(&self, name: &str) -> Option<String> {
        let is_it =
            |it: &&Statement| matches!(&it.kind, StatementKind::Label(label) if label == name);
        let mut labels = self.body().iter().filter(is_it);
        labels.next()?;
        labels
            .next()
            .is_none()
            .then(|| format!("goto {};", label(name)))
    }

    /// `brx.idx index, targets;`
    pub(super) fn indexed_branch(&self, instruction: &Instruction) -> Option<String> {
        let [Operand::Register(index), Operand::Register(targets)] = &instruction.operands[..]
        else {
            return None;
        };
        let index = ptx::register(index, &self.assembly)?;
        let mut code = format!("switch ({index}) {{ ");
        for (number, target) in self.targets.get(targets)?.iter().enumerate() {
            let _ = write!(code, "case {number}: {} ", self.goto(target)?);
        }
        Some(code + "}")
    }

    /// `call (result), function, (parameters);`
    pub(super) fn call(&self, terms: &[Term]) -> Option<String> {
        let (results, rest): (&[String], _) = match terms {
            [Term::List(results), rest @ ..] => (results, rest),
            rest => (&[], rest),
        };
        let (name, parameters): (_, &[String]) = match rest {
            [Term::Operand(Operand::Register(name))] => (name, &[]),
            [Term::Operand(Operand::Register(name)), Term::List(given)] => (name, given),
            _ => return None,
        };
        let called = find(self.module, name).filter(|it| it.body.is_some())?;
        if called.results.len() != results.len() || called.parameters.len() != parameters.len() {
            return None;
        }
        let given = results.iter().chain(parameters);
        let in_memory = |it: &String| self.assembly.symbols.contains_key(it);
        let given: Option<Vec<String>> = given
            .map(|it| in_memory(it).then(|| variables::cpp_name(it)))
            .collect();
        Some(format!("{}({});", cpp_function(name), given?.join(", ")))
    }
}

/// The C++ name of a label.
pub(super) fn label(name: &str) -> String {
    format!("hirace_l_{}", identifier(name))
}
