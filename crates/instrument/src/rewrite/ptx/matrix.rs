//! Matrix instructions of warps as calls of the functions in `device/hirace/cuda/ptx_matrix.h`.

use super::operands::{SITE, SPACE, assign, elements, value};
use super::syntax::{Assembly, Instruction, Operand};

/// `ldmatrix` and `stmatrix` on the row at `hirace_at`, with [`SITE`] in place of the site's number.
pub(super) fn rows(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let words = instruction.modifiers();
    if !words.contains(&"m8n8") || words.last() != Some(&"b16") {
        return None;
    }
    let transposed = words.contains(&"trans");
    let store = instruction.head() == "stmatrix";
    let registers = elements(instruction.operands.get(usize::from(store))?);
    if store {
        let given = registers.iter().map(|it| value(it, "b32", assembly));
        let given = given.collect::<Option<Vec<String>>>()?.join(", ");
        return Some(format!(
            "{SPACE}store_matrices<{transposed}>({SITE}, hirace_at, {given});"
        ));
    }
    let count = registers.len();
    let mut code = format!(
        "const auto hirace_loaded = {SPACE}load_matrices<{count}, {transposed}>({SITE}, hirace_at); "
    );
    for (at, target) in registers.iter().enumerate() {
        let one = format!("hirace_loaded.result[{at}]");
        code.push_str(&assign(target, "b32", &one, assembly)?);
    }
    Some(code)
}

/// The multiplied types of `mma`: their name in C++, and how many elements a register has.
fn multiplied(kind: &str) -> Option<(String, usize)> {
    Some(match kind {
        "f16" | "bf16" => (format!("{SPACE}Halves<{SPACE}{kind}>"), 2),
        "tf32" => (format!("{SPACE}Tf32"), 1),
        "s8" | "u8" => (format!("{SPACE}Bytes<{SPACE}{kind}>"), 4),
        _ => return None,
    })
}

/// `mma.sync.aligned.SHAPE.row.col.D.A.B.C d, a, b, c`, with [`SITE`] in place of the site's number.
pub(super) fn product(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let words = instruction.modifiers();
    // Sums that would stop at the limits of `s32` have more than 100,000 products of bytes.
    let words: Vec<&str> = words.into_iter().filter(|it| *it != "satfinite").collect();
    let ["sync", "aligned", shape, "row", "col", to, of_a, of_b, from] = words[..] else {
        return None;
    };
    let ("mma", [d, a, b, c]) = (instruction.head(), &instruction.operands[..]) else {
        return None;
    };
    if to != from {
        return None;
    }
    let [d, a, b, c] = [d, a, b, c].map(elements);
    if (shape, to, of_a, of_b) == ("m8n8k4", "f64", "f64", "f64") {
        return doubles(d, a, b, c, assembly);
    }
    let ((a_type, in_register), (b_type, _)) = (multiplied(of_a)?, multiplied(of_b)?);
    let inner: usize = shape.strip_prefix("m16n8k")?.parse().ok()?;
    let registers = inner / (4 * in_register);
    let is_known = inner == registers * 4 * in_register && matches!(registers, 1 | 2);
    let sum = match (of_a, to) {
        ("f16", "f16") | ("f16" | "bf16" | "tf32", "f32") if of_a == of_b => "f32",
        ("s8" | "u8", "s32") => "s32",
        _ => return None,
    };
    if !is_known || a.len() != 2 * registers || b.len() != registers {
        return None;
    }
    let words = |operands: &[Operand]| {
        let all = operands.iter().map(|it| value(it, "b32", assembly));
        Some(all.collect::<Option<Vec<String>>>()?.join(", "))
    };
    let summands: Vec<String> = if to == "f16" {
        let parts = c.iter().flat_map(|it| [(it, 0), (it, 1)]);
        let part = |(operand, at)| {
            let word = value(operand, "b32", assembly)?;
            Some(format!(
                "static_cast<{SPACE}f32>({SPACE}part<{SPACE}f16>({word}, {at}))"
            ))
        };
        parts.map(part).collect::<Option<_>>()?
    } else {
        let all = c.iter().map(|it| value(it, sum, assembly));
        all.collect::<Option<_>>()?
    };
    if summands.len() != 4 {
        return None;
    }
    let mut code = format!(
        "const auto hirace_product = {SPACE}product<{a_type}, {b_type}, {SPACE}{sum}, {inner}>\
         ({SITE}, {{{}}}, {{{}}}, {{{}}}); ",
        words(a)?,
        words(b)?,
        summands.join(", ")
    );
    for (at, target) in d.iter().enumerate() {
        let one = |at: usize| format!("hirace_product.c[{at}]");
        code.push_str(&match to {
            "f16" => {
                let half = |at| format!("{SPACE}f16({})", one(at));
                let both = format!("{}, {}", half(2 * at), half(2 * at + 1));
                let packed = format!("{SPACE}pack<{SPACE}b32, {SPACE}f16>({both})");
                assign(target, "b32", &packed, assembly)?
            }
            _ => assign(target, sum, &one(at), assembly)?,
        });
    }
    Some(code)
}

/// `mma.m8n8k4` of `f64`.
fn doubles(
    d: &[Operand],
    a: &[Operand],
    b: &[Operand],
    c: &[Operand],
    assembly: &Assembly,
) -> Option<String> {
    let ([d0, d1], [a], [b], [c0, c1]) = (d, a, b, c) else {
        return None;
    };
    let [a, b, c0, c1] = [a, b, c0, c1].map(|it| value(it, "f64", assembly));
    let (a, b, c0, c1) = (a?, b?, c0?, c1?);
    let mut code = format!(
        "const auto hirace_product = {SPACE}double_product({SITE}, {a}, {b}, {{{c0}, {c1}}}); "
    );
    for (at, target) in [d0, d1].into_iter().enumerate() {
        let one = format!("hirace_product.c[{at}]");
        code.push_str(&assign(target, "f64", &one, assembly)?);
    }
    Some(code)
}
