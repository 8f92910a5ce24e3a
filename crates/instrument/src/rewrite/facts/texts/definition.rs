//! Macro definitions in any branch of `#if`, token by token.

use hirace_syntax::lexer::{Token, TokenKind, lex, lex_inline};

use super::is_word;

/// One `#define`. Offsets are those of the file.
pub(super) struct Definition<'a> {
    /// The file's text.
    pub(super) text: &'a str,
    pub(super) name: &'a str,
    pub(super) function_like: bool,
    pub(super) named: Vec<&'a str>,
    /// How the body names the arguments for `...`.
    pub(super) rest: Option<&'a str>,
    /// The end of the parenthesis that opens the parameters.
    pub(super) open_end: usize,
    pub(super) body: Vec<Token>,
}

impl<'a> Definition<'a> {
    /// All definitions in a file.
    pub(super) fn all(text: &'a str) -> Vec<Self> {
        let tokens = lex(text).tokens;
        let directives = tokens.iter().filter(|it| it.kind == TokenKind::Directive);
        directives.filter_map(|it| Self::of(text, *it)).collect()
    }

    /// The definition that a directive is.
    pub(super) fn of(text: &'a str, directive: Token) -> Option<Self> {
        let tokens = inside(text, directive);
        let [keyword, name, rest @ ..] = &tokens[..] else {
            return None;
        };
        if keyword.text(text) != "define" || !is_word(name) {
            return None;
        }
        let mut definition = Self {
            text,
            name: name.text(text),
            function_like: false,
            named: Vec::new(),
            rest: None,
            open_end: name.end,
            body: rest.to_vec(),
        };
        let Some(open) = rest
            .first()
            .filter(|it| it.text(text) == "(" && it.start == name.end)
        else {
            return Some(definition);
        };
        let close = rest.iter().position(|it| it.text(text) == ")")?;
        let parameters = &rest[1..close];
        definition.function_like = true;
        definition.open_end = open.end;
        definition.named = parameters
            .iter()
            .filter(|it| is_word(it))
            .map(|it| it.text(text))
            .collect();
        let dots = parameters.iter().filter(|it| it.text(text) == ".").count();
        if let Some(last) = parameters.len().checked_sub(dots).filter(|_| dots > 0) {
            // GNU's `args...`.
            let given = last.checked_sub(1).map(|at| parameters[at]);
            definition.rest = match given.filter(is_word) {
                Some(_) => definition.named.pop(),
                None => Some("__VA_ARGS__"),
            };
        }
        definition.body = rest[close + 1..].to_vec();
        Some(definition)
    }

    /// The parameter that token `at` of the body names.
    pub(super) fn slot(&self, at: usize) -> Option<usize> {
        let word = self.body[at].text(self.text);
        let named = self.named.iter().position(|it| *it == word);
        named.or_else(|| (self.rest == Some(word)).then_some(self.named.len()))
    }

    /// Whether token `at` of the body is the operand of `#`.
    pub(super) fn is_text(&self, at: usize) -> bool {
        self.function_like && at > 0 && self.body[at - 1].text(self.text) == "#"
    }

    /// Whether it turns a parameter into text.
    pub(super) fn has_text(&self) -> bool {
        (0..self.body.len()).any(|at| self.is_text(at) && self.slot(at).is_some())
    }
}

/// The tokens of a directive after its `#`, with the offsets of the file.
pub(super) fn inside(text: &str, directive: Token) -> Vec<Token> {
    let base = directive.start + 1;
    let Some(inner) = text.get(base..directive.end) else {
        return Vec::new();
    };
    let tokens = lex_inline(inner).tokens.into_iter();
    tokens
        .map(|it| Token {
            start: base + it.start,
            end: base + it.end,
            ..it
        })
        .collect()
}
