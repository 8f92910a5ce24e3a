//! Instructions as calls of the functions in `device/hirace/cuda/ptx*.h`.

use super::arithmetic::{arithmetic, converted};
use super::operands::{SPACE, assign, elements, is_type, value};
use super::syntax::{Assembly, Instruction, Operand};
use super::{addresses, carries, comparisons, integers, matrix};
use hirace_syntax::words::Words;

pub(super) const ATOMIC_OPERATIONS: Words = Words::of("add min max and or xor exch cas inc dec");

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
                let value = format!("{SPACE}{load}<{SPACE}{kind}>(hirace_at, {at})");
                assign(target, kind, &value, assembly)
            };
            let targets = elements(operands.first()?).iter();
            targets.enumerate().map(one).collect()
        }
        "st" if is_type(kind) => {
            let store = if strong { "store_strong" } else { "store" };
            let one = |(at, source): (usize, &Operand)| {
                let value = value(source, kind, assembly)?;
                Some(format!(
                    "{SPACE}{store}<{SPACE}{kind}>(hirace_at, {at}, {value});"
                ))
            };
            let sources = elements(operands.get(1)?).iter();
            sources.enumerate().map(one).collect()
        }
        "atom" | "red" if is_type(kind) && kind != "pred" => {
            atomic(instruction, &words, kind, assembly)
        }
        "ldmatrix" | "stmatrix" => matrix::rows(instruction, assembly),
        _ => None,
    }
}

/// An atomic operation, or one on each element of a vector.
fn atomic(
    instruction: &Instruction,
    words: &[&str],
    kind: &str,
    assembly: &Assembly,
) -> Option<String> {
    let (returns, operands) = (instruction.head() == "atom", &instruction.operands);
    let name = words.iter().find(|it| ATOMIC_OPERATIONS.has(it))?;
    if kind.ends_with('8') && kind != "b128" {
        return None;
    }
    let count = if *name == "cas" { 2 } else { 1 };
    let given = operands.get(1 + usize::from(returns)..)?.get(..count)?;
    let is_vector = words.iter().any(|it| matches!(*it, "v2" | "v4" | "v8"));
    let targets = elements(operands.first()?);
    let one = |at: usize| {
        let given = given
            .iter()
            .map(|it| value(elements(it).get(at)?, kind, assembly));
        let given = given.collect::<Option<Vec<String>>>()?.join(", ");
        let place = match is_vector {
            true => format!("static_cast<{SPACE}{kind}*>(hirace_at) + {at}"),
            false => "hirace_at".to_owned(),
        };
        let call = format!("{SPACE}atomic_{name}<{SPACE}{kind}>({place}, {given})");
        match returns {
            true => assign(targets.get(at)?, kind, &call, assembly),
            false => Some(format!("{call};")),
        }
    };
    (0..elements(given.first()?).len()).map(one).collect()
}

/// An instruction that does not access memory.
pub(super) fn translate(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let words = instruction.modifiers();
    let operands = instruction.operands.as_slice();
    match (instruction.head(), words.as_slice()) {
        ("prefetch" | "prefetchu" | "applypriority" | "pmevent", _) => Some(";".to_owned()),
        ("griddepcontrol", ["wait"]) => Some("::cudaGridDependencySynchronize();".to_owned()),
        ("griddepcontrol", ["launch_dependents"]) => {
            Some("::cudaTriggerProgrammaticLaunchCompletion();".to_owned())
        }
        // What is allocated stays until the function returns.
        ("alloca", [kind @ ("u32" | "u64")]) => allocated(kind, operands, assembly),
        ("stacksave", [kind @ ("u32" | "u64")]) => assign(operands.first()?, kind, "0", assembly),
        ("stackrestore", _) => Some(";".to_owned()),
        ("nanosleep", _) => Some(format!(
            "::__nanosleep({});",
            value(operands.first()?, "u32", assembly)?
        )),
        ("exit", []) => Some("::hirace::cpu::exit_thread();".to_owned()),
        ("trap", []) => Some("::__trap();".to_owned()),
        // It moves registers between warps.
        ("setmaxnreg", ["inc" | "dec", "sync", "aligned", "u32"]) => Some(";".to_owned()),
        ("brkpt", []) => Some(";".to_owned()),
        ("activemask", ["b32"]) => {
            let mask = "::hirace::cpu::activemask()";
            assign(operands.first()?, "b32", mask, assembly)
        }
        ("createpolicy", _) => assign(operands.first()?, "b64", "0", assembly),
        ("mov", [kind]) if is_type(kind) => moved(kind, operands, assembly),
        ("cvt", ["pack", ..]) => integers::integer(instruction, assembly),
        ("cvt", _) => converted(&words, operands, assembly),
        _ => addresses::address(instruction, assembly)
            .or_else(|| comparisons::comparison(instruction, assembly))
            .or_else(|| carries::carry(instruction, assembly))
            .or_else(|| integers::integer(instruction, assembly))
            .or_else(|| arithmetic(instruction, assembly)),
    }
}

/// `alloca.TYPE pointer, bytes{, alignment}`.
fn allocated(kind: &str, operands: &[Operand], assembly: &Assembly) -> Option<String> {
    let (target, bytes, alignment) = match operands {
        [target, bytes] => (target, bytes, "8"),
        [target, bytes, Operand::Number(alignment)] => (target, bytes, alignment.as_str()),
        _ => return None,
    };
    let bytes = value(bytes, kind, assembly)?;
    let stack = format!("__builtin_alloca_with_align({bytes}, 8 * {alignment})");
    let address = format!("::hirace::ptx_value<{SPACE}{kind}>({stack})");
    assign(target, kind, &address, assembly)
}

/// `mov`, which also splits and combines values.
fn moved(kind: &str, operands: &[Operand], assembly: &Assembly) -> Option<String> {
    let element_kind = |count: usize| match (kind, count) {
        ("b64", 2) => Some("b32"),
        ("b64", 4) | ("b32", 2) => Some("b16"),
        ("b32", 4) | ("b16", 2) => Some("b8"),
        ("b128", 2) => Some("b64"),
        _ => None,
    };
    match operands {
        [target, Operand::Vector(elements)] => {
            let element = element_kind(elements.len())?;
            let values = elements.iter().map(|it| value(it, element, assembly));
            let values = values.collect::<Option<Vec<String>>>()?.join(", ");
            let packed = format!("{SPACE}pack<{SPACE}{kind}, {SPACE}{element}>({values})");
            assign(target, kind, &packed, assembly)
        }
        [Operand::Vector(elements), source] => {
            let element = element_kind(elements.len())?;
            let one = |(at, target): (usize, &Operand)| {
                let value = format!("{SPACE}part<{SPACE}{element}>(hirace_whole, {at})");
                assign(target, element, &value, assembly)
            };
            let source = value(source, kind, assembly)?;
            let assignments = elements.iter().enumerate().map(one);
            let assignments = assignments.collect::<Option<String>>()?;
            Some(format!(
                "{{ const auto hirace_whole = {source}; {assignments} }}"
            ))
        }
        [target, source] => assign(target, kind, &value(source, kind, assembly)?, assembly),
        _ => None,
    }
}
