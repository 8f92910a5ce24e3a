//! Macro definitions.

use std::ops::Range;

use crate::lexer::{TokenKind, lex_inline};

/// A `#define` in a live branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroDefinition {
    pub name: String,
    /// Parameter names of a function-like macro; `...` is `__VA_ARGS__`.
    pub parameters: Option<Vec<String>>,
    /// Byte range of the replacement text, trimmed.
    pub body: Range<usize>,
}

impl MacroDefinition {
    /// The macro that a `#define` with the text in `rest` defines; `None` if it is malformed.
    pub(super) fn of(source: &str, rest: Range<usize>) -> Option<Self> {
        let text = &source[rest.clone()];
        let lexed = lex_inline(text);
        let name = lexed
            .tokens
            .first()
            .filter(|token| token.kind == TokenKind::Word)?;
        let mut body_start = name.end;
        let mut parameters = None;
        if text.as_bytes().get(name.end) == Some(&b'(') {
            let close = lexed
                .tokens
                .iter()
                .position(|token| token.text(text) == ")")?;
            let inside = &lexed.tokens[2..close];
            let mut names: Vec<String> = inside
                .iter()
                .filter(|token| token.kind == TokenKind::Word)
                .map(|token| token.text(text).to_owned())
                .collect();
            if inside.last().is_some_and(|token| token.text(text) == ".") {
                names.push("__VA_ARGS__".to_owned());
            }
            parameters = Some(names);
            body_start = lexed.tokens[close].end;
        }
        let body = match lexed.tokens.iter().find(|token| token.start >= body_start) {
            Some(first) => first.start..lexed.tokens[lexed.tokens.len() - 1].end,
            None => text.len()..text.len(),
        };
        Some(Self {
            name: name.text(text).to_owned(),
            parameters,
            body: rest.start + body.start..rest.start + body.end,
        })
    }
}
