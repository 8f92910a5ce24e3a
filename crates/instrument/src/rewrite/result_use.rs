//! How the value of an atomic operation or an update is used. A value that only selects an element,
//! as the place in a queue, is no flag that a thread waits for or decides by.

use hirace_model::ResultUse;
use hirace_syntax::tree::{Field, Kind, Node};

/// How the value of the expression `node` is used.
pub(crate) fn result_use(node: Node<'_>, source: &str) -> ResultUse {
    if is_unused(node) {
        ResultUse::Unused
    } else if is_index(node, source) || initialises_index(node, source) {
        ResultUse::Index
    } else {
        ResultUse::Used
    }
}

/// Whether nothing uses the value of the update that `node` is the left side or the operand of.
pub(crate) fn is_unused_update(node: Node<'_>) -> bool {
    let updates = |it: &Node<'_>| {
        matches!(
            it.kind(),
            Kind::AssignmentExpression | Kind::UpdateExpression
        )
    };
    let whole = std::iter::successors(node.parent(), |it| it.parent())
        .find(|it| !it.is(Kind::ParenthesizedExpression));
    whole.filter(updates).is_some_and(is_unused)
}

/// Whether nothing uses the value of an expression: it is a statement of its own, what a loop does
/// after each iteration, or a part of such a list.
fn is_unused(expression: Node<'_>) -> bool {
    expression
        .parent()
        .is_some_and(|parent| match parent.kind() {
            Kind::ExpressionStatement => true,
            Kind::ForStatement => expression.field() == Field::Update,
            Kind::CommaExpression => expression.field() == Field::Left || is_unused(parent),
            _ => false,
        })
}

/// Whether a value is a subscript or an offset of a pointer, or a part of one.
fn is_index(value: Node<'_>, source: &str) -> bool {
    let mut whole = value;
    while let Some(parent) = whole.parent() {
        match parent.kind() {
            Kind::SubscriptArgumentList | Kind::PointerExpression => return true,
            Kind::BinaryExpression if !is_comparison(parent, source) => {}
            Kind::ParenthesizedExpression | Kind::CastExpression => {}
            _ => return false,
        }
        whole = parent;
    }
    false
}

/// Whether a value initialises a variable that selects an element and is otherwise only compared with
/// a limit.
fn initialises_index(value: Node<'_>, source: &str) -> bool {
    let Some(declarator) = value.parent().filter(|it| it.is(Kind::InitDeclarator)) else {
        return false;
    };
    let Some(name) = declarator.child(Field::Declarator) else {
        return false;
    };
    let is_use = |it: &Node<'_>| *it != name && it.text(source) == name.text(source);
    let uses: Vec<Node<'_>> = declarator
        .enclosing_definition()
        .descendants_of(Kind::Identifier)
        .filter(is_use)
        .collect();
    let is_limited = |it: Node<'_>| {
        let comparison = it.parent().filter(|it| it.is(Kind::BinaryExpression));
        comparison.is_some_and(|it| matches!(it.operator(source), "<" | "<=" | ">" | ">="))
    };
    let is_selecting = |it: &Node<'_>| is_index(*it, source);
    uses.iter().any(is_selecting) && uses.iter().all(|it| is_selecting(it) || is_limited(*it))
}

fn is_comparison(expression: Node<'_>, source: &str) -> bool {
    let operator = expression.operator(source);
    matches!(
        operator,
        "<" | "<=" | ">" | ">=" | "==" | "!=" | "&&" | "||"
    )
}
