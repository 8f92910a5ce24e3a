//! Asynchronous stores and reductions as calls of the functions in `device/hirace/cuda/ptx_async.h`.

use super::instructions::ATOMIC_OPERATIONS;
use super::operands::{SITE, SPACE, address, elements, is_number, value};
use super::syntax::{Assembly, Instruction, Operand};

/// The instruction as C++, with [`SITE`] in place of its site's number.
pub(super) fn asynchronous(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let words = instruction.modifiers();
    let operands = &instruction.operands[..];
    match (instruction.head(), &words[..]) {
        ("st", ["async", .., kind]) => store(kind, operands, assembly),
        ("red", ["async", .., operation, kind]) => {
            let [to, given, object, ..] = operands else {
                return None;
            };
            let to = address(to, &["shared"], assembly)?;
            let object = address(object, &["shared"], assembly)?;
            let given = value(given, kind, assembly)?;
            Some(format!(
                "{SPACE}reduce_async<{}>({SITE}, {to}, {given}, {object});",
                reduction(operation, kind)?
            ))
        }
        ("cp", ["reduce", "async", "bulk", to, from, rest @ .., kind]) => {
            let operation = rest.iter().find(|it| ATOMIC_OPERATIONS.has(it))?;
            bulk_reduction([to, from], &reduction(operation, kind)?, operands, assembly)
        }
        _ => None,
    }
}

/// The template arguments of a reduction.
fn reduction(operation: &str, kind: &str) -> Option<String> {
    is_number(kind).then(|| format!("{}, {SPACE}{kind}", operation_name(operation)))
}

/// The type that a reduction's operation has in C++.
pub(super) fn operation_name(operation: &str) -> String {
    format!("{SPACE}Reduction_{operation}")
}

/// `st.async.….TYPE [to], values, [object]`.
fn store(kind: &str, operands: &[Operand], assembly: &Assembly) -> Option<String> {
    let [to, given, object] = operands else {
        return None;
    };
    let given = elements(given).iter().map(|it| value(it, kind, assembly));
    let given = given.collect::<Option<Vec<String>>>()?;
    let to = address(to, &["shared"], assembly)?;
    let object = address(object, &["shared"], assembly)?;
    Some(format!(
        "const {SPACE}{kind} hirace_values[] = {{{}}}; \
         {SPACE}store_async({SITE}, {to}, hirace_values, {object});",
        given.join(", ")
    ))
}

/// `cp.reduce.async.bulk.TO.FROM.….OPERATION.TYPE [to], [from], bytes{, [object]}`.
fn bulk_reduction(
    [to, from]: [&str; 2],
    reduction: &str,
    operands: &[Operand],
    assembly: &Assembly,
) -> Option<String> {
    let [target, source, bytes, rest @ ..] = operands else {
        return None;
    };
    let target = address(target, &[to], assembly)?;
    let source = address(source, &[from], assembly)?;
    let bytes = value(bytes, "u32", assembly)?;
    let copied = format!("{target}, {source}, {bytes}");
    if to == "global" {
        return Some(format!(
            "{SPACE}reduce_bulk_to_global<{reduction}>({SITE}, {copied});"
        ));
    }
    let object = address(rest.first()?, &["shared"], assembly)?;
    Some(format!(
        "{SPACE}reduce_bulk_to_cluster<{reduction}>({SITE}, {copied}, {object});"
    ))
}

/// Where the instruction writes, if it is a store or a reduction.
pub(super) fn target(instruction: &Instruction) -> Option<&Operand> {
    let words = instruction.modifiers();
    let writes = match instruction.head() {
        "st" | "red" => words.first() == Some(&"async"),
        "cp" => words.starts_with(&["reduce", "async", "bulk"]),
        _ => false,
    };
    match instruction.operands.first().filter(|_| writes)? {
        Operand::Address(base, _) | Operand::Tensor(base, _) => Some(base),
        _ => None,
    }
}
