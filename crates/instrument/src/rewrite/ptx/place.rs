//! Where an instruction accesses memory, in terms of the statement's operands.

use super::effect::{Access, Space};
use super::statement::Statement;
use super::syntax::{Instruction, Operand};
use crate::rewrite::context::Rewriter;

/// The longest chain of instructions to follow.
const MAX_STEPS: usize = 8;

/// An address.
pub(super) struct Place {
    /// The operand of the statement that it is based on.
    pub(super) number: usize,
    /// The C++ offset from it.
    pub(super) offset: String,
    /// The kind of address in the operand.
    pub(super) space: Space,
}

impl Place {
    fn plus(mut self, offset: String) -> Self {
        if self.offset == "0" {
            self.offset = offset;
        } else {
            self.offset = format!("{} + {offset}", self.offset);
        }
        self
    }
}

impl Rewriter<'_> {
    /// The address that the instruction `at` accesses, if it consists of operands that the assembly
    /// does not change.
    pub(super) fn accessed_place(
        &self,
        statement: &Statement<'_>,
        at: usize,
        access: &Access<'_>,
    ) -> Option<Place> {
        let base = self.address(statement, at, access.base, access.space, MAX_STEPS)?;
        match access.offset {
            Some(offset) => Some(base.plus(self.addend(statement, offset, "64")?)),
            None => Some(base),
        }
    }

    /// The value of `operand` before the instruction `at`, as an address in `space`.
    fn address(
        &self,
        statement: &Statement<'_>,
        at: usize,
        operand: &Operand,
        space: Space,
        steps: usize,
    ) -> Option<Place> {
        let name = match operand {
            Operand::Argument(number) => {
                statement.input(operand)?;
                return Some(Place {
                    number: *number,
                    offset: "0".to_owned(),
                    space,
                });
            }
            Operand::Register(name) => name,
            _ => return None,
        };
        let (setter, instruction) = set_once(statement, at, name)?;
        let steps = steps.checked_sub(1)?;
        let from =
            |operand: &Operand, space| self.address(statement, setter, operand, space, steps);
        let words = instruction.modifiers();
        match (instruction.head(), &words[..], &instruction.operands[..]) {
            ("mov", _, [_, source]) => from(source, space),
            ("cvta", ["to", "global", _] | ["global", _], [_, source])
                if space == Space::Generic =>
            {
                from(source, space)
            }
            ("cvta", ["to", "shared" | "shared::cta", _], [_, source])
                if space == Space::Shared =>
            {
                from(source, Space::Generic)
            }
            ("cvta", ["shared" | "shared::cta", _], [_, source]) if space == Space::Generic => {
                from(source, Space::Shared)
            }
            // Addresses of shared memory fit into 32 bits.
            ("cvt", ["u32", "u64"] | ["u64", "u32"], [_, source]) => from(source, space),
            ("add", [kind], [_, left, right]) => {
                let offset = self.addend(statement, right, kind.get(1..)?)?;
                Some(from(left, space)?.plus(offset))
            }
            _ => None,
        }
    }

    /// A number, or an operand that may be evaluated once more, as a C++ number. It is added in a
    /// register of `bits` bits, so it may be negative.
    fn addend(&self, statement: &Statement<'_>, operand: &Operand, bits: &str) -> Option<String> {
        match operand {
            Operand::Number(number) => Some(number.clone()),
            _ => {
                let argument = statement.input(operand)?;
                matches!(bits, "32" | "64").then_some(())?;
                let text = self.pure(argument.value)?;
                Some(format!("::hirace::ptx_value<std::int{bits}_t>({text})"))
            }
        }
    }
}

/// The one instruction before `at` that sets the register `name`, if it always executes.
pub(super) fn set_once<'s>(
    statement: &'s Statement<'_>,
    at: usize,
    name: &str,
) -> Option<(usize, &'s Instruction)> {
    let all = &statement.parsed.as_ref().ok()?.instructions;
    let before = all.iter().enumerate().take(at);
    let mut setters = before.filter(|it| it.1.operands.first().is_some_and(|it| sets(it, name)));
    let (Some(setter), None) = (setters.next(), setters.next()) else {
        return None;
    };
    setter.1.guard.is_none().then_some(setter)
}

/// Whether an instruction with this target may set the register `name`.
fn sets(target: &Operand, name: &str) -> bool {
    match target {
        Operand::Register(set) => set == name,
        Operand::Vector(elements) => elements.iter().any(|it| sets(it, name)),
        Operand::Pair(first, second) => sets(first, name) || sets(second, name),
        Operand::Other => true,
        _ => false,
    }
}
