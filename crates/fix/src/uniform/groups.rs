//! Variables of cooperative groups, and the methods by which all threads of a larger group get the same
//! value.

use hirace_syntax::names::{Home, Meaning, meaning_in};
use hirace_syntax::tree::{Field, Kind, Node};

use super::affine::{AffineValue, WARP_SIZE};
use super::{Check, Scope};

/// What a variable stands for. Coalesced groups are none of these: even their sizes differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Object {
    Grid,
    Cluster,
    Block,
    /// A tile of as many lanes, the same for all tiles of the block; 0 if the text does not show how many.
    Tile(i64),
}

/// Whether all threads of the group get the same value from a call of a method.
pub(super) fn agree(check: &Check<'_>, scope: &Scope<'_>, call: Node<'_>) -> bool {
    let Some((object, method)) = called_on(check, scope, call) else {
        return false;
    };
    // Tiles of a block are aligned, so a larger one contains all lanes of a smaller one.
    let lanes = check.group.lanes();
    let is_in_tile = matches!(object, Object::Tile(width) if lanes.is_some_and(|it| it <= width));
    match meaning_in(Home::Group, method) {
        Some(Meaning::SameInLaunch) => true,
        Some(Meaning::SameInBlock) => !check.group.spans_blocks(),
        Some(Meaning::SameInGroup) => is_in_tile,
        _ => false,
    }
}

/// The rank that a call returns to a thread, if lanes with consecutive numbers have consecutive ranks.
pub(super) fn rank(check: &Check<'_>, scope: &Scope<'_>, call: Node<'_>) -> Option<AffineValue> {
    match called_on(check, scope, call)? {
        (Object::Block, "thread_rank") => Some(AffineValue::THREAD_NUMBER),
        (Object::Tile(WARP_SIZE), "thread_rank") => Some(AffineValue::LANE),
        _ => None,
    }
}

/// The group and the name of the method that a call concerns.
pub(super) fn called_on<'t>(
    check: &Check<'_>,
    scope: &Scope<'t>,
    call: Node<'t>,
) -> Option<(Object, &'t str)> {
    let callee = call.child(Field::Function)?;
    if !call.is(Kind::CallExpression) || !callee.is(Kind::FieldExpression) {
        return None;
    }
    let object = object(check, scope, callee.child(Field::Argument)?)?;
    Some((object, scope.syntax.node_text(callee.child(Field::Member)?)))
}

/// The variable of such a group that is declared before a place, in a block around it.
pub(super) fn visible<'t>(
    check: &Check<'_>,
    scope: &Scope<'t>,
    place: Node<'t>,
    wanted: Object,
) -> Option<&'t str> {
    let is_visible = |it: &Node<'t>| {
        it.end() <= place.start()
            && (it.is(Kind::ParameterDeclaration)
                || it.parent().is_some_and(|block| block.encloses(place)))
    };
    let declarations = scope.function.descendants().filter(is_declaration);
    let names = declarations
        .filter(is_visible)
        .filter(|it| is_declared_as(check, scope, *it, wanted));
    names.last().and_then(|it| scope.syntax.declared(it))
}

fn is_declared_as(
    check: &Check<'_>,
    scope: &Scope<'_>,
    declaration: Node<'_>,
    wanted: Object,
) -> bool {
    declared_as(check, scope, declaration) == Some(wanted)
}

fn is_declaration(node: &Node<'_>) -> bool {
    matches!(node.kind(), Kind::Declaration | Kind::ParameterDeclaration)
}

/// What an expression stands for.
fn object(check: &Check<'_>, scope: &Scope<'_>, expression: Node<'_>) -> Option<Object> {
    let expression = expression.without_parentheses();
    if !expression.is(Kind::Identifier) {
        return returned(scope, expression);
    }
    let name = scope.syntax.node_text(expression);
    let declares = |it: &Node<'_>| is_declaration(it) && scope.syntax.declares(*it, name);
    let mut declarations = scope.function.descendants().filter(declares);
    let declaration = declarations.next()?;
    // Which of several is meant, the name does not show.
    let is_only = declarations.next().is_none();
    is_only.then(|| declared_as(check, scope, declaration))?
}

fn declared_as(check: &Check<'_>, scope: &Scope<'_>, declaration: Node<'_>) -> Option<Object> {
    let class = declaration.child_text(Field::Type, scope.syntax.text);
    let alias = || described(scope, scope.syntax.node_text(scope.syntax.alias(class)?));
    let value = || {
        let declarator = declaration.child_of(Kind::InitDeclarator)?;
        returned(scope, declarator.child(Field::Value)?)
    };
    let by_text = match class {
        "auto" => value(),
        _ => described(scope, class).or_else(alias),
    };
    if by_text.is_some() || !declaration.is(Kind::ParameterDeclaration) {
        return by_text;
    }
    // The type is a parameter of a template.
    let (_, index) = scope.parameter(scope.syntax.declared(declaration)?)?;
    let arguments = check.arguments(scope, index)?;
    let mut objects = arguments
        .iter()
        .map(|(caller, argument)| object(check, caller, *argument));
    let first = objects.next()??;
    objects.all(|it| it == Some(first)).then_some(first)
}

/// What a function returns that a call names.
fn returned(scope: &Scope<'_>, call: Node<'_>) -> Option<Object> {
    let callee = call.child(Field::Function)?;
    let is_method = callee.is(Kind::FieldExpression);
    (!is_method).then(|| described(scope, scope.syntax.node_text(callee)))?
}

/// What a type stands for, or the value of a function.
fn described(scope: &Scope<'_>, text: &str) -> Option<Object> {
    let (name, arguments) = text.split_once('<').unwrap_or((text, ""));
    match name.rsplit([':', ' ']).next()? {
        "thread_block_tile" | "tiled_partition" if !arguments.is_empty() => {
            let width = arguments.split([',', '>']).next()?.trim();
            let width = scope.syntax.constant(width);
            Some(Object::Tile(
                width.and_then(|it| it.try_into().ok()).unwrap_or(0),
            ))
        }
        "thread_block" | "this_thread_block" => Some(Object::Block),
        "cluster_group" | "this_cluster" => Some(Object::Cluster),
        "grid_group" | "this_grid" => Some(Object::Grid),
        _ => None,
    }
}
