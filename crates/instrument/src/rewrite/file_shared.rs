//! `__shared__` variables outside functions.
//!
//! For the CPU, a variable becomes a type and a function that returns the running block's instance.
//! Each device function that may use the name declares it as a reference, so that macros and
//! expressions of any form see an ordinary variable:
//!
//! ```text
//! __shared__ float tile[64];      →  typedef float hirace_shared_tile[64]; … hirace_block_tile() {…}
//! __device__ void f() { … }       →  __device__ void f() { auto& tile = hirace_block_tile(); { … }}
//! ns::tile[i]                     →  ns::hirace_block_tile()[i]
//! ```

use std::collections::HashSet;

use hirace_syntax::lexer::{Token, lex_inline};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, Parameter, split_name};

use super::context::Rewriter;
use super::facts::Facts;

impl Facts {
    /// The variables among `names` that the bodies of macros mention.
    fn mentioned_in_macros<'n>(&self, names: &[&'n str]) -> HashSet<&'n str> {
        let mut found = HashSet::new();
        for text in self.macros.values().flatten() {
            let tokens = lex_inline(&text.body).tokens;
            let words = unqualified(&tokens, &text.body);
            found.extend(names.iter().filter(|it| words.contains(**it)));
        }
        found
    }
}

impl Rewriter<'_> {
    /// A declaration of shared variables at namespace scope.
    pub(super) fn file_shared_on_cpu(&mut self, node: Node<'_>) {
        self.strip(node, "typedef");
        let mut functions = String::new();
        for child in node.children_in(Field::Declarator) {
            let declarator = Declarator::of(child, self.source);
            let Some(name) = declarator.name.filter(|_| !declarator.is_function()) else {
                continue;
            };
            let text = self.text(name).to_owned();
            let number = self.variable_count;
            self.variable_count += 1;
            let key = self.named(number, text.clone());
            let alias = format!("hirace_shared_{text}");
            functions += &format!(
                " [[maybe_unused]] static inline {alias}& hirace_block_{text}() \
                 {{ return ::hirace::cpu::shared<{alias}, 0x{key:08x}u>(); }}"
            );
            self.replace(name.range(), alias);
            self.file_shared.insert(text);
        }
        self.edits.close(node.end(), functions);
    }

    /// Declares the file-scope shared variables that a device function with this body may use.
    pub(super) fn declare_file_shared(&mut self, parameters: &[Parameter<'_>], body: Node<'_>) {
        if !self.on_cpu() || !body.is(Kind::CompoundStatement) {
            return;
        }
        let is_parameter = |name: &str| {
            let mut names = parameters
                .iter()
                .filter_map(|it| it.declarator.as_ref()?.name);
            names.any(|it| self.text(it) == name)
        };
        let mut names = self.visible_file_shared();
        names.retain(|it| !is_parameter(it));
        if names.is_empty() {
            return;
        }
        let tokens = self.prepass.tokens_in(&body.range());
        let words = unqualified(tokens, self.source);
        let uses_macros = words.iter().any(|it| self.facts.macros.contains_key(*it));
        let mentioned = match uses_macros {
            true => self.facts.mentioned_in_macros(&names),
            false => HashSet::new(),
        };
        names.retain(|it| words.contains(it) || mentioned.contains(it));
        if names.is_empty() {
            return;
        }
        let declare = |it: &&str| format!(" [[maybe_unused]] auto& {it} = hirace_block_{it}();");
        let declarations: String = names.iter().map(declare).collect();
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        for name in names {
            let function = self.enclosing.name.clone();
            self.shared_names.insert((function, name.clone()));
            if let Some(variable) = self.facts.variable(&name, self.path) {
                self.scopes.bind(&name, variable.binding.clone());
            }
        }
        // A block of its own, because the function may declare the same names.
        self.edits
            .open(body.start() + 1, format!("{declarations} {{"));
        self.edits.close(body.end() - 1, "}");
    }

    /// Names of the shared variables of headers, and of those that this file has declared so far.
    fn visible_file_shared(&self) -> Vec<&'_ str> {
        let mut names: Vec<&str> = Vec::new();
        for name in &self.facts.file_shared {
            let variable = self.facts.variable(name, self.path);
            let Some(variable) = variable.filter(|it| it.binding.shared) else {
                continue;
            };
            if variable.file.is_none() || self.file_shared.contains(name) {
                names.push(name);
            }
        }
        names.sort_unstable();
        names
    }

    /// `ns::tile`, which names a function that returns the variable.
    pub(super) fn qualified_file_shared(&mut self, node: Node<'_>) {
        if !self.on_cpu() || !node.is(Kind::QualifiedIdentifier) {
            return;
        }
        let (name, _) = split_name(node, self.source);
        let variable = self.facts.variable(&name, self.path);
        let shared = variable.is_some_and(|it| it.binding.shared);
        if shared && self.facts.file_shared.contains(&name) {
            let end = node.end();
            self.replace(end - name.len()..end, format!("hirace_block_{name}()"));
        }
    }
}

/// The words among `tokens` that do not come after `::`, `.` or `->`.
fn unqualified<'s>(tokens: &[Token], source: &'s str) -> HashSet<&'s str> {
    let texts: Vec<&str> = tokens.iter().map(|it| it.text(source)).collect();
    let plain = |at: &usize| *at == 0 || !matches!(texts[at - 1], "::" | "." | "->");
    let words = (0..texts.len()).filter(plain).map(|at| texts[at]);
    words.collect()
}
