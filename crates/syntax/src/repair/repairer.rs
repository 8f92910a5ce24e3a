//! The tokens that the grammar sees, and changes to the underlying text.

use crate::alias::Aliases;
use crate::lexer::TokenKind;
use crate::masked::Prepass;
use crate::qualifier::{Mark, Qualifiers};
use crate::words::looks_like_macro;

/// Longest macro call to examine, in tokens.
pub(super) const CALL_LIMIT: usize = 4096;

/// Longest head of a declaration to examine, in tokens.
pub(super) const HEAD_LIMIT: usize = 64;

/// The contents of a pair of braces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Braces {
    /// Declarations: a namespace, a class.
    Declarations,
    /// Statements.
    Code,
    /// Values: an initialiser, an enumeration.
    Values,
}

/// A token that the grammar sees.
#[derive(Clone, Copy)]
pub(super) struct VisibleToken<'s> {
    pub text: &'s str,
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

/// A text under repair.
pub(super) struct Repairer<'a, 's> {
    pub pass: &'a mut Prepass,
    pub aliases: &'a Aliases,
    pub tokens: Vec<VisibleToken<'s>>,
    /// For each opening parenthesis or brace the token that closes it; 0 if there is none.
    closing: Vec<usize>,
    pub marks: Vec<Mark>,
    /// First token of the enclosing function.
    pub function: usize,
}

impl<'a, 's> Repairer<'a, 's> {
    /// The tokens of `source` that are visible to the grammar after `pass`.
    pub fn new(pass: &'a mut Prepass, source: &'s str, aliases: &'a Aliases) -> Self {
        let tokens: Vec<VisibleToken<'_>> = pass
            .tokens
            .iter()
            .zip(&pass.directives.live)
            .filter(|(token, live)| {
                let seen = pass.text[token.start] != b' ' || pass.text[token.end - 1] != b' ';
                **live && token.kind != TokenKind::Directive && seen
            })
            .map(|(token, _)| {
                // A macro that was replaced by a lambda's introducer.
                let introducer = token.kind == TokenKind::Word && pass.text[token.start] == b'[';
                let word = (token.kind == TokenKind::Word).then(|| token.text(source));
                let part = word.and_then(|it| aliases.stand_in(it));
                let (text, kind) = match part {
                    Some(part) => (part.token(), TokenKind::Punct),
                    None if introducer => ("]", TokenKind::Punct),
                    None => (token.text(source), token.kind),
                };
                let (start, end) = (token.start, token.end);
                VisibleToken {
                    text,
                    kind,
                    start,
                    end,
                }
            })
            .collect();
        Self {
            pass,
            aliases,
            closing: closing(&tokens),
            tokens,
            marks: Vec::new(),
            function: 0,
        }
    }

    /// Adds the marks of the attributes that were found to the text's marks.
    pub fn finish(self) {
        if !self.marks.is_empty() {
            self.pass.marks.extend(self.marks);
            self.pass.marks.sort_by_key(|mark| mark.range.start);
        }
    }

    pub fn text(&self, at: usize) -> &'s str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    pub fn before(&self, at: usize) -> &'s str {
        at.checked_sub(1).map_or("", |it| self.text(it))
    }

    pub fn is_word(&self, at: usize) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|it| it.kind == TokenKind::Word)
    }

    pub fn is_blank(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|it| {
            self.pass.text[it.start] == b' ' && self.pass.text[it.end - 1] == b' '
        })
    }

    /// Whether the next token follows without a blank.
    pub fn touches(&self, at: usize) -> bool {
        self.tokens
            .get(at + 1)
            .is_some_and(|next| next.start == self.tokens[at].end)
    }

    /// Blanks a token; marks before it move to the next one.
    pub fn blank(&mut self, at: usize) {
        let Some(token) = self.tokens.get(at).copied() else {
            return;
        };
        self.pass.blank(token.start..token.end);
        self.move_marks(token.start, self.start_of(at + 1));
    }

    /// Blanks several tokens.
    pub fn blank_all(&mut self, tokens: impl IntoIterator<Item = usize>) {
        for at in tokens {
            self.blank(at);
        }
    }

    /// The start of a token, or the end of the text.
    pub fn start_of(&self, at: usize) -> usize {
        let token = self.tokens.get(at);
        token.map_or(self.pass.text.len(), |token| token.start)
    }

    /// Moves marks before the token that starts at `from` to the one at `to`.
    pub fn move_marks(&mut self, from: usize, to: usize) {
        for marks in [&mut self.pass.marks, &mut self.marks] {
            let first = marks.partition_point(|mark| mark.next < from);
            for mark in &mut marks[first..] {
                if mark.next != from {
                    break;
                }
                mark.next = to;
            }
        }
    }

    /// Blanks an attribute and records its most likely meaning.
    pub fn blank_attribute(&mut self, at: usize, qualifiers: Qualifiers) {
        let token = self.tokens[at];
        self.blank(at);
        self.marks.push(Mark {
            range: token.start..token.end,
            next: self.start_of(at + 1),
            qualifiers,
            visible: false,
        });
    }

    pub fn starts_statement(&self, start: usize, at: usize) -> bool {
        if start == at {
            return true;
        }
        match self.before(at) {
            ")" | "else" | "do" => !matches!(self.text(start), "template" | "using"),
            ":" => matches!(self.text(start), "case" | "default"),
            _ => false,
        }
    }

    /// Whether the word at `at` is, or looks like, a function-like macro.
    pub fn is_macro(&self, at: usize) -> bool {
        let text = self.text(at);
        self.aliases.is_function_macro(text) || looks_like_macro(text)
    }

    /// The parenthesis or brace that closes the one at `open`, within a limit.
    pub fn closing(&self, open: usize) -> Option<usize> {
        let close = *self.closing.get(open)?;
        (close > open && close - open < CALL_LIMIT).then_some(close)
    }

    /// The token after the template arguments that open at `open`.
    pub fn after_angles(&self, open: usize) -> Option<usize> {
        let (mut angles, mut parentheses) = (0usize, 0usize);
        for (index, token) in self.tokens.iter().enumerate().skip(open).take(CALL_LIMIT) {
            match token.text {
                "(" => parentheses += 1,
                ")" => parentheses = parentheses.checked_sub(1)?,
                // `<=` opens nothing, `>=` closes nothing.
                "<" | ">" if self.text(index + 1) == "=" && self.touches(index) => {}
                "<" if parentheses == 0 => angles += 1,
                ">" if parentheses == 0 => {
                    // None is open after `a <= b`.
                    angles = angles.checked_sub(1)?;
                    if angles == 0 {
                        return Some(index + 1);
                    }
                }
                ";" | "{" | "}" => return None,
                _ => {}
            }
        }
        None
    }
}

/// The bracket that closes each bracket, computed once because it is used often.
fn closing(tokens: &[VisibleToken<'_>]) -> Vec<usize> {
    let mut closing = vec![0; tokens.len()];
    for (open, close) in [("(", ")"), ("{", "}")] {
        let mut waiting = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            if token.text == open {
                waiting.push(at);
            } else if token.text == close
                && let Some(start) = waiting.pop()
            {
                closing[start] = at;
            }
        }
    }
    closing
}
