//! Code that is given to macros which define device functions.

use std::ops::Range;

use hirace_syntax::prepass::Prepass;

use crate::rewrite::context::Rewriter;
use crate::rewrite::facts::Facts;
use crate::rewrite::facts::definers::{Given, are_statements, arguments};
use crate::rewrite::facts::macro_body::{Parsed, expression, masked, parse};
use crate::rewrite::role::Role;

/// An argument with device code.
pub(crate) struct GivenCode {
    /// The function that gets it, or the macro.
    function: String,
    macro_name: String,
    given: Given,
    /// Whether the grammar does not see the use, which has statements.
    hidden: bool,
    range: Range<usize>,
    /// Its text as the grammar sees it.
    prepass: Prepass,
}

impl GivenCode {
    /// The arguments with device code in a file.
    pub(crate) fn all(source: &str, prepass: &Prepass, facts: &Facts) -> Vec<Self> {
        let tokens = &prepass.tokens;
        let mut found = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let name = token.text(source);
            let uses = facts.definers.get(name);
            let is_live = prepass.directives.live.get(index) == Some(&true);
            let Some(uses) = uses.filter(|_| is_live) else {
                continue;
            };
            let arguments = arguments(source, &tokens[index + 1..], uses.len());
            let named = facts.kernel_macros.get(name).copied().flatten();
            let named = named.and_then(|it| arguments.get(it));
            let function = named.map_or(name, |it| source[it.clone()].trim());
            let hidden = arguments
                .iter()
                .any(|it| are_statements(&source[it.clone()]));
            for (range, given) in arguments.iter().zip(uses) {
                let text = &source[range.clone()];
                let is_code = match given {
                    Given::Nothing => false,
                    Given::StatementsOrType => are_statements(text),
                    _ => !text.trim().is_empty(),
                };
                if !is_code {
                    continue;
                }
                let mut inner = masked(text, facts, name);
                inner.shift(range.start);
                found.push(Self {
                    function: function.to_owned(),
                    macro_name: name.to_owned(),
                    given: *given,
                    hidden,
                    range: range.clone(),
                    prepass: inner,
                });
            }
        }
        found
    }
}

impl<'a> Rewriter<'a> {
    /// Whether the function around a use has been rewritten with it.
    fn is_in_function(&self, code: &GivenCode) -> bool {
        let in_host_code = self.facts.lambda_macros.contains(&code.macro_name);
        let mut around = self
            .extents
            .iter()
            .filter(|it| it.range.contains(&code.range.start));
        around.any(|it| it.on_device || in_host_code)
    }

    /// Rewrites arguments as the device code that they become.
    pub(crate) fn given_code(&mut self, all: &'a [GivenCode]) {
        let outer = self.prepass;
        for it in all {
            if !it.hidden && self.is_in_function(it) {
                continue;
            }
            let text = self.source.get(it.range.clone()).unwrap_or("");
            let has_accesses =
                text.contains(['[', '*']) || text.contains("->") || self.names_memory(text);
            let parsed = parse(&it.prepass.text, it.range.start);
            let parsed = parsed.filter(|_| it.given != Given::Unknown);
            let Some(parsed) = parsed else {
                if has_accesses {
                    let name = &it.macro_name;
                    let reason = format!(
                        "code in an argument of the macro `{name}`, which defines a function"
                    );
                    self.sites.not_read(it.range.start, text, reason);
                }
                continue;
            };
            // A name alone may be anything.
            if !has_accesses && !text.contains('(') {
                continue;
            }
            self.prepass = &it.prepass;
            self.enter_macro(&it.function, &it.prepass.text, it.range.start, &[], &[]);
            match &parsed {
                Parsed::Expression(tree) if it.given.is_expression() => {
                    let node = expression(tree, it.range.start, it.range.len());
                    let role = match it.given {
                        Given::Stored => Role::Store,
                        Given::Updated => Role::Update,
                        _ => self.copied(),
                    };
                    if let Some(node) = node {
                        self.expression(node, role);
                    }
                }
                _ => self.macro_body(&parsed, it.range.clone()),
            }
            self.leave_macro();
            self.prepass = outer;
        }
    }
}
