//! Whether an expression uses only the value of a shared variable's element, so that it cannot
//! change the element or keep a reference to it.

use hirace_syntax::names::{is_atomic, is_block_barrier, is_vector, takes_numbers};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, split_name};

use super::shared_uses::Variable;
use crate::rewrite::context::Rewriter;
use crate::rewrite::facts::Signature;
use crate::rewrite::names::{bare_name, is_scalar};

impl Rewriter<'_> {
    /// Whether only the value of the lvalue `node` is used.
    pub(in crate::rewrite) fn is_value_used(&self, node: Node<'_>, variable: &Variable) -> bool {
        let Some(parent) = node.parent() else {
            return false;
        };
        let field = node.field();
        match parent.kind() {
            Kind::ParenthesizedExpression => {
                // A condition, or an operand.
                let is_condition = parent.parent().is_some_and(|it| {
                    it.is(Kind::DoStatement) && parent.field() == Field::Condition
                });
                is_condition || self.is_value_used(parent, variable)
            }
            Kind::CommaExpression if field == Field::Right => {
                !self.may_bind(",") && self.is_value_used(parent, variable)
            }
            Kind::ConditionClause => true,
            Kind::ForStatement => field == Field::Condition,
            Kind::BinaryExpression | Kind::UnaryExpression => {
                let sign = parent.operator(self.source);
                // A stream would take its right operand by reference.
                let from_stream = matches!(sign, "<<" | ">>") && field == Field::Right;
                !from_stream && !self.may_bind(sign)
            }
            Kind::SubscriptArgumentList => {
                parent.named_children().count() == 1 && !self.may_bind("[]")
            }
            Kind::AssignmentExpression => {
                field == Field::Right && !self.may_bind(parent.operator(self.source))
            }
            Kind::ConditionalExpression => {
                field == Field::Condition || self.is_value_used(parent, variable)
            }
            Kind::CastExpression => {
                field == Field::Value
                    && parent
                        .child(Field::Type)
                        .is_some_and(|it| self.is_number(it))
            }
            Kind::ArgumentList => parent.parent().is_some_and(|it| {
                let mut arguments = parent.named_children();
                let index = arguments.position(|it| it == node);
                self.takes_value(it) || index.is_some_and(|index| self.takes_by_value(it, index))
            }),
            Kind::InitDeclarator => {
                let declaration = parent.parent().filter(|it| it.is(Kind::Declaration));
                let declarator = Declarator::of(parent, self.source);
                // A macro can expand to `&name`.
                let plain = declarator.layers.is_empty()
                    && declarator
                        .name
                        .is_some_and(|it| !self.is_macro(self.text(it)));
                field == Field::Value
                    && plain
                    && declaration
                        .and_then(|it| it.child(Field::Type))
                        .is_some_and(|it| self.is_object_type(it, variable))
            }
            _ => false,
        }
    }

    /// Whether the result of an assignment is discarded, or only its value is used.
    pub(in crate::rewrite) fn is_result_plain(
        &self,
        node: Node<'_>,
        variable: &Variable,
    ) -> Option<()> {
        let parent = node.parent()?;
        let dropped = match parent.kind() {
            Kind::ExpressionStatement => true,
            Kind::ForStatement => matches!(node.field(), Field::Update | Field::Initializer),
            Kind::CommaExpression => return self.is_result_plain(parent, variable),
            _ => false,
        };
        (dropped || self.is_value_used(node, variable)).then_some(())
    }

    /// Whether a type's name is certainly not a reference.
    fn is_object_type(&self, node: Node<'_>, variable: &Variable) -> bool {
        let text = self.text(node);
        !self.is_macro(text)
            && !self.is_type_declared_near(node, text)
            && (is_scalar(text)
                || text == "auto"
                || (is_vector(bare_name(text)) && !self.facts.is_type(bare_name(text)))
                // There are no arrays of references.
                || text == variable.type_text)
    }

    /// Whether the function around `node` may declare a type called `name`.
    fn is_type_declared_near(&self, node: Node<'_>, name: &str) -> bool {
        node.enclosing_definition().descendants().any(|it| {
            matches!(it.kind(), Kind::AliasDeclaration | Kind::TypeDefinition)
                && it.descendants().any(|part| self.text(part) == name)
        })
    }

    /// Whether a type descriptor denotes a number.
    fn is_number(&self, descriptor: Node<'_>) -> bool {
        let text = descriptor.child_text(Field::Type, self.source);
        descriptor.child(Field::Declarator).is_none() && is_scalar(text) && !self.is_macro(text)
    }

    /// Whether a call takes all its arguments by value.
    fn takes_value(&self, call: Node<'_>) -> bool {
        let Some(callee) = call
            .child(Field::Function)
            .filter(|_| call.is(Kind::CallExpression))
        else {
            return false;
        };
        if let Some(descriptor) = callee.named_cast_type() {
            let (name, _) = split_name(callee, self.source);
            return name == "static_cast" && self.is_number(descriptor);
        }
        let name = self.text(callee);
        match callee.kind() {
            Kind::PrimitiveType => true,
            Kind::Identifier => {
                (takes_numbers(name)
                    || is_scalar(name)
                    || is_block_barrier(name)
                    || is_atomic(name))
                    && !self.is_macro(name)
                    && !self.facts.functions.contains_key(name)
                    && !self.facts.variables.contains_key(name)
                    && !self.is_declared_near(call, name)
            }
            _ => false,
        }
    }

    /// Whether a call is one of functions of the program that take this argument by value.
    fn takes_by_value(&self, call: Node<'_>, index: usize) -> bool {
        let callee = call.child(Field::Function);
        let callee = callee.filter(|it| call.is(Kind::CallExpression) && it.is(Kind::Identifier));
        let Some(name) = callee.map(|it| self.text(it)) else {
            return false;
        };
        let by_value = |it: &Signature| {
            let parameter = it.parameter(index);
            parameter.is_some_and(|it| !it.reference && !it.pack && is_scalar(&it.type_text))
        };
        let functions = self.facts.functions.get(name);
        functions.is_some_and(|all| all.iter().all(by_value))
            && !self.is_macro(name)
            && !self.facts.variables.contains_key(name)
            && !self.is_declared_near(call, name)
    }

    /// Whether the function around `node` mentions `name` other than as the callee of a call.
    pub(super) fn is_declared_near(&self, node: Node<'_>, name: &str) -> bool {
        node.enclosing_definition().descendants().any(|it| {
            it.is(Kind::Identifier)
                && self.text(it) == name
                && it.parent().is_none_or(|it| !it.is(Kind::CallExpression))
        })
    }

    /// Whether an operator of the project may take its operand by reference and change it.
    pub(in crate::rewrite) fn may_bind(&self, sign: &str) -> bool {
        // If a macro gives the operator's sign, the name ends in the macro's parameter.
        let named = |name: &str| {
            let rest = name.strip_prefix("operator");
            rest.is_some_and(|it| it == sign || it.starts_with(' '))
        };
        let functions = self.facts.functions.iter();
        functions
            .filter(|(name, _)| named(name))
            .flat_map(|(_, all)| all)
            .flat_map(|it| &it.parameters)
            .any(|it| it.reference && !it.constant)
    }
}
