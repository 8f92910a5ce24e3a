//! Modifiers of instructions: `.acquire.gpu.global.u32`.

use hirace_model::error::Result;

use super::ast::{AtomicOp, Order, Scope, Span, Type};
use super::instructions::{ATOMIC_OPS, listed};
use super::statement::{Modifier, Statement};

/// The modifiers of a memory access, each with its position.
#[derive(Default)]
pub(super) struct Modifiers {
    pub(super) order: Option<(Order, Span)>,
    pub(super) scope: Option<(Scope, Span)>,
    pub(super) space: Option<(Space, Span)>,
    pub(super) cache: Option<((), Span)>,
    pub(super) value_type: Option<(Type, Span)>,
    pub(super) op: Option<(&'static AtomicOp, Span)>,
}

/// A state space.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    Global,
    Shared,
    /// Any of them: the address tells.
    Generic,
    /// Constant memory, which another proxy reads.
    Constant,
}

/// Modifiers that not all accesses have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extra {
    /// `ld`: `.cg`, `.ca`, and a state space, also `.const`.
    Load,
    /// `st`: `.cg`, `.ca`, and a state space.
    Store,
    /// `atom` and `red`: the operation, and a state space.
    Op,
    /// `suatom` and `sured`: the operation.
    OpOnly,
    /// None of them.
    Nothing,
}

impl Extra {
    fn has_op(self) -> bool {
        matches!(self, Self::Op | Self::OpOnly)
    }

    fn has_cache(self) -> bool {
        matches!(self, Self::Load | Self::Store)
    }

    fn has_space(self, space: Space) -> bool {
        match space {
            Space::Constant => self == Self::Load,
            _ => matches!(self, Self::Load | Self::Store | Self::Op),
        }
    }
}

/// Reads the modifiers of a memory access.
pub(super) fn parse(statement: &Statement<'_>, extra: Extra) -> Result<Modifiers> {
    let mut found = Modifiers::default();
    for modifier in &statement.modifiers {
        let Modifier { word, span } = modifier;
        let repeated = if let Some(order) = Order::named(word) {
            set(&mut found.order, order, span)
        } else if let Some(scope) = Scope::named(word) {
            set(&mut found.scope, scope, span)
        } else if let Some(value_type) = Type::parse(word) {
            set(&mut found.value_type, value_type, span)
        } else if let (Some(op), true) = (AtomicOp::named(word), extra.has_op()) {
            set(&mut found.op, op, span)
        } else if let Some(space) = space(word).filter(|it| extra.has_space(*it)) {
            set(&mut found.space, space, span)
        } else if extra.has_cache() && matches!(word.as_str(), "ca" | "cg") {
            set(&mut found.cache, (), span)
        } else {
            return Err(statement.unknown(modifier, &help(extra)));
        };
        if repeated {
            return Err(statement.repeated(modifier));
        }
    }
    Ok(found)
}

/// The type of an instruction that has the words of `others` besides, in any order.
pub(super) fn value_type(statement: &Statement<'_>, others: &[&str]) -> Result<Type> {
    let mut found = None;
    for modifier in &statement.modifiers {
        if others.contains(&modifier.word.as_str()) {
            continue;
        }
        let value_type = Type::parse(&modifier.word)
            .ok_or_else(|| statement.unknown(modifier, "only a type such as `.s32` can follow"))?;
        if found.replace(value_type).is_some() {
            return Err(statement.repeated(modifier));
        }
    }
    Ok(found.unwrap_or(Type::S64))
}

/// Returns whether there was a value before.
fn set<T>(slot: &mut Option<(T, Span)>, value: T, span: &Span) -> bool {
    slot.replace((value, span.clone())).is_some()
}

fn space(word: &str) -> Option<Space> {
    Some(match word {
        "shared" => Space::Shared,
        "global" => Space::Global,
        "generic" => Space::Generic,
        "const" => Space::Constant,
        _ => return None,
    })
}

fn help(extra: Extra) -> String {
    let spaces = match extra {
        Extra::Load => "a state space (global, shared, generic, const), ",
        Extra::Store | Extra::Op => "a state space (global, shared, generic), ",
        Extra::OpOnly | Extra::Nothing => "",
    };
    match extra {
        Extra::Load | Extra::Store => format!(
            "modifiers are an order (weak, relaxed, acquire, release, volatile), a scope (cta, \
             cluster, gpu, sys), {spaces}ca or cg, and a type such as u32"
        ),
        Extra::Op | Extra::OpOnly => format!(
            "modifiers are an order (relaxed, acquire, release, acq_rel), a scope (cta, cluster, \
             gpu, sys), {spaces}an operation ({}) and a type such as u32",
            listed(ATOMIC_OPS.iter().map(|it| it.name), ", ")
        ),
        Extra::Nothing => "modifiers are an order, a scope (cta, cluster, gpu, sys) and a type \
                           such as u32"
            .to_owned(),
    }
}
