//! Members of classes: which field an expression names, and its properties.

use hirace_syntax::names::is_vector;
use std::iter::successors;

use hirace_syntax::tree::{Field, Kind, Node};

use super::MAX_STEPS;
use crate::rewrite::context::Rewriter;
use crate::rewrite::facts::FieldFact;
use crate::rewrite::names::bare_name;

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
        let operands = successors(Some(node), |it| match it.kind() {
            Kind::SubscriptExpression | Kind::PointerExpression => it.child(Field::Argument),
            Kind::ParenthesizedExpression => it.first_named(),
            _ => None,
        });
        let root = operands.take(MAX_STEPS).find(|it| it.is(Kind::Identifier));
        let binding = root.and_then(|it| self.binding(it));
        binding.is_some_and(|it| is_vector(bare_name(&it.type_text)))
    }

    /// Whether the member that `x.f` names may be a reference. If the class is unknown, any class's
    /// member of that name counts: a hook on a thread's local object does nothing.
    pub(super) fn is_reference_member(&self, node: Node<'_>) -> bool {
        let Some(name) = node.child(Field::Member).map(|it| self.text(it)) else {
            return false;
        };
        let object = node.child(Field::Argument);
        match object.and_then(|it| self.member_of(it, name)) {
            Some(field) => field.reference,
            None => self.facts.fields_called(name).any(|it| it.reference),
        }
    }

    /// The field `name` of the class of `object`, if the source shows the class.
    pub(crate) fn member_of(&self, object: Node<'_>, name: &str) -> Option<&FieldFact> {
        self.facts.member(bare_name(&self.type_text(object)?), name)
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
        for _ in 0..MAX_STEPS {
            let inner = match node.kind() {
                Kind::FieldExpression => {
                    let name = node.child_text(Field::Member, self.source);
                    let object = node.child(Field::Argument);
                    let packed = match object.and_then(|it| self.member_of(it, name)) {
                        Some(field) => field.packed,
                        None => self.facts.fields_called(name).any(|it| it.packed),
                    };
                    if packed {
                        return true;
                    }
                    object.filter(|_| node.operator(self.source) != "->")
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
