//! Uses of macros with parameters, token by token as the preprocessor sees them.

use std::ops::Range;

use hirace_syntax::lexer::{Token, TokenKind};

use super::{Shape, is_word};

/// `NAME(arguments)`. All numbers are those of tokens.
pub(super) struct Use<'a> {
    pub(super) name: &'a str,
    /// The number of the name.
    pub(super) at: usize,
    pub(super) arguments: Vec<Range<usize>>,
}

impl Use<'_> {
    /// The argument that contains token `at`.
    pub(super) fn argument_at(&self, at: usize) -> Option<usize> {
        self.arguments.iter().position(|it| it.contains(&at))
    }

    /// Whether a macro of this shape can be used so, and text added to its arguments.
    pub(super) fn fits(&self, shape: Shape, text: &str, tokens: &[Token]) -> bool {
        let count = self.arguments.len();
        let counts = match shape.variadic {
            true => count >= shape.named,
            false => count == shape.named,
        };
        let all = self
            .arguments
            .iter()
            .flat_map(|it| &tokens[it.start..it.end]);
        let is_plain =
            |it: &Token| it.kind != TokenKind::Directive && !it.text(text).contains('\n');
        counts && all.into_iter().all(is_plain)
    }
}

/// The uses among `tokens` of macros that `is_known` accepts.
pub(super) fn uses<'a>(
    text: &'a str,
    tokens: &[Token],
    is_known: impl Fn(&str) -> bool,
) -> Vec<Use<'a>> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if is_word(token)
            && is_known(token.text(text))
            && let Some(arguments) = arguments(text, tokens, at + 1)
        {
            let name = token.text(text);
            found.push(Use {
                name,
                at,
                arguments,
            });
        }
    }
    found
}

/// The arguments in the parentheses that open at token `open`; none if they do not close.
fn arguments(text: &str, tokens: &[Token], open: usize) -> Option<Vec<Range<usize>>> {
    if tokens.get(open)?.text(text) != "(" {
        return None;
    }
    let mut found = Vec::new();
    let mut depth = 0usize;
    let mut start = open + 1;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text(text) {
            "(" => depth += 1,
            ")" if depth == 1 => {
                found.push(start..at);
                return Some(found);
            }
            ")" => depth -= 1,
            "," if depth == 1 => {
                found.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

/// Tokens as `#` writes them: white space between two of them is one blank. `write` gives each one's text.
pub(super) fn joined(tokens: &[Token], mut write: impl FnMut(usize, &Token) -> String) -> String {
    let mut out = String::new();
    for (at, token) in tokens.iter().enumerate() {
        if at > 0 && tokens[at - 1].end < token.start {
            out.push(' ');
        }
        out += &write(at, token);
    }
    out
}

/// A token as `#` writes it into a literal.
pub(super) fn escaped(text: &str, token: &Token) -> String {
    let written = token.text(text);
    match token.kind {
        TokenKind::String | TokenKind::Char => written.replace('\\', "\\\\").replace('"', "\\\""),
        _ => written.to_owned(),
    }
}
