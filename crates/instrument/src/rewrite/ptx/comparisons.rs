//! Comparisons, predicates and choices (PTX ISA, "Comparison and Selection Instructions").

use hirace_syntax::words::Words;

use super::arithmetic::Around;
use super::operands::{SPACE, assign, is_integer, is_number, is_small, value};
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
