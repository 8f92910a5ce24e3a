//! `__shared__` declarations.
//!
//! nvcc supports them natively. For the CPU each becomes a reference into the arena of the running
//! block:
//!
//! ```text
//! __shared__ float a[32], b;
//! typedef float hirace_shared_0[32]; hirace_shared_0& a = …; typedef float hirace_shared_1; …
//! extern __shared__ float s[];
//! float * s = ::hirace::cpu::dynamic_shared<float, …>();
//! ```
//!
//! The typedef keeps the declarator as the user wrote it, so that every form of declarator works,
//! also in templates.

use hirace_model::table::{Variable, variable_key};
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, Layer, declarators};

use super::binding::{Binding, Shape, Storage};
use super::context::Rewriter;
use super::facts::macro_use::MacroUse;
use std::ops::Range;

impl Rewriter<'_> {
    /// A `__shared__` declaration in a function.
    pub(crate) fn shared_declaration(&mut self, node: Node<'_>) {
        self.note_shared(node);
        let dynamic = node.has_storage_class("extern", self.source);
        let type_text = node.child_text(Field::Type, self.source);
        for declarator in declarators(node, self.source) {
            let Some(name) = declarator.name else {
                continue;
            };
            let mut binding = Binding::object(Storage::Memory, &declarator, type_text);
            binding.shared = true;
            self.note_shared_name(name, dynamic);
            if dynamic && self.on_cpu() && binding.shape.rank > 0 {
                // On the CPU it is a pointer, itself a local variable.
                binding.storage = Storage::Local;
                binding.shape = match binding.shape {
                    Shape {
                        rank: 1,
                        pointers,
                        exact,
                    } => Shape {
                        rank: 0,
                        pointers: pointers + 1,
                        exact,
                    },
                    _ => Shape::UNKNOWN,
                };
            }
            self.bind(name, binding);
        }
        if !self.on_cpu() {
            return;
        }
        if dynamic {
            self.dynamic_on_cpu(node);
        } else {
            self.static_on_cpu(node);
        }
    }

    /// Remembers a name that is a reference on the CPU.
    fn note_shared_name(&mut self, name: Node<'_>, dynamic: bool) {
        let name = self.text(name);
        if let Some(body) = &mut self.body {
            body.declares.push(name.to_owned());
        }
        if !dynamic {
            let key = (self.enclosing.name.clone(), name.to_owned());
            self.shared_names.insert(key);
        }
    }

    /// Binds the variables that a macro use declares.
    pub(crate) fn declared_by_macro(&mut self, known: &MacroUse, arguments: &[&str]) {
        for name in known.declared(arguments) {
            let key = (self.enclosing.name.clone(), name.clone());
            self.shared_names.insert(key);
            let mut binding = Binding::of_shape(Storage::Memory, Shape::UNKNOWN);
            binding.shared = true;
            self.scopes.bind(&name, binding);
        }
    }

    /// `decltype(x)` of a shared variable, which is a reference on the CPU.
    pub(crate) fn shared_decltype(&mut self, function: &str, name: &str, range: Range<usize>) {
        let key = (function.to_owned(), name.to_owned());
        if self.on_cpu() && self.shared_names.contains(&key) {
            let text = format!("::std::remove_reference_t<decltype({name})>");
            self.replace(range, text);
        }
    }

    /// The names that a lambda must capture on the CPU: the shared variables that it uses. Those
    /// that are not references need no capture.
    pub(crate) fn captured_shared(&mut self, captures: Node<'_>, body: Node<'_>) {
        if !self.on_cpu() {
            return;
        }
        let captured: Vec<&str> = captures.named_children().map(|it| self.text(it)).collect();
        let text = self.text(captures);
        let default = text.trim_start_matches('[').trim_start().chars().next();
        let by_reference = default == Some('&')
            && !text[1..].trim_start()[1..].starts_with(|it: char| it.is_alphabetic() || it == '_');
        if by_reference {
            return;
        }
        let mut names: Vec<String> = self.scopes.shared_names().map(str::to_owned).collect();
        names.retain(|name| {
            !captured.contains(&name.as_str())
                && body
                    .descendants()
                    .any(|it| it.is(Kind::Identifier) && self.text(it) == name)
        });
        names.sort();
        let empty = captures.named_children().next().is_none()
            && captured.is_empty()
            && default != Some('=');
        let names: Vec<String> = names.iter().map(|name| format!("&{name}")).collect();
        if !names.is_empty() {
            let comma = if empty { "" } else { ", " };
            let added = format!("{comma}{}", names.join(", "));
            self.edits.close(captures.end() - 1, added);
        }
    }

    /// `&s` of a dynamic array, which on the CPU is a pointer to its first element: programs cast it.
    pub(crate) fn address_of_dynamic(&mut self, node: Node<'_>) {
        let Some(array) = node.child(Field::Argument) else {
            return;
        };
        let binding = self.scopes.get(self.text(array));
        let is_pointer = binding.is_some_and(|it| it.shared && it.storage == Storage::Local);
        if self.on_cpu() && array.is(Kind::Identifier) && is_pointer {
            self.replace(node.start()..array.start(), "");
        }
    }

    /// Remembers that the `__shared__` of a declaration was handled.
    fn note_shared(&mut self, node: Node<'_>) {
        let marks = self.prepass.marks_of(node);
        self.shared_seen.extend(marks.map(|mark| mark.range.start));
    }

    /// Lists each `__shared__` outside a declaration that could be parsed.
    pub(crate) fn list_unseen_shared(&mut self) {
        for mark in &self.prepass.marks {
            if mark.qualifiers.has(Qualifiers::SHARED)
                && !self.shared_seen.contains(&mark.range.start)
            {
                let start = mark.range.start;
                let around = self
                    .extents
                    .iter()
                    .rev()
                    .find(|it| it.range.contains(&start));
                let reason = match around {
                    Some(host) if !host.on_device => "`__shared__` declaration outside device code",
                    _ => "`__shared__` declaration that hirace cannot parse",
                };
                self.sites.not_read(start, "", reason);
            }
        }
    }

    /// Blanks qualifiers, `static` and `extern`; `text` replaces the first of them.
    pub(super) fn strip(&mut self, node: Node<'_>, text: &str) {
        let marks = self.prepass.marks_of(node).filter(|mark| !mark.visible);
        let mut ranges: Vec<_> = marks.map(|mark| mark.range.clone()).collect();
        let specifiers = node
            .children()
            .filter(|it| it.is(Kind::StorageClassSpecifier));
        ranges.extend(specifiers.map(Node::range));
        ranges.sort_by_key(|range| range.start);
        ranges.dedup();
        for (index, range) in ranges.into_iter().enumerate() {
            self.replace(range, if index == 0 { text } else { "" });
        }
    }

    /// The type of a declaration in a form that can be repeated, including const and volatile.
    fn repeatable_type(&self, node: Node<'_>) -> String {
        let mut words = Vec::new();
        for child in node
            .children()
            .take_while(|it| it.field() != Field::Declarator)
        {
            if child.is(Kind::TypeQualifier) {
                words.push(self.folded(child));
            } else if child.field() == Field::Type {
                // A class can be defined only once.
                let name = child.child(Field::Name).filter(|_| child.is_class());
                words.push(match name {
                    Some(name) => self.folded(name),
                    None => self.folded_range(child.range()),
                });
            }
        }
        words.join(" ")
    }

    fn static_on_cpu(&mut self, node: Node<'_>) {
        self.strip(node, "typedef");
        let type_text = self.repeatable_type(node);
        let mut separator = None;
        for child in node.children() {
            if self.text(child) == "," && !child.is_named() {
                separator = Some(child);
            }
            if child.field() != Field::Declarator {
                continue;
            }
            let declarator = Declarator::of(child, self.source);
            let Some(name) = declarator.name.filter(|_| !declarator.is_function()) else {
                continue;
            };
            let number = self.variable_count;
            self.variable_count += 1;
            // A macro may be used more than once in a block.
            let name_text = self.text(name);
            let (pasted, count) = match self.macro_parameters.iter().any(|it| it == name_text) {
                true => (
                    format!("_##{name_text}"),
                    " ^ (__COUNTER__ + 1) * 0x9e3779b97f4a7c15u",
                ),
                false => (String::new(), ""),
            };
            let alias = format!("hirace_shared_{number}{pasted}");
            let key = match pasted.is_empty() {
                true => self.named(number, name_text.to_owned()),
                // Each use of the macro has a key of its own, and no name.
                false => variable_key(self.sites.key(), number),
            };
            if let Some(comma) = separator.take() {
                let after = self.source.get(comma.end()..).unwrap_or("");
                let blank = match after.starts_with(char::is_whitespace) {
                    true => "",
                    false => " ",
                };
                self.replace(comma.range(), format!("; typedef {type_text}{blank}"));
            }
            self.replace(name.range(), alias.clone());
            let inner = child
                .child(Field::Declarator)
                .filter(|_| child.child(Field::Value).is_some());
            let text = format!(
                "; {alias}& {name_text} = ::hirace::cpu::shared<{alias}, 0x{key:08x}u{count}>()"
            );
            self.edits.close(inner.unwrap_or(child).end(), text);
        }
    }

    /// The key of a variable that reports name.
    pub(super) fn named(&mut self, number: u32, name: String) -> u64 {
        self.note_variable(number, name, false)
    }

    fn note_variable(&mut self, number: u32, name: String, is_dynamic: bool) -> u64 {
        self.out.variables.push(Variable {
            number,
            name,
            is_dynamic,
        });
        variable_key(self.sites.key(), number)
    }

    /// The key of a dynamic shared array as a template argument; nothing in a macro that names the array.
    fn dynamic_key(&mut self, name: &str) -> String {
        if self.macro_parameters.iter().any(|it| it == name) {
            return String::new();
        }
        let number = self.variable_count;
        self.variable_count += 1;
        let key = self.note_variable(number, name.to_owned(), true);
        format!(", 0x{key:08x}u")
    }

    fn dynamic_on_cpu(&mut self, node: Node<'_>) {
        self.strip(node, "");
        let element = self.repeatable_type(node);
        for child in node.children_in(Field::Declarator) {
            self.dynamic_declarator(child, &element);
        }
    }

    fn dynamic_declarator(&mut self, child: Node<'_>, element: &str) {
        let declarator = Declarator::of(child, self.source);
        let Some(name) = declarator.name else { return };
        let name_text = self.text(name);
        let rank = declarator.rank();
        if rank == 0 {
            // `extern __shared__ T name;` names the start of the memory.
            self.edits.open(name.start(), "& ");
            let text = format!(" = *::hirace::cpu::dynamic_shared<{element}>()");
            return self.edits.close(child.end(), text);
        }
        let full = with_pointers(element, &declarator);
        let key = self.dynamic_key(name_text);
        if rank == 1 {
            let text = format!("* {name_text} = ::hirace::cpu::dynamic_shared<{full}{key}>()");
            return self.replace(name.start()..child.end(), text);
        }
        // `T name[][N]`: a pointer to rows.
        let text = self.text(child);
        let rows = text.find(']').map_or("", |at| &text[at + 1..]);
        let rows: String = rows.split_whitespace().collect();
        self.replace(
            name.start()..child.end(),
            format!("(*{name_text}){rows} = ::hirace::cpu::dynamic_shared<{full}{rows}{key}>()"),
        );
    }

    /// A `__shared__` declaration at file scope.
    pub(crate) fn outer_shared(&mut self, node: Node<'_>) {
        self.note_shared(node);
        if !self.on_cpu() {
            return;
        }
        if !node.has_storage_class("extern", self.source) {
            return self.file_shared_on_cpu(node);
        }
        self.strip(node, "static constexpr");
        let element = self.repeatable_type(node);
        let Some(kind) = node.child(Field::Type) else {
            return;
        };
        for qualifier in node.children().filter(|it| it.is(Kind::TypeQualifier)) {
            self.replace(qualifier.range(), "");
        }
        let first = declarators(node, self.source).next();
        let full = first
            .as_ref()
            .map_or(element.clone(), |it| with_pointers(&element, it));
        let name = first.and_then(|it| it.name);
        let key = name.map_or_else(String::new, |it| self.dynamic_key(self.text(it)));
        self.replace(
            kind.range(),
            format!("::hirace::cpu::DynamicShared<{full}{key}>"),
        );
        for child in node.children_in(Field::Declarator) {
            let declarator = Declarator::of(child, self.source);
            if let Some(name) = declarator.name {
                self.replace(child.range(), format!("{}{{}}", self.text(name)));
            }
        }
    }
}

/// The type of an element that `declarator` declares with the type `element`.
fn with_pointers(element: &str, declarator: &Declarator<'_>) -> String {
    let is_pointer = |layer: &&Layer| matches!(layer, Layer::Pointer(_));
    let pointers = declarator.layers.iter().filter(is_pointer).count();
    format!("{element}{}", "*".repeat(pointers))
}
