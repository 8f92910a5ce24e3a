//! Conversions and arithmetic as calls of the functions in `device/hirace/cuda/ptx_arithmetic.h`.

use super::operands::{SPACE, function, is_integer, is_number};
use super::syntax::{Assembly, Instruction, Operand};

/// `cvt` between types for which C++ or `conversions.h` has the same conversion.
pub(super) fn converted(
    words: &[&str],
    operands: &[Operand],
    assembly: &Assembly,
) -> Option<String> {
    let [rounding @ .., to, from] = words else {
        return None;
    };
    if !is_number(to) || !is_number(from) {
        return None;
    }
    let name = match (rounding, is_integer(to), is_integer(from)) {
        ([], true, true) => "convert",
        (["sat"], true, true) => "convert_saturated",
        (["rn" | "rni"], true, false) => "round_nearest",
        (["rz" | "rzi"], true, false) => "round_to_zero",
        (["rn"], false, true) => "convert",
        ([] | ["rn"], false, false) => "convert",
        _ => return None,
    };
    let name = format!("{SPACE}{name}<{SPACE}{to}, {SPACE}{from}>");
    function(&name, &[from], to, operands, assembly)
}

/// Instructions whose operands all have the same type, or nearly so.
pub(super) fn arithmetic(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let words = instruction.modifiers();
    let (kind, rest) = words.split_last()?;
    let (kind, head) = (*kind, instruction.head());
    if !is_number(kind) {
        return None;
    }
    let integer = is_integer(kind);
    let wide = match kind {
        "u16" => "u32",
        "s16" => "s32",
        "u32" => "u64",
        "s32" => "s64",
        _ => "",
    };
    let same = |count: usize| vec![kind; count];
    let (name, kinds, result): (String, Vec<&str>, &str) = match (head, rest) {
        ("add" | "sub", []) | ("min" | "max", []) => (head.to_owned(), same(2), kind),
        ("add" | "sub" | "mul", ["rn"]) if !integer => (head.to_owned(), same(2), kind),
        ("mul", []) if !integer => (head.to_owned(), same(2), kind),
        ("mul", ["lo"]) if integer => ("mul".to_owned(), same(2), kind),
        ("mul", ["hi"]) if integer => ("mul_hi".to_owned(), same(2), kind),
        ("mul", ["wide"]) if !wide.is_empty() => ("mul_wide".to_owned(), same(2), wide),
        ("mad", ["lo"]) if integer => ("mad".to_owned(), same(3), kind),
        ("mad", ["hi"]) if integer => ("mad_hi".to_owned(), same(3), kind),
        ("mad", ["wide"]) if !wide.is_empty() => {
            ("mad_wide".to_owned(), vec![kind, kind, wide], wide)
        }
        ("fma" | "mad", ["rn"]) if !integer => ("fma".to_owned(), same(3), kind),
        ("div", ["rn"]) if !integer => ("div".to_owned(), same(2), kind),
        ("div" | "rem", []) if integer => (head.to_owned(), same(2), kind),
        ("and" | "or" | "xor", []) if integer => (format!("bit_{head}"), same(2), kind),
        ("not", []) if integer => ("bit_not".to_owned(), same(1), kind),
        ("neg" | "abs", []) => (head.to_owned(), same(1), kind),
        ("shl" | "shr", []) if integer => (head.to_owned(), vec![kind, "u32"], kind),
        ("bfe", []) if integer => ("bfe".to_owned(), vec![kind, "u32", "u32"], kind),
        ("bfi", []) if integer => ("bfi".to_owned(), vec![kind, kind, "u32", "u32"], kind),
        ("brev", []) if integer => ("brev".to_owned(), same(1), kind),
        ("clz" | "popc", []) if integer => (head.to_owned(), same(1), "u32"),
        ("prmt", []) if kind == "b32" => ("prmt".to_owned(), same(3), kind),
        ("lop3", []) if kind == "b32" => ("lop3".to_owned(), same(4), kind),
        ("shf", [side @ ("l" | "r"), mode @ ("wrap" | "clamp")]) if kind == "b32" => {
            (format!("shf_{side}_{mode}"), same(3), kind)
        }
        _ => return None,
    };
    let name = format!("{SPACE}{name}<{SPACE}{kind}>");
    function(&name, &kinds, result, &instruction.operands, assembly)
}
