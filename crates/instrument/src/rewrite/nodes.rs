//! Simple queries on syntax nodes.

use hirace_syntax::tree::{Field, Kind, Node};

/// An expression's operator as written.
pub(crate) fn operator<'s>(node: Node<'_>, source: &'s str) -> &'s str {
    node.child(Field::Operator)
        .map_or("", |it| source.get(it.range()).unwrap_or(""))
}

/// The type that a `…_cast<T>` casts to.
pub(crate) fn named_cast_type(callee: Node<'_>) -> Option<Node<'_>> {
    callee
        .child(Field::Arguments)?
        .child_of(Kind::TypeDescriptor)
}

/// Kinds of nodes that define a class.
pub(crate) fn is_class(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::ClassSpecifier | Kind::StructSpecifier | Kind::UnionSpecifier
    )
}

/// The innermost function around `node`, or all of the text.
pub(crate) fn function_around(node: Node<'_>) -> Node<'_> {
    let mut around = node;
    while let Some(parent) = around
        .parent()
        .filter(|_| !around.is(Kind::FunctionDefinition))
    {
        around = parent;
    }
    around
}
