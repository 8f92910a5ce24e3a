//! Which methods may change their object.

use hirace_syntax::names::is_pure;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, called_name};
use hirace_syntax::words::words_in;

use crate::syntax::{Sources, Syntax};

/// Whether a method of this name may change its object, by itself or by others that it calls.
pub(super) fn change_object(sources: &Sources<'_>, method: &str) -> bool {
    // In this case, what is `const` may change, too.
    let has_mutable = sources.all().any(|it| it.text.contains("mutable"));
    let mut waiting = vec![method.to_owned()];
    let mut seen = waiting.clone();
    while let Some(name) = waiting.pop() {
        for (syntax, definition) in sources.definitions(&name) {
            let Some(body) = definition.child(Field::Body) else {
                continue;
            };
            let head = definition.descendants_of(Kind::FunctionDeclarator).next();
            let end = head.and_then(|it| it.child(Field::Parameters));
            let end = end.and_then(|it| syntax.text.get(it.end()..body.start()));
            let is_constant = end.is_some_and(|it| words_in(it).next() == Some("const"));
            let casts = syntax.node_text(body).contains("const_cast");
            if is_constant && !has_mutable && !casts {
                continue;
            }
            let method = Method {
                sources,
                syntax,
                definition,
            };
            for node in body.descendants() {
                match method.effect(node) {
                    Effect::Nothing => {}
                    Effect::Changes => return true,
                    Effect::Calls(name) => {
                        if !seen.contains(&name) {
                            seen.push(name.clone());
                            waiting.push(name);
                        }
                    }
                }
            }
        }
    }
    false
}

/// What a node does to the object.
enum Effect {
    Nothing,
    Changes,
    /// As much as the method of this name does.
    Calls(String),
}

struct Method<'s> {
    sources: &'s Sources<'s>,
    syntax: &'s Syntax<'s>,
    definition: Node<'s>,
}

impl Method<'_> {
    fn effect(&self, node: Node<'_>) -> Effect {
        let text = self.syntax.text;
        let is_member = |it| self.is_member(it);
        let changes = match node.kind() {
            Kind::AssignmentExpression | Kind::UpdateExpression => {
                node.assigned().is_some_and(|it| self.may_be_member(it))
            }
            Kind::ForRangeLoop => {
                let declarator = node.child(Field::Declarator);
                declarator.is_some_and(|it| Declarator::of(it, text).is_reference())
                    && !node.has_type_qualifier("const", text)
                    && node.child(Field::Right).is_some_and(is_member)
            }
            Kind::Identifier => self.is_macro_that_changes(node),
            Kind::GnuAsmOutputOperand => true,
            Kind::This => self.gives_away(node),
            Kind::PointerExpression if node.is_address(text) => {
                node.child(Field::Argument).is_some_and(is_member)
            }
            Kind::InitDeclarator => {
                let declaration = node.parent().unwrap_or(node);
                let is_reference = Declarator::of(node, text).is_reference();
                let value = node.child(Field::Value);
                let is_array = || value.is_some_and(|it| self.is_array(it));
                (is_reference || is_array())
                    && !declaration.has_type_qualifier("const", text)
                    && value.is_some_and(|it| self.may_be_member(it))
            }
            Kind::CallExpression => return self.call(node),
            _ => false,
        };
        match changes {
            true => Effect::Changes,
            false => Effect::Nothing,
        }
    }

    /// Whether `this` is used other than for a member, as the result, or to be read.
    fn gives_away(&self, this: Node<'_>) -> bool {
        let Some(outer) = this.parent() else {
            return true;
        };
        let around = outer.parent();
        match outer.kind() {
            Kind::FieldExpression => false,
            Kind::PointerExpression => !around.is_some_and(|it| {
                let is_parenthesized = it.is(Kind::ParenthesizedExpression)
                    && it.parent().is_some_and(|it| it.is(Kind::FieldExpression));
                it.is(Kind::ReturnStatement) || is_parenthesized
            }),
            _ => true,
        }
    }

    fn call(&self, call: Node<'_>) -> Effect {
        let Some(callee) = call.child(Field::Function) else {
            return Effect::Changes;
        };
        let name = self.syntax.node_text(called_name(callee).0);
        if call.arguments().any(|it| self.is_member(it)) && !is_pure(name) {
            return Effect::Changes;
        }
        if callee.is(Kind::Identifier) && self.is_member(callee) {
            return Effect::Calls("operator()".to_owned());
        }
        let object = callee.child(Field::Argument);
        let object = object.filter(|_| callee.is(Kind::FieldExpression));
        let is_known = self.sources.all().any(|it| it.defines(name));
        match object {
            Some(object) if !self.is_member(object) => Effect::Nothing,
            Some(_) if !is_known => Effect::Changes,
            _ => Effect::Calls(name.to_owned()),
        }
    }

    /// Whether an expression stands for a member of the object, or may do so.
    fn may_be_member(&self, expression: Node<'_>) -> bool {
        let expression = expression.without_parentheses();
        let child = |field| {
            expression
                .child(field)
                .is_some_and(|it| self.may_be_member(it))
        };
        match expression.kind() {
            Kind::ConditionalExpression => child(Field::Consequence) || child(Field::Alternative),
            // What it returns may give access to the object.
            Kind::CallExpression => true,
            Kind::FieldExpression | Kind::SubscriptExpression => {
                let inner = expression.child(Field::Argument);
                let is_call =
                    inner.is_some_and(|it| it.without_parentheses().is(Kind::CallExpression));
                is_call || self.is_member(expression)
            }
            Kind::PointerExpression => {
                let inner = expression
                    .child(Field::Argument)
                    .map(Node::without_parentheses);
                let sum = inner.filter(|it| it.is(Kind::BinaryExpression));
                let sides = [Field::Left, Field::Right].map(|it| sum.and_then(|sum| sum.child(it)));
                sides
                    .into_iter()
                    .flatten()
                    .any(|it| self.is_array(it) && self.is_member(it))
                    || self.is_member(expression)
            }
            _ => self.is_member(expression),
        }
    }

    /// Whether an expression is that of a member which is an array.
    fn is_array(&self, expression: Node<'_>) -> bool {
        let expression = expression.without_parentheses();
        let name = match expression.kind() {
            Kind::FieldExpression => expression.child_text(Field::Member, self.syntax.text),
            _ => self.syntax.node_text(expression),
        };
        self.sources.has_array_member(name)
    }

    /// Whether a name is that of a macro whose text may assign to something.
    fn is_macro_that_changes(&self, name: Node<'_>) -> bool {
        let mut bodies = self.sources.macro_bodies(self.syntax.node_text(name));
        bodies.any(|it| {
            ["=", "++", "--", "&"]
                .iter()
                .any(|change| it.contains(change))
        })
    }

    /// Whether an expression is a member of the object whose method this is, or a part of one.
    fn is_member(&self, expression: Node<'_>) -> bool {
        let Self {
            sources,
            syntax,
            definition,
        } = *self;
        let expression = expression.without_parentheses();
        match expression.kind() {
            Kind::This => true,
            Kind::Identifier => {
                let name = syntax.node_text(expression);
                let is_visible = |it: Node<'_>| {
                    let scope = it.parent();
                    it.start() < expression.start()
                        && scope.is_some_and(|it| it.encloses(expression))
                };
                let is_declared = syntax.parameter(definition, name).is_some()
                    || syntax.declarations(definition, name).any(is_visible);
                !is_declared && sources.has_member(name)
            }
            Kind::FieldExpression | Kind::SubscriptExpression | Kind::PointerExpression => {
                let Some(inner) = expression.child(Field::Argument) else {
                    return false;
                };
                let pointer = inner.without_parentheses();
                let name = match pointer.kind() {
                    Kind::Identifier => syntax.node_text(pointer),
                    Kind::FieldExpression => pointer.child_text(Field::Member, syntax.text),
                    _ => "",
                };
                let dereferences = match expression.kind() {
                    Kind::FieldExpression => syntax.operator(expression) == "->",
                    _ => !expression.is_address(syntax.text),
                };
                let is_behind = dereferences && sources.has_pointer_member(name);
                !is_behind && self.is_member(inner)
            }
            _ => false,
        }
    }
}
