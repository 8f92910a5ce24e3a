//! Integer arithmetic with carries (PTX ISA, "Extended-Precision Integer Arithmetic Instructions").

use super::operands::{CARRY, SPACE, assign, value};
use super::syntax::{Assembly, Instruction, Operand};

/// The instruction as C++.
pub(super) fn carry(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let words = instruction.modifiers();
    let operands = &instruction.operands[..];
    match (instruction.head(), &words[..]) {
        ("add" | "addc" | "sub" | "subc", ["cc", kind] | [kind])
            if words.len() == 2 || instruction.head().ends_with('c') =>
        {
            let [target, a, b] = operands else {
                return None;
            };
            let given = [value(a, kind, assembly)?, value(b, kind, assembly)?];
            carried(
                instruction.head(),
                kind,
                words.len() == 2,
                target,
                given,
                assembly,
            )
        }
        ("mad" | "madc", [part @ ("lo" | "hi"), "cc", kind])
        | ("madc", [part @ ("lo" | "hi"), kind]) => {
            let [target, a, b, c] = operands else {
                return None;
            };
            let (a, b) = (value(a, kind, assembly)?, value(b, kind, assembly)?);
            let function = if *part == "lo" { "mul" } else { "mul_hi" };
            let product = format!("{SPACE}{function}<{SPACE}{kind}>({a}, {b})");
            let summands = [product, value(c, kind, assembly)?];
            carried(
                instruction.head(),
                kind,
                words.len() == 3,
                target,
                summands,
                assembly,
            )
        }
        _ => None,
    }
}

/// `add.cc` and relatives, whose carry is that of the last such instruction.
fn carried(
    head: &str,
    kind: &str,
    sets: bool,
    target: &Operand,
    [a, b]: [String; 2],
    assembly: &Assembly,
) -> Option<String> {
    let (function, none) = match head.starts_with("sub") {
        true => ("sub_with_carry", "true"),
        false => ("add_with_carry", "false"),
    };
    let before = if head.ends_with('c') { CARRY } else { none };
    let after = if sets { CARRY } else { "hirace_unused" };
    let call = format!("{SPACE}{function}<{SPACE}{kind}>({a}, {b}, {before}, {after})");
    let code = assign(target, kind, &call, assembly)?;
    Some(format!("[[maybe_unused]] bool hirace_unused; {code}"))
}
