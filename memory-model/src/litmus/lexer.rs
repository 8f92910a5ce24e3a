//! The words, numbers and signs of a test.

use hirace_model::error::Result;

use super::ast::{Span, Value};
use super::source::Source;

/// A token and its position.
#[derive(Clone, Debug)]
pub(super) struct Token<'s> {
    pub(super) kind: Kind<'s>,
    pub(super) span: Span,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'s> {
    /// A name, keyword or opcode; the dots of `ld.weak` belong to it.
    Word(&'s str),
    /// A number with its sign.
    Number(Value),
    /// Anything else.
    Sign(&'static str),
}

/// Longer signs first.
const SIGNS: [&str; 19] = [
    "/\\", "\\/", "==", "!=", "=", "!", "~", "{", "}", "(", ")", "[", "]", ";", "|", ",", ":", "@",
    "&",
];

/// The tokens after the first `from` bytes.
pub(super) fn tokens<'s>(source: &'s Source<'_>, from: usize) -> Result<Vec<Token<'s>>> {
    let code = source.code();
    let mut tokens = Vec::new();
    let mut at = from;
    while let Some(first) = code[at..].chars().next() {
        let rest = &code[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (kind, length) = if is_number(rest) {
            let length = 1 + length_of(&rest[1..], |c| is_word(c) && c != '.');
            let number = number(&rest[..length]).map_err(|message| {
                source.error(at..at + length, format!("`{}` {message}", &rest[..length]))
            })?;
            (Kind::Number(number), length)
        } else if is_word(first) {
            let length = length_of(rest, is_word);
            (Kind::Word(&rest[..length]), length)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Kind::Sign(sign), sign.len())
        } else {
            let message = format!("unexpected character `{}`", first.escape_debug());
            return Err(source.error(at..at + first.len_utf8(), message));
        };
        let span = at..at + length;
        tokens.push(Token { kind, span });
        at += length;
    }
    Ok(tokens)
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.')
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit())
}

fn length_of(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

fn number(text: &str) -> Result<Value, &'static str> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let lower = digits.to_ascii_lowercase();
    let (digits, base) = match lower.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (lower.as_str(), 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(base)) {
        return Err("is not a number");
    }
    let magnitude = i128::from_str_radix(digits, base).map_err(|_| "is too large")?;
    let value = if negative { -magnitude } else { magnitude };
    // Numbers from 2^63 on are negative ones of the same bits.
    let unsigned = u64::try_from(value).map(u64::cast_signed);
    Value::try_from(value)
        .or(unsigned)
        .map_err(|_| "is too large: values have 64 bits")
}
