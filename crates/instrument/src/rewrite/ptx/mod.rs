//! Inline PTX.
//!
//! An access to memory is checked where its operand is evaluated, just before the
//! assembly:
//!
//! ```text
//! asm("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(p));
//!   →  asm("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(::hirace::ptx_read(SITE, 4, p)));
//! ```
//!
//! The statement can therefore appear anywhere, and the operand is evaluated once. For the CPU a statement
//! of known instructions becomes C++ (`host.rs`).

mod addresses;
mod arithmetic;
mod asynchronous;
mod barriers;
mod bulk;
mod calls;
mod carries;
mod comparisons;
mod declarations;
mod effect;
mod exchanges;
mod guard;
mod host;
mod instructions;
mod integers;
mod matrix;
mod operands;
mod order;
mod place;
mod plan;
mod statement;
mod syntax;
pub mod table;
mod table_forms;
mod template;
#[cfg(test)]
mod tests;
mod warpgroup;
mod wmma;

use hirace_syntax::tree::{Field, Kind, Node};

use crate::rewrite::context::Rewriter;
use crate::rewrite::role::Role;
pub use barriers::destination;
pub use effect::{Access, Space};
use effect::{Effect, effect};
pub use operands::{CARRY, NO_SITE, SITE, declarations, is_special, register};
use place::Place;
pub use plan::{Plan, condition, plan};
use statement::Statement;
use syntax::Problem;
pub use syntax::{Assembly, Guard, Instruction, Operand};
pub use table::reason;

/// The maximum number of conversions of an address to follow.
const MAX_CONVERSIONS: usize = 8;

/// A hook to put around an operand of the statement.
struct Hook {
    argument: usize,
    open: String,
}

impl Rewriter<'_> {
    /// Hooks the loads and stores of inline assembly: those of its operands and its own.
    pub(crate) fn assembly(&mut self, node: Node<'_>) {
        let statement = Statement::of(node, self);
        if self.plain_assembly(node, &statement) {
            return;
        }
        if self.on_cpu() && self.translated(node, &statement) {
            return;
        }
        let hooks = self.assembly_hooks(node, &statement);
        for (number, argument) in statement.arguments.iter().enumerate() {
            let around = || hooks.iter().filter(|it| it.argument == number);
            // The check of the first access must come first.
            for hook in around().rev() {
                self.edits.open(argument.value.start(), hook.open.clone());
            }
            self.argument(argument);
            for _ in around() {
                self.edits.close(argument.value.end(), ")");
            }
        }
    }

    /// How the C++ around the assembly uses an operand.
    fn argument(&mut self, argument: &statement::Argument<'_>) {
        let role = match argument.output {
            false => Role::Load,
            true if argument.constraint.contains('+') => Role::Update,
            true => Role::Store,
        };
        self.expression(argument.value, role);
    }

    /// The hooks for the accesses of the assembly; accesses without a hook are noted.
    fn assembly_hooks(&mut self, node: Node<'_>, statement: &Statement<'_>) -> Vec<Hook> {
        let mut hooks = Vec::new();
        let assembly = match &statement.parsed {
            Ok(assembly) if assembly.has_branches() => {
                self.unread_assembly(node, &statement.text, Problem::Branches);
                return hooks;
            }
            Ok(assembly) => assembly,
            Err(problem) => {
                self.unread_assembly(node, &statement.text, *problem);
                return hooks;
            }
        };
        for (at, instruction) in assembly.instructions.iter().enumerate() {
            if instruction.head() == "exit" {
                // The hook at the end of the kernel does not run.
                let construct = "`exit` in inline PTX".to_owned();
                self.sites.not_modelled(node.start(), construct);
            }
            let reason = match effect(instruction) {
                Effect::Nothing => continue,
                Effect::Private(_) => {
                    self.sites.remarks.private += 1;
                    continue;
                }
                Effect::Unknown(reason) => reason,
                Effect::Access(access) => match self.assembly_hook(statement, at, &access) {
                    Ok(made) => {
                        hooks.extend(made);
                        continue;
                    }
                    Err(reason) => reason,
                },
            };
            self.unhooked(node, &instruction.opcode[..1].join("."), reason);
        }
        hooks
    }

    fn unhooked(&mut self, node: Node<'_>, name: &str, reason: &str) {
        let reason = format!("inline PTX `{name}` accesses memory without hooks: {reason}");
        self.sites.not_monitored(node.start(), reason);
    }

    /// Notes the apparent accesses of a text that could not be parsed.
    pub(super) fn unread_assembly(&mut self, node: Node<'_>, text: &str, problem: Problem) {
        let reason = match problem {
            Problem::Macro => "a macro supplies a part of the text",
            Problem::Directive => "an `#if` changes the text",
            Problem::Branches => "the assembly contains branches or calls",
            Problem::Syntax => "its syntax is unknown",
        };
        for word in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
            if matches!(word, "ld" | "st" | "red" | "atom" | "ldmatrix" | "stmatrix") {
                self.unhooked(node, word, reason);
            }
        }
    }

    /// The hooks for one access; none if it is not to be monitored.
    fn assembly_hook(
        &mut self,
        statement: &Statement<'_>,
        at: usize,
        access: &Access<'_>,
    ) -> Result<Vec<Hook>, &'static str> {
        if access.space == Space::Cluster {
            return Err("it may access another block's shared memory");
        }
        let place = self
            .accessed_place(statement, at, access)
            .ok_or("its address is computed in the assembly")?;
        let Place { number, offset, .. } = place;
        let argument = &statement.arguments[number];
        if place.space == Space::Generic && argument.constraint == "r" {
            return Err("its address has 32 bits");
        }
        let guard = self
            .guard(statement, at)
            .ok_or("its predicate is computed in the assembly")?;
        let mut hooks = Vec::new();
        if access.widened && !self.on_cpu() {
            self.widened(argument.value);
        }
        let variable = self.addressed(argument.value);
        if let Some(id) = self.access_site(access.kind, argument.value.range(), &variable) {
            let space = match place.space {
                Space::Shared => "_shared",
                _ => "",
            };
            let strength = access.template_arguments();
            let hook = format!("::hirace::ptx{space}_{}{strength}", access.hook);
            let size = access.size;
            let place = match guard.is_empty() {
                true if offset == "0" => format!("{size}, "),
                true => format!("{size}, {offset}, "),
                false => format!("{size}, {offset}, {guard}, "),
            };
            hooks.push(Hook {
                argument: number,
                open: format!("{hook}({id}, {place}"),
            });
        }
        Ok(hooks)
    }

    /// Notes that a strong load of block scope is treated as one of device scope.
    fn widened(&mut self, place: Node<'_>) {
        let construct = "block scope of a strong load in inline PTX".to_owned();
        self.sites.not_modelled(place.start(), construct);
    }

    /// The variable that an address is derived from, also through a conversion function of one
    /// argument.
    fn addressed(&self, node: Node<'_>) -> String {
        let operands = std::iter::successors(Some(node), |operand| match operand.kind() {
            Kind::CallExpression => {
                let mut arguments = operand.arguments();
                arguments.next().filter(|_| arguments.next().is_none())
            }
            Kind::ParenthesizedExpression => operand.first_named(),
            Kind::CastExpression => operand.child(Field::Value),
            _ => None,
        });
        self.root(operands.take(1 + MAX_CONVERSIONS).last().unwrap_or(node))
    }
}
