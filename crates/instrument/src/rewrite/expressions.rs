//! Finds the loads, stores and updates in an expression.

mod cast;
mod lambda;

use super::context::Rewriter;
use super::nodes::operator;
use super::role::Role;
use hirace_syntax::tree::{Field, Kind, Node};

impl Rewriter<'_> {
    /// Rewrites `node`, whose value is used in the way of `role`.
    pub(crate) fn expression(&mut self, node: Node<'_>, role: Role) {
        match node.kind() {
            Kind::Identifier | Kind::QualifiedIdentifier => self.name(node, role),
            Kind::SubscriptExpression | Kind::FieldExpression => self.lvalue(node, role),
            Kind::PointerExpression if operator(node, self.source) == "&" => {
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
                    let role = self.operand(operator(node, self.source), 0, 1, operand);
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
            Kind::ArgumentList => {
                for argument in node.named_children() {
                    self.expression(argument, Role::Load);
                }
            }
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
            Kind::CompoundStatement => self.block(node),
            Kind::Declaration => self.declaration(node),
            Kind::ExtensionExpression => {
                if let Some(inner) = node.first_named() {
                    self.expression(inner, role);
                }
            }
            _ => {
                for child in node.named_children() {
                    self.expression(child, Role::Load);
                }
            }
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
        self.close_access(node, opened);
    }

    fn lvalue(&mut self, node: Node<'_>, role: Role) {
        if self.bit_field_of(node, role) {
            return;
        }
        let opened = self.open_access(node, role);
        let base_role = match node.kind() {
            Kind::FieldExpression if operator(node, self.source) != "->" => Role::Locate,
            _ => Role::Base,
        };
        self.child(node, Field::Argument, base_role);
        if let Some(indices) = node.child(Field::Indices) {
            for index in indices.named_children() {
                self.expression(index, Role::Load);
            }
        }
        self.close_access(node, opened);
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
        let sign = operator(node, self.source);
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
        let (Some(callee), Some(arguments)) =
            (left.child(Field::Function), left.child(Field::Arguments))
        else {
            return false;
        };
        let (name, _) = hirace_syntax::view::split_name(callee, self.source);
        let tied = matches!(name.as_str(), "tie" | "forward_as_tuple");
        if !tied || self.facts.functions.contains_key(&name) {
            return false;
        }
        for argument in arguments.named_children() {
            self.expression(argument, Role::Store);
        }
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
        let sign = operator(node, self.source);
        if matches!(sign, "*" | "&" | "-" | "+") && self.is_parenthesized_type(left) {
            match sign {
                "*" => self.dereference(node, right, role),
                "&" => self.expression(right, Role::Locate),
                _ => self.expression(right, Role::Load),
            }
            return;
        }
        for (position, operand) in [left, right].into_iter().enumerate() {
            let role = self.operand(sign, position, 2, operand);
            self.expression(operand, role);
        }
    }

    /// `*right` in `(T)*right`, for which the tree has no node.
    fn dereference(&mut self, node: Node<'_>, right: Node<'_>, role: Role) {
        let star = node
            .child(Field::Operator)
            .map_or(right.start(), Node::start);
        let shape = self.shape(right);
        let variable = self.root(right);
        let range = star..right.end();
        let wanted =
            role != Role::Locate && shape.rank == 0 && self.wanted(range.clone(), &variable);
        let id = if wanted {
            self.site(hirace_model::SiteKind::Read, range, &variable)
        } else {
            None
        };
        if let Some(id) = &id {
            self.edits.open(star, format!("::hirace::read({id}, "));
        }
        self.expression(right, Role::Base);
        if id.is_some() {
            self.edits.close(right.end(), ")");
        }
    }

    /// The values of a braced list and of nested lists.
    pub(crate) fn initializers(&mut self, node: Node<'_>, role: Role) {
        for child in node.named_children() {
            match child.kind() {
                Kind::InitializerPair => {
                    if let Some(value) = child.child(Field::Value) {
                        self.initializer_value(value, role);
                    }
                }
                _ => self.initializer_value(child, role),
            }
        }
    }

    fn initializer_value(&mut self, value: Node<'_>, role: Role) {
        if value.is(Kind::InitializerList) {
            self.initializers(value, role);
        } else {
            self.expression(value, role);
        }
    }

    /// `T{a[i]}`.
    fn compound_literal(&mut self, node: Node<'_>) {
        if let Some(value) = node.child(Field::Value) {
            let name = node.child(Field::Type).map_or("", |it| self.text(it));
            self.construct(name, value);
        }
    }

    /// `new (place) T(a[i])`. Creating an object ends the life of the previous one: it stores to
    /// the whole place, whatever the constructor does.
    fn new_object(&mut self, node: Node<'_>) {
        self.heap_of_new(node);
        let type_text = node.child(Field::Type).map_or("", |it| self.text(it));
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
        let id = match target {
            Some(_) if self.wanted(place.range(), &variable) => {
                self.site(hirace_model::SiteKind::Write, place.range(), &variable)
            }
            _ => None,
        };
        if let (Some(id), Some(target)) = (&id, &target) {
            self.edits
                .open(place.start(), format!("::hirace::made<{target}>({id}, "));
        }
        self.expression(place, Role::Load);
        if id.is_some() {
            self.edits.close(place.end(), ")");
        }
    }
}
