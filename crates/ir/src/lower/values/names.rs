//! What names stand for.

use hirace_syntax::lexer::{TokenKind, lex_inline};
use hirace_syntax::names::is_pure;
use hirace_syntax::tree::Node;

use super::{Lowering, Source};
use crate::function::Place;
use crate::values::{Object, Origin, Value, Variable, VariableId};

/// Types that can represent all values from 0 to 2³¹ − 1.
const INTEGERS: &[&str] = &[
    "auto",
    "int",
    "int32_t",
    "int64_t",
    "long",
    "long int",
    "long long",
    "size_t",
    "uint",
    "uint32_t",
    "uint64_t",
    "unsigned",
    "unsigned int",
    "unsigned long",
    "unsigned long long",
];

/// Whether a type is an integer that represents all values from 0 to 2³¹ − 1.
pub fn is_integer_name(name: &str) -> bool {
    INTEGERS.contains(&name.strip_prefix("std::").unwrap_or(name))
}

/// Whether a call of this function converts its argument to such an integer.
pub(super) fn is_conversion(callee: &str) -> bool {
    let target = callee.strip_prefix("static_cast<");
    is_integer_name(target.map_or(callee, |it| it.trim_end_matches('>')))
}

/// The name of a type or function, without namespaces and template arguments.
pub(super) fn last_name(name: &str) -> &str {
    let name = name.split('<').next().unwrap_or(name).trim();
    name.rsplit(':').next().unwrap_or(name)
}

impl Source<'_, '_> {
    /// The cooperative group that a type, or the result of a function, stands for.
    pub(super) fn group(&self, name: &str) -> Option<Object> {
        let alias = || self.described(self.program.alias(name)?);
        self.described(name).or_else(alias)
    }

    fn described(&self, text: &str) -> Option<Object> {
        let (name, arguments) = text.split_once('<').unwrap_or((text, ""));
        match name.rsplit([':', ' ']).next()? {
            "thread_block_tile" | "tiled_partition" if !arguments.is_empty() => {
                let width = arguments.split([',', '>']).next()?.trim();
                Some(Object::Tile(self.program.integer(width).unwrap_or(0)))
            }
            "thread_block" | "this_thread_block" => Some(Object::Block),
            "cluster_group" | "this_cluster" => Some(Object::Cluster),
            "grid_group" | "this_grid" => Some(Object::Grid),
            _ => None,
        }
    }
}

impl<'t> Lowering<'t, '_> {
    /// Notes what an identifier stands for.
    pub(super) fn name(&mut self, node: Node<'t>) {
        let place = self.source.flow.place(node).unwrap_or(self.entry());
        let value = self.named(self.text(node), place);
        self.values.names.insert(node.start(), value);
        self.decay(node);
    }

    /// The value of the variable, or of the macro, that has a name here.
    fn named(&mut self, name: &str, place: Place) -> Value {
        if let Some(variable) = self.declared(name) {
            return Value::Variable(variable, place);
        }
        let texts = self.source.program.macro_texts(name);
        if texts.is_empty() || self.macros.iter().any(|it| it == name) {
            return Value::Variable(self.outside(name), place);
        }
        self.macros.push(name.to_owned());
        let parts = texts.into_iter().map(|it| self.of_text(it, place));
        let parts = parts.collect();
        self.macros.pop();
        Value::Parts(parts)
    }

    /// The variable of a name that the function declares.
    fn declared(&self, name: &str) -> Option<VariableId> {
        let mut scopes = self.scopes.iter().rev();
        scopes.find_map(|it| it.get(name).copied())
    }

    /// The variable of a name that the function does not declare.
    fn outside(&mut self, name: &str) -> VariableId {
        if let Some(known) = self.outside.get(name) {
            return *known;
        }
        let program = self.source.program;
        let origin = match self.source.is_method && program.has_member(name) {
            true => Origin::Member,
            false => Origin::Outside,
        };
        let variable = self.add(Variable {
            name: name.to_owned(),
            origin,
            group: None,
            visible: self.source.definition.range(),
            is_shared: false,
            is_memory: true,
            is_array: false,
            is_reference: false,
            is_integer: false,
            is_class: false,
            is_constant: false,
            known: program.integer(name),
            escapes: false,
            is_passed_on: false,
        });
        self.outside.insert(name.to_owned(), variable);
        let entry = self.entry();
        self.define(variable, entry, Value::AtEntry(variable), true, false);
        variable
    }

    /// The values that the text of a macro is computed from.
    fn of_text(&mut self, text: &str, place: Place) -> Value {
        let tokens = lex_inline(text).tokens;
        let mut parts = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let word = token.text(text);
            let is_called = tokens.get(index + 1).map(|it| it.text(text)) == Some("(");
            let before = index.checked_sub(1).map(|it| tokens[it].text(text));
            let is_member = before.is_some_and(|it| [".", "->"].contains(&it));
            if token.kind == TokenKind::Word && !is_member {
                parts.push(match is_called && !is_pure(word) {
                    true => Value::Unknown,
                    false => self.named(word, place),
                });
            }
        }
        Value::Parts(parts)
    }
}
