//! Instructions as calls of the functions in `device/hirace/cuda/ptx*.h`.

use super::arithmetic::{arithmetic, converted};
use super::syntax::{Assembly, Instruction, Operand};

/// Where the functions are.
pub(super) const SPACE: &str = "::hirace::cpu::ptx::";

/// The types whose values can be computed with.
pub(super) fn is_number(kind: &str) -> bool {
    is_integer(kind) || matches!(kind, "f32" | "f64")
}

pub(super) fn is_integer(kind: &str) -> bool {
    matches!(
        kind,
        "b8" | "b16" | "b32" | "b64" | "u8" | "u16" | "u32" | "u64" | "s8" | "s16" | "s32" | "s64"
    )
}

fn is_type(kind: &str) -> bool {
    is_number(kind) || matches!(kind, "b128" | "pred")
}

/// A register as a variable, if it is declared.
pub(super) fn register(name: &str, assembly: &Assembly) -> Option<String> {
    let known = assembly
        .registers
        .iter()
        .any(|it| it.0 == name && is_type(&it.1));
    known.then(|| variable(name))
}

fn variable(name: &str) -> String {
    format!("hirace_r_{}", name.replace('$', "_S"))
}

/// The registers as variables.
pub(super) fn declarations(assembly: &Assembly) -> String {
    let one = |(name, kind): &(String, String)| {
        let name = variable(name);
        format!("[[maybe_unused]] {SPACE}{kind} {name}{{}}; ")
    };
    assembly
        .registers
        .iter()
        .filter(|it| is_type(&it.1))
        .map(one)
        .collect()
}

/// The special registers that the executor has.
fn special(name: &str) -> Option<String> {
    let known = match name.split_once('.') {
        Some((name, part)) => {
            matches!(name, "tid" | "ntid" | "ctaid" | "nctaid") && matches!(part, "x" | "y" | "z")
        }
        None => matches!(
            name,
            "laneid"
                | "warpid"
                | "nwarpid"
                | "smid"
                | "nsmid"
                | "lanemask_eq"
                | "lanemask_lt"
                | "lanemask_le"
                | "lanemask_gt"
                | "lanemask_ge"
                | "clock"
                | "clock_hi"
                | "clock64"
                | "globaltimer"
        ),
    };
    known.then(|| format!("{SPACE}{}()", name.replace('.', "_")))
}

/// A number of the type `kind` as C++ writes it. `0f…` has the bits of a float.
fn number(text: &str, kind: &str) -> String {
    let bits = |prefix: &str| {
        let digits = text.strip_prefix(prefix);
        digits.filter(|it| it.chars().all(|c| c.is_ascii_hexdigit()))
    };
    if let Some(bits) = bits("0f").or_else(|| bits("0F")) {
        return format!("::hirace::ptx_value<{SPACE}{kind}>({SPACE}u32{{0x{bits}u}})");
    }
    if let Some(bits) = bits("0d").or_else(|| bits("0D")) {
        return format!("::hirace::ptx_value<{SPACE}{kind}>({SPACE}u64{{0x{bits}u}})");
    }
    format!("static_cast<{SPACE}{kind}>({text})")
}

/// The value of an operand as one of the type `kind`.
pub fn value(operand: &Operand, kind: &str, assembly: &Assembly) -> Option<String> {
    let text = match operand {
        Operand::Argument(number) => format!("hirace_{number}"),
        Operand::Register(name) => register(name, assembly)?,
        Operand::Special(name) => special(name)?,
        Operand::Number(text) => return Some(number(text, kind)),
        Operand::Not(inner) if kind == "pred" => {
            return Some(format!("!{}", value(inner, kind, assembly)?));
        }
        _ => return None,
    };
    Some(format!("::hirace::ptx_value<{SPACE}{kind}>({text})"))
}

/// `target = value`, where both have the type `kind`.
fn assign(target: &Operand, kind: &str, value: &str, assembly: &Assembly) -> Option<String> {
    let name = match target {
        Operand::Argument(number) => format!("hirace_{number}"),
        Operand::Register(name) if name == "_" => {
            return Some(format!("static_cast<void>({value});"));
        }
        Operand::Register(name) => register(name, assembly)?,
        _ => return None,
    };
    Some(format!("{SPACE}put<{SPACE}{kind}>({name}, {value});"))
}

/// The elements of a vector, or the one value.
fn elements(operand: &Operand) -> &[Operand] {
    match operand {
        Operand::Vector(parts) => parts,
        one => std::slice::from_ref(one),
    }
}

/// What an access does with the memory at `hirace_at`.
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

/// An instruction that leaves memory alone.
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

/// `target = name(operands…)` with a type for each.
pub(super) fn function(
    name: &str,
    kinds: &[&str],
    result: &str,
    operands: &[Operand],
    assembly: &Assembly,
) -> Option<String> {
    let (target, given) = operands.split_first()?;
    if given.len() != kinds.len() {
        return None;
    }
    let given: Option<Vec<String>> = given
        .iter()
        .zip(kinds)
        .map(|(it, kind)| value(it, kind, assembly))
        .collect();
    assign(
        target,
        result,
        &format!("{name}({})", given?.join(", ")),
        assembly,
    )
}

/// `mov`, which also takes values apart and puts them together.
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
