//! An expression's type, as far as declarations and casts show it.

use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, split_name};

use super::MAX_STEPS;
use crate::rewrite::binding::Shape;
use crate::rewrite::context::Rewriter;
use crate::rewrite::names::{bare_name, is_named_cast};

impl Rewriter<'_> {
    /// The known shape of `node`'s type.
    pub(crate) fn shape(&self, node: Node<'_>) -> Shape {
        self.shape_within(node, 64)
    }

    /// The shape of `node`'s type, looking at most `steps` levels deep.
    pub(crate) fn shape_within(&self, node: Node<'_>, steps: usize) -> Shape {
        if steps == 0 {
            return Shape::UNKNOWN;
        }
        let inner = |node: Option<Node<'_>>| {
            node.map_or(Shape::UNKNOWN, |it| self.shape_within(it, steps - 1))
        };
        let of = |field: Field| inner(node.child(field));
        match node.kind() {
            Kind::Identifier | Kind::QualifiedIdentifier => self
                .binding(node)
                .map_or(Shape::UNKNOWN, |binding| binding.shape),
            Kind::This => Shape::POINTER,
            Kind::ParenthesizedExpression => inner(node.first_named()),
            Kind::SubscriptExpression => of(Field::Argument).element(1),
            Kind::PointerExpression => {
                let inner = of(Field::Argument);
                if node.operator(self.source) == "*" {
                    inner.element(1)
                } else {
                    Shape {
                        rank: 0,
                        pointers: inner.pointers + 1,
                        exact: inner.exact && inner.rank == 0,
                    }
                }
            }
            Kind::FieldExpression => self
                .field(node)
                .map_or(Shape::UNKNOWN, |field| field.binding.shape),
            Kind::UpdateExpression => of(Field::Argument),
            Kind::AssignmentExpression => of(Field::Left),
            Kind::CommaExpression => of(Field::Right),
            Kind::ConditionalExpression => {
                let shape = of(Field::Consequence);
                if shape == of(Field::Alternative) {
                    shape
                } else {
                    Shape::UNKNOWN
                }
            }
            Kind::CastExpression => node
                .child(Field::Type)
                .map_or(Shape::UNKNOWN, |it| self.type_shape(it)),
            Kind::CallExpression => self.call_shape(node),
            Kind::BinaryExpression => {
                let left = of(Field::Left);
                if left.pointers > 0 && left.rank == 0 {
                    left
                } else {
                    Shape::UNKNOWN
                }
            }
            _ => Shape::UNKNOWN,
        }
    }

    /// Whether `node` is certainly an object of a class of the project.
    pub(crate) fn is_object(&self, node: Node<'_>) -> bool {
        if self.shape(node) != Shape::UNKNOWN {
            return false;
        }
        let Some(name) = self.type_text(node) else {
            return false;
        };
        self.facts.classes.contains_key(bare_name(&name))
    }

    /// The name of the type at the root of a declared object or element.
    pub(crate) fn type_text(&self, node: Node<'_>) -> Option<String> {
        let mut node = node;
        for _ in 0..MAX_STEPS {
            match node.kind() {
                Kind::Identifier | Kind::QualifiedIdentifier => {
                    return Some(self.binding(node)?.type_text);
                }
                Kind::FieldExpression => return Some(self.field(node)?.binding.type_text.clone()),
                Kind::SubscriptExpression | Kind::PointerExpression
                    if self.indexes_pointer(node) =>
                {
                    node = node.child(Field::Argument)?;
                }
                Kind::ParenthesizedExpression => node = node.first_named()?,
                _ => return None,
            }
        }
        None
    }

    /// Whether `[]` or `*` is applied to a pointer or an array.
    fn indexes_pointer(&self, node: Node<'_>) -> bool {
        node.child(Field::Argument).is_some_and(|base| {
            let shape = self.shape(base);
            (shape.rank > 0 || shape.pointers > 0) && node.operator(self.source) != "&"
        })
    }

    /// The shape that a type descriptor denotes.
    fn type_shape(&self, descriptor: Node<'_>) -> Shape {
        let layers = descriptor
            .child(Field::Declarator)
            .map(|it| Declarator::of(it, self.source).layers)
            .unwrap_or_default();
        let name = descriptor.child_text(Field::Type, self.source);
        Shape::of(&layers, name)
    }

    fn call_shape(&self, node: Node<'_>) -> Shape {
        let Some(callee) = node.child(Field::Function) else {
            return Shape::UNKNOWN;
        };
        let (name, _) = split_name(callee, self.source);
        match callee.named_cast_type() {
            Some(descriptor) if is_named_cast(&name) => self.type_shape(descriptor),
            _ => Shape::UNKNOWN,
        }
    }
}
