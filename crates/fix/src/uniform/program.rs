//! What the program's files say about the names in a function.

mod dependence;
mod methods;

use hirace_ir::lower;
use hirace_ir::lower::values::Program;
use hirace_ir::values::Dependence;
use hirace_syntax::names::is_pure;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, Lambda};
use hirace_syntax::words::is_builtin_type;

use dependence::{Dependences, is_read};

use crate::syntax::{Sources, Syntax};

/// The program's files, as seen from one of them.
pub(super) struct OfFile<'s> {
    pub sources: &'s Sources<'s>,
    pub syntax: &'s Syntax<'s>,
}

impl OfFile<'_> {
    /// Whether a node is in an argument of a macro, which may evaluate it under a condition, or several times.
    pub fn is_in_macro(&self, node: Node<'_>) -> bool {
        let is_macro = |call: Node<'_>| {
            let callee = call.child(Field::Function);
            let callee = callee.filter(|it| call.is(Kind::CallExpression) && *it != node);
            callee.is_some_and(|it| {
                let name = self.syntax.node_text(it);
                self.sources.macro_bodies(name).next().is_some()
            })
        };
        node.ancestors().skip(1).any(is_macro)
    }

    /// Whether a parameter lets a function change the argument, or the elements of an array.
    fn gives_access(&self, syntax: &Syntax<'_>, parameter: Node<'_>, is_array: bool) -> bool {
        let text = syntax.node_text(parameter);
        let type_name = parameter.child_text(Field::Type, syntax.text);
        let alias = self
            .sources
            .all()
            .find_map(|it| Some(it.node_text(it.alias(type_name)?)));
        let is_reference = |it: &str| it.contains('&');
        let is_constant = parameter.has_type_qualifier("const", syntax.text);
        // What is `const` has members that may change.
        let has_mutable = || self.sources.all().any(|it| it.text.contains("mutable"));
        if is_reference(text) || alias.is_some_and(is_reference) {
            return !is_constant || has_mutable();
        }
        let is_value = is_builtin_type(type_name) && type_name != "auto";
        is_array && !is_constant && (!is_value || text.contains(['*', '[']))
    }
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
        self.syntax.integer(text)?.try_into().ok()
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

    fn has_array_member(&self, name: &str) -> bool {
        self.sources.has_array_member(name)
    }

    fn shared_rank(&self, name: &str) -> Option<usize> {
        self.sources.all().find_map(|it| it.shared_rank(name))
    }

    fn has_definition(&self, name: &str) -> bool {
        self.sources.all().any(|it| it.defines(name))
    }

    fn has_method(&self, name: &str) -> bool {
        let mut definitions = self.sources.definitions(name);
        definitions.any(|(syntax, it)| is_method(syntax, it))
    }

    fn may_change_argument(&self, function: &str, index: usize, is_array: bool) -> bool {
        let mut definitions = self.sources.definitions(function).peekable();
        let classes = self.sources.classes(function);
        let is_kept = classes.map(|(syntax, it)| refers(syntax, it, is_array));
        let is_kept: Vec<bool> = is_kept.collect();
        if definitions.peek().is_none() && is_kept.is_empty() {
            return is_array && !is_pure(function);
        }
        let is_changed = definitions.any(|(syntax, definition)| {
            let head = definition.descendants_of(Kind::FunctionDeclarator).next();
            let list = head.and_then(|it| it.child(Field::Parameters));
            let parameters = list.into_iter().flat_map(Node::named_children);
            // The last one may stand for several.
            let parameter = parameters.take(index + 1).last();
            parameter.is_some_and(|it| self.gives_access(syntax, it, is_array))
        });
        is_changed || is_kept.contains(&true)
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
        methods::change_object(self.sources, method)
    }

    fn returns_access(&self, method: &str) -> bool {
        self.sources.definitions(method).any(|(syntax, it)| {
            let Some(declarator) = it.child(Field::Declarator) else {
                return true;
            };
            let parts = Declarator::of(declarator, syntax.text);
            let is_constant = it.has_type_qualifier("const", syntax.text);
            let result = parts.layers.get(1);
            let is_deduced = it.child_text(Field::Type, syntax.text).contains("auto");
            is_deduced || result.is_some() && !is_constant
        })
    }

    fn dependence(&self, name: &str) -> Option<Dependence> {
        Dependences::of(self.sources).named(name)
    }

    fn has_operators_of_threads(&self) -> bool {
        let operator = |syntax: &Syntax<'_>| {
            let mut operators = syntax
                .functions()
                .filter(|it| syntax.name(*it).is_none_or(is_read));
            operators.any(|it| {
                let depends = Dependences::of(self.sources).of_text(syntax.node_text(it));
                depends == Dependence::Thread
            })
        };
        let known = &self.syntax.known.has_operators_of_threads;
        *known.get_or_init(|| self.sources.all().any(operator))
    }

    fn has_classes_of_threads(&self) -> bool {
        let class = |syntax: &Syntax<'_>| {
            let mut classes = syntax.all_classes();
            classes
                .any(|it| Dependences::of(self.sources).of_class(syntax, it) == Dependence::Thread)
        };
        let known = &self.syntax.known.has_classes_of_threads;
        *known.get_or_init(|| self.sources.all().any(class))
    }

    fn has_lambdas_by_reference(&self) -> bool {
        let lambda = |syntax: &Syntax<'_>| {
            syntax.lambdas().any(|it| {
                let mut parameters = Lambda::of(it, syntax.text).parameters.into_iter();
                parameters.any(|it| it.is_reference() && !it.constant)
            })
        };
        let known = &self.syntax.known.has_lambdas_by_reference;
        *known.get_or_init(|| self.sources.all().any(lambda))
    }

    fn dependence_of_text(&self, text: &str) -> Dependence {
        Dependences::of(self.sources).of_types(text)
    }

    fn dependence_of_class(&self, class: Node<'_>) -> Dependence {
        match (class.child(Field::Body), class.class_name()) {
            (None, Some(name)) => {
                let known = self.dependence(self.syntax.node_text(name));
                known.unwrap_or(Dependence::Arguments)
            }
            _ => Dependences::of(self.sources).of_class(self.syntax, class),
        }
    }
}

/// Whether an aggregate has members that give access to what it is initialised with.
fn refers(syntax: &Syntax<'_>, class: Node<'_>, is_array: bool) -> bool {
    let mut members = class.descendants_of(Kind::FieldDeclaration);
    members.any(|it| {
        let text = syntax.node_text(it);
        let passes = text.contains('&') || is_array && text.contains('*');
        passes && !text.contains('(') && !it.has_type_qualifier("const", syntax.text)
    })
}

/// Whether a function is a member of a class.
pub(super) fn is_method(syntax: &Syntax<'_>, function: Node<'_>) -> bool {
    let declarator = function.child(Field::Declarator);
    let declarator = declarator.map(|it| Declarator::of(it, syntax.text));
    let name = declarator.and_then(|it| it.name);
    let is_qualified = name.is_some_and(|it| it.is(Kind::QualifiedIdentifier));
    is_qualified || function.ancestors().any(Node::is_class)
}
