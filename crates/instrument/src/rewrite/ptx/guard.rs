//! The guard of an instruction as a condition in C++ (PTX ISA, "Predicated Execution").

use super::place::set_once;
use super::statement::Statement;
use super::syntax::{Guard, Instruction, Operand};
use crate::rewrite::context::Rewriter;

/// The type and the operator of a comparison.
fn comparison(instruction: &Instruction) -> Option<(&'static str, &'static str)> {
    let [sign, kind] = instruction.modifiers()[..] else {
        return None;
    };
    let sign = match sign {
        "eq" => "==",
        "ne" => "!=",
        "lt" | "lo" => "<",
        "le" | "ls" => "<=",
        "gt" | "hi" => ">",
        "ge" | "hs" => ">=",
        _ => return None,
    };
    let kind = match kind {
        "u16" | "b16" => "std::uint16_t",
        "u32" | "b32" => "std::uint32_t",
        "u64" | "b64" => "std::uint64_t",
        "s16" => "std::int16_t",
        "s32" => "std::int32_t",
        "s64" => "std::int64_t",
        "f32" => "float",
        "f64" => "double",
        _ => return None,
    };
    Some((kind, sign))
}

impl Rewriter<'_> {
    /// The C++ condition under which the instruction `at` executes. Empty if it always does; none
    /// if the condition is unknown before the assembly runs.
    pub(crate) fn guard(&self, statement: &Statement<'_>, at: usize) -> Option<String> {
        let assembly = statement.parsed.as_ref().ok()?;
        let Some(Guard { register, negated }) = &assembly.instructions.get(at)?.guard else {
            return Some(String::new());
        };
        let (_, setter) = set_once(statement, at, register)?;
        if setter.head() != "setp" {
            return None;
        }
        let [_, left, right] = &setter.operands[..] else {
            return None;
        };
        let (kind, sign) = comparison(setter)?;
        let left = self.compared(statement, left, kind)?;
        let right = self.compared(statement, right, kind)?;
        let not = if *negated { "!" } else { "" };
        Some(format!("{not}({left} {sign} {right})"))
    }

    /// An operand of a comparison as a C++ value.
    fn compared(&self, statement: &Statement<'_>, operand: &Operand, kind: &str) -> Option<String> {
        let text = match operand {
            // For a floating-point number PTX gives the bits, not a value.
            Operand::Number(number) if kind.ends_with("_t") => {
                number.parse::<i64>().ok()?.to_string()
            }
            _ => {
                let argument = statement.input(operand)?;
                self.pure(argument.value)?
            }
        };
        Some(format!("::hirace::ptx_value<{kind}>({text})"))
    }
}
