//! Whether a variable has the same value in all threads of a group, by everything that may set it.
//!
//! A function whose source is not there is taken to change only what it gets a pointer to, and objects of classes
//! whose source is not there to be the same in all threads if their arguments are.

use hirace_syntax::lexer::{TokenKind, lex_inline};
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::called_name;

use super::{Check, Scope, is_pure};
use crate::syntax::Syntax;

/// The longest chain of methods to follow for what they change.
const MAX_METHODS: usize = 4;

impl Check<'_> {
    /// Whether the variable, or the macro, that has a name at a place is uniform.
    pub(super) fn is_uniform_name(
        &self,
        scope: &Scope<'_>,
        name: &str,
        place: Node<'_>,
        open: &mut Vec<String>,
    ) -> bool {
        if name == "threadIdx" || self.group.spans_blocks() && scope.differs_by_block(name) {
            return false;
        }
        let region = scope.region(name, place);
        // Variables of one name in different blocks are different ones.
        let key = format!("{name} from {}", region.start());
        if open.contains(&key) {
            return true;
        }
        open.push(key);
        let mut bodies = self.sources.macro_bodies(name);
        let begins_uniform = match (region == scope.function, scope.declares_parameter(name)) {
            (true, true) => self.is_uniform_parameter(scope, name),
            (true, false) => {
                bodies.all(|it| self.is_uniform_text(scope, it, place, open))
                    && self.is_uniform_member(scope, name)
            }
            (false, _) => true,
        };
        let same = begins_uniform
            && region.descendants().all(|it| {
                self.keeps_uniform(scope, region, it, name, place, open)
                    || it.assigned().is_some() && self.is_shared_and_ordered(scope, name, it, place)
            });
        open.pop();
        same
    }

    /// Whether a variable that is used at a place remains uniform where a node of its region may change it.
    fn keeps_uniform(
        &self,
        scope: &Scope<'_>,
        region: Node<'_>,
        node: Node<'_>,
        name: &str,
        place: Node<'_>,
        open: &mut Vec<String>,
    ) -> bool {
        let is_set = match node.kind() {
            Kind::AssignmentExpression | Kind::UpdateExpression => self.changes(scope, node, name),
            Kind::InitDeclarator if declares(scope.syntax, node, name) => {
                let is_other = scope.region(name, node) != region;
                let value = node.child(Field::Value);
                return is_other || value.is_none_or(|it| self.is_uniform(scope, it, open));
            }
            Kind::ForRangeLoop if node == region => {
                let range = node.child(Field::Right);
                return range.is_none_or(|it| self.is_uniform(scope, it, open));
            }
            Kind::Declaration if scope.syntax.declares(node, name) => {
                let place = node.child(Field::Declarator).unwrap_or(node);
                return scope.region(name, place) != region || !self.is_of_each_thread(scope, node);
            }
            _ => return !self.may_change(scope, node, name),
        };
        if !is_set {
            return true;
        }
        // Where a function that is passed on runs, nothing here tells.
        let is_here = node.enclosing_function() == region.enclosing_function();
        let value = node.child(Field::Right);
        let target = node.assigned();
        is_here
            && value.is_none_or(|it| self.is_uniform(scope, it, open))
            // An element of an array may be another one in each thread.
            && target.is_none_or(|it| self.all_uniform(scope, it, open))
            && self.is_done_by_all(scope, node, place, open)
    }

    /// Whether an assignment changes a variable, or a part of it.
    pub(super) fn changes(&self, scope: &Scope<'_>, expression: Node<'_>, name: &str) -> bool {
        let Some(target) = expression.assigned() else {
            return false;
        };
        let root = target.descendants_of(Kind::Identifier).next();
        root.is_some_and(|it| scope.syntax.node_text(it) == name)
            && (!scope.is_memory(name) || Some(target) == root)
            && !self.is_behind_member(scope.syntax, target)
    }

    /// Whether an object is in memory that a member points to, as `p.out[i]` is.
    fn is_behind_member(&self, syntax: &Syntax<'_>, object: Node<'_>) -> bool {
        let outer = object.without_parentheses();
        let Some(inner) = outer.child(Field::Argument) else {
            return false;
        };
        let inner = inner.without_parentheses();
        let dereferences = match outer.kind() {
            Kind::SubscriptExpression => true,
            Kind::PointerExpression => !outer.is_address(syntax.text),
            Kind::FieldExpression => outer.operator(syntax.text) == "->",
            _ => false,
        };
        let is_pointer = || {
            let member = inner.child_text(Field::Member, syntax.text);
            inner.is(Kind::FieldExpression) && self.sources.has_pointer_member(member)
        };
        dereferences && is_pointer() || self.is_behind_member(syntax, inner)
    }

    /// Whether code may change a variable otherwise than by an assignment to it.
    fn may_change(&self, scope: &Scope<'_>, node: Node<'_>, name: &str) -> bool {
        let syntax = scope.syntax;
        let is_named = |it: Node<'_>| self.is_part(scope, it, name);
        match node.kind() {
            Kind::GnuAsmOutputOperand => {
                let mut names = node.descendants_of(Kind::Identifier);
                names.any(|it| syntax.node_text(it) == name)
            }
            Kind::PointerExpression => {
                let object = node.child(Field::Argument);
                node.is_address(syntax.text) && object.is_some_and(is_named)
            }
            Kind::InitDeclarator | Kind::ForRangeLoop => {
                let value = match node.kind() {
                    Kind::ForRangeLoop => node.child(Field::Right),
                    _ => node.child(Field::Value),
                };
                let declarator = node.child(Field::Declarator);
                let is_constant = || {
                    let declaration = match node.kind() {
                        Kind::InitDeclarator => node.parent(),
                        _ => Some(node),
                    };
                    declaration.is_some_and(|it| it.has_type_qualifier("const", syntax.text))
                };
                let may_write = declarator.is_some_and(|it| match it.kind() {
                    Kind::ReferenceDeclarator => true,
                    Kind::PointerDeclarator => scope.is_array(name),
                    _ => false,
                });
                may_write && value.is_some_and(is_named) && !is_constant()
            }
            Kind::CallExpression => self.call_may_change(scope, node, name),
            _ => false,
        }
    }

    /// Whether an expression is a variable, a part of it, or an element.
    fn is_part(&self, scope: &Scope<'_>, expression: Node<'_>, name: &str) -> bool {
        let expression = expression.without_parentheses();
        let inner = match expression.kind() {
            Kind::Identifier => {
                return scope.syntax.node_text(expression) == name && !scope.is_memory(name);
            }
            Kind::FieldExpression | Kind::SubscriptExpression => expression.child(Field::Argument),
            _ => None,
        };
        !self.is_behind_member(scope.syntax, expression)
            && inner.is_some_and(|it| self.is_part(scope, it, name))
    }

    fn call_may_change(&self, scope: &Scope<'_>, call: Node<'_>, name: &str) -> bool {
        let Some(callee) = call.child(Field::Function) else {
            return false;
        };
        let function = scope.syntax.node_text(called_name(callee).0);
        let object = callee
            .child(Field::Argument)
            .filter(|_| callee.is(Kind::FieldExpression));
        if object.is_some_and(|it| self.is_part(scope, it, name))
            && self.changes_object(function, MAX_METHODS)
        {
            return true;
        }
        let mut arguments = call.arguments().enumerate();
        arguments.any(|(index, it)| {
            self.is_part(scope, it, name)
                && self.takes_changeable(function, index, scope.is_array(name))
        })
    }

    /// Whether a function may change the object that it gets as an argument.
    fn takes_changeable(&self, function: &str, index: usize, is_array: bool) -> bool {
        let mut bodies = self.sources.macro_bodies(function).peekable();
        if bodies.peek().is_some() {
            return bodies.any(|it| it.contains('=') || it.contains("++") || it.contains("--"));
        }
        let mut definitions = self.sources.definitions(function).peekable();
        if definitions.peek().is_none() {
            return is_array && !is_pure(function) || ["swap", "exchange"].contains(&function);
        }
        definitions.any(|(syntax, definition)| {
            let head = definition.descendants_of(Kind::FunctionDeclarator).next();
            let list = head.and_then(|it| it.child(Field::Parameters));
            let parameters = list.into_iter().flat_map(Node::named_children);
            // The last one may stand for several.
            let parameter = parameters.take(index + 1).last();
            parameter.is_some_and(|it| {
                let text = syntax.node_text(it);
                let passes = text.contains('&') || is_array && text.contains(['*', '[']);
                passes && !it.has_type_qualifier("const", syntax.text)
            })
        })
    }

    /// Whether a method may change its object.
    fn changes_object(&self, method: &str, depth: usize) -> bool {
        self.sources
            .definitions(method)
            .any(|(syntax, definition)| {
                let Some(body) = definition.child(Field::Body) else {
                    return false;
                };
                let head = definition.descendants_of(Kind::FunctionDeclarator).next();
                let end = head.and_then(|it| it.child(Field::Parameters));
                let end = end.and_then(|it| syntax.text.get(it.end()..body.start()));
                if end.is_some_and(|it| it.contains("const")) {
                    return false;
                }
                let own = Scope {
                    syntax,
                    function: definition,
                    depth: 0,
                };
                body.descendants().any(|it| match it.kind() {
                    Kind::AssignmentExpression | Kind::UpdateExpression => {
                        it.assigned().is_some_and(|it| self.is_member(&own, it))
                    }
                    Kind::GnuAsmOutputOperand => true,
                    Kind::CallExpression => {
                        let mut arguments = it.arguments();
                        let callee = it.child(Field::Function);
                        let name = callee.map_or("", |it| syntax.node_text(called_name(it).0));
                        let is_own = callee.is_some_and(|it| it.is(Kind::Identifier));
                        arguments.any(|it| self.is_member(&own, it)) && !is_pure(name)
                            || is_own && depth > 0 && self.changes_object(name, depth - 1)
                    }
                    _ => false,
                })
            })
    }

    /// Whether an expression is a member of the object whose method this is, or a part of one.
    fn is_member(&self, method: &Scope<'_>, expression: Node<'_>) -> bool {
        let expression = expression.without_parentheses();
        let is_pointer = |it: Node<'_>| {
            let name = method.syntax.node_text(it);
            it.is(Kind::Identifier) && self.sources.has_pointer_member(name)
        };
        match expression.kind() {
            Kind::This => true,
            Kind::Identifier => {
                let name = method.syntax.node_text(expression);
                method.region(name, expression) == method.function
                    && !method.declares_parameter(name)
                    && self.sources.has_member(name)
            }
            Kind::FieldExpression | Kind::SubscriptExpression | Kind::PointerExpression => {
                let Some(inner) = expression.child(Field::Argument) else {
                    return false;
                };
                let is_behind = !expression.is(Kind::FieldExpression) && is_pointer(inner)
                    || self.is_behind_member(method.syntax, expression);
                !is_behind && self.is_member(method, inner)
            }
            _ => false,
        }
    }

    /// Whether each thread may have another object in a variable, because its class asks which thread it is.
    fn is_of_each_thread(&self, scope: &Scope<'_>, declaration: Node<'_>) -> bool {
        let class = declaration.child_text(Field::Type, scope.syntax.text);
        let class = class.split('<').next().unwrap_or(class).trim();
        let class = class.rsplit(':').next().unwrap_or(class);
        let asks = |text: &str| {
            let is_macro = |word: &str| {
                let mut bodies = self.sources.macro_bodies(word);
                bodies.any(|it| it.contains("threadIdx"))
            };
            let mut words = text.split(|it: char| !it.is_alphanumeric() && it != '_');
            words.any(|it| it == "threadIdx" || is_macro(it))
        };
        let mut constructors = self.sources.definitions(class);
        let is_set = |(syntax, class): (&Syntax<'_>, Node<'_>)| {
            let mut members = class.descendants_of(Kind::FieldDeclaration);
            members.any(|it| asks(syntax.node_text(it)))
        };
        !scope.syntax.qualifiers(declaration).has(Qualifiers::SHARED)
            && (constructors.any(|(syntax, it)| asks(syntax.node_text(it)))
                || self.sources.classes(class).any(is_set))
    }

    /// Whether a name that a function does not declare is no member, or one of an object that is uniform.
    fn is_uniform_member(&self, scope: &Scope<'_>, name: &str) -> bool {
        !scope.is_method() || !self.sources.has_member(name) || self.is_uniform_object(scope)
    }

    /// Whether the object of a method is uniform in all calls.
    pub(super) fn is_uniform_object(&self, scope: &Scope<'_>) -> bool {
        let object = |(syntax, call): (&_, Node<'_>)| {
            let callee = call.child(Field::Function)?;
            let object = callee.child(Field::Argument);
            let object = object.filter(|_| callee.is(Kind::FieldExpression))?;
            let caller = Scope {
                syntax,
                function: call.enclosing_function()?,
                depth: scope.depth + 1,
            };
            Some(self.is_uniform(&caller, object, &mut Vec::new()))
        };
        let calls = self.calls(scope);
        calls.is_some_and(|it| it.into_iter().all(|it| object(it) == Some(true)))
    }

    /// Whether the text of a macro is uniform where it is used.
    fn is_uniform_text(
        &self,
        scope: &Scope<'_>,
        text: &str,
        place: Node<'_>,
        open: &mut Vec<String>,
    ) -> bool {
        let tokens = lex_inline(text).tokens;
        tokens.iter().enumerate().all(|(index, token)| {
            let word = token.text(text);
            let is_called = tokens.get(index + 1).map(|it| it.text(text)) == Some("(");
            let before = index.checked_sub(1).map(|it| tokens[it].text(text));
            let is_member = before.is_some_and(|it| [".", "->"].contains(&it));
            token.kind != TokenKind::Word
                || is_member
                || (is_pure(word) || !is_called) && self.is_uniform_name(scope, word, place, open)
        })
    }
}

/// Whether a declarator declares a name, by itself or in a list, `auto [a, b]`.
fn declares(syntax: &Syntax<'_>, declarator: Node<'_>, name: &str) -> bool {
    let inner = declarator.child(Field::Declarator);
    let list = inner.filter(|it| it.is(Kind::StructuredBindingDeclarator));
    match list {
        Some(list) => {
            let mut names = list.descendants_of(Kind::Identifier);
            names.any(|it| syntax.node_text(it) == name)
        }
        None => syntax.declared(declarator) == Some(name),
    }
}
