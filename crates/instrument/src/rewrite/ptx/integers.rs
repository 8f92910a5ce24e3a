//! Integer instructions whose operands have several types or parts, and saturating ones (PTX ISA, "dp2a", "dp4a",
//! "mad24", "fns", "lop3", "cvt.pack").

use super::arithmetic::Around;
use super::operands::{SPACE, assign, is_integer, value};
use super::syntax::{Assembly, Instruction, Operand};

/// The instruction as C++.
pub(super) fn integer(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let words = instruction.modifiers();
    let operands = &instruction.operands[..];
    let (head, words) = (instruction.head(), &words[..]);
    let (name, kinds, result): (String, Vec<&str>, &str) = match (head, words) {
        ("dp4a", [of_a, of_b]) => {
            let sum = sum(of_a, of_b);
            let name = format!("dp4a<{SPACE}{of_a}, {SPACE}{of_b}, {SPACE}{sum}>");
            (name, vec!["b32", "b32", sum], sum)
        }
        ("dp2a", [half @ ("lo" | "hi"), of_a, of_b]) => {
            let sum = sum(of_a, of_b);
            let name = format!("dp2a_{half}<{SPACE}{of_a}, {SPACE}{of_b}, {SPACE}{sum}>");
            (name, vec!["b32", "b32", sum], sum)
        }
        ("mul24", [part @ ("lo" | "hi"), kind]) if is_integer(kind) => {
            (format!("mul24_{part}<{SPACE}{kind}>"), vec![kind; 2], kind)
        }
        ("mad24", [part @ ("lo" | "hi"), kind]) if is_integer(kind) => {
            (format!("mad24_{part}<{SPACE}{kind}>"), vec![kind; 3], kind)
        }
        ("mad" | "mad24", ["hi", "sat", "s32"]) => {
            (format!("{head}_hi_sat"), vec!["s32"; 3], "s32")
        }
        ("fns", ["b32"]) => ("fns".to_owned(), vec!["b32", "u32", "s32"], "b32"),
        ("add" | "min" | "max", [kind @ ("u16x2" | "s16x2")]) => {
            (format!("{head}_pair<{SPACE}{kind}>"), vec![kind; 2], kind)
        }
        ("min" | "max", ["relu", kind @ ("s32" | "s16x2")]) => {
            (format!("{head}_relu<{SPACE}{kind}>"), vec![kind; 2], kind)
        }
        ("cvt", ["pack", "sat", to, "s32", rest @ ..]) => {
            let bits: u32 = to.get(1..)?.parse().ok()?;
            let is_signed = to.starts_with('s');
            let mut kinds = vec!["s32", "s32"];
            kinds.extend(rest.iter().filter(|it| **it == "b32"));
            (format!("pack_saturated<{bits}, {is_signed}>"), kinds, "b32")
        }
        ("lop3", [combined @ ("and" | "or"), "b32"]) => {
            return combined_logic(combined, operands, assembly);
        }
        _ => return None,
    };
    let name = format!("{SPACE}{name}");
    Around::default().function(&name, &kinds, result, operands, assembly)
}

/// The type of a sum of products.
fn sum(of_a: &str, of_b: &str) -> &'static str {
    match (of_a, of_b) {
        ("u32", "u32") => "u32",
        _ => "s32",
    }
}

/// `lop3.BOOL.b32 d|p, a, b, c, table, q`: `p` tells whether a bit is set, combined with `q`.
fn combined_logic(combined: &str, operands: &[Operand], assembly: &Assembly) -> Option<String> {
    let [Operand::Pair(target, is_set), given @ .., condition] = operands else {
        return None;
    };
    let given = given.iter().map(|it| value(it, "b32", assembly));
    let given = given.collect::<Option<Vec<String>>>()?;
    let condition = value(condition, "pred", assembly)?;
    let answer = format!("{SPACE}bit_{combined}<bool>(hirace_bits != 0, {condition})");
    // The condition may be the target, too.
    Some(format!(
        "const auto hirace_bits = {SPACE}lop3<{SPACE}b32>({}); {}{}",
        given.join(", "),
        assign(is_set, "pred", &answer, assembly)?,
        assign(target, "b32", "hirace_bits", assembly)?,
    ))
}
