//! Arguments of constructors, and the types that they construct.

use crate::rewrite::classify::Whose;
use crate::rewrite::context::Rewriter;
use crate::rewrite::names::cuda::ATOMIC_REF;
use crate::rewrite::names::{bare_name, is_scalar};
use crate::rewrite::role::{Role, Target};
use hirace_syntax::names::is_vector;
use hirace_syntax::tree::{Field, Kind, Node};

/// Library classes whose objects refer to their constructor arguments.
const REFERRING: [&str; 2] = ["atomic_ref", "reference_wrapper"];

impl Rewriter<'_> {
    /// The elements of an array of `type_text`.
    pub(super) fn elements(&mut self, type_text: &str, value: Node<'_>) {
        let role = match self.spelled(type_text) {
            _ if is_scalar(type_text) => Role::Load,
            _ if self.is_loaded_whole(type_text) => self.copied_into_member(),
            Some(target) => {
                self.target = Target::first_of_one(target);
                Role::Initializer
            }
            None => Role::Argument,
        };
        self.initializers(value, role);
    }

    /// The initialisers of an object of the type `type_text` between `()` or `{}`.
    pub(crate) fn construct(&mut self, type_text: &str, arguments: Node<'_>) {
        let target = self.spelled(type_text);
        self.constructor_arguments(type_text, target, arguments);
    }

    /// The same, with a spelling of the type in `target`.
    pub(crate) fn constructor_arguments(
        &mut self,
        type_text: &str,
        target: Option<String>,
        arguments: Node<'_>,
    ) {
        let name = bare_name(type_text);
        if self.refers(name) {
            return self.initializers(arguments, Role::Locate);
        }
        let count = arguments.named_children().count();
        let nested = arguments
            .named_children()
            .any(|it| matches!(it.kind(), Kind::InitializerPair | Kind::InitializerList));
        if !nested && !self.candidates(name, count).is_empty() {
            return self.arguments_of(name, arguments, &Whose::Any);
        }
        if self.is_loaded_whole(type_text) {
            let role = match type_text {
                "auto" => Role::Copy,
                number if is_scalar(number) => Role::Load,
                _ => self.copied_into_member(),
            };
            return self.initializers(arguments, role);
        }
        for (index, argument) in arguments.named_children().enumerate() {
            let designated = argument.is(Kind::InitializerPair);
            let value = match argument.child(Field::Value) {
                Some(value) if designated => value,
                _ => argument,
            };
            match &target {
                Some(target) if !designated && !value.is(Kind::InitializerList) => {
                    self.target = Target {
                        type_text: target.clone(),
                        place: format!(", {index}, {count}"),
                    };
                    self.expression(value, Role::Initializer);
                }
                _ if designated && self.is_bound(argument) => {
                    self.expression(value, Role::Locate);
                }
                _ => self.expression(value, Role::Argument),
            }
        }
    }

    /// Whether `.f = value` binds a reference.
    fn is_bound(&self, pair: Node<'_>) -> bool {
        let member = pair.first_named().map_or("", |it| self.text(it));
        let fields = self.facts.fields.get(member.trim_start_matches('.'));
        fields.is_some_and(|all| all.iter().any(|it| it.reference))
    }

    /// Whether initialising an object of this type loads everything between the braces: it is a
    /// number, or a class without constructors and references.
    fn is_loaded_whole(&self, type_text: &str) -> bool {
        is_scalar(type_text)
            || type_text == "auto"
            || is_vector(type_text)
            || self.facts.is_plain(bare_name(type_text))
    }

    /// Whether objects of a library class refer to their constructor arguments.
    pub(crate) fn refers(&self, name: &str) -> bool {
        let last = name.rsplit("::").next().unwrap_or(name);
        let alias = self.facts.synchronising.get(last);
        REFERRING.contains(&last) || alias.is_some_and(|it| *it == ATOMIC_REF)
    }

    /// The type as a template argument; none if it may be a template whose arguments the compiler
    /// deduces.
    pub(crate) fn spelled(&self, type_text: &str) -> Option<String> {
        let name = bare_name(type_text);
        let deduced = if type_text.trim_end().ends_with('>') || is_scalar(type_text) {
            false
        } else if type_text.contains(['(', '{']) || matches!(type_text, "" | "auto") {
            true
        } else if self.facts.is_type(name) {
            let inside = self.classes.iter().any(|it| it == name)
                || self.enclosing.class.as_deref() == Some(name);
            !inside && self.facts.templates.contains(name)
        } else {
            let first = type_text.trim_start_matches("::").split("::").next();
            type_text.contains("::")
                && matches!(
                    first,
                    Some("std" | "thrust" | "cuda" | "cub" | "cg" | "cooperative_groups")
                )
        };
        if deduced {
            return None;
        }
        let text = type_text.split_whitespace().collect::<Vec<_>>().join(" ");
        let outer = text.split('<').next().unwrap_or("");
        // A dependent name needs `typename`; any other qualified name may have it.
        let dependent = outer.contains("::") || text.contains(">::");
        Some(if dependent {
            format!("typename {text}")
        } else {
            text
        })
    }
}
