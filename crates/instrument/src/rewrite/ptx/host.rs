//! An `asm` statement as C++ for the CPU executor.
//!
//! ```text
//! asm("add.u32 %0, %1, 1;" : "=r"(x) : "r"(a[i]));
//!   →  __extension__({ auto&& hirace_0 = (x); auto hirace_1 = (::hirace::read(SITE, a[i]));
//!        put<u32>(hirace_0, add<u32>(get<u32>(hirace_1), static_cast<u32>(1))); });
//! ```
//!
//! The functions are those of `device/hirace/cuda/ptx.h` and its neighbours. A statement with an
//! instruction that has none is an error if the compiler generates code for it.

use std::fmt::Write as _;

use hirace_model::SiteKind;
use hirace_syntax::tree::Node;

use super::super::sites::{escape, fold};
use super::barriers::destination;
use super::calls;
use super::effect::{Effect, effect};
use super::operands;
use super::operands::{NO_SITE, SITE};
use super::plan::{Plan, condition, plan};
use super::statement::Statement;
use super::syntax::{Assembly, Instruction, Operand, Problem};
use super::template::UNKNOWN;
use crate::rewrite::context::Rewriter;

impl Rewriter<'_> {
    /// Replaces the statement `node` by C++, or by an error that names the instruction without a
    /// counterpart; false if it does not look like PTX at all.
    pub(super) fn translated(&mut self, node: Node<'_>, statement: &Statement<'_>) -> bool {
        let assembly = match &statement.parsed {
            Ok(assembly) => assembly,
            Err(Problem::Macro) => {
                self.unread_assembly(node, &statement.text, Problem::Macro);
                self.no_text(node, &statement.text);
                return true;
            }
            Err(_) => return false,
        };
        if assembly.instructions.is_empty() && statement.arguments.is_empty() {
            return false;
        }
        // Edits cannot wrap a directive between the operands.
        let first = statement.arguments.first();
        let start = first.map_or(node.end(), |it| it.value.start());
        let operands = self.source.get(start..node.end()).unwrap_or("");
        let mut lines = operands.lines().skip(1);
        if lines.any(|it| it.trim_start().starts_with('#')) {
            return false;
        }
        let mut code = String::new();
        let mut plans = Vec::new();
        for instruction in &assembly.instructions {
            let condition = condition(instruction, assembly);
            let planned = match instruction.head() {
                "bra" => jump(instruction, assembly).map(Plan::Plain),
                "call" => calls::call(instruction, assembly).map(Plan::Plain),
                "brx" => indexed_jump(instruction, assembly).map(Plan::Plain),
                _ => plan(instruction, assembly),
            };
            match condition.zip(planned) {
                Some(known) => plans.push(known),
                // Perhaps one of the processor's.
                None if instruction.opcode.len() < 2 && !is_transfer(instruction) => {
                    return false;
                }
                None => {
                    self.no_counterpart(node, assembly, &instruction.name());
                    return true;
                }
            }
        }
        let labels = |at| assembly.labels.iter().filter(move |it| it.1 == at);
        for (label, _) in &assembly.labels {
            let _ = write!(code, "__label__ {}; ", label_name(label));
        }
        let count = plans.len();
        for (at, (condition, plan)) in plans.into_iter().enumerate() {
            for (label, _) in labels(at) {
                let _ = write!(code, "{}: ; ", label_name(label));
            }
            let one = self.carried_out(node, statement, (at, &assembly.instructions[at]), plan);
            let _ = write!(code, "{condition}{{ {one} }} ");
        }
        for (label, _) in labels(count) {
            let _ = write!(code, "{}: ; ", label_name(label));
        }
        if !assembly.labels.is_empty() {
            // Labels are declared at the beginning of a block.
            code = format!("{{ {code}}} ");
        }
        self.as_host_code(node, statement, assembly, &code);
        true
    }

    /// The C++ of the instruction `at`, with its hooks.
    fn carried_out(
        &mut self,
        node: Node<'_>,
        statement: &Statement<'_>,
        (at, instruction): (usize, &Instruction),
        plan: Plan<'_>,
    ) -> String {
        let (access, compared, before, mut pointer, done) = match plan {
            Plan::Plain(code) => return code,
            Plan::Exchange(code) => {
                let written = match destination(instruction) {
                    Some(Operand::Argument(number)) => statement.arguments.get(*number),
                    _ => None,
                };
                let variable = written.map_or_else(String::new, |it| self.addressed(it.value));
                let id = self.site(SiteKind::Sync, node.range(), &variable);
                return id.map_or_else(String::new, |id| code.replace(SITE, &id));
            }
            Plan::Order(function, more) => {
                let id = self.site(SiteKind::Sync, node.range(), "");
                return id.map_or_else(String::new, |id| {
                    format!("::hirace::{function}({id}{more});")
                });
            }
            Plan::Access {
                access,
                compared,
                before,
                pointer,
                done,
            } => (access, compared, before, pointer, done),
        };
        let place = self.accessed_place(statement, at, &access);
        let place = place.map(|it| statement.arguments[it.number].value);
        let range = place.map_or(node.range(), Node::range);
        let variable = place.map_or_else(String::new, |it| self.addressed(it));
        let id = self.access_site(access.kind, range, &variable);
        if let Some(id) = &id {
            pointer = access.checked(id, compared.as_deref(), &pointer);
        }
        let known = id.as_deref().unwrap_or(NO_SITE);
        let [before, done] = [before, done].map(|it| it.replace(SITE, known));
        format!("{before}void* const hirace_at = {pointer}; {done}")
    }

    /// Creates the edits around the operands, whose text stays in place.
    fn as_host_code(
        &mut self,
        node: Node<'_>,
        statement: &Statement<'_>,
        assembly: &Assembly,
        code: &str,
    ) {
        let mut start = node.start();
        let mut text = "__extension__({ ".to_owned();
        for (number, argument) in statement.arguments.iter().enumerate() {
            let kind = if argument.output { "auto&&" } else { "auto" };
            let _ = write!(text, "[[maybe_unused]] {kind} hirace_{number} = (");
            let value = argument.value.range();
            self.replace(start..value.start, text);
            self.argument(argument);
            start = value.end;
            text = "); ".to_owned();
        }
        text.push_str(&operands::declarations(assembly));
        if code.contains(operands::CARRY) {
            let _ = write!(text, "bool {} = false; ", operands::CARRY);
        }
        let _ = write!(text, "{code}}})");
        self.replace(start..node.end(), text);
    }

    /// Refuses a statement. Otherwise the assembler would complain about single words.
    fn no_counterpart(&mut self, node: Node<'_>, assembly: &Assembly, name: &str) {
        for instruction in &assembly.instructions {
            if matches!(effect(instruction), Effect::Access(_) | Effect::Unknown(_)) {
                let reason = format!("`{name}` has no counterpart on the CPU");
                self.unhooked(node, instruction.head(), &reason);
            }
        }
        self.refuse(node, &format!("inline PTX `{name}`"), name);
    }

    /// A statement whose text is not known: what a macro with parameters supplies, or one with several definitions.
    pub(super) fn no_text(&mut self, node: Node<'_>, text: &str) {
        let known: String = text.chars().filter(|it| *it != UNKNOWN).collect();
        let what = "inline PTX, of whose text a macro supplies a part,";
        self.refuse(node, what, known.trim());
    }

    /// Puts an error where the compiler generates code for the statement.
    fn refuse(&mut self, node: Node<'_>, what: &str, text: &str) {
        let text = fold(text.as_bytes());
        let enclosing = &self.enclosing.name;
        let id = self
            .sites
            .add(SiteKind::Sync, node.range(), text, "", enclosing);
        let Some(id) = id else { return };
        let function = format!("hirace_no_ptx_{}", id.trim_end_matches('u'));
        let message =
            format!("{what} has no counterpart on the CPU; build for a GPU to check this code");
        let message = escape(&message);
        let code = format!(
            "__extension__({{ void {function}() __attribute__((error(\"{message}\"))); {function}(); }})"
        );
        self.replace(node.range(), code);
    }
}

/// Whether an instruction without modifiers can only be one of PTX: a branch, or a call with parameters.
fn is_transfer(instruction: &Instruction) -> bool {
    let has_list = |it: &Operand| matches!(it, Operand::Vector(_));
    match instruction.head() {
        "bra" => true,
        "call" => instruction.operands.iter().any(has_list),
        _ => false,
    }
}

/// The C++ name of a label. It is local to the statement: a function may have several of one name.
fn label_name(label: &str) -> String {
    format!("hirace_label_{label}")
}

/// A branch to a label of the statement.
fn jump(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let [Operand::Register(target)] = &instruction.operands[..] else {
        return None;
    };
    to_label(target, assembly)
}

fn to_label(target: &str, assembly: &Assembly) -> Option<String> {
    let is_known = assembly.labels.iter().any(|it| it.0 == *target);
    is_known.then(|| format!("goto {};", label_name(target)))
}

/// `brx.idx index, targets`: a branch to one of several labels.
fn indexed_jump(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let ("idx", [index, Operand::Register(targets)]) =
        (*instruction.modifiers().first()?, &instruction.operands[..])
    else {
        return None;
    };
    let mut code = format!("switch ({}) {{ ", operands::value(index, "u32", assembly)?);
    for (number, target) in assembly.targets.get(targets)?.iter().enumerate() {
        let _ = write!(code, "case {number}: {} ", to_label(target, assembly)?);
    }
    Some(code + "}")
}
