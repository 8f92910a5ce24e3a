//! Instructions as calls of the functions in `device/hirace/cuda/ptx*.h`.

use super::arithmetic::{arithmetic, converted};
use super::operands::{SPACE, assign, elements, function, is_number, is_type, value};
use super::syntax::{Assembly, Instruction, Operand};

/// The operation of an access on the memory at `hirace_at`.
pub(super) fn access(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let words = instruction.modifiers();
    let kind = *words.last()?;
    let operands = &instruction.operands;
    let strong = words
        .iter()
        .any(|it| matches!(*it, "relaxed" | "acquire" | "release" | "volatile" | "mmio"));
    match instruction.head() {
        "ld" | "ldu" if is_type(kind) => {
            let load = if strong { "load_strong" } else { "load" };
            let one = |(at, target): (usize, &Operand)| {
                assign(
                    target,
                    kind,
                    &format!("{SPACE}{load}<{SPACE}{kind}>(hirace_at, {at})"),
                    assembly,
                )
            };
            elements(operands.first()?)
                .iter()
                .enumerate()
                .map(one)
                .collect()
        }
        "st" if is_type(kind) => {
            let store = if strong { "store_strong" } else { "store" };
            let one = |(at, source): (usize, &Operand)| {
                let value = value(source, kind, assembly)?;
                Some(format!(
                    "{SPACE}{store}<{SPACE}{kind}>(hirace_at, {at}, {value});"
                ))
            };
            elements(operands.get(1)?)
                .iter()
                .enumerate()
                .map(one)
                .collect()
        }
        "atom" | "red" if is_number(kind) => {
            let returns = instruction.head() == "atom";
            let name = words.iter().find(|it| {
                matches!(
                    **it,
                    "add" | "min" | "max" | "and" | "or" | "xor" | "exch" | "cas" | "inc" | "dec"
                )
            })?;
            if kind.ends_with('8') || words.iter().any(|it| matches!(*it, "v2" | "v4" | "v8")) {
                return None;
            }
            let given = operands.get(if returns { 2 } else { 1 }..)?;
            let count = if *name == "cas" { 2 } else { 1 };
            let given: Option<Vec<String>> = given
                .iter()
                .take(count)
                .map(|it| value(it, kind, assembly))
                .collect();
            let given = given.filter(|it| it.len() == count)?.join(", ");
            let call = format!("{SPACE}atomic_{name}<{SPACE}{kind}>(hirace_at, {given})");
            if returns {
                assign(operands.first()?, kind, &call, assembly)
            } else {
                Some(format!("{call};"))
            }
        }
        _ => None,
    }
}

/// An instruction that does not access memory.
pub(super) fn translate(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let words = instruction.modifiers();
    let operands = instruction.operands.as_slice();
    match (instruction.head(), words.as_slice()) {
        ("prefetch" | "prefetchu" | "applypriority" | "griddepcontrol" | "pmevent", _) => {
            Some(";".to_owned())
        }
        ("nanosleep", _) => Some(format!(
            "::__nanosleep({});",
            value(operands.first()?, "u32", assembly)?
        )),
        ("trap", []) => Some("::__trap();".to_owned()),
        ("brkpt", []) => Some(";".to_owned()),
        ("activemask", ["b32"]) => assign(
            operands.first()?,
            "b32",
            "::hirace::cpu::activemask()",
            assembly,
        ),
        ("createpolicy", _) => assign(operands.first()?, "b64", "0", assembly),
        ("mov", [kind]) if is_type(kind) => moved(kind, operands, assembly),
        ("cvta", _) => converted_address(&words, operands, assembly),
        ("isspacep", [space]) => {
            let pointer = format!(
                "{SPACE}generic_pointer({})",
                value(operands.get(1)?, "u64", assembly)?
            );
            let asked = match *space {
                "global" => "__isGlobal",
                "shared" | "shared::cta" => "__isShared",
                "local" => "__isLocal",
                _ => return None,
            };
            assign(
                operands.first()?,
                "pred",
                &format!("::{asked}({pointer}) != 0"),
                assembly,
            )
        }
        ("cvt", _) => converted(&words, operands, assembly),
        ("setp", [sign, kind]) if is_number(kind) => {
            let call = format!("{SPACE}compare_{sign}<{SPACE}{kind}>");
            matches!(
                *sign,
                "eq" | "ne" | "lt" | "le" | "gt" | "ge" | "lo" | "ls" | "hi" | "hs"
            )
            .then_some(())?;
            function(&call, &[kind, kind], "pred", operands, assembly)
        }
        ("selp", [kind]) if is_number(kind) => function(
            &format!("{SPACE}select<{SPACE}{kind}>"),
            &[kind, kind, "pred"],
            kind,
            operands,
            assembly,
        ),
        _ => arithmetic(instruction, assembly),
    }
}

/// `mov`, which also splits and combines values.
fn moved(kind: &str, operands: &[Operand], assembly: &Assembly) -> Option<String> {
    let part = |count: usize| match (kind, count) {
        ("b64", 2) => Some("b32"),
        ("b64", 4) | ("b32", 2) => Some("b16"),
        ("b32", 4) | ("b16", 2) => Some("b8"),
        ("b128", 2) => Some("b64"),
        _ => None,
    };
    match operands {
        [target, Operand::Vector(parts)] => {
            let part = part(parts.len())?;
            let given: Option<Vec<String>> =
                parts.iter().map(|it| value(it, part, assembly)).collect();
            let packed = format!(
                "{SPACE}pack<{SPACE}{kind}, {SPACE}{part}>({})",
                given?.join(", ")
            );
            assign(target, kind, &packed, assembly)
        }
        [Operand::Vector(parts), source] => {
            let kind_of_part = part(parts.len())?;
            let one = |(at, target): (usize, &Operand)| {
                let taken = format!("{SPACE}part<{SPACE}{kind_of_part}>(hirace_whole, {at})");
                assign(target, kind_of_part, &taken, assembly)
            };
            let source = value(source, kind, assembly)?;
            let taken: Option<String> = parts.iter().enumerate().map(one).collect();
            Some(format!(
                "{{ const auto hirace_whole = {source}; {} }}",
                taken?
            ))
        }
        [target, source] => assign(target, kind, &value(source, kind, assembly)?, assembly),
        _ => None,
    }
}

/// `cvta.to.shared.u64` and back. An address of global memory is the pointer itself.
fn converted_address(words: &[&str], operands: &[Operand], assembly: &Assembly) -> Option<String> {
    let [target, source] = operands else {
        return None;
    };
    let source = value(source, "u64", assembly)?;
    let address = match words {
        ["to", "global", "u64"] | ["global", "u64"] => source,
        ["to", "shared" | "shared::cta", "u64"] => {
            format!("::__cvta_generic_to_shared({SPACE}generic_pointer({source}))")
        }
        ["shared" | "shared::cta", "u64"] => {
            format!("reinterpret_cast<{SPACE}u64>({SPACE}shared_pointer({source}))")
        }
        _ => return None,
    };
    assign(target, "u64", &address, assembly)
}
