//! Comparisons, predicates and choices (PTX ISA, "Comparison and Selection Instructions").

use hirace_syntax::words::Words;

use super::arithmetic::Around;
use super::operands::{SPACE, assign, is_integer, is_number, value};
use super::syntax::{Assembly, Instruction, Operand};

const COMPARISONS: Words = Words::of("eq ne lt le gt ge lo ls hi hs");

/// Those that are true if an operand is a NaN, or that ask for one.
const UNORDERED: Words = Words::of("equ neu ltu leu gtu geu num nan");

/// The instruction as C++.
pub(super) fn comparison(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let words = instruction.modifiers();
    let operands = &instruction.operands[..];
    match (instruction.head(), &words[..]) {
        ("setp", _) => predicate(&words, operands, assembly),
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
        _ => None,
    }
}

/// `set.SIGN.BOOL.TYPE.TYPE target, a, b, !c`: all bits, or 1.0, if the comparison holds.
fn compared(
    sign: &str,
    modes: &[&str],
    to: &str,
    from: &str,
    operands: &[Operand],
    assembly: &Assembly,
) -> Option<String> {
    let (flushed, combined): (Vec<&str>, Vec<&str>) = modes.iter().partition(|it| **it == "ftz");
    let (target, a, b, condition) = match (operands, &combined[..]) {
        ([target, a, b], []) => (target, a, b, None),
        ([target, a, b, condition], [how @ ("and" | "or" | "xor")]) => (
            target,
            a,
            b,
            Some((*how, value(condition, "pred", assembly)?)),
        ),
        _ => return None,
    };
    let known = COMPARISONS.has(sign) || (UNORDERED.has(sign) && !is_integer(from));
    let is_fitting = known && (is_number(to) || to == "f32");
    let (mut a, mut b) = (value(a, from, assembly)?, value(b, from, assembly)?);
    if !flushed.is_empty() {
        (a, b) = (format!("{SPACE}flush({a})"), format!("{SPACE}flush({b})"));
    }
    let answer = |test: String| match &condition {
        Some((how, it)) => format!("{SPACE}bit_{how}<bool>({test}, {it})"),
        None => test,
    };
    let set = match from.strip_suffix("x2") {
        Some(element) => {
            let test = answer(format!(
                "{SPACE}compare_{sign}<{SPACE}{element}>(hirace_x, hirace_y)"
            ));
            format!(
                "{SPACE}set_each<{SPACE}{to}>([&](auto hirace_x, auto hirace_y) {{ return {test}; }}, {a}, {b})"
            )
        }
        None => {
            let test = answer(format!("{SPACE}compare_{sign}<{SPACE}{from}>({a}, {b})"));
            format!("{SPACE}set_if<{SPACE}{to}>({test})")
        }
    };
    is_fitting.then(|| assign(target, to, &set, assembly))?
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
    if !known || !is_number(kind) {
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
    let compare = format!("{SPACE}compare_{sign}");
    // Each element of a pair has a target of its own.
    let (element, parts) = match kind.strip_suffix("x2") {
        Some(element) => (element, [".low", ".high"]),
        None => (*kind, ["", ""]),
    };
    let one = |part: &str| format!("{compare}<{SPACE}{element}>({a}{part}, {b}{part})");
    let mut code = format!("const bool hirace_compared = {}; ", one(parts[0]));
    let other = match parts[1] {
        "" => "!hirace_compared".to_owned(),
        part => one(part),
    };
    match targets {
        Operand::Pair(first, second) => {
            let [one, other] = ["hirace_compared", &other].map(outcome);
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
