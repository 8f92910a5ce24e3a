//! Exchanges of values between the lanes of a warp (PTX ISA, "shfl.sync", "vote.sync",
//! "match.sync", "redux.sync").

use super::operands::{SITE, SPACE, assign, value};
use super::syntax::{Assembly, Instruction, Operand};

/// The exchange as C++, with [`SITE`] in place of its site's number.
pub(super) fn exchange(instruction: &Instruction, assembly: &Assembly) -> Option<String> {
    let words = instruction.modifiers();
    let operands = &instruction.operands[..];
    match (instruction.head(), &words[..]) {
        ("shfl", ["sync", mode, "b32"]) => shuffle(mode, operands, assembly),
        ("vote", ["sync", mode, _]) => vote(mode, operands, assembly),
        ("match", ["any", "sync", kind @ ("b32" | "b64")]) => {
            let [target, given, mask] = operands else {
                return None;
            };
            let (given, mask) = (value(given, kind, assembly)?, value(mask, "u32", assembly)?);
            let call = format!("::hirace::match_any_sync({SITE}, {mask}, {given})");
            assign(target, "b32", &call, assembly)
        }
        ("match", ["all", "sync", kind @ ("b32" | "b64")]) => all_match(kind, operands, assembly),
        ("elect", ["sync"]) => elected(operands, assembly),
        ("redux", ["sync", operation, kind @ ("u32" | "s32" | "b32")]) => {
            let [target, given, mask] = operands else {
                return None;
            };
            let (given, mask) = (value(given, kind, assembly)?, value(mask, "u32", assembly)?);
            let name = match *operation {
                "add" | "min" | "max" if *kind != "b32" => operation,
                "and" | "or" | "xor" if *kind == "b32" => operation,
                _ => return None,
            };
            let call = format!("::hirace::reduce_{name}_sync({SITE}, {mask}, {given})");
            assign(target, kind, &call, assembly)
        }
        _ => None,
    }
}

/// `match.all.sync.TYPE lanes|all_match, value, mask`, of which the predicate may be missing.
fn all_match(kind: &str, operands: &[Operand], assembly: &Assembly) -> Option<String> {
    let [targets, given, mask] = operands else {
        return None;
    };
    let (target, matches) = match targets {
        Operand::Pair(target, matches) => (&**target, Some(&**matches)),
        target => (target, None),
    };
    let (given, mask) = (value(given, kind, assembly)?, value(mask, "u32", assembly)?);
    let mut code = format!(
        "int hirace_matches = 0; const auto hirace_lanes = \
         ::hirace::match_all_sync({SITE}, {mask}, {given}, &hirace_matches); "
    );
    if let Some(matches) = matches {
        code.push_str(&assign(matches, "pred", "hirace_matches != 0", assembly)?);
    }
    code.push_str(&assign(target, "b32", "hirace_lanes", assembly)?);
    Some(code)
}

/// `elect.sync leader|is_leader, mask`: one of the lanes, here the first one.
fn elected(operands: &[Operand], assembly: &Assembly) -> Option<String> {
    let [Operand::Pair(leader, is_leader), mask] = operands else {
        return None;
    };
    let mask = value(mask, "u32", assembly)?;
    let first = "static_cast<::hirace::cpu::ptx::u32>(__builtin_ctz(hirace_lanes))";
    let is_first = format!("{SPACE}laneid() == {first}");
    Some(format!(
        "const auto hirace_lanes = ::hirace::ballot_sync({SITE}, {mask}, true); {}{}",
        assign(leader, "u32", first, assembly)?,
        assign(is_leader, "pred", &is_first, assembly)?,
    ))
}

/// `shfl.sync.MODE.b32 target|inside, value, lane, clamp, mask`.
fn shuffle(mode: &str, operands: &[Operand], assembly: &Assembly) -> Option<String> {
    let [targets, given, lane, clamp, mask] = operands else {
        return None;
    };
    let call = match mode {
        "idx" => "shfl_sync",
        "up" => "shfl_up_sync",
        "down" => "shfl_down_sync",
        "bfly" => "shfl_xor_sync",
        _ => return None,
    };
    let (target, inside) = match targets {
        Operand::Pair(target, inside) => (&**target, Some(&**inside)),
        target => (target, None),
    };
    let [lane, clamp, mask] = [lane, clamp, mask].map(|it| value(it, "u32", assembly));
    let (lane, clamp, mask) = (lane?, clamp?, mask?);
    let given = value(given, "b32", assembly)?;
    let mut code = format!(
        "const auto hirace_lane = {lane}; const auto hirace_clamp = {clamp}; \
         const auto hirace_moved = ::hirace::{call}({SITE}, {mask}, {given}, \
         static_cast<int>(hirace_lane), {SPACE}shuffle_width(hirace_clamp)); "
    );
    if let Some(inside) = inside {
        let known = format!("{SPACE}shuffle_inside_{mode}(hirace_lane, hirace_clamp)");
        code.push_str(&assign(inside, "pred", &known, assembly)?);
    }
    code.push_str(&assign(target, "b32", "hirace_moved", assembly)?);
    Some(code)
}

/// `vote.sync.MODE.TYPE target, predicate, mask`.
fn vote(mode: &str, operands: &[Operand], assembly: &Assembly) -> Option<String> {
    let [target, given, mask] = operands else {
        return None;
    };
    let (given, mask) = (
        value(given, "pred", assembly)?,
        value(mask, "u32", assembly)?,
    );
    match mode {
        "ballot" => {
            let call = format!("::hirace::ballot_sync({SITE}, {mask}, {given})");
            assign(target, "b32", &call, assembly)
        }
        "any" | "all" => {
            let call = format!("::hirace::{mode}_sync({SITE}, {mask}, {given}) != 0");
            assign(target, "pred", &call, assembly)
        }
        // Whether all lanes have the same predicate.
        "uni" => {
            let one = |mode| format!("::hirace::{mode}_sync({SITE}, {mask}, hirace_given) != 0");
            let (all, any) = (one("all"), one("any"));
            let assignment = assign(target, "pred", "hirace_all == hirace_any", assembly)?;
            Some(format!(
                "const bool hirace_given = {given}; const bool hirace_all = {all}; \
                 const bool hirace_any = {any}; {assignment}"
            ))
        }
        _ => None,
    }
}
