//! Modifiers of memory accesses: `.acquire.gpu.global.u32`.

use hirace_model::error::{Error, Result};

use super::ast::{AtomicOp, Order, Scope, Span, Type};
use super::source::Source;
use super::statement::Statement;

/// The modifiers of a memory access, each with its position.
#[derive(Default)]
pub(super) struct Modifiers {
    pub(super) order: Option<(Order, Span)>,
    pub(super) scope: Option<(Scope, Span)>,
    /// `Some(true)` is shared memory, `Some(false)` is global memory.
    pub(super) space: Option<(Option<bool>, Span)>,
    pub(super) cache: Option<((), Span)>,
    pub(super) value_type: Option<(Type, Span)>,
    pub(super) op: Option<(AtomicOp, Span)>,
}

/// Modifiers that not all accesses have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extra {
    /// `ld` and `st`: `.cg`, `.ca`.
    Cache,
    /// `atom` and `red`: the operation.
    Op,
    /// None of them, and no state space.
    Nothing,
}

/// Reads the modifiers of a memory access.
pub(super) fn parse(
    source: &Source<'_>,
    statement: &Statement<'_>,
    extra: Extra,
) -> Result<Modifiers> {
    let mut found = Modifiers::default();
    for (word, span) in &statement.modifiers {
        let word = word.as_str();
        let twice = if let Some(order) = order(word) {
            set(&mut found.order, order, span)
        } else if let Some(scope) = scope(word) {
            set(&mut found.scope, scope, span)
        } else if let Some(value_type) = Type::parse(word) {
            set(&mut found.value_type, value_type, span)
        } else if let (Some(op), Extra::Op) = (op(word), extra) {
            set(&mut found.op, op, span)
        } else if let (true, Some(space)) = (extra != Extra::Nothing, space(word)) {
            set(&mut found.space, space, span)
        } else if extra == Extra::Cache && matches!(word, "ca" | "cg") {
            set(&mut found.cache, (), span)
        } else {
            return Err(unknown(source, statement, word, span, help(extra)));
        };
        if twice {
            return Err(self::twice(source, word, span));
        }
    }
    Ok(found)
}

/// The type of an instruction that has the words of `others` besides, in any order.
pub(super) fn value_type(
    source: &Source<'_>,
    statement: &Statement<'_>,
    others: &[&str],
) -> Result<Type> {
    let mut found = None;
    for (word, span) in &statement.modifiers {
        if others.contains(&word.as_str()) {
            continue;
        }
        let Some(value_type) = Type::parse(word) else {
            let help = "only a type such as `.s32` can follow";
            return Err(unknown(source, statement, word, span, help));
        };
        if set(&mut found, value_type, span) {
            return Err(twice(source, word, span));
        }
    }
    Ok(found.map_or(Type::S64, |(value_type, _)| value_type))
}

/// A modifier that cannot follow those in front of it.
pub(super) fn twice(source: &Source<'_>, word: &str, span: &Span) -> Error {
    let message = format!("`.{word}` repeats or contradicts an earlier modifier");
    source.error(span.clone(), message)
}

/// The instruction cannot have this modifier.
pub(super) fn unknown(
    source: &Source<'_>,
    statement: &Statement<'_>,
    word: &str,
    span: &Span,
    help: &str,
) -> Error {
    if is_other_type(word) {
        let message = format!("the type `.{word}` is not supported");
        let help = "values are integers: the types are .b, .s and .u with 8, 16, 32 or 64 bits";
        return source.error_with_help(span.clone(), message, help);
    }
    let message = format!("unknown modifier `.{word}` of `{}`", statement.opcode);
    source.error_with_help(span.clone(), message, help)
}

/// The scope of this name.
pub(super) fn scope(word: &str) -> Option<Scope> {
    Some(match word {
        "cta" => Scope::Cta,
        "cluster" => Scope::Cluster,
        "gpu" => Scope::Gpu,
        "sys" => Scope::Sys,
        _ => return None,
    })
}

/// Returns whether there was a value before.
fn set<T>(slot: &mut Option<(T, Span)>, value: T, span: &Span) -> bool {
    slot.replace((value, span.clone())).is_some()
}

fn order(word: &str) -> Option<Order> {
    Some(match word {
        "weak" => Order::Weak,
        "relaxed" => Order::Relaxed,
        "acquire" => Order::Acquire,
        "release" => Order::Release,
        "acq_rel" => Order::AcqRel,
        "volatile" => Order::Volatile,
        _ => return None,
    })
}

fn space(word: &str) -> Option<Option<bool>> {
    Some(match word {
        "shared" => Some(true),
        "global" => Some(false),
        "generic" => None,
        _ => return None,
    })
}

fn op(word: &str) -> Option<AtomicOp> {
    Some(match word {
        "add" | "plus" => AtomicOp::Add,
        "sub" => AtomicOp::Sub,
        "exch" => AtomicOp::Exch,
        "cas" => AtomicOp::Cas,
        "inc" => AtomicOp::Inc,
        "dec" => AtomicOp::Dec,
        "and" => AtomicOp::And,
        "or" => AtomicOp::Or,
        "xor" => AtomicOp::Xor,
        "min" => AtomicOp::Min,
        "max" => AtomicOp::Max,
        _ => return None,
    })
}

/// Whether this is a type of PTX that tests cannot use: floating point, vectors, predicates, and
/// integers of other sizes.
fn is_other_type(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = &word[..word.len() - digits.len()];
    let sized = digits.starts_with(|c: char| c.is_ascii_digit());
    word == "pred" || sized && matches!(letters, "b" | "s" | "u" | "f" | "bf" | "tf" | "e" | "v")
}

fn help(extra: Extra) -> &'static str {
    match extra {
        Extra::Cache => {
            "modifiers are an order (weak, relaxed, acquire, release, volatile), a scope (cta, \
             cluster, gpu, sys), a state space (global, shared, generic), ca or cg, and a type \
             such as u32"
        }
        Extra::Op => {
            "modifiers are an order (relaxed, acquire, release, acq_rel), a scope (cta, cluster, \
             gpu, sys), a state space (global, shared, generic), an operation (add, sub, exch, \
             cas, inc, dec, and, or, xor, min, max) and a type such as u32"
        }
        Extra::Nothing => {
            "modifiers are an order, a scope (cta, cluster, gpu, sys) and a type such as u32"
        }
    }
}
