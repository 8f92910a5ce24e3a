//! Members of classes: which field an expression names, and its properties.

use hirace_syntax::tree::{Field, Kind, Node};

use super::STEPS;
use crate::rewrite::context::Rewriter;
use crate::rewrite::facts::FieldFact;
use crate::rewrite::names::{bare_name, is_vector};
use crate::rewrite::nodes::operator;

impl Rewriter<'_> {
    /// The field that an unqualified name means inside a method.
    pub(crate) fn member(&self, name: &str) -> Option<&FieldFact> {
        let class = self.enclosing.class.as_ref()?;
        self.facts.member(class, name)
    }

    /// The field that `x.f` names, if all classes with such a field agree. None if it is a pointer
    /// or an array but `x` is a CUDA vector, whose members are all numbers.
    pub(crate) fn field(&self, node: Node<'_>) -> Option<&FieldFact> {
        let name = node.child(Field::Member)?;
        let fields = self.facts.fields.get(self.text(name))?;
        let first = fields.first()?;
        let agree = fields
            .iter()
            .all(|it| it.binding.shape == first.binding.shape && it.constant == first.constant);
        let shape = first.binding.shape;
        let unlike_a_number = shape.pointers > 0 || shape.rank > 0;
        let object = node.child(Field::Argument);
        if unlike_a_number && object.is_some_and(|it| self.is_vector_object(it)) {
            return None;
        }
        agree.then_some(first)
    }

    /// Whether `node` is a variable whose type is a CUDA vector or a pointer to one.
    fn is_vector_object(&self, node: Node<'_>) -> bool {
        let mut node = node;
        for _ in 0..STEPS {
            let inner = match node.kind() {
                Kind::Identifier => {
                    let binding = self.binding(node);
                    return binding.is_some_and(|it| is_vector(bare_name(&it.type_text)));
                }
                Kind::SubscriptExpression | Kind::PointerExpression => node.child(Field::Argument),
                Kind::ParenthesizedExpression => node.first_named(),
                _ => None,
            };
            let Some(inner) = inner else { return false };
            node = inner;
        }
        false
    }

    /// Whether the member that `x.f` names may be a reference. If the class is unknown, any class's
    /// member of that name counts: a hook on a thread's local object does nothing.
    pub(super) fn is_reference_member(&self, node: Node<'_>) -> bool {
        let Some(name) = node.child(Field::Member).map(|it| self.text(it)) else {
            return false;
        };
        let known = node
            .child(Field::Argument)
            .and_then(|base| self.type_text(base))
            .and_then(|class| self.facts.member(bare_name(&class), name));
        match known {
            Some(field) => field.reference,
            None => self
                .facts
                .fields
                .get(name)
                .is_some_and(|all| all.iter().any(|it| it.reference)),
        }
    }

    /// Whether parts of `node`, the value of a structured binding, may be references.
    pub(crate) fn holds_references(&self, node: Node<'_>) -> bool {
        if self.shape(node).rank > 0 {
            return false;
        }
        match self.type_text(node) {
            Some(class) => !self.facts.is_plain(bare_name(&class)) && !is_vector(&class),
            None => true,
        }
    }

    /// Whether `node` is part of a packed object, to which a reference cannot bind.
    pub(crate) fn is_packed(&self, node: Node<'_>) -> bool {
        let mut node = node;
        for _ in 0..STEPS {
            let inner = match node.kind() {
                Kind::FieldExpression => {
                    let name = node.child(Field::Member).map_or("", |it| self.text(it));
                    let object = node.child(Field::Argument);
                    let known = object
                        .and_then(|it| self.type_text(it))
                        .and_then(|class| self.facts.member(bare_name(&class), name));
                    let packed = match known {
                        Some(field) => field.packed,
                        None => {
                            let all = self.facts.fields.get(name).into_iter().flatten();
                            all.into_iter().any(|it| it.packed)
                        }
                    };
                    if packed {
                        return true;
                    }
                    object.filter(|_| operator(node, self.source) != "->")
                }
                Kind::Identifier => {
                    let name = self.text(node);
                    return self.scopes.get(name).is_none()
                        && self.member(name).is_some_and(|it| it.packed);
                }
                Kind::ParenthesizedExpression => node.first_named(),
                // An element of an array in a packed class.
                Kind::SubscriptExpression => node.child(Field::Argument),
                _ => None,
            };
            let Some(inner) = inner else { return false };
            node = inner;
        }
        false
    }
}
