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
        return Some(format!("{SPACE}store_row(hirace_at, hirace_row);"));
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

/// The rows that `stmatrix` writes, from the lanes that have them: before each lane's write.
pub(super) fn gathered(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let ("stmatrix", [_, registers]) = (instruction.head(), &instruction.operands[..]) else {
        return None;
    };
    let transposed = instruction.modifiers().contains(&"trans");
    let given = listed(elements(registers), "b32", assembly)?;
    Some(format!(
        "const auto hirace_row = {SPACE}gathered_row<{transposed}>({SITE}, {given}); "
    ))
}

/// `movmatrix.sync.aligned.m8n8.trans.b16 d, a`.
pub(super) fn moved(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let ("movmatrix", [target, given]) = (instruction.head(), &instruction.operands[..]) else {
        return None;
    };
    let given = value(given, "b32", assembly)?;
    let call = format!("{SPACE}transposed_matrix({SITE}, {given})");
    assign(target, "b32", &call, assembly)
}

/// The multiplied types of `mma`: their name in C++, and how many elements a register has.
pub(super) fn multiplied(kind: &str) -> Option<(String, usize)> {
    Some(match kind {
        "f16" | "bf16" => (format!("{SPACE}Halves<{SPACE}{kind}>"), 2),
        "tf32" => (format!("{SPACE}Tf32"), 1),
        "f64" => (format!("{SPACE}Doubles"), 1),
        "s8" | "u8" => (format!("{SPACE}Bytes<{SPACE}{kind}>"), 4),
        "s4" | "u4" => (format!("{SPACE}Nibbles<{}>", kind == "s4"), 8),
        "e4m3" | "e5m2" => (format!("{SPACE}TinyFloats<{SPACE}{kind}x2>"), 4),
        _ => return None,
    })
}

/// The type of the sums of products, if `to` is the type of the accumulators.
pub(super) fn sum_type(of_a: &str, of_b: &str, to: &str) -> Option<&'static str> {
    Some(match (of_a, to) {
        ("f16", "f16") | ("f16" | "bf16" | "tf32", "f32") if of_a == of_b => "f32",
        ("e4m3" | "e5m2", "f16" | "f32") if matches!(of_b, "e4m3" | "e5m2") => "f32",
        ("f64", "f64") if of_b == "f64" => "f64",
        ("s8" | "u8", "s32") if matches!(of_b, "s8" | "u8") => "s32",
        ("s4" | "u4", "s32") if matches!(of_b, "s4" | "u4") => "s32",
        _ => return None,
    })
}

/// Registers as a list of values of a type.
pub(super) fn listed(operands: &[Operand], kind: &str, assembly: &Assembly) -> Option<String> {
    let all = operands.iter().map(|it| value(it, kind, assembly));
    Some(all.collect::<Option<Vec<String>>>()?.join(", "))
}

/// Accumulators of the type `kind` as a list of sums, and how many there are.
pub(super) fn summands(
    registers: &[Operand],
    kind: &str,
    sum: &str,
    assembly: &Assembly,
) -> Option<(String, usize)> {
    if kind != "f16" {
        return Some((listed(registers, sum, assembly)?, registers.len()));
    }
    let parts = registers.iter().flat_map(|it| [(it, 0), (it, 1)]);
    let part = |(operand, at)| {
        let word = value(operand, "b32", assembly)?;
        Some(format!(
            "static_cast<{SPACE}f32>({SPACE}part<{SPACE}f16>({word}, {at}))"
        ))
    };
    let all: Vec<String> = parts.map(part).collect::<Option<_>>()?;
    Some((all.join(", "), all.len()))
}

/// Assigns the sums `hirace_product.c` to accumulators of the type `kind`.
pub(super) fn assigned(
    registers: &[Operand],
    kind: &str,
    sum: &str,
    assembly: &Assembly,
) -> Option<String> {
    let one = |at: usize| format!("hirace_product.c[{at}]");
    let each = |(at, target): (usize, &Operand)| {
        if kind != "f16" {
            return assign(target, sum, &one(at), assembly);
        }
        let half = |at| format!("{SPACE}f16({})", one(at));
        let both = format!("{}, {}", half(2 * at), half(2 * at + 1));
        let packed = format!("{SPACE}pack<{SPACE}b32, {SPACE}f16>({both})");
        assign(target, "b32", &packed, assembly)
    };
    registers.iter().enumerate().map(each).collect()
}

/// `mma.sync.aligned.SHAPE.row.col.D.A.B.C d, a, b, c`, with [`SITE`] in place of the site's number.
pub(super) fn product(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let words = instruction.modifiers();
    let saturates = words.contains(&"satfinite");
    let words: Vec<&str> = words.into_iter().filter(|it| *it != "satfinite").collect();
    // Sums of doubles are rounded to nearest.
    let words: Vec<&str> = words.into_iter().filter(|it| *it != "rn").collect();
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
    let ((a_type, in_register), (b_type, _)) = (multiplied(of_a)?, multiplied(of_b)?);
    let (outer, inner) = shape.split_once("n8k")?;
    let (rows, inner): (usize, usize) =
        (outer.strip_prefix('m')?.parse().ok()?, inner.parse().ok()?);
    let registers = inner / (4 * in_register);
    let sum = sum_type(of_a, of_b, to)?;
    let (before, count) = summands(c, to, sum, assembly)?;
    if !matches!(rows, 8 | 16)
        || inner != registers * 4 * in_register
        || a.len() != rows / 8 * registers
        || b.len() != registers
        || count != rows / 4
    {
        return None;
    }
    let word = if of_a == "f64" { "f64" } else { "b32" };
    let code = format!(
        "const auto hirace_product = \
         {SPACE}product<{a_type}, {b_type}, {SPACE}{sum}, {rows}, {inner}, {saturates}, {SPACE}{word}>\
         ({SITE}, {{{}}}, {{{}}}, {{{before}}}); ",
        listed(a, word, assembly)?,
        listed(b, word, assembly)?,
    );
    Some(code + &assigned(d, to, sum, assembly)?)
}
