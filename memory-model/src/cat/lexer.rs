//! Text as tokens.

use super::source::{Problem, Result, Span};
use crate::comment::nested_comment;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier.
    Name,
    /// A text in quotes.
    Text,
    /// A word that starts or joins statements.
    Keyword,
    /// A word of the language for which hirace has no implementation.
    Unsupported,
    /// `0`.
    Zero,
    /// An operator or a bracket.
    Symbol,
    /// The end of the text.
    End,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub kind: Kind,
    /// Its text; that of [`Kind::Text`] is without quotes.
    pub text: &'t str,
    pub span: Span,
    /// It is the first one on its line.
    pub first_on_line: bool,
}

impl Token<'_> {
    /// The token for messages.
    pub fn describe(&self) -> String {
        match self.kind {
            Kind::End => "the end of the file".into(),
            Kind::Text => format!("\"{}\"", self.text),
            _ => format!("`{}`", self.text),
        }
    }
}

/// The words that start or join statements.
pub(super) const KEYWORDS: [&str; 15] = [
    "let",
    "rec",
    "and",
    "in",
    "as",
    "with",
    "from",
    "include",
    "acyclic",
    "irreflexive",
    "empty",
    "flag",
    "undefined_unless",
    "show",
    "unshow",
];

const UNSUPPORTED: [&str; 14] = [
    "if",
    "then",
    "else",
    "match",
    "end",
    "try",
    "fun",
    "forall",
    "do",
    "procedure",
    "call",
    "enum",
    "instructions",
    "assert",
];

/// Longer symbols before their prefixes.
const SYMBOLS: [&str; 21] = [
    "^-1", "^+", "^*", "^?", "++", "|", ";", "\\", "&", "*", "~", "?", "+", "(", ")", "[", "]",
    "{", "}", ",", "=",
];

/// The tokens of `text`, the file with index `file`. The last one is [`Kind::End`].
pub(super) fn tokens(file: usize, text: &str) -> Result<Vec<Token<'_>>> {
    let mut lexer = Lexer {
        file,
        text,
        offset: 0,
    };
    let mut tokens: Vec<Token> = Vec::new();
    loop {
        let before = lexer.offset;
        lexer.skip_blanks()?;
        let mut token = lexer.token()?;
        let skipped = &text[before..token.span.start];
        token.first_on_line = tokens.is_empty() || skipped.contains('\n');
        tokens.push(token);
        if token.kind == Kind::End {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    file: usize,
    text: &'t str,
    offset: usize,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.offset..]
    }

    /// The next `length` bytes.
    fn span(&self, length: usize) -> Span {
        Span {
            file: self.file,
            start: self.offset,
            end: self.offset + length,
        }
    }

    /// Skips white space and comments.
    fn skip_blanks(&mut self) -> Result<()> {
        loop {
            let rest = self.rest();
            self.offset += rest.len() - rest.trim_start().len();
            let rest = self.rest();
            if rest.starts_with("//") {
                self.offset += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("(*") {
                self.skip_comment()?;
            } else {
                return Ok(());
            }
        }
    }

    /// Skips a comment, with the comments in it.
    fn skip_comment(&mut self) -> Result<()> {
        let length = nested_comment(self.rest()).ok_or_else(|| {
            Problem::new(self.span(2), "this comment has no end")
                .with_help("comments end with `*)`, and those inside them too")
        })?;
        self.offset += length;
        Ok(())
    }

    fn token(&mut self) -> Result<Token<'t>> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok(self.take(Kind::End, 0));
        };
        if first.is_ascii_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !in_name(c)).unwrap_or(rest.len());
            let kind = match &rest[..length] {
                "_" => Kind::Symbol,
                word if KEYWORDS.contains(&word) => Kind::Keyword,
                word if UNSUPPORTED.contains(&word) => Kind::Unsupported,
                _ => Kind::Name,
            };
            return Ok(self.take(kind, length));
        }
        if first.is_ascii_digit() {
            return self.number();
        }
        if first == '"' {
            return self.string();
        }
        if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            return Ok(self.take(Kind::Symbol, symbol.len()));
        }
        let problem = Problem::new(
            self.span(first.len_utf8()),
            format!("unexpected character `{}`", first.escape_default()),
        );
        Err(match first {
            '^' => problem.with_help("expected `^-1`, `^+`, `^*` or `^?`"),
            '\'' => problem.with_help("tags are not supported"),
            _ => problem,
        })
    }

    fn take(&mut self, kind: Kind, length: usize) -> Token<'t> {
        let span = self.span(length);
        self.offset += length;
        Token {
            kind,
            text: &self.text[span.start..span.end],
            span,
            first_on_line: false,
        }
    }

    fn number(&mut self) -> Result<Token<'t>> {
        let rest = self.rest();
        let length = rest.find(|c: char| !in_name(c)).unwrap_or(rest.len());
        if &rest[..length] == "0" {
            return Ok(self.take(Kind::Zero, 1));
        }
        let message = format!("`{}` is not an operand", &rest[..length]);
        Err(Problem::new(self.span(length), message)
            .with_help("the only number is `0`, the empty set or relation"))
    }

    fn string(&mut self) -> Result<Token<'t>> {
        let rest = self.rest();
        let line = rest.lines().next().unwrap_or_default();
        let Some(length) = line[1..].find('"') else {
            return Err(Problem::new(
                self.span(line.len()),
                "this string has no closing `\"`",
            ));
        };
        let token = self.take(Kind::Text, length + 2);
        Ok(Token {
            text: &rest[1..=length],
            ..token
        })
    }
}

/// Whether an identifier can contain the character after its first one.
fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}
