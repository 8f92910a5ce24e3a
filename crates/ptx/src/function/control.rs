//! Branches.

use std::fmt::Write as _;

use hirace_instrument::rewrite::ptx::{self, Instruction, Operand};

use super::{Lowering, calls};
use crate::module::{Statement, StatementKind, Term};
use crate::names::identifier;

impl Lowering<'_> {
    pub(super) fn branch(&self, at: usize, terms: &[Term]) -> Option<String> {
        let [Term::Operand(Operand::Register(name))] = terms else {
            return None;
        };
        self.goto(at, name)
    }

    /// What a message says of an instruction that has no translation.
    pub(super) fn reason(&self, at: usize, instruction: &Instruction, terms: &[Term]) -> String {
        let name = instruction.name();
        let unknown = self.instructions[&at].operands.iter().find_map(undeclared);
        match (instruction.head(), terms, unknown) {
            ("call", ..) => calls::refused(&name, terms),
            ("bra", [Term::Operand(Operand::Register(target))], _) => {
                format!(
                    "`{name}` to `{target}`, which is not the name of one label of the function"
                )
            }
            (_, _, Some(register)) => format!("`{name}` with `%{register}`, which is not declared"),
            _ => ptx::reason(instruction),
        }
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

/// A register in an operand that is neither declared nor a special one.
fn undeclared(operand: &Operand) -> Option<&str> {
    match operand {
        Operand::Special(name) => (!ptx::is_special(name)).then_some(name),
        Operand::Address(base, offset) => {
            undeclared(base).or_else(|| offset.as_deref().and_then(undeclared))
        }
        Operand::Tensor(map, first) => {
            undeclared(map).or_else(|| first.iter().find_map(undeclared))
        }
        Operand::Vector(elements) => elements.iter().find_map(undeclared),
        Operand::Not(inner) => undeclared(inner),
        Operand::Pair(first, second) => undeclared(first).or_else(|| undeclared(second)),
        _ => None,
    }
}
