//! The text of an `asm` statement: the content of its string literals.

use std::collections::HashMap;

use hirace_syntax::lexer::{Token, TokenKind, lex_inline};

use crate::rewrite::facts::MacroText;

/// Marks the part of a template that a macro supplies.
pub(crate) const UNKNOWN: char = '\u{1}';

/// Encloses the name of a macro's parameter whose argument is text of the template: `#bytes`.
pub(crate) const ARGUMENT: char = '\u{2}';

/// The maximum number of macros that stand for one another.
const MAX_NESTED: usize = 8;

/// The text of the string literals among `tokens` of `source`, and of those that macros without parameters
/// stand for.
pub(crate) fn template(source: &str, tokens: &[Token], macros: &Macros) -> String {
    let mut text = String::new();
    add(source, tokens, macros, MAX_NESTED, &mut text);
    text
}

/// The definitions of macros, by name.
pub(crate) type Macros = HashMap<String, Vec<MacroText>>;

fn add(source: &str, tokens: &[Token], macros: &Macros, nested: usize, text: &mut String) {
    let mut is_argument = false;
    for token in tokens {
        if std::mem::take(&mut is_argument) {
            match token.kind {
                TokenKind::Word => text.extend([
                    &ARGUMENT.to_string(),
                    token.text(source),
                    &ARGUMENT.to_string(),
                ]),
                _ => text.push(UNKNOWN),
            }
            continue;
        }
        match token.kind {
            _ if token.text(source) == "#" => is_argument = true,
            TokenKind::String => literal(token.text(source), text),
            TokenKind::Directive => {}
            TokenKind::Word => match (known(macros, token.text(source)), nested.checked_sub(1)) {
                (Some(body), Some(nested)) => {
                    add(body, &lex_inline(body).tokens, macros, nested, text);
                }
                _ => text.push(UNKNOWN),
            },
            _ => text.push(UNKNOWN),
        }
    }
}

/// The body of a macro without parameters, if all its definitions are the same.
fn known<'m>(macros: &'m Macros, name: &str) -> Option<&'m str> {
    let definitions = macros.get(name)?;
    let first = definitions.first()?;
    let is_same = definitions.iter().all(|it| it == first);
    (is_same && first.parameters.is_none()).then_some(first.body.as_str())
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
