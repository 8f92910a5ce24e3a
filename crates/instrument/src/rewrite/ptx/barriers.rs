//! Barriers with numbers, mbarrier objects and asynchronous copies as calls of the functions in
//! `device/hirace/cuda/ptx_barriers.h`.

use super::operands::{SITE, SPACE, address, assign, value};
use super::syntax::{Assembly, Instruction, Operand};
use super::{bulk, wmma};

/// The instruction as C++, with [`SITE`] in place of its site's number.
pub(super) fn barrier(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let words = instruction.modifiers();
    let words: Vec<&str> = words.into_iter().filter(|it| *it != "aligned").collect();
    let operands = &instruction.operands[..];
    match (instruction.head(), &words[..]) {
        ("bar" | "barrier", [kind] | ["cta", kind]) => numbered(kind, operands, assembly),
        ("bar" | "barrier", ["red", operation, _] | ["cta", "red", operation, _]) => {
            reduction(operation, operands, assembly)
        }
        ("fence", [half @ ("acquire" | "release"), rest @ ..]) => {
            let acquires = *half == "acquire";
            let scope = fence_scope(rest.last()?)?;
            Some(format!("{SPACE}half_fence({SITE}, {scope}, {acquires});"))
        }
        ("mbarrier", [operation, rest @ ..]) => object(operation, rest, operands, assembly),
        ("cp", ["async", "commit_group"]) => Some("::hirace::cpu::order_commit_copies();".into()),
        ("cp", ["async", "wait_all"]) => Some("::hirace::cpu::order_wait_for_copies(0);".into()),
        ("cp", ["async", "wait_group"]) => {
            let pending = value(operands.first()?, "u32", assembly)?;
            Some(format!("::hirace::cpu::order_wait_for_copies({pending});"))
        }
        ("cp", ["async", "mbarrier", "arrive", rest @ ..]) => {
            let counted = rest.first() == Some(&"noinc");
            let object = address(operands.first()?, rest, assembly)?;
            Some(format!(
                "{SPACE}mbarrier_arrive_copies({SITE}, {object}, {counted});"
            ))
        }
        ("cp", ["async", "ca" | "cg", rest @ ..]) => copy(rest, operands, assembly),
        _ => None,
    }
}

/// What the instruction accesses, if it is an asynchronous copy or has a matrix in memory.
#[must_use]
pub fn destination(instruction: &Instruction) -> Option<&Operand> {
    if let Some(target) = bulk::target(instruction).or_else(|| wmma::accessed(instruction)) {
        return Some(target);
    }
    let words = instruction.modifiers();
    let copies = instruction.head() == "cp" && matches!(words[..], ["async", "ca" | "cg", ..]);
    match instruction.operands.first().filter(|_| copies)? {
        Operand::Address(base, _) => Some(base),
        _ => None,
    }
}

/// The scope of a fence. One that is restricted to shared memory is followed as an unrestricted one.
fn fence_scope(scope: &str) -> Option<&'static str> {
    Some(match scope {
        "cta" => "::hirace::Scope::block",
        "cluster" => "::hirace::Scope::cluster",
        "gpu" => "::hirace::Scope::device",
        "sys" => "::hirace::Scope::system",
        _ => return None,
    })
}

/// How many threads meet at a barrier: all of the block if there is no count.
fn participants(count: Option<&Operand>, assembly: &Assembly) -> Option<String> {
    match count {
        Some(count) => value(count, "u32", assembly),
        None => Some(format!(
            "{SPACE}ntid_x() * {SPACE}ntid_y() * {SPACE}ntid_z()"
        )),
    }
}

/// `bar.sync a{, b}`, `bar.arrive a, b`.
fn numbered(kind: &str, operands: &[Operand], assembly: &Assembly) -> Option<String> {
    let number = value(operands.first()?, "u32", assembly)?;
    let threads = participants(operands.get(1), assembly)?;
    match (kind, operands.len()) {
        ("sync", 1 | 2) | ("arrive", 2) => Some(format!(
            "{SPACE}barrier_{kind}({SITE}, {number}, {threads});"
        )),
        _ => None,
    }
}

/// `bar.red.popc.u32 d, a{, b}, p` and relatives.
fn reduction(operation: &str, operands: &[Operand], assembly: &Assembly) -> Option<String> {
    let (target, number, count, given) = match operands {
        [target, number, given] => (target, number, None, given),
        [target, number, count, given] => (target, number, Some(count), given),
        _ => return None,
    };
    let kind = if operation == "popc" { "u32" } else { "pred" };
    let given = value(given, "pred", assembly)?;
    let of_block = count.is_none() && matches!(number, Operand::Number(it) if it == "0");
    let call = match (operation, of_block) {
        ("popc", true) => format!("::hirace::syncthreads_count({SITE}, {given})"),
        (_, true) => format!("::hirace::syncthreads_{operation}({SITE}, {given}) != 0"),
        (_, false) => {
            let number = value(number, "u32", assembly)?;
            let threads = participants(count, assembly)?;
            format!("{SPACE}barrier_{operation}({SITE}, {number}, {threads}, {given})")
        }
    };
    assign(target, kind, &call, assembly)
}

/// An operation on an mbarrier object.
fn object(
    operation: &str,
    rest: &[&str],
    operands: &[Operand],
    assembly: &Assembly,
) -> Option<String> {
    let scope = scope(rest);
    match operation {
        "init" => {
            let [object, count] = operands else {
                return None;
            };
            let object = address(object, rest, assembly)?;
            let count = value(count, "u32", assembly)?;
            Some(format!("{SPACE}mbarrier_init({SITE}, {object}, {count});"))
        }
        "inval" => Some(";".to_owned()),
        "arrive" | "arrive_drop" => arrival(operation, rest, operands, assembly),
        "expect_tx" | "complete_tx" => {
            let [object, bytes] = operands else {
                return None;
            };
            let object = address(object, rest, assembly)?;
            let bytes = value(bytes, "s32", assembly)?;
            let sign = if operation == "expect_tx" { "" } else { "-" };
            Some(format!(
                "{SPACE}mbarrier_expect({SITE}, {object}, {scope}, {sign}({bytes}));"
            ))
        }
        "test_wait" | "try_wait" => {
            let [target, object, phase, ..] = operands else {
                return None;
            };
            let object = address(object, rest, assembly)?;
            let (function, kind) = match rest.contains(&"parity") {
                true => ("try_wait_parity", "u32"),
                false => ("try_wait", "b64"),
            };
            let phase = value(phase, kind, assembly)?;
            let order = order(rest, "acquire");
            let call =
                format!("{SPACE}mbarrier_{function}({SITE}, {object}, {order}, {scope}, {phase})");
            assign(target, "pred", &call, assembly)
        }
        "pending_count" => {
            let [target, state] = operands else {
                return None;
            };
            let state = value(state, "b64", assembly)?;
            let call = format!("{SPACE}mbarrier_pending_count({state})");
            assign(target, "u32", &call, assembly)
        }
        _ => None,
    }
}

/// The scope of an operation on an mbarrier object.
///
/// The ISA gives `.cta` to one that names none. But CUTLASS and what is built on it arrive at barriers of other blocks
/// without a scope, wait for that without one, and rely on the order. So a scope that is not written does not make a race.
fn scope(words: &[&str]) -> &'static str {
    match words.contains(&"cta") {
        true => "::hirace::Scope::block",
        false => "::hirace::Scope::cluster",
    }
}

/// The order of an operation, which has `usual` if it names none.
fn order(words: &[&str], usual: &str) -> String {
    let order = if words.contains(&"relaxed") {
        "relaxed"
    } else {
        usual
    };
    format!("::hirace::Order::{order}")
}

/// `mbarrier.arrive state, [object]{, count | bytes}`.
fn arrival(
    operation: &str,
    rest: &[&str],
    operands: &[Operand],
    assembly: &Assembly,
) -> Option<String> {
    let (target, given) = match operands {
        [Operand::Address(..), ..] => (None, operands),
        [target, given @ ..] => (Some(target), given),
        [] => return None,
    };
    let object = address(given.first()?, rest, assembly)?;
    let how = format!("{}, {}", order(rest, "release"), scope(rest));
    let expects = rest.contains(&"expect_tx");
    let (count, bytes) = match (given.get(1), expects) {
        (Some(bytes), true) => ("1".to_owned(), value(bytes, "s32", assembly)?),
        (None, true) => return None,
        (Some(count), false) => (value(count, "u32", assembly)?, "0".to_owned()),
        (None, false) => ("1".to_owned(), "0".to_owned()),
    };
    let function = match operation {
        "arrive" => "mbarrier_arrive",
        _ => "mbarrier_drop",
    };
    let call = format!("{SPACE}{function}({SITE}, {object}, {how}, {count}, {bytes})");
    match target {
        Some(target) => assign(target, "b64", &call, assembly),
        None => Some(format!("{call};")),
    }
}

/// `cp.async.ca.shared.global [to], [from], bytes{, copied | ignore}`.
fn copy(rest: &[&str], operands: &[Operand], assembly: &Assembly) -> Option<String> {
    let [to, from, bytes, more @ ..] = operands else {
        return None;
    };
    let to = address(to, rest, assembly)?;
    let from = address(from, &["global"], assembly)?;
    let bytes = value(bytes, "u32", assembly)?;
    // A cache policy comes last, and changes nothing.
    let has_policy = rest.contains(&"L2::cache_hint");
    let copied = match more.split_last() {
        Some((_, [])) | None if has_policy || more.is_empty() => bytes.clone(),
        Some((only, [])) => limited(only, &bytes, assembly)?,
        Some((_, [first])) if has_policy => limited(first, &bytes, assembly)?,
        _ => return None,
    };
    Some(format!(
        "{SPACE}copy_async({SITE}, {to}, {from}, {bytes}, {copied});"
    ))
}

/// How much a copy copies: a number of bytes, or nothing if a predicate is true.
fn limited(operand: &Operand, bytes: &str, assembly: &Assembly) -> Option<String> {
    let is_predicate = match operand {
        Operand::Not(_) => true,
        Operand::Register(name) => {
            let mut registers = assembly.registers.iter();
            registers.any(|it| it.0 == *name && it.1 == "pred")
        }
        _ => false,
    };
    if is_predicate {
        let ignored = value(operand, "pred", assembly)?;
        return Some(format!("{ignored} ? 0 : {bytes}"));
    }
    value(operand, "u32", assembly)
}
