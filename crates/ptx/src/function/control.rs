//! Branches.

use std::fmt::Write as _;

use hirace_instrument::rewrite::ptx::{self, Instruction, Operand};

use super::Lowering;
use crate::module::{Statement, StatementKind, Term};
use crate::names::identifier;

impl Lowering<'_> {
    pub(super) fn branch(&self, at: usize, terms: &[Term]) -> Option<String> {
        let [Term::Operand(Operand::Register(name))] = terms else {
            return None;
        };
        self.goto(at, name)
    }

    /// A jump of the statement `at` to a label.
    fn goto(&self, at: usize, name: &str) -> Option<String> {
        let unique = self.scopes.name_at(at, name);
        let is_it = |(number, it): &(usize, &Statement)| match &it.kind {
            StatementKind::Label(label) => self.scopes.name_at(*number, label) == unique,
            _ => false,
        };
        let mut labels = self.body().iter().enumerate().filter(is_it);
        labels.next()?;
        labels
            .next()
            .is_none()
            .then(|| format!("goto {};", label(&unique)))
    }

    /// `brx.idx index, targets;`
    pub(super) fn indexed_branch(&self, at: usize, instruction: &Instruction) -> Option<String> {
        let [Operand::Register(index), Operand::Register(targets)] = &instruction.operands[..]
        else {
            return None;
        };
        let index = ptx::register(index, &self.assembly)?;
        let mut code = format!("switch ({index}) {{ ");
        for (number, target) in self.targets.get(targets)?.iter().enumerate() {
            let _ = write!(code, "case {number}: {} ", self.goto(at, target)?);
        }
        Some(code + "}")
    }
}

/// The C++ name of a label.
pub(super) fn label(name: &str) -> String {
    format!("hirace_l_{}", identifier(name))
}
