//! Finds the loads, stores and updates in an expression.

mod cast;
mod lambda;
mod misread_cast;
mod shift;

pub(crate) use misread_cast::Content;

use super::context::Rewriter;
use super::role::Role;
use hirace_model::SiteKind;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::split_name;

impl Rewriter<'_> {
    /// Rewrites `node`, whose value is used as `role` says.
    pub(crate) fn expression(&mut self, node: Node<'_>, role: Role) {
        match node.kind() {
            Kind::Identifier | Kind::QualifiedIdentifier => self.name(node, role),
            Kind::SubscriptExpression | Kind::FieldExpression => self.lvalue(node, role),
            Kind::PointerExpression if node.operator(self.source) == "&" => {
                self.address_of_dynamic(node);
                self.child(node, Field::Argument, Role::Locate);
            }
            Kind::PointerExpression => self.lvalue(node, role),
            Kind::ParenthesizedExpression => self.parenthesized(node, role),
            Kind::AssignmentExpression => self.assignment(node),
            Kind::UpdateExpression => self.child(node, Field::Argument, Role::Update),
            Kind::ConditionalExpression => self.conditional(node, role),
            Kind::CommaExpression => {
                self.aside(node, Field::Left, Role::Locate);
                self.child(node, Field::Right, role);
            }
            Kind::UnaryExpression => {
                if let Some(operand) = node.child(Field::Argument) {
                    let role = self.operand(node.operator(self.source), 0, 1, operand);
                    self.expression(operand, role);
                }
            }
            Kind::BinaryExpression => self.binary(node, role),
            Kind::CastExpression => self.cast(node, role),
            Kind::CallExpression => self.call(node, role),
            Kind::LambdaExpression => self.lambda(node),
            Kind::InitializerList => self.initializers(node, Role::Argument),
            Kind::CompoundLiteralExpression => self.compound_literal(node),
            Kind::NewExpression => self.new_object(node),
            Kind::DeleteExpression => self.delete(node),
            Kind::ArgumentList => self.expressions(node, Role::Load),
            Kind::GnuAsmExpression => self.assembly(node),
            Kind::ParameterPackExpansion => {
                let pattern = node.child(Field::Pattern);
                // An expanded pack designates the objects themselves.
                let whole = pattern.is_some_and(|it| it.is(Kind::Identifier));
                let role = if whole { Role::Locate } else { Role::Load };
                self.child(node, Field::Pattern, role);
            }
            // The operand is not evaluated, or must be a constant.
            Kind::SizeofExpression
            | Kind::AlignofExpression
            | Kind::Decltype
            | Kind::Noexcept
            | Kind::OffsetofExpression
            | Kind::RequiresExpression
            | Kind::RequiresClause
            | Kind::GenericExpression
            | Kind::TypeDescriptor
            | Kind::TemplateArgumentList
            | Kind::TemplateFunction
            | Kind::StringLiteral
            | Kind::NumberLiteral
            | Kind::This => {}
            Kind::CompoundStatement => self.statement_expression(node, role),
            Kind::Declaration => self.declaration(node),
            Kind::ExtensionExpression => {
                if let Some(inner) = node.first_named() {
                    self.expression(inner, role);
                }
            }
            _ => self.expressions(node, Role::Load),
        }
    }

    /// The children of `node`, all used as `role` says.
    pub(crate) fn expressions(&mut self, node: Node<'_>, role: Role) {
        for child in node.named_children() {
            self.expression(child, role);
        }
    }

    fn child(&mut self, node: Node<'_>, field: Field, role: Role) {
        if let Some(child) = node.child(field) {
            self.expression(child, role);
        }
    }

    /// A child whose own uses must not change the target of `node`'s role.
    fn aside(&mut self, node: Node<'_>, field: Field, role: Role) {
        let target = self.target.clone();
        self.child(node, field, role);
        self.target = target;
    }

    fn name(&mut self, node: Node<'_>, role: Role) {
        self.note_macro_parameter(node, role);
        if let Some(known) = self.facts.macro_use(self.text(node), false) {
            self.declared_by_macro(known, &[]);
        }
        if self.bit_field_here(node, role) {
            return;
        }
        let opened = self.open_access(node, role);
        self.qualified_file_shared(node);
        self.close_access(node, opened);
    }

    fn lvalue(&mut self, node: Node<'_>, role: Role) {
        if self.bit_field_of(node, role) {
            return;
        }
        let opened = self.open_access(node, role);
        let base_role = match node.kind() {
            Kind::FieldExpression if node.operator(self.source) != "->" => Role::Locate,
            _ => Role::Base,
        };
        self.child(node, Field::Argument, base_role);
        if let Some(indices) = node.child(Field::Indices) {
            self.expressions(indices, Role::Load);
            self.wrapping_index(node, indices);
        }
        self.close_access(node, opened);
    }

    /// `s[~i]`: an index that wraps around in shared memory (`hooks/subscript.h`). Only where the array is
    /// a name, because the hook has it, too.
    fn wrapping_index(&mut self, node: Node<'_>, indices: Node<'_>) {
        let base = node
            .child(Field::Argument)
            .filter(|it| it.is(Kind::Identifier));
        let mut all = indices.named_children();
        let (Some(base), Some(index), None) = (base, all.next(), all.next()) else {
            return;
        };
        if has_complement(index, self.source) {
            let name = self.text(base);
            let hook = format!("::hirace::shared_index({name}, ");
            self.edits.enclose(index.range(), hook);
        }
    }

    fn parenthesized(&mut self, node: Node<'_>, role: Role) {
        let Some(inner) = node.first_named() else {
            return;
        };
        // As an lvalue `(c ? a : b)` is wrapped with its parentheses: `c ? a : b = v`
        // would assign to `b`.
        let whole =
            inner.is(Kind::ConditionalExpression) && matches!(role, Role::Store | Role::Update);
        if whole {
            let opened = self.open_access(node, role);
            self.expression(inner, Role::Locate);
            self.close_access(node, opened);
        } else {
            self.expression(inner, role);
        }
    }

    fn assignment(&mut self, node: Node<'_>) {
        let (Some(left), Some(right)) = (node.child(Field::Left), node.child(Field::Right)) else {
            return;
        };
        let sign = node.operator(self.source);
        if sign == "=" && self.assigns_tied(left) {
            self.expression(right, Role::Argument);
        } else if sign == "=" {
            let role = self.assigned_to(right);
            self.expression(left, role);
            let role = self.assigned(left);
            self.expression(right, role);
        } else {
            self.expression(left, Role::Update);
            let role = self.operand(sign, 1, 2, right);
            self.expression(right, role);
        }
    }

    /// `std::tie(a[i], b[i]) = …` assigns to its arguments; false for anything else.
    fn assigns_tied(&mut self, left: Node<'_>) -> bool {
        let Some((callee, arguments)) = left.as_call() else {
            return false;
        };
        let (name, _) = split_name(callee, self.source);
        let tied = matches!(name.as_str(), "tie" | "forward_as_tuple");
        if !tied || self.facts.functions.contains_key(&name) {
            return false;
        }
        self.expressions(arguments, Role::Store);
        true
    }

    fn conditional(&mut self, node: Node<'_>, role: Role) {
        self.aside(node, Field::Condition, Role::Load);
        self.aside(node, Field::Consequence, role);
        self.child(node, Field::Alternative, role);
    }

    /// A binary operator, or a cast that the grammar parses as one: `(T)*p`.
    fn binary(&mut self, node: Node<'_>, role: Role) {
        let (Some(left), Some(right)) = (node.child(Field::Left), node.child(Field::Right)) else {
            return;
        };
        let sign = node.operator(self.source);
        match (sign, self.parenthesized_content(left)) {
            ("*", Content::Type) => return self.dereference(node, right, role),
            ("&", Content::Type) => return self.expression(right, Role::Locate),
            ("-" | "+", Content::Type) => return self.expression(right, Role::Load),
            ("*", Content::Unknown) => {
                let star = node.child(Field::Operator).unwrap_or(right).start();
                return self.pointee_or_factor(star..right.end(), right);
            }
            ("&", Content::Unknown) => return self.address_or_operand(right),
            _ => {}
        }
        let shift = self.open_shift(node);
        for (position, operand) in [left, right].into_iter().enumerate() {
            let role = self.operand(sign, position, 2, operand);
            self.expression(operand, role);
        }
        self.close_access(node, shift);
    }

    /// `*right` in `(T)*right`, for which the tree has no node.
    fn dereference(&mut self, node: Node<'_>, right: Node<'_>, role: Role) {
        let star = node
            .child(Field::Operator)
            .map_or(right.start(), Node::start);
        let shape = self.shape(right);
        let variable = self.root(right);
        let range = star..right.end();
        let is_access = role != Role::Locate && shape.rank == 0;
        let id = is_access.then(|| self.access_site(SiteKind::Read, range, &variable));
        let id = id.flatten();
        if let Some(id) = &id {
            self.edits.open(star, format!("::hirace::read({id}, "));
        }
        self.expression(right, Role::Base);
        self.close_access(right, id.is_some());
    }

    /// The values of a braced list and of nested lists.
    pub(crate) fn initializers(&mut self, node: Node<'_>, role: Role) {
        for child in node.named_children() {
            let value = match child.kind() {
                Kind::InitializerPair => child.child(Field::Value),
                _ => Some(child),
            };
            match value {
                Some(list) if list.is(Kind::InitializerList) => self.initializers(list, role),
                Some(value) => self.expression(value, role),
                None => {}
            }
        }
    }

    /// `T{a[i]}`.
    fn compound_literal(&mut self, node: Node<'_>) {
        if let Some(value) = node.child(Field::Value) {
            let name = node.child_text(Field::Type, self.source);
            self.construct(name, value);
        }
    }

    /// `new (place) T(a[i])`. Creating an object ends the life of the previous one: it stores to
    /// the whole place, regardless of what the constructor does.
    fn new_object(&mut self, node: Node<'_>) {
        self.heap_of_new(node);
        let type_text = node.child_text(Field::Type, self.source);
        if let Some(arguments) = node.child(Field::Arguments) {
            self.construct(type_text, arguments);
        }
        let Some(placement) = node.child(Field::Placement) else {
            return;
        };
        let made =
            node.child(Field::Arguments).is_some() && node.child(Field::Declarator).is_none();
        let place = placement.first_named().filter(|_| made);
        let target = self.spelled(type_text);
        for argument in placement.named_children() {
            if Some(argument) != place {
                self.expression(argument, Role::Load);
            }
        }
        let Some(place) = place else { return };
        let variable = self.root(place);
        let hook = target.and_then(|target| {
            let id = self.access_site(SiteKind::Write, place.range(), &variable)?;
            Some(format!("::hirace::made<{target}>({id}, "))
        });
        let hooked = hook.map(|it| self.edits.open(place.start(), it));
        self.expression(place, Role::Load);
        self.close_access(place, hooked.is_some());
    }
}

/// Whether the value of `node` is computed with `~`.
fn has_complement(node: Node<'_>, source: &str) -> bool {
    match node.kind() {
        Kind::UnaryExpression => node.operator(source) == "~",
        Kind::BinaryExpression | Kind::ParenthesizedExpression => node
            .named_children()
            .any(|child| has_complement(child, source)),
        _ => false,
    }
}
