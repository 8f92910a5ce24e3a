//! Plain accesses as atomic ones, and atomics of a wider scope.

use crate::parse::tree::{Field, Kind, Node};
use crate::report::{Access, Race};

use super::edit::Edit;
use super::syntax::{Syntax, around};
use super::{Candidate, Sources};

/// CUDA's atomic functions, by the operators and functions whose place they can take.
const FUNCTIONS: &[(&str, &str)] = &[
    ("+", "atomicAdd"),
    ("++", "atomicAdd"),
    ("-", "atomicSub"),
    ("--", "atomicSub"),
    ("&", "atomicAnd"),
    ("|", "atomicOr"),
    ("^", "atomicXor"),
    ("max", "atomicMax"),
    ("min", "atomicMin"),
];

pub(super) fn candidates(race: &Race, sources: &Sources<'_>) -> Vec<Candidate> {
    let conversion: fn(&Syntax<'_>, &Access, &Race) -> Option<Edit> = match race.code.as_ref() {
        "HR005" => widened,
        _ => atomic,
    };
    let mut edits: Vec<Edit> = Vec::new();
    for access in &race.accesses {
        let Some(syntax) = sources.of(access) else {
            continue;
        };
        if let Some(edit) = conversion(syntax, access, race)
            && !edits.contains(&edit)
        {
            edits.push(edit);
        }
    }
    if edits.is_empty() {
        return Vec::new();
    }
    let shown: Vec<_> = edits.iter().map(|it| format!("`{}`", it.text)).collect();
    vec![Candidate {
        what: shown.join(" and "),
        edits,
    }]
}

/// An atomic of block scope as one of the device's.
fn widened(syntax: &Syntax<'_>, access: &Access, _: &Race) -> Option<Edit> {
    let node = syntax.at(&access.position.range);
    let callee = around(node).find_map(|it| {
        let callee = it.child(Field::Function)?;
        (it.is(Kind::CallExpression) && syntax.node_text(callee).ends_with("_block"))
            .then_some(callee)
    })?;
    let name = syntax.node_text(callee);
    Some(Edit {
        file: syntax.file.to_owned(),
        range: callee.range(),
        text: name.trim_end_matches("_block").to_owned(),
    })
}

/// A statement that does nothing but change the location, as an atomic function's call. Not a
/// read: as an atomic it would no longer race, and still come too early or too late.
fn atomic(syntax: &Syntax<'_>, access: &Access, race: &Race) -> Option<Edit> {
    if access.access.is_atomic() {
        return None;
    }
    let change = around(syntax.at(&access.position.range)).find(|it| {
        matches!(
            it.kind(),
            Kind::AssignmentExpression | Kind::UpdateExpression
        )
    })?;
    change
        .parent()
        .filter(|it| it.is(Kind::ExpressionStatement))?;
    let target = match change.kind() {
        Kind::UpdateExpression => change.child(Field::Argument)?,
        _ => change.child(Field::Left)?,
    };
    let place = syntax.node_text(target);
    if place != access.position.text.as_deref()? {
        return None;
    }
    let operator = syntax.node_text(change.child(Field::Operator)?);
    let (function, operand) = if change.is(Kind::UpdateExpression) {
        (function_for(operator)?, "1")
    } else {
        let right = change.child(Field::Right)?;
        match operator {
            "=" => assigned(syntax, place, right, race)?,
            _ => (
                function_for(operator.strip_suffix('=')?)?,
                syntax.node_text(right),
            ),
        }
    };
    Some(Edit {
        file: syntax.file.to_owned(),
        range: change.range(),
        text: format!("{function}({}, {operand})", pointer(place)),
    })
}

fn function_for(operator: &str) -> Option<&'static str> {
    FUNCTIONS
        .iter()
        .find(|(name, _)| *name == operator)
        .map(|(_, function)| *function)
}

/// `x = x + v`, `x = max(x, v)`; `x = 1` where all threads write the same number.
fn assigned<'t>(
    syntax: &'t Syntax<'_>,
    place: &str,
    right: Node<'t>,
    race: &Race,
) -> Option<(&'static str, &'t str)> {
    let text = |node: Node<'t>| syntax.node_text(node);
    if let (Some(left), Some(operator), Some(operand)) = (
        right.child(Field::Left),
        right.child(Field::Operator),
        right.child(Field::Right),
    ) && right.is(Kind::BinaryExpression)
    {
        let function = function_for(text(operator));
        if let Some(function) = function {
            if text(left) == place {
                return Some((function, text(operand)));
            }
            if text(operand) == place && function != "atomicSub" {
                return Some((function, text(left)));
            }
        }
    }
    if right.is(Kind::CallExpression) {
        let callee = right.child(Field::Function).map(text)?;
        let arguments: Vec<_> = right.child(Field::Arguments)?.named_children().collect();
        if let (Some(function), [a, b]) = (
            function_for(callee.trim_start_matches("std::")),
            arguments.as_slice(),
        ) {
            if text(*a) == place {
                return Some((function, text(*b)));
            }
            if text(*b) == place {
                return Some((function, text(*a)));
            }
        }
    }
    let [one, other] = &race.accesses;
    let same_for_all = right.is(Kind::NumberLiteral) && one.position == other.position;
    same_for_all.then(|| ("atomicExch", text(right)))
}

/// `&x`, and `p` for `*p`.
fn pointer(place: &str) -> String {
    match place.strip_prefix('*') {
        Some(pointer) => pointer.trim_start().to_owned(),
        None => format!("&{place}"),
    }
}
