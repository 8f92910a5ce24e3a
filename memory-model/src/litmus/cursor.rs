//! A position in the tokens of a test, or of one of its cells.

use hirace_model::error::{Error, Result};

use super::ast::{Span, Value};
use super::lexer::{Kind, Token};
use super::source::Source;

/// A position in a list of tokens.
#[derive(Clone)]
pub(super) struct Cursor<'s> {
    pub(super) source: &'s Source<'s>,
    tokens: &'s [Token<'s>],
    at: usize,
    /// What follows the tokens: the separator of a cell, or an empty span.
    end: Span,
}

impl<'s> Cursor<'s> {
    /// The whole test.
    pub(super) fn new(source: &'s Source<'s>, tokens: &'s [Token<'s>]) -> Self {
        // White space at the end would move the position to another line.
        let end = source.code().trim_end().len();
        Self {
            source,
            tokens,
            at: 0,
            end: end..end,
        }
    }

    /// Some tokens of it, and the separator after them.
    pub(super) fn part(&self, tokens: &'s [Token<'s>], end: Span) -> Self {
        Self {
            source: self.source,
            tokens,
            at: 0,
            end,
        }
    }

    /// The tokens that are left.
    pub(super) fn rest(&self) -> &'s [Token<'s>] {
        &self.tokens[self.at.min(self.tokens.len())..]
    }

    /// The next token, which stays.
    pub(super) fn peek(&self) -> Option<Kind<'s>> {
        self.rest().first().map(|token| token.kind)
    }

    /// The next word in lower case.
    pub(super) fn peek_keyword(&self) -> Option<String> {
        match self.peek() {
            Some(Kind::Word(word)) => Some(word.to_ascii_lowercase()),
            _ => None,
        }
    }

    /// Whether the tokens start with these signs; `""` is any word or number.
    pub(super) fn starts_with(&self, pattern: &[&str]) -> bool {
        let rest = self.rest();
        rest.len() >= pattern.len()
            && pattern
                .iter()
                .zip(rest)
                .all(|(expected, token)| match token.kind {
                    Kind::Sign(sign) => sign == *expected,
                    Kind::Word(_) | Kind::Number(_) => expected.is_empty(),
                })
    }

    /// Skips the next token.
    pub(super) fn advance(&mut self) -> Option<&'s Token<'s>> {
        let token = self.tokens.get(self.at)?;
        self.at += 1;
        Some(token)
    }

    /// Skips this sign if it is next.
    pub(super) fn eat(&mut self, sign: &str) -> bool {
        let found = self.starts_with(&[sign]);
        self.at += usize::from(found);
        found
    }

    /// Skips this keyword if it is next.
    pub(super) fn eat_keyword(&mut self, keyword: &str) -> bool {
        let found = self.peek_keyword().is_some_and(|word| word == keyword);
        self.at += usize::from(found);
        found
    }

    /// Skips this sign.
    pub(super) fn expect(&mut self, sign: &str) -> Result<()> {
        if self.eat(sign) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{sign}`")))
        }
    }

    /// A name, which has no dots; `expected` describes it.
    pub(super) fn name(&mut self, expected: &str) -> Result<(&'s str, Span)> {
        self.take(expected, |kind| match kind {
            Kind::Word(word) if !word.contains('.') => Some(word),
            _ => None,
        })
    }

    /// A number; `expected` describes it.
    pub(super) fn number(&mut self, expected: &str) -> Result<(Value, Span)> {
        self.take(expected, |kind| match kind {
            Kind::Number(number) => Some(number),
            _ => None,
        })
    }

    fn take<T>(
        &mut self,
        expected: &str,
        content: impl Fn(Kind<'s>) -> Option<T>,
    ) -> Result<(T, Span)> {
        let (span, found) = (self.here(), self.peek().and_then(content));
        let content = found.ok_or_else(|| self.unexpected(expected))?;
        self.at += 1;
        Ok((content, span))
    }

    /// The position of the next token, or of the end.
    pub(super) fn here(&self) -> Span {
        match self.rest().first() {
            Some(token) => token.span.clone(),
            None => self.end.clone(),
        }
    }

    /// Where the last skipped token ends.
    pub(super) fn last_end(&self) -> usize {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        last.map_or(self.here().start, |token| token.span.end)
    }

    /// The next token is not what was expected.
    pub(super) fn unexpected(&self, expected: &str) -> Error {
        let span = self.here();
        let found = match span.is_empty() {
            true => "the end of the test".to_owned(),
            false => format!("`{}`", self.source.folded(span.clone())),
        };
        let message = format!("expected {expected}, found {found}");
        self.source.error(span, message)
    }
}
