//! Expressions that the grammar parses as declarations, and the reverse.

use crate::rewrite::binding::{Binding, Shape, Storage};
use crate::rewrite::context::Rewriter;
use crate::rewrite::role::Role;
use hirace_syntax::tree::{Field, Kind, Node};

impl Rewriter<'_> {
    /// A declaration that the grammar parses as an expression: `float (*p)[4] = a;`,
    /// `T *p(&a[0]);`. False if it is not one.
    pub(super) fn misread_declaration(&mut self, node: Node<'_>) -> bool {
        let Some(mut target) = node.first_named() else {
            return false;
        };
        let mut value = None;
        if target.is(Kind::AssignmentExpression) {
            value = target.child(Field::Right);
            target = target.child(Field::Left).unwrap_or(target);
        }
        if target.is(Kind::BinaryExpression) {
            return self.misread_pointer(target).is_some();
        }
        let mut dimensions = 0;
        while target.is(Kind::SubscriptExpression)
            && let Some(base) = target.child(Field::Argument)
        {
            dimensions += 1;
            target = base;
        }
        let inner = target.arguments().next();
        let inner = inner.filter(|it| it.is(Kind::PointerExpression));
        let name = inner.and_then(|it| it.child(Field::Argument));
        let name = name.filter(|it| it.is(Kind::Identifier));
        let (Some(callee), Some(inner), Some(name)) = (target.child(Field::Function), inner, name)
        else {
            return false;
        };
        let new = self.scopes.get(self.text(name)).is_none();
        if dimensions == 0 || !new || !self.is_type_name(callee) {
            return false;
        }
        let reference = inner.operator(self.source) == "&";
        let binding = if reference {
            let storage = value.map_or(Storage::Memory, |it| self.storage(it));
            let shape = Shape {
                rank: dimensions,
                ..Shape::UNKNOWN
            };
            Binding::of_shape(storage, shape)
        } else {
            Binding::pointer(Storage::Local)
        };
        if let Some(value) = value {
            self.expression(value, if reference { Role::Locate } else { Role::Load });
        }
        self.bind(name, binding);
        true
    }

    /// `T *p(&a[0])`, which the grammar parses as a product.
    fn misread_pointer(&mut self, product: Node<'_>) -> Option<()> {
        let left = product.child(Field::Left)?;
        let right = product
            .child(Field::Right)
            .filter(|it| it.is(Kind::CallExpression))?;
        let callee = right.child(Field::Function);
        let name = callee.filter(|it| it.is(Kind::Identifier))?;
        if !self.is_type_name(left) || product.operator(self.source) != "*" {
            return None;
        }
        if let Some(arguments) = right.child(Field::Arguments) {
            self.expression(arguments, Role::Load);
        }
        let binding = Binding::pointer(Storage::Local);
        self.bind(name, binding);
        Some(())
    }

    /// Whether an expression is only a type's name.
    fn is_type_name(&self, node: Node<'_>) -> bool {
        match node.kind() {
            Kind::PrimitiveType | Kind::SizedTypeSpecifier => true,
            Kind::Identifier => match self.scopes.get(self.text(node)) {
                Some(binding) => binding.type_text == "typename",
                None => {
                    let name = self.text(node);
                    self.facts.is_type(name) || !self.facts.functions.contains_key(name)
                }
            },
            _ => false,
        }
    }
}
