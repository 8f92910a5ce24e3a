//! Loops that count, and where they begin.

use std::ops::Range;

use crate::rewrite::context::Rewriter;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::Declarator;

/// The place for one more expression at the end of a `for` loop's initialiser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum InitializerEnd {
    /// The initialiser is empty; the offset where it would be.
    Empty(usize),
    /// The initialiser is an expression; the offset of its end.
    Expression(usize),
    /// The initialiser is a declaration; the value of its last variable.
    Declaration(Range<usize>),
}

impl Rewriter<'_> {
    /// The end of a loop's initialiser; none if no expression can be added there.
    pub(super) fn end_of_initializer(&self, node: Node<'_>) -> Option<InitializerEnd> {
        let Some(initializer) = node.child(Field::Initializer) else {
            let open = node.children().find(|it| self.text(*it) == "(")?;
            let next = open.next_sibling()?;
            return (self.text(next) == ";").then_some(InitializerEnd::Empty(open.end()));
        };
        match initializer.kind() {
            Kind::AssignmentExpression | Kind::UpdateExpression | Kind::CommaExpression => {
                Some(InitializerEnd::Expression(initializer.end()))
            }
            Kind::Declaration => {
                let kind = initializer.child(Field::Type)?;
                let last = initializer.children_in(Field::Declarator).last()?;
                let value = last.child(Field::Value)?;
                let number = self.is_number_type(self.text(kind))
                    && Declarator::of(last, self.source).layers.is_empty()
                    && !matches!(value.kind(), Kind::ArgumentList | Kind::InitializerList);
                (last.is(Kind::InitDeclarator) && number)
                    .then(|| InitializerEnd::Declaration(value.range()))
            }
            _ => None,
        }
    }
}

/// Whether a loop terminates regardless of what it reads: its condition compares a variable, its
/// update steps the variable, and nothing else changes it.
pub(super) fn counts(node: Node<'_>, source: &str) -> bool {
    let (Some(condition), Some(update), Some(body)) = (
        node.child(Field::Condition),
        node.child(Field::Update),
        node.child(Field::Body),
    ) else {
        return false;
    };
    let stepped = match update.kind() {
        Kind::UpdateExpression => update.child(Field::Argument),
        Kind::AssignmentExpression if matches!(update.operator(source), "+=" | "-=") => {
            update.child(Field::Left)
        }
        _ => None,
    };
    let Some(stepped) = stepped.filter(|it| it.is(Kind::Identifier)) else {
        return false;
    };
    let name = stepped.text(source);
    let compared = condition.is(Kind::BinaryExpression)
        && matches!(condition.operator(source), "<" | "<=" | ">" | ">=")
        && [Field::Left, Field::Right].into_iter().any(|field| {
            let side = condition.child(field);
            side.is_some_and(|it| it.is(Kind::Identifier) && it.text(source) == name)
        });
    let changed = [condition, body].into_iter().any(|part| {
        let mut assigned = part.descendants().filter_map(Node::assigned);
        assigned.any(|it| it.text(source) == name)
    });
    compared && !changed
}
