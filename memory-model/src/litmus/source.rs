//! The text of a test: its comments, and errors that point into it.

use hirace_model::error::{Error, Mistake, Result};

use super::ast::Span;
use crate::comment::nested_comment;

/// The text of a test.
pub(super) struct Source<'a> {
    name: &'a str,
    text: &'a str,
    code: String,
    /// The comments in quotes, without these.
    pub(super) comments: Vec<String>,
}

impl<'a> Source<'a> {
    /// Rejects binary data and finds the comments.
    pub(super) fn new(name: &'a str, text: &'a str) -> Result<Self> {
        let mut source = Self {
            name,
            text,
            code: String::new(),
            comments: Vec::new(),
        };
        let is_binary = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
        if let Some(at) = text.as_bytes().iter().position(is_binary) {
            let message = format!(
                "the text contains binary data: byte {:#04x}",
                text.as_bytes()[at]
            );
            return Err(source.error(at..at + 1, message));
        }
        source.blank_comments()?;
        if source.code.trim().is_empty() {
            let help = "a test starts with a line such as `PTX MP`";
            return Err(source.error_with_help(0..text.len().min(1), "the test is empty", help));
        }
        Ok(source)
    }

    /// The text with blanks in place of comments; positions are those of the text.
    pub(super) fn code(&self) -> &str {
        &self.code
    }

    /// A part of the text without comments and with single spaces.
    pub(super) fn folded(&self, span: Span) -> String {
        let part = self.code.get(span).unwrap_or_default();
        part.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Whether a line ends within the span.
    pub(super) fn has_line_break(&self, span: Span) -> bool {
        self.code.get(span).is_some_and(|part| part.contains('\n'))
    }

    /// A mistake at `span`.
    pub(super) fn error(&self, span: Span, message: impl Into<String>) -> Error {
        Error::Syntax(Mistake::new(self.name, self.text, span, message))
    }

    /// A mistake at `span` and how to fix it.
    pub(super) fn error_with_help(
        &self,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Error {
        let mistake = Mistake::new(self.name, self.text, span, message);
        Error::Syntax(mistake.with_help(Some(help.into())))
    }

    fn blank_comments(&mut self) -> Result<()> {
        let text = self.text;
        // Some editors put a byte order mark first.
        let mut at = if text.starts_with('\u{feff}') { 3 } else { 0 };
        self.blank(0..at);
        while let Some(first) = text[at..].chars().next() {
            let rest = &text[at..];
            let length = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("(*") {
                let end = nested_comment(rest);
                end.ok_or_else(|| self.error(at..at + 2, "this comment has no closing `*)`"))?
            } else if let Some(quoted) = rest.strip_prefix('"') {
                let end = quoted.find('"');
                let end =
                    end.ok_or_else(|| self.error(at..at + 1, "this comment has no closing quote"))?;
                self.comments.push(quoted[..end].to_owned());
                end + 2
            } else {
                self.code.push(first);
                at += first.len_utf8();
                continue;
            };
            self.blank(at..at + length);
            at += length;
        }
        Ok(())
    }

    fn blank(&mut self, span: Span) {
        for byte in &self.text.as_bytes()[span] {
            self.code.push(if *byte == b'\n' { '\n' } else { ' ' });
        }
    }
}
