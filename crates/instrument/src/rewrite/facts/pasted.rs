//! Names that macros produce: `struct Atomic##NAME##Impl`, `void NAME(int* p) {…}`.
//!
//! The names that such a macro defines are unknown until it is used. If `##` joins a name, its
//! constant parts limit the possible names; if a parameter is the name, the arguments of its uses
//! are the possible names.

use std::collections::HashSet;

use super::{Facts, MacroText};
use hirace_syntax::lexer::{Token, TokenKind, lex_inline};
use hirace_syntax::prepass::Prepass;

/// The name of a class or function that a macro defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PastedName {
    /// The constant prefix.
    first: String,
    /// The constant suffix.
    last: String,
}

impl PastedName {
    /// The classes and functions whose names the macro's body joins.
    pub(crate) fn of(definition: &MacroText) -> Vec<Self> {
        let body = definition.body.as_str();
        if !body.contains("##") {
            return Vec::new();
        }
        let parameters = definition.parameters.as_deref().unwrap_or(&[]);
        let tokens = lex_inline(body).tokens;
        let text = |at: usize| tokens.get(at).map_or("", |it| it.text(body));
        let begins = |at: &usize| text(at + 1) == "##" && (*at == 0 || text(at - 1) != "##");
        (0..tokens.len())
            .filter(begins)
            .filter(|at| {
                let class = *at > 0 && matches!(text(at - 1), "struct" | "class" | "union");
                let mut end = at + 1;
                while text(end) == "##" {
                    end += 2;
                }
                class || text(end) == "("
            })
            .filter_map(|at| Self::at(body, parameters, &tokens[at..]))
            .collect()
    }

    /// The name that starts at the first of `tokens`.
    fn at(body: &str, parameters: &[String], tokens: &[Token]) -> Option<Self> {
        let mut parts = vec![tokens.first()?];
        while let [paste, next, ..] = tokens.get(2 * parts.len() - 1..)?
            && paste.text(body) == "##"
        {
            parts.push(next);
        }
        let words = parts.iter().all(|it| it.kind == TokenKind::Word);
        let own = |token: &Token| {
            let text = token.text(body);
            let given = parameters.iter().any(|it| it == text);
            if given {
                String::new()
            } else {
                text.to_owned()
            }
        };
        let (first, last) = (own(parts.first()?), own(parts.last()?));
        // Without a constant prefix or suffix it could be any name.
        let known = !(first.is_empty() && last.is_empty());
        (words && parts.len() > 1 && known).then_some(Self { first, last })
    }

    /// Whether a use of the macro may produce `name`.
    pub(crate) fn matches(&self, name: &str) -> bool {
        name.len() > self.first.len() + self.last.len()
            && name.starts_with(&self.first)
            && name.ends_with(&self.last)
    }
}

impl Facts {
    /// The names that macro uses in a file give to functions.
    pub(crate) fn names_given(&self, prepass: &Prepass, source: &str) -> HashSet<String> {
        let mut names = HashSet::new();
        if !self.naming_macros.is_empty() {
            self.note_names(&prepass.tokens, source, &mut names);
        }
        names
    }

    /// The same for macro bodies that use other macros.
    pub(crate) fn names_given_in_macros(&self) -> HashSet<String> {
        let mut names = HashSet::new();
        for definition in self.macros.values().flatten() {
            let body = definition.body.as_str();
            if !self.naming_macros.is_empty() && body.contains('(') {
                self.note_names(&lex_inline(body).tokens, body, &mut names);
            }
        }
        names
    }

    fn note_names(&self, tokens: &[Token], source: &str, names: &mut HashSet<String>) {
        for (index, token) in tokens.iter().enumerate() {
            if token.kind != TokenKind::Word || !self.naming_macros.contains(token.text(source)) {
                continue;
            }
            let arguments = tokens[index + 1..].iter().take(ARGUMENTS_LIMIT);
            let mut depth = 0usize;
            for argument in arguments {
                match argument.text(source) {
                    "(" => depth += 1,
                    ")" => depth = depth.saturating_sub(1),
                    text if argument.kind == TokenKind::Word && depth == 1 => {
                        names.insert(text.to_owned());
                    }
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
        }
    }

    /// Whether a macro may define a function called `name`.
    pub(crate) fn may_come_from_macro(&self, name: &str) -> bool {
        self.names_given.contains(name) || self.pasted_names.iter().any(|it| it.matches(name))
    }
}

/// Longest argument list of a macro to examine, in tokens.
const ARGUMENTS_LIMIT: usize = 256;
