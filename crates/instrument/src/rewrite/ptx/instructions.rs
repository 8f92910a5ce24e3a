//! Instructions as calls of the functions in `device/hirace/cuda/ptx*.h`.

use super::arithmetic::{Around, arithmetic, converted};
use super::matrix;
use super::operands::{
    CARRY, SPACE, assign, elements, is_integer, is_number, is_small, is_type, value,
};
use super::syntax::{Assembly, Instruction, Operand};
use hirace_syntax::words::Words;

pub(super) const ATOMIC_OPERATIONS: Words = Words::of("add min max and or xor exch cas inc dec");

const COMPARISONS: Words = Words::of("eq ne lt le gt ge lo ls hi hs");

/// Those that are true if an operand is a NaN, or that ask for one.
const UNORDERED: Words = Words::of("equ neu ltu leu gtu geu num nan");

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
        "atom" | "red" if is_number(kind) => atomic(instruction, &words, kind, assembly),
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
        ("nanosleep", _) => Some(format!(
            "::__nanosleep({});",
            value(operands.first()?, "u32", assembly)?
        )),
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
        ("cvta", _) => converted_address(&words, operands, assembly),
        ("isspacep", [space]) => {
            let pointer = value(operands.get(1)?, "u64", assembly)?;
            let asked = match *space {
                "global" => "__isGlobal",
                "shared" | "shared::cta" => "__isCtaShared",
                "shared::cluster" => "__isClusterShared",
                "local" => "__isLocal",
                _ => return None,
            };
            let answer = format!("::{asked}({SPACE}generic_pointer({pointer})) != 0");
            assign(operands.first()?, "pred", &answer, assembly)
        }
        ("mapa", _) => mapped_address(&words, operands, assembly),
        ("getctarank", _) => {
            let (from, kind) = mapped_from(&words)?;
            let address = value(operands.get(1)?, kind, assembly)?;
            let call = format!("{SPACE}rank_of{from}({address})");
            assign(operands.first()?, "u32", &call, assembly)
        }
        ("cvt", _) => converted(&words, operands, assembly),
        ("setp", _) => predicate(&words, operands, assembly),
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
        ("dp4a", [of_a, of_b]) => {
            let sum = if *of_a == "u32" && *of_b == "u32" {
                "u32"
            } else {
                "s32"
            };
            let name = format!("{SPACE}dp4a<{SPACE}{of_a}, {SPACE}{of_b}, {SPACE}{sum}>");
            Around::default().function(&name, &["b32", "b32", sum], sum, operands, assembly)
        }
        ("set", [sign, modes @ .., to, from]) if is_number(from) => {
            compared(sign, modes, to, from, operands, assembly)
        }
        ("slct", [kind, of @ ("s32" | "f32")]) if is_number(kind) => {
            let [target, a, b, c] = operands else {
                return None;
            };
            let c = value(c, of, assembly)?;
            let (a, b) = (value(a, kind, assembly)?, value(b, kind, assembly)?);
            assign(target, kind, &format!("{c} >= 0 ? {a} : {b}"), assembly)
        }
        ("and" | "or" | "xor", ["pred"]) => {
            let name = format!("{SPACE}bit_{}<bool>", instruction.head());
            Around::default().function(&name, &["pred", "pred"], "pred", operands, assembly)
        }
        ("not", ["pred"]) => {
            let name = format!("{SPACE}bit_xor<bool>");
            let [target, source] = operands else {
                return None;
            };
            let source = value(source, "pred", assembly)?;
            assign(target, "pred", &format!("{name}({source}, true)"), assembly)
        }
        ("selp", ["pred"]) => {
            let name = format!("{SPACE}select<bool>");
            Around::default().function(&name, &["pred"; 3], "pred", operands, assembly)
        }
        ("selp", [kind]) if is_number(kind) => {
            let name = format!("{SPACE}select<{SPACE}{kind}>");
            Around::default().function(&name, &[kind, kind, "pred"], kind, operands, assembly)
        }
        _ => arithmetic(instruction, assembly),
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
    let function = match head.starts_with("sub") {
        true => "sub_with_borrow",
        false => "add_with_carry",
    };
    let before = if head.ends_with('c') { CARRY } else { "false" };
    let after = if sets { CARRY } else { "hirace_unused" };
    let call = format!("{SPACE}{function}<{SPACE}{kind}>({a}, {b}, {before}, {after})");
    let code = assign(target, kind, &call, assembly)?;
    Some(format!("[[maybe_unused]] bool hirace_unused; {code}"))
}

/// `set.SIGN.TYPE.TYPE target, a, b`: all bits, or 1.0, if the comparison holds.
fn compared(
    sign: &str,
    modes: &[&str],
    to: &str,
    from: &str,
    operands: &[Operand],
    assembly: &Assembly,
) -> Option<String> {
    let [target, a, b] = operands else {
        return None;
    };
    let known = COMPARISONS.has(sign) || (UNORDERED.has(sign) && !is_integer(from));
    if is_small(from) && to == from && modes.is_empty() && known {
        let (a, b) = (value(a, from, assembly)?, value(b, from, assembly)?);
        let call = format!(
            "{SPACE}each<float>([](float hirace_x, float hirace_y) {{ \
             return {SPACE}compare_{sign}<float>(hirace_x, hirace_y) ? 1.0f : 0.0f; }}, {a}, {b})"
        );
        return assign(target, to, &call, assembly);
    }
    let result = match to {
        "f32" => "1.0f : 0.0f",
        "u32" | "s32" => "-1 : 0",
        _ => return None,
    };
    let (mut a, mut b) = (value(a, from, assembly)?, value(b, from, assembly)?);
    match modes {
        [] => {}
        ["ftz"] if from == "f32" => {
            (a, b) = (format!("{SPACE}flush({a})"), format!("{SPACE}flush({b})"));
        }
        _ => return None,
    }
    let test = format!("{SPACE}compare_{sign}<{SPACE}{from}>({a}, {b})");
    let call = format!("static_cast<{SPACE}{to}>({test} ? {result})");
    known.then(|| assign(target, to, &call, assembly))?
}

/// `setp.SIGN.BOOL.TYPE target|other, a, b, !c`: the other target gets the opposite comparison.
fn predicate(words: &[&str], operands: &[Operand], assembly: &Assembly) -> Option<String> {
    let (kind, rest) = words.split_last()?;
    let (flushed, rest): (Vec<&str>, Vec<&str>) = rest.iter().partition(|it| **it == "ftz");
    let (sign, combined) = match rest[..] {
        [sign] => (sign, None),
        [sign, combined @ ("and" | "or" | "xor")] => (sign, Some(combined)),
        _ => return None,
    };
    let known = COMPARISONS.has(sign) || (UNORDERED.has(sign) && !is_integer(kind));
    if !known || !is_number(kind) || kind.ends_with("x2") {
        return None;
    }
    let (targets, given) = operands.split_first()?;
    let (a, b, condition) = match (given, combined) {
        ([a, b], None) => (a, b, None),
        ([a, b, condition], Some(combined)) => (a, b, Some((combined, condition))),
        _ => return None,
    };
    let (mut a, mut b) = (value(a, kind, assembly)?, value(b, kind, assembly)?);
    if !flushed.is_empty() {
        (a, b) = (format!("{SPACE}flush({a})"), format!("{SPACE}flush({b})"));
    }
    let condition = match condition {
        Some((name, it)) => Some((name, value(it, "pred", assembly)?)),
        None => None,
    };
    let outcome = |compared: &str| match &condition {
        Some((name, it)) => format!("{SPACE}bit_{name}<bool>({compared}, {it})"),
        None => compared.to_owned(),
    };
    let mut code =
        format!("const bool hirace_compared = {SPACE}compare_{sign}<{SPACE}{kind}>({a}, {b}); ");
    match targets {
        Operand::Pair(first, second) => {
            let [one, other] = ["hirace_compared", "!hirace_compared"].map(outcome);
            // Either target may be an operand.
            code.push_str(&format!(
                "const bool hirace_one = {one}, hirace_other = {other}; "
            ));
            code.push_str(&assign(first, "pred", "hirace_one", assembly)?);
            code.push_str(&assign(second, "pred", "hirace_other", assembly)?);
        }
        target => code.push_str(&assign(
            target,
            "pred",
            &outcome("hirace_compared"),
            assembly,
        )?),
    }
    Some(code)
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

/// `mapa.u64`, or `mapa.shared::cluster.u32` for addresses in the window of shared memory.
fn mapped_address(words: &[&str], operands: &[Operand], assembly: &Assembly) -> Option<String> {
    let (from, kind) = mapped_from(words)?;
    let [target, source, rank] = operands else {
        return None;
    };
    let (source, rank) = (
        value(source, kind, assembly)?,
        value(rank, "u32", assembly)?,
    );
    let call = format!("{SPACE}map{from}({source}, {rank})");
    assign(target, kind, &call, assembly)
}

/// The kind of address of `mapa` and `getctarank`, as a suffix of a function, and its type.
fn mapped_from<'a>(words: &[&'a str]) -> Option<(&'static str, &'a str)> {
    match words {
        [kind @ ("u32" | "u64")] => Some(("_generic", kind)),
        ["shared::cluster", kind @ ("u32" | "u64")] => Some(("_shared", kind)),
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
        ["to", "global" | "local" | "const" | "param", "u64"] | ["global" | "param", "u64"] => {
            source
        }
        ["local", "u64"] => format!("reinterpret_cast<{SPACE}u64>({SPACE}local_pointer({source}))"),
        ["const", "u64"] => {
            format!("reinterpret_cast<{SPACE}u64>({SPACE}constant_pointer({source}))")
        }
        ["to", "shared" | "shared::cta" | "shared::cluster", "u64"] => {
            format!("::__cvta_generic_to_shared({SPACE}generic_pointer({source}))")
        }
        ["shared" | "shared::cta" | "shared::cluster", "u64"] => {
            format!("reinterpret_cast<{SPACE}u64>({SPACE}shared_pointer({source}))")
        }
        _ => return None,
    };
    assign(target, "u64", &address, assembly)
}
