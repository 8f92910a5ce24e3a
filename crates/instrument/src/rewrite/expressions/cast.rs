//! Casts.

use crate::rewrite::binding::Storage;
use crate::rewrite::context::Rewriter;
use crate::rewrite::role::Role;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::is_reference_type;

impl Rewriter<'_> {
    pub(super) fn cast(&mut self, node: Node<'_>, role: Role) {
        let (Some(target), Some(value)) = (node.child(Field::Type), node.child(Field::Value))
        else {
            return;
        };
        if self.misread_cast(target, value) {
            return;
        }
        if !is_reference_type(target, self.source) {
            // `(float*)raw`, where the array is an object of the CPU's class for
            // `extern __shared__`: `+` converts it to a pointer first.
            if self.is_dynamic_shared(value) {
                self.edits.open(value.start(), "+");
            }
            let role = self.cast_to(target);
            return self.expression(value, role);
        }
        // The grammar binds `(T&)x = v` as a cast of an assignment.
        if value.is(Kind::AssignmentExpression) {
            return self.assignment(value);
        }
        let opened = self.open_access(node, role);
        if self.points_to_shared(value) {
            self.edits.open(value.start(), "*");
        }
        self.expression(value, Role::Locate);
        self.close_access(node, opened);
    }

    /// How a cast to `descriptor`, not a reference, uses its operand.
    pub(crate) fn cast_to(&mut self, descriptor: Node<'_>) -> Role {
        if descriptor.child(Field::Declarator).is_some() {
            return Role::Load;
        }
        match descriptor.child_text(Field::Type, self.source) {
            "void" => Role::Locate,
            name => self.initialising(name),
        }
    }

    /// Whether `node` names a file-scope `extern __shared__` array.
    pub(crate) fn is_dynamic_shared(&self, node: Node<'_>) -> bool {
        let name = Some(node).filter(|it| self.on_cpu() && it.is(Kind::Identifier));
        let binding = name.and_then(|it| self.binding(it));
        binding.is_some_and(|it| it.dynamic_shared)
    }

    /// Whether `node` names an `extern __shared__` array. For the CPU it is a pointer, or an object
    /// that acts like one, and must be dereferenced to reach the array.
    pub(crate) fn points_to_shared(&self, node: Node<'_>) -> bool {
        let name = Some(node).filter(|it| self.on_cpu() && it.is(Kind::Identifier));
        let binding = name.and_then(|it| self.binding(it));
        binding.is_some_and(|it| it.dynamic_shared || it.shared && it.storage == Storage::Local)
    }
}
