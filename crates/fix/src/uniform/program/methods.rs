//! Which methods may change their object.

use hirace_syntax::names::is_pure;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, called_name};

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
            if end.is_some_and(|it| it.contains("const")) && !has_mutable {
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
                node.assigned().is_some_and(is_member)
            }
            Kind::GnuAsmOutputOperand => true,
            Kind::This => self.gives_away(node),
            Kind::PointerExpression if node.is_address(text) => {
                node.child(Field::Argument).is_some_and(is_member)
            }
            Kind::InitDeclarator => {
                let declaration = node.parent().unwrap_or(node);
                let is_reference = Declarator::of(node, text).is_reference();
                is_reference
                    && !declaration.has_type_qualifier("const", text)
                    && node.child(Field::Value).is_some_and(is_member)
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
        let object = callee.child(Field::Argument);
        let object = object.filter(|_| callee.is(Kind::FieldExpression));
        let is_known = self.sources.all().any(|it| it.defines(name));
        match object {
            Some(object) if !self.is_member(object) => Effect::Nothing,
            Some(_) if !is_known => Effect::Changes,
            _ => Effect::Calls(name.to_owned()),
        }
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
                let is_declared = syntax.parameter(definition, name).is_some()
                    || syntax.declarations(definition, name).next().is_some();
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
