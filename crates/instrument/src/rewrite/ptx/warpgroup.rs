//! Matrix instructions of warpgroups as calls of the functions in `device/hirace/cuda/ptx_wgmma.h`.

use super::operands::{SITE, SPACE, assign, elements, value};
use super::syntax::{Assembly, Instruction, Operand};

/// The instruction as C++, with [`SITE`] in place of its site's number.
pub(super) fn warpgroup(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let words = instruction.modifiers();
    let operands = &instruction.operands[..];
    match (instruction.head(), &words[..]) {
        // It orders accesses to registers, and what is known to be done anyway.
        ("wgmma", ["fence", "sync", "aligned"]) => Some(";".to_owned()),
        ("wgmma", ["commit_group", "sync", "aligned"]) => {
            Some(format!("::hirace::cpu::order_commit_copies({PRODUCTS});"))
        }
        ("wgmma", ["wait_group", "sync", "aligned"]) => {
            let pending = value(operands.first()?, "u32", assembly)?;
            Some(format!(
                "::hirace::cpu::order_wait_for_copies({pending}, {PRODUCTS});"
            ))
        }
        ("wgmma", ["mma_async", "sync", "aligned", shape, to, of_a, of_b]) => {
            product(shape, [to, of_a, of_b], operands, assembly)
        }
        _ => None,
    }
}

const PRODUCTS: &str = "::hirace::cpu::Copier::products";

/// The name of an element type in C++, and its bytes.
fn element(kind: &str) -> Option<(String, usize)> {
    Some(match kind {
        "f16" | "bf16" => (format!("{SPACE}HalfElement<{SPACE}{kind}>"), 2),
        "tf32" => (format!("{SPACE}Tf32Element"), 4),
        "s8" | "u8" => (format!("{SPACE}ByteElement<{SPACE}{kind}>"), 1),
        "e4m3" | "e5m2" => (format!("{SPACE}TinyElement<{SPACE}{kind}x2>"), 1),
        _ => return None,
    })
}

/// Whether the immediate operand is 1, as C++; it may be an operand of the statement, too.
fn is_one(operand: Option<&Operand>, assembly: &Assembly) -> Option<String> {
    match operand {
        Some(operand) => Some(format!("{} == 1", value(operand, "s32", assembly)?)),
        None => Some("false".to_owned()),
    }
}

/// `mma_async d, a, b, scale-d, scale-a, scale-b, transpose-a, transpose-b`, of which integers have no
/// other scales and only 16-bit numbers in shared memory can be transposed.
fn product(
    shape: &str,
    [to, of_a, of_b]: [&str; 3],
    operands: &[Operand],
    assembly: &Assembly,
) -> Option<String> {
    let [d, a, b, adds, more @ ..] = operands else {
        return None;
    };
    let ((left, bytes), (right, _)) = (element(of_a)?, element(of_b)?);
    let sum = match (of_a, to) {
        ("f16", "f16") | ("f16" | "bf16" | "tf32", "f32") if of_a == of_b => "f32",
        ("e4m3" | "e5m2", "f16" | "f32") if matches!(of_b, "e4m3" | "e5m2") => "f32",
        ("s8" | "u8", "s32") => "s32",
        _ => return None,
    };
    let (columns, inner) = shape.strip_prefix("m64n")?.split_once('k')?;
    let columns: usize = columns.parse().ok()?;
    let in_register = if to == "f16" { 2 } else { 1 };
    let d = elements(d);
    if inner.parse() != Ok(32 / bytes)
        || !columns.is_multiple_of(8)
        || d.len() * in_register * 2 != columns
    {
        return None;
    }
    let (scales, transposed) = more.split_at_checked(if sum == "s32" { 0 } else { 2 })?;
    let of_registers = matches!(a, Operand::Vector(_));
    let wanted = usize::from(bytes == 2) * if of_registers { 1 } else { 2 };
    if transposed.len() != wanted {
        return None;
    }
    let scales = scales.iter().map(|it| value(it, "s32", assembly));
    let mut scale = scales.collect::<Option<Vec<String>>>()?.join(" * ");
    if scale.is_empty() {
        scale.push('1');
    }
    let transposes_b = is_one(transposed.last(), assembly)?;
    let rows = if of_registers {
        let given = elements(a).iter().map(|it| value(it, "b32", assembly));
        let given = given.collect::<Option<Vec<String>>>()?.join(", ");
        format!("{SPACE}rows_of_registers({SITE}, {{{given}}})")
    } else {
        let transposes_a = is_one(transposed.first(), assembly)?;
        let matrix = value(a, "b64", assembly)?;
        format!(
            "{SPACE}rows_of_shared<{left}>({SITE}, {SPACE}MatrixInShared({matrix}, {transposes_a}), {transposes_a})"
        )
    };
    let mut code = format!("{SPACE}{sum} hirace_d[] = {{{}}}; ", sums(d, to, assembly)?);
    code.push_str(&format!(
        "const auto hirace_a = {rows}; \
         {SPACE}warpgroup_product<{left}, {right}>({SITE}, hirace_d, hirace_a, \
         {SPACE}MatrixInShared({}, {transposes_b}), {transposes_b}, {}, {SPACE}{sum}({scale})); ",
        value(b, "b64", assembly)?,
        value(adds, "pred", assembly)?,
    ));
    for (at, target) in d.iter().enumerate() {
        code.push_str(&match to {
            "f16" => {
                let half = |at: usize| format!("{SPACE}f16(hirace_d[{at}])");
                let both = format!("{}, {}", half(2 * at), half(2 * at + 1));
                let packed = format!("{SPACE}pack<{SPACE}b32, {SPACE}f16>({both})");
                assign(target, "b32", &packed, assembly)?
            }
            _ => assign(target, sum, &format!("hirace_d[{at}]"), assembly)?,
        });
    }
    Some(code)
}

/// The values of the accumulators before the instruction.
fn sums(d: &[Operand], to: &str, assembly: &Assembly) -> Option<String> {
    let mut all = Vec::new();
    for register in d {
        match to {
            "f16" => {
                let word = value(register, "b32", assembly)?;
                for at in 0..2 {
                    all.push(format!(
                        "static_cast<{SPACE}f32>({SPACE}part<{SPACE}f16>({word}, {at}))"
                    ));
                }
            }
            kind => all.push(value(register, kind, assembly)?),
        }
    }
    Some(all.join(", "))
}
