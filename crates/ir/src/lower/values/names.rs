//! What names stand for.

use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::words::words_in;

use super::{Lowering, Source, macros};
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

    /// Whether the function is a template with a parameter of this name.
    pub(super) fn is_template_parameter(&self, name: &str) -> bool {
        let around = self.definition.ancestors();
        let mut templates = around.filter(|it| it.is(Kind::TemplateDeclaration));
        templates.any(|it| {
            let parameters = it.child_text(Field::Parameters, self.text);
            words_in(parameters).any(|it| it == name)
        })
    }

    fn described(&self, text: &str) -> Option<Object> {
        let (name, arguments) = text.split_once('<').unwrap_or((text, ""));
        match name.rsplit([':', ' ']).next()? {
            "thread_block_tile" | "tiled_partition" if !arguments.is_empty() => {
                let width = arguments.split([',', '>']).next()?.trim();
                let known = self.program.integer(width);
                let known = known.filter(|_| !self.is_template_parameter(width));
                Some(Object::Tile(known.unwrap_or(0)))
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
        let text = self.text(node);
        let value = self.named(text, place);
        let is_macro = self.is_macro(text);
        self.values.names.insert(node.start(), value);
        if is_macro && macros::may_change(self.source.program, text) {
            self.all_escape(node);
        }
        self.use_of(node);
    }

    /// Notes that a member of the own object is named, as `this->member`.
    pub(super) fn own_member(&mut self, node: Node<'t>) {
        let place = self.source.flow.place(node).unwrap_or(self.entry());
        let name = node.child_text(Field::Member, self.source.text);
        let member = self.outside(name);
        let value = Value::Variable(member, place);
        self.values.names.insert(node.start(), value);
        self.use_of(node);
    }

    /// Whether a name here is that of a macro.
    pub(super) fn is_macro(&self, name: &str) -> bool {
        self.declared(name).is_none() && !self.source.program.macro_texts(name).is_empty()
    }

    /// The value of the variable, or of the macro, that has a name here.
    pub(super) fn named(&mut self, name: &str, place: Place) -> Value {
        if let Some(variable) = self.declared(name) {
            return Value::Variable(variable, place);
        }
        let texts = self.source.program.macro_texts(name);
        if texts.is_empty() || self.macros.iter().any(|it| it == name) {
            return Value::Variable(self.outside(name), place);
        }
        self.macros.push(name.to_owned());
        let parts = texts.into_iter().map(|it| self.of_text(it, place));
        let parts: Vec<Value> = parts.collect();
        self.macros.pop();
        Value::of_parts(parts)
    }

    /// The variable of a name that the function declares.
    pub(super) fn declared(&self, name: &str) -> Option<VariableId> {
        let mut scopes = self.scopes.iter().rev();
        scopes.find_map(|it| it.get(name).copied())
    }

    /// The variable of a name that the function does not declare.
    pub(super) fn outside(&mut self, name: &str) -> VariableId {
        if let Some(known) = self.outside.get(name) {
            return *known;
        }
        let program = self.source.program;
        let is_member = self.source.is_method && program.has_member(name);
        let origin = match is_member {
            true => Origin::Member,
            false => Origin::Outside,
        };
        let shared = program.shared_rank(name).filter(|_| !is_member);
        let variable = self.add(Variable {
            name: name.to_owned(),
            origin,
            group: None,
            visible: self.source.definition.range(),
            is_shared: shared.is_some(),
            is_memory: match is_member {
                true => program.has_pointer_member(name),
                false => shared != Some(0),
            },
            rank: usize::from(is_member && program.has_array_member(name)),
            is_reference: false,
            is_integer: false,
            is_deduced: false,
            is_class: false,
            is_constant: false,
            known: program
                .integer(name)
                .filter(|_| !self.source.is_template_parameter(name)),
            escapes: false,
            is_passed_on: false,
        });
        self.outside.insert(name.to_owned(), variable);
        let entry = self.entry();
        let is_built_in =
            ["blockDim", "blockIdx", "gridDim", "threadIdx", "warpSize"].contains(&name);
        let first = match !is_built_in && program.has_operators_of_threads() {
            true => Value::Unknown,
            false => Value::AtEntry(variable),
        };
        self.define(variable, entry, first, true, false);
        variable
    }
}
