//! Expressions that the grammar parses as declarations, and the reverse.

use crate::rewrite::binding::{Binding, Shape, Storage};
use crate::rewrite::context::Rewriter;
use crate::rewrite::role::Role;
use hirace_syntax::tree::{Field, Kind, Node};

/// What an initialised declarator declares, and its value.
fn target_and_value(declarator: Node<'_>) -> (Node<'_>, Option<Node<'_>>) {
    match declarator.child(Field::Left) {
        Some(target) if declarator.is(Kind::AssignmentExpression) => {
            (target, declarator.child(Field::Right))
        }
        _ => (declarator, None),
    }
}

/// What comes before the indices, and their number.
fn without_subscripts(mut target: Node<'_>) -> (Node<'_>, usize) {
    let mut dimensions = 0;
    while target.is(Kind::SubscriptExpression)
        && let Some(base) = target.child(Field::Argument)
    {
        dimensions += 1;
        target = base;
    }
    (target, dimensions)
}

impl Rewriter<'_> {
    /// A declaration that the grammar parses as an expression: `float (*p)[4] = a, (*q)[4] = b;`,
    /// `T *p(&a[0]);`. False if it is not one.
    pub(super) fn misread_declaration(&mut self, expression: Node<'_>) -> bool {
        let mut first = expression;
        let mut others = Vec::new();
        while first.is(Kind::CommaExpression)
            && let (Some(left), Some(right)) = (first.child(Field::Left), first.child(Field::Right))
        {
            others.push(right);
            first = left;
        }
        // A list is nested to the right, too.
        while let Some(last) = others.first().filter(|it| it.is(Kind::CommaExpression))
            && let (Some(left), Some(right)) = (last.child(Field::Left), last.child(Field::Right))
        {
            others.splice(..1, [right, left]);
        }
        if !self.misread_declarator(first) {
            return false;
        }
        others.reverse();
        for other in others {
            self.further_declarator(other);
        }
        true
    }

    /// The first declarator of such a declaration, with its type.
    fn misread_declarator(&mut self, declarator: Node<'_>) -> bool {
        let (target, value) = target_and_value(declarator);
        if target.is(Kind::BinaryExpression) {
            return self.misread_pointer(target).is_some();
        }
        let (target, dimensions) = without_subscripts(target);
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
        self.declare_misread(name, inner.operator(self.source) == "&", dimensions, value);
        true
    }

    /// Another one: `(*q)[4] = b`, `*r = a`, `x = a[i]`.
    fn further_declarator(&mut self, declarator: Node<'_>) {
        let (target, value) = target_and_value(declarator);
        let (mut target, dimensions) = without_subscripts(target);
        if target.is(Kind::ParenthesizedExpression) {
            target = target.first_named().unwrap_or(target);
        }
        if target.is(Kind::PointerExpression)
            && let Some(name) = target.child(Field::Argument)
        {
            let reference = target.operator(self.source) == "&";
            self.declare_misread(name, reference, dimensions, value);
        } else if target.is(Kind::Identifier) {
            if let Some(value) = value {
                self.expression(value, Role::Load);
            }
            self.bind(target, Binding::of_shape(Storage::Local, Shape::UNKNOWN));
        }
    }

    /// A pointer or a reference that is declared, to an array of so many dimensions.
    fn declare_misread(
        &mut self,
        name: Node<'_>,
        reference: bool,
        dimensions: usize,
        value: Option<Node<'_>>,
    ) {
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
