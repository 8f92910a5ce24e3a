//! Reads one file's tree into [`Facts`].

mod calls;
mod variables;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use hirace_syntax::lexer::TokenKind;
use hirace_syntax::prepass::Prepass;
use hirace_syntax::qualifier::{Mark, Qualifiers};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Function, Lambda, Parameter, Returns, declarators};

use super::expansion::{Expansion, MAX_INLINED};
use super::macro_head::MacroHead;
use super::{Facts, Signature};
use crate::rewrite::Source;
use crate::rewrite::binding::ParameterFact;
use crate::rewrite::names::cuda::synchronising_library;

/// The state of reading one file.
pub(crate) struct Collector<'a> {
    path: &'a str,
    source: &'a str,
    prepass: &'a Prepass,
    facts: &'a mut Facts,
    /// Macro names seen in device code.
    words: &'a mut HashSet<String>,
    /// The enclosing classes.
    classes: Vec<String>,
    /// The file, if no other one includes it.
    file: Option<Arc<str>>,
    /// Whether the current node is a friend of the innermost one.
    is_friend: bool,
    /// Whether the enclosing class is packed.
    packed: bool,
    /// Whether the previous member is a bit-field that the next one may be adjacent to.
    after_bits: bool,
}

impl<'a> Collector<'a> {
    pub(crate) fn of(
        file: &Source<'a>,
        prepass: &'a Prepass,
        facts: &'a mut Facts,
        words: &'a mut HashSet<String>,
    ) -> Self {
        let alone = facts.alone(file.path);
        Self {
            path: file.path,
            source: file.text,
            prepass,
            facts,
            words,
            classes: Vec::new(),
            file: alone,
            is_friend: false,
            packed: false,
            after_bits: false,
        }
    }

    /// Collects everything below `node` that is declared at namespace or class scope, and
    /// declarations in function bodies that others may use.
    pub(crate) fn items(&mut self, node: Node<'_>) {
        for child in node.named_children() {
            self.item(child);
        }
    }

    fn item(&mut self, node: Node<'_>) {
        // A mistake in a function may make it a declaration with a block of its own after it.
        let is_whole = node.is(Kind::FunctionDefinition) || !node.has_error();
        self.facts.has_unread_items |= !is_whole || node.is(Kind::CompoundStatement);
        match node.kind() {
            Kind::FunctionDefinition => {
                self.classes_in_type(node);
                self.function(node, true);
            }
            Kind::Declaration | Kind::FieldDeclaration => {
                self.classes_in_type(node);
                self.note_declared(node);
                self.declaration(node);
            }
            _ if node.is_class() => self.class(node),
            Kind::EnumSpecifier => self.note_type(node.child(Field::Name)),
            Kind::AliasDeclaration => {
                self.note_others(node);
                self.note_type(node.child(Field::Name));
                self.note_alias(node, node.child(Field::Name));
                let aliased = node.child(Field::Type);
                if aliased.is_some_and(|it| it.text(self.source).trim_end().ends_with(']')) {
                    let name = node.child_text(Field::Name, self.source);
                    self.facts.array_types.insert(name.to_owned());
                }
                if aliased.is_some_and(|it| it.text(self.source).trim_end().ends_with('&')) {
                    let name = node.child_text(Field::Name, self.source);
                    self.facts.reference_types.insert(name.to_owned());
                }
            }
            Kind::TypeDefinition => {
                self.note_others(node);
                self.classes_in_type(node);
                for declarator in declarators(node, self.source) {
                    let name = declarator.name;
                    self.note_alias(node, name);
                    self.note_type(name);
                    if let Some(name) = name.filter(|_| declarator.rank() > 0) {
                        let name = name.text(self.source).to_owned();
                        self.facts.array_types.insert(name);
                    }
                    if let Some(name) = name.filter(|_| declarator.is_reference()) {
                        let name = name.text(self.source).to_owned();
                        self.facts.reference_types.insert(name);
                    }
                }
            }
            Kind::TemplateDeclaration => {
                for child in node.named_children() {
                    if child.is_class() || child.is(Kind::AliasDeclaration) {
                        self.note_template(child);
                    }
                }
                self.items(node);
            }
            Kind::FriendDeclaration => {
                self.after_bits = false;
                self.is_friend = true;
                self.items(node);
                self.is_friend = false;
            }
            _ => {
                // For example `private:`, after which members may be inaccessible.
                self.after_bits = false;
                self.items(node);
            }
        }
    }

    fn note_template(&mut self, node: Node<'_>) {
        let name = node.class_name().map(|it| it.text(self.source).to_owned());
        self.facts.templates.extend(name);
    }

    /// Remembers an alias of a class whose methods contain barriers.
    fn note_alias(&mut self, node: Node<'_>, name: Option<Node<'_>>) {
        let text = node.text(self.source);
        if let Some(construct) = synchronising_library(text)
            && let Some(name) = name
        {
            let name = name.text(self.source).to_owned();
            self.facts.synchronising.insert(name, construct);
        }
    }

    fn note_type(&mut self, name: Option<Node<'_>>) {
        let name = name.map(|it| it.text(self.source).to_owned());
        self.facts.types.extend(name);
    }

    /// A class defined where it is also used as a type.
    fn classes_in_type(&mut self, node: Node<'_>) {
        if let Some(kind) = node.child(Field::Type)
            && (kind.is_class() || kind.is(Kind::EnumSpecifier))
            && kind.child(Field::Body).is_some()
        {
            self.item(kind);
        }
    }

    fn class(&mut self, node: Node<'_>) {
        let name = node.class_name();
        self.note_type(name);
        let name = name.map(|it| it.text(self.source).to_owned());
        let Some(body) = node.child(Field::Body) else {
            return;
        };
        if let Some(bases) = node.child_of(Kind::BaseClassClause) {
            self.note_others(bases);
        }
        if let Some(name) = &name {
            let class = self.facts.classes.entry(name.clone()).or_default();
            class.defined = true;
        }
        if let (Some(name), Some(bases)) = (&name, node.child_of(Kind::BaseClassClause)) {
            let names = bases.named_children().filter_map(|base| match base.kind() {
                Kind::TypeIdentifier => Some(base),
                Kind::TemplateType => base.child(Field::Name),
                Kind::QualifiedIdentifier => base.class_name(),
                _ => None,
            });
            let class = self.facts.classes.entry(name.clone()).or_default();
            let names = names.map(|it| it.text(self.source).to_owned());
            class.bases.extend(names);
        }
        let outer = self.packed;
        let head = self.prepass.qualifiers(node.start(), body.start());
        let mut tail = self
            .prepass
            .within(node.end()..self.after(node.end()))
            .iter();
        self.packed |= head.has(Qualifiers::PACKED)
            || tail.any(|mark| mark.qualifiers.has(Qualifiers::PACKED));
        // Members of an anonymous struct or union belong to the enclosing class.
        let depth = self.classes.len();
        if let Some(name) = name {
            self.classes.push(name);
        }
        self.after_bits = false;
        self.items(body);
        self.after_bits = false;
        self.classes.truncate(depth);
        self.packed = outer;
    }

    /// Start of the next token that is not blanked.
    fn after(&self, offset: usize) -> usize {
        let blank = |byte: &u8| !byte.is_ascii_whitespace();
        let rest = self.prepass.text.get(offset..).unwrap_or(&[]);
        offset + rest.iter().position(blank).unwrap_or(rest.len())
    }

    fn function(&mut self, node: Node<'_>, definition: bool) {
        let Some(mut function) = Function::of(node, self.prepass, self.source) else {
            return self.lambdas(node);
        };
        let made = MacroHead::of(self.facts, &function, self.prepass, self.source);
        let text = made.as_ref().map_or(self.source, |it| it.text.as_str());
        let mut parameters = function.parameters(self.source);
        if let Some(head) = made.as_ref().and_then(MacroHead::function) {
            parameters = head.parameters(text);
            (function.name, function.returns) = (head.name, head.returns);
        }
        let by_macro = made.as_ref().is_some_and(|it| it.template().is_some());
        let class = function.scope.clone();
        let class = class.or_else(|| self.classes.last().cloned());
        if let Some(class) = &class {
            let methods = &mut self.facts.classes.entry(class.clone()).or_default().methods;
            methods.insert(function.name.clone());
        }
        let returns = match (function.returns, node.child(Field::Type)) {
            (Returns::Value, Some(kind))
                if self.facts.reference_types.contains(kind.text(self.source)) =>
            {
                Returns::Unsure
            }
            (returns, _) => returns,
        };
        let signature = Signature {
            class,
            is_friend: self.is_friend,
            file: self.file.clone(),
            parameters: parameters
                .iter()
                .map(|it| self.parameter(it, text))
                .collect(),
            returns,
            qualifiers: function.qualifiers,
            // Without a body, `= default` or `= delete`.
            defined: definition,
            template: by_macro
                || node
                    .parent()
                    .is_some_and(|it| it.is(Kind::TemplateDeclaration)),
        };
        if signature.class.is_none() {
            let names = &mut self.facts.per_file;
            let defines = signature.defined;
            names.note(&function.name, function.qualifiers, defines, self.path);
        }
        self.note_function(&function.name, signature);
        if let Some(body) = function.body {
            if self.is_on_device(&function) {
                self.macro_words(node);
                self.note_size(body);
                self.summarise(&function.name, node);
            } else {
                self.note_others(node);
            }
            self.lambdas(body);
            self.local_items(body);
        }
    }

    /// Notes a device function with very many accesses.
    fn note_size(&mut self, body: Node<'_>) {
        let tokens = self.prepass.tokens_in(&body.range());
        let tokens: Vec<&str> = tokens.iter().map(|it| it.text(self.source)).collect();
        let mut expansion = Expansion::of(&self.facts.macros);
        let accesses = expansion.accesses(&tokens, &HashMap::new());
        self.facts.checks_by_call |= accesses > MAX_INLINED;
    }

    fn parameter(&self, parameter: &Parameter<'_>, source: &str) -> ParameterFact {
        let mut fact = ParameterFact::of(parameter, source);
        fact.reference |= !fact.pointer && self.names_reference(&fact.type_text);
        fact
    }

    /// Device lambdas: their calls look like calls of any functor.
    fn lambdas(&mut self, node: Node<'_>) {
        let mut marked = self.prepass.within(node.range()).iter();
        if !marked.any(|mark| mark.qualifiers.has(Qualifiers::DEVICE)) {
            return;
        }
        for lambda in node.descendants_of(Kind::LambdaExpression) {
            let Some(body) = lambda.child(Field::Body) else {
                continue;
            };
            let qualifiers = self.prepass.qualifiers(lambda.start(), body.start());
            if !qualifiers.on_device() {
                continue;
            }
            self.macro_words(lambda);
            let head = Lambda::of(lambda, self.source);
            let parameters = head
                .parameters
                .iter()
                .map(|it| self.parameter(it, self.source));
            let signature = Signature {
                class: None,
                is_friend: false,
                file: self.file.clone(),
                parameters: parameters.collect(),
                returns: head.returns,
                qualifiers,
                defined: true,
                template: false,
            };
            self.note_function("operator()", signature);
            self.summarise("operator()", lambda);
        }
    }

    fn note_function(&mut self, name: &str, signature: Signature) {
        let functions = &mut self.facts.functions;
        functions
            .entry(name.to_owned())
            .or_default()
            .push(signature);
    }

    /// Classes and aliases defined inside functions.
    fn local_items(&mut self, body: Node<'_>) {
        for node in body.named_children() {
            if node.is_class() && node.child(Field::Body).is_some() {
                self.class(node);
            } else if matches!(node.kind(), Kind::AliasDeclaration | Kind::TypeDefinition) {
                self.item(node);
            } else {
                self.local_items(node);
            }
        }
    }

    fn macro_words(&mut self, node: Node<'_>) {
        for token in self.prepass.tokens_in(&node.range()) {
            let text = token.text(self.source);
            if self.facts.macros.contains_key(text) && !self.words.contains(text) {
                self.words.insert(text.to_owned());
            }
        }
    }
}

/// Whether a file packs classes, so that pointers in them may be unaligned.
pub(crate) fn packs_classes(prepass: &Prepass, source: &str) -> bool {
    let packed = |mark: &Mark| mark.qualifiers.has(Qualifiers::PACKED);
    prepass.marks.iter().any(packed)
        || prepass.tokens.iter().any(|it| {
            let text = it.text(source).trim_start_matches('#').trim_start();
            let pragma = text.strip_prefix("pragma").map(str::trim_start);
            it.kind == TokenKind::Directive && pragma.is_some_and(|it| it.starts_with("pack"))
        })
}
