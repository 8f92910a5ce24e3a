//! Objects of cooperative groups, and the methods by which all threads of a larger group get the same value.

use hirace_syntax::names::{Home, Meaning, meaning_in};

use super::affine::{AffineValue, WARP_SIZE};
use super::{Caller, Divergence, Group};
use crate::values::{Call, Object, Origin, Value, VariableId};

/// The object that stands for a group.
pub(super) fn object_of(group: Group) -> Object {
    match group {
        Group::Tile(width) => Object::Tile(width),
        Group::Warp => Object::Tile(WARP_SIZE),
        Group::Block => Object::Block,
        Group::Cluster => Object::Cluster,
        Group::Grid => Object::Grid,
    }
}

/// Whether the barrier of an object is one of the group, or of a larger one. Tiles of a block are aligned, so a larger
/// one contains all lanes of a smaller one.
pub(super) fn joins(object: Object, group: Group) -> bool {
    match object {
        Object::Tile(width) => group.lanes().is_some_and(|it| it <= width),
        Object::Block => !group.spans_blocks(),
        Object::Cluster => group != Group::Grid,
        Object::Grid => true,
    }
}

/// Whether all threads of the group get the same value from a call of a method.
pub(super) fn agree(divergence: &Divergence, unit: usize, call: &Call) -> bool {
    let object = call.object.as_ref();
    let Some(object) = object.and_then(|it| of(divergence, unit, it)) else {
        return false;
    };
    let lanes = divergence.group.lanes();
    let is_in_tile = matches!(object, Object::Tile(width) if lanes.is_some_and(|it| it <= width));
    match meaning_in(Home::Group, &call.callee) {
        Some(Meaning::SameInLaunch) => true,
        Some(Meaning::SameInBlock) => !divergence.group.spans_blocks(),
        Some(Meaning::SameInGroup) => is_in_tile,
        _ => false,
    }
}

/// The rank that a call returns to a thread, if lanes with consecutive numbers have consecutive ranks.
pub(super) fn rank(divergence: &Divergence, unit: usize, call: &Call) -> Option<AffineValue> {
    match (
        of(divergence, unit, call.object.as_ref()?)?,
        call.callee.as_str(),
    ) {
        (Object::Block, "thread_rank") => Some(AffineValue::THREAD_NUMBER),
        (Object::Tile(WARP_SIZE), "thread_rank") => Some(AffineValue::LANE),
        _ => None,
    }
}

/// Whether a call returns a number of threads or of groups, or a rank.
pub(super) fn returns_integer(divergence: &Divergence, unit: usize, call: &Call) -> bool {
    let is_group = |it| of(divergence, unit, it).is_some();
    let is_index = [
        "block_index",
        "dim_blocks",
        "dim_threads",
        "group_dim",
        "grid_dim",
        "group_index",
    ];
    call.object.as_ref().is_some_and(is_group) && !is_index.contains(&call.callee.as_str())
}

/// What a value stands for.
pub(super) fn of(divergence: &Divergence, unit: usize, value: &Value) -> Option<Object> {
    match value {
        Value::Variable(variable, _) | Value::AtEntry(variable) => {
            of_variable(divergence, unit, *variable)
        }
        Value::Call(call) => call.returns,
        _ => None,
    }
}

/// What a variable stands for: by its type, by its first value, or by all arguments for it.
pub(super) fn of_variable(
    divergence: &Divergence,
    unit: usize,
    variable: VariableId,
) -> Option<Object> {
    let values = &divergence.units[unit].values;
    let declared = &values.variables[variable];
    if declared.group.is_some() {
        return declared.group;
    }
    match declared.origin {
        Origin::Local => {
            let only = values.only_definition(variable)?;
            divergence.following(|| of(divergence, unit, &only.value))
        }
        Origin::Parameter(index) => {
            let callers = divergence.units[unit].callers.as_ref()?;
            // A function that calls itself passes on what it got.
            let is_own = |it: &&Caller| {
                let argument = it.call.arguments.get(index);
                it.unit == unit
                    && matches!(argument, Some(Value::Variable(own, _)) if *own == variable)
            };
            let others = callers.iter().filter(|it| !is_own(it));
            let mut objects = others.map(|it| {
                divergence.following(|| of(divergence, it.unit, it.call.arguments.get(index)?))
            });
            let first = objects.next()??;
            objects.all(|it| it == Some(first)).then_some(first)
        }
        Origin::Member | Origin::Outside => None,
    }
}
