//! What the program's files say about the names in a function.

use hirace_ir::lower;
use hirace_ir::lower::values::Program;
use hirace_syntax::names::is_pure;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::called_name;

use crate::syntax::{Sources, Syntax};

/// The longest chain of methods to follow for what they change.
const MAX_METHODS: usize = 4;

/// The program's files, as seen from one of them.
pub(super) struct OfFile<'s> {
    pub sources: &'s Sources<'s>,
    pub syntax: &'s Syntax<'s>,
}

impl lower::Program for OfFile<'_> {
    fn macro_texts(&self, name: &str) -> Vec<&str> {
        self.sources.macro_bodies(name).collect()
    }

    /// What is called without a definition is a function of a library.
    fn is_called(&self, _callee: Node<'_>) -> bool {
        true
    }
}

impl Program for OfFile<'_> {
    fn has_member(&self, name: &str) -> bool {
        self.sources.has_member(name)
    }

    fn has_pointer_member(&self, name: &str) -> bool {
        self.sources.has_pointer_member(name)
    }

    fn integer(&self, text: &str) -> Option<i64> {
        let is_number = text.starts_with(|it: char| it.is_ascii_digit());
        let is_wanted = is_number || self.syntax.has_integer_constant(text);
        self.syntax
            .constant(text)
            .filter(|_| is_wanted)?
            .try_into()
            .ok()
    }

    fn alias(&self, name: &str) -> Option<&str> {
        Some(self.syntax.node_text(self.syntax.alias(name)?))
    }

    fn is_declared(&self, name: &str) -> bool {
        self.sources.all().any(|it| it.has_declaration(name))
    }

    fn is_uncertain(&self, offset: usize) -> bool {
        self.syntax.is_uncertain(offset)
    }

    fn is_in_shared(&self, declaration: Node<'_>) -> bool {
        self.syntax.is_in_shared(declaration)
    }

    fn may_change_argument(&self, function: &str, index: usize, is_array: bool) -> bool {
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

    fn takes_values(&self, function: &str) -> bool {
        let definitions = self.sources.definitions(function);
        let mut by_value = definitions.map(|(syntax, it)| {
            let body = it.child(Field::Body).map_or(it.end(), Node::start);
            !syntax.text[it.start()..body].contains('&')
        });
        by_value
            .next()
            .is_some_and(|it| it && by_value.all(|it| it))
    }

    fn may_change_object(&self, method: &str) -> bool {
        changes_object(self.sources, method, MAX_METHODS)
    }

    fn depends_on_thread(&self, class: &str) -> bool {
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
        constructors.any(|(syntax, it)| asks(syntax.node_text(it)))
            || self.sources.classes(class).any(is_set)
    }
}

fn changes_object(sources: &Sources<'_>, method: &str, depth: usize) -> bool {
    sources.definitions(method).any(|(syntax, definition)| {
        let Some(body) = definition.child(Field::Body) else {
            return false;
        };
        let head = definition.descendants_of(Kind::FunctionDeclarator).next();
        let end = head.and_then(|it| it.child(Field::Parameters));
        let end = end.and_then(|it| syntax.text.get(it.end()..body.start()));
        if end.is_some_and(|it| it.contains("const")) {
            return false;
        }
        let is_member = |it| is_member(sources, syntax, definition, it);
        body.descendants().any(|it| match it.kind() {
            Kind::AssignmentExpression | Kind::UpdateExpression => {
                it.assigned().is_some_and(is_member)
            }
            Kind::GnuAsmOutputOperand => true,
            Kind::CallExpression => {
                let callee = it.child(Field::Function);
                let name = callee.map_or("", |it| syntax.node_text(called_name(it).0));
                let is_own = callee.is_some_and(|it| it.is(Kind::Identifier));
                it.arguments().any(is_member) && !is_pure(name)
                    || is_own && depth > 0 && changes_object(sources, name, depth - 1)
            }
            _ => false,
        })
    })
}

/// Whether an expression is a member of the object whose method this is, or a part of one.
fn is_member(
    sources: &Sources<'_>,
    syntax: &Syntax<'_>,
    method: Node<'_>,
    expression: Node<'_>,
) -> bool {
    let expression = expression.without_parentheses();
    match expression.kind() {
        Kind::This => true,
        Kind::Identifier => {
            let name = syntax.node_text(expression);
            let is_declared = syntax.parameter(method, name).is_some()
                || syntax.declarations(method, name).next().is_some();
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
            !is_behind && is_member(sources, syntax, method, inner)
        }
        _ => false,
    }
}
