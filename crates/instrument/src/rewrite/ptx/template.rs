//! The text of an `asm` statement: the content of its string literals.

use hirace_syntax::lexer::{Token, TokenKind};

/// Marks the part of a template that a macro supplies.
pub(crate) const UNKNOWN: char = '\u{1}';

/// The text of the string literals among `tokens` of `source`.
pub(crate) fn template(source: &str, tokens: &[Token]) -> String {
    let mut text = String::new();
    for token in tokens {
        match token.kind {
            TokenKind::String => literal(token.text(source), &mut text),
            TokenKind::Directive => {}
            _ => text.push(UNKNOWN),
        }
    }
    text
}

/// Adds the content of a string literal.
fn literal(token: &str, text: &mut String) {
    let quote = token.find('"').unwrap_or(0);
    let inner = token.get(quote + 1..token.len().max(quote + 2) - 1);
    let inner = inner.unwrap_or("");
    if token[..quote].ends_with('R') {
        let open = inner.find('(').map_or(0, |at| at + 1);
        let close = inner.rfind(')').unwrap_or(inner.len());
        return text.push_str(inner.get(open..close).unwrap_or(""));
    }
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match characters.next() {
            Some('n' | 'r') => text.push('\n'),
            Some('t' | 'v' | 'f') => text.push(' '),
            Some('\n') | None => {}
            Some('\r') => drop(characters.next()),
            Some(other) => text.push(other),
        }
    }
}
