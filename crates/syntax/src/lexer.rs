//! Tokens of a CUDA source file, with comments and preprocessor lines set apart.
//!
//! The pre-pass works on these tokens, because it must process text that the grammar cannot parse.
//! Every byte of the input is allowed; bytes that form no token are skipped.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// An identifier or a keyword.
    Word,
    /// A numeric literal.
    Number,
    /// A string literal, raw ones included.
    String,
    /// A character literal.
    Char,
    /// `::`, `->`, `##`, or any other single character.
    Punct,
    /// A whole preprocessor line with its continuation lines.
    Directive,
}

/// One token: its kind and byte range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

impl Token {
    /// The token as written.
    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        &source[self.start..self.end]
    }
}

/// A file's tokens.
#[derive(Debug, Default)]
pub struct Lexed {
    pub tokens: Vec<Token>,
    /// Byte ranges of the comments.
    pub comments: Vec<(usize, usize)>,
    /// Start of an unterminated comment or literal, with a message.
    pub unterminated: Option<(usize, &'static str)>,
}

/// Splits a whole file, in which a `#` that opens a line is a directive.
pub fn lex(source: &str) -> Lexed {
    Lexer::new(source, true).run()
}

/// Splits the inside of a directive, where `#` and `##` are operators.
pub fn lex_inline(source: &str) -> Lexed {
    Lexer::new(source, false).run()
}

/// Whether `byte` may be part of an identifier.
pub fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    line_start: bool,
    directives: bool,
    out: Lexed,
}

impl<'a> Lexer<'a> {
    fn new(source: &'a str, directives: bool) -> Self {
        let at = if source.starts_with('\u{feff}') { 3 } else { 0 };
        Self {
            bytes: source.as_bytes(),
            at,
            line_start: true,
            directives,
            out: Lexed::default(),
        }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        self.out.tokens.push(Token {
            kind,
            start,
            end: self.at,
        });
    }

    fn run(mut self) -> Lexed {
        while self.at < self.bytes.len() {
            let start = self.at;
            let byte = self.bytes[start];
            match byte {
                b'\n' => {
                    self.at += 1;
                    self.line_start = true;
                    continue;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                    self.at += 1;
                    continue;
                }
                b'\\' => {
                    self.at += 1 + self.continuation();
                    continue;
                }
                b'/' if self.peek(1) == b'/' => {
                    self.line_comment();
                    continue;
                }
                b'/' if self.peek(1) == b'*' => {
                    self.block_comment();
                    continue;
                }
                b'#' if self.directives && self.line_start => self.directive(),
                b'"' => self.quoted(b'"', TokenKind::String),
                b'\'' => self.quoted(b'\'', TokenKind::Char),
                _ if byte.is_ascii_digit() || (byte == b'.' && self.peek(1).is_ascii_digit()) => {
                    self.number();
                }
                _ if is_word_byte(byte) => self.word(),
                _ => {
                    let two = [byte, self.peek(1)];
                    self.at += if matches!(&two, b"::" | b"->" | b"##") {
                        2
                    } else {
                        1
                    };
                    self.push(TokenKind::Punct, start);
                }
            }
            self.line_start = false;
        }
        self.out
    }

    /// Length of the line break after a backslash; 0 if there is none.
    fn continuation(&self) -> usize {
        match (self.peek(1), self.peek(2)) {
            (b'\n', _) => 1,
            (b'\r', b'\n') => 2,
            _ => 0,
        }
    }

    fn line_comment(&mut self) {
        let start = self.at;
        while self.at < self.bytes.len() && self.bytes[self.at] != b'\n' {
            let skip = if self.bytes[self.at] == b'\\' {
                self.continuation()
            } else {
                0
            };
            self.at += 1 + skip;
        }
        self.at = self.at.min(self.bytes.len());
        self.out.comments.push((start, self.at));
    }

    fn block_comment(&mut self) {
        let start = self.at;
        self.at += 2;
        loop {
            if self.at >= self.bytes.len() {
                self.at = self.bytes.len();
                self.out
                    .unterminated
                    .get_or_insert((start, "this comment is never closed"));
                break;
            }
            if self.bytes[self.at] == b'*' && self.peek(1) == b'/' {
                self.at += 2;
                break;
            }
            self.at += 1;
        }
        self.out.comments.push((start, self.at));
    }

    fn directive(&mut self) {
        let start = self.at;
        let mut end = start;
        while self.at < self.bytes.len() && self.bytes[self.at] != b'\n' {
            match self.bytes[self.at] {
                b'\\' => self.at += 1 + self.continuation(),
                b'/' if self.peek(1) == b'/' => {
                    self.line_comment();
                    continue;
                }
                b'/' if self.peek(1) == b'*' => {
                    self.block_comment();
                    continue;
                }
                quote @ (b'"' | b'\'') => self.skip_quoted(quote),
                _ => self.at += 1,
            }
            end = self.at;
        }
        self.at = self.at.min(self.bytes.len());
        let end = end.min(self.bytes.len());
        self.out.tokens.push(Token {
            kind: TokenKind::Directive,
            start,
            end,
        });
        self.line_start = true;
    }

    /// Moves past a literal without recording it; stops at the line's end.
    fn skip_quoted(&mut self, quote: u8) {
        self.at += 1;
        while self.at < self.bytes.len() && self.bytes[self.at] != b'\n' {
            match self.bytes[self.at] {
                b'\\' => self.at += 1 + self.continuation().max(1),
                byte => {
                    self.at += 1;
                    if byte == quote {
                        return;
                    }
                }
            }
        }
        self.at = self.at.min(self.bytes.len());
    }

    fn quoted(&mut self, quote: u8, kind: TokenKind) {
        let start = self.at;
        self.skip_quoted(quote);
        // An escape may have moved into the middle of a character.
        while self.at < self.bytes.len() && self.bytes[self.at] & 0xc0 == 0x80 {
            self.at += 1;
        }
        self.push(kind, start);
    }

    fn number(&mut self) {
        let start = self.at;
        while self.at < self.bytes.len() {
            let byte = self.bytes[self.at];
            let exponent = matches!(byte, b'+' | b'-')
                && matches!(self.bytes[self.at - 1], b'e' | b'E' | b'p' | b'P')
                && !(self.bytes[start] == b'0'
                    && matches!(self.bytes.get(start + 1), Some(b'x' | b'X'))
                    && matches!(self.bytes[self.at - 1], b'e' | b'E'));
            let separator = byte == b'\'' && self.peek(1).is_ascii_alphanumeric();
            if !(is_word_byte(byte) || byte == b'.' || exponent || separator) {
                break;
            }
            self.at += 1;
        }
        self.push(TokenKind::Number, start);
    }

    fn word(&mut self) {
        let start = self.at;
        while self.at < self.bytes.len() && is_word_byte(self.bytes[self.at]) {
            self.at += 1;
        }
        let word = &self.bytes[start..self.at];
        let next = self.peek(0);
        if next == b'"' && matches!(word, b"R" | b"LR" | b"uR" | b"UR" | b"u8R") {
            self.raw_string(start);
        } else if matches!(next, b'"' | b'\'') && matches!(word, b"L" | b"u" | b"U" | b"u8") {
            let kind = if next == b'"' {
                TokenKind::String
            } else {
                TokenKind::Char
            };
            self.quoted(next, kind);
            if let Some(last) = self.out.tokens.last_mut() {
                last.start = start;
            }
        } else {
            self.push(TokenKind::Word, start);
        }
    }

    fn raw_string(&mut self, start: usize) {
        let open = self.at + 1;
        let mut paren = open;
        while paren < self.bytes.len() && paren - open <= 16 && self.bytes[paren] != b'(' {
            paren += 1;
        }
        if self.bytes.get(paren) != Some(&b'(') {
            self.quoted(b'"', TokenKind::String);
            return;
        }
        let delimiter = &self.bytes[open..paren];
        let mut at = paren + 1;
        loop {
            if at >= self.bytes.len() {
                self.at = self.bytes.len();
                self.out
                    .unterminated
                    .get_or_insert((start, "this raw string is never closed"));
                break;
            }
            let rest = &self.bytes[at..];
            if rest[0] == b')'
                && rest[1..].starts_with(delimiter)
                && rest.get(1 + delimiter.len()) == Some(&b'"')
            {
                self.at = at + delimiter.len() + 2;
                break;
            }
            at += 1;
        }
        self.push(TokenKind::String, start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expect: &[&str]) {
        let lexed = lex(source);
        let words: Vec<&str> = lexed
            .tokens
            .iter()
            .map(|token| token.text(source))
            .collect();
        assert_eq!(words, expect);
    }

    #[test]
    fn literals_hide_what_is_inside() {
        check(
            "a = \"}\\\"{\" + '}';",
            &["a", "=", "\"}\\\"{\"", "+", "'}'", ";"],
        );
        check("R\"x()}\")x\" b", &["R\"x()}\")x\"", "b"]);
        check("1'000.5e-3f+0xe+1", &["1'000.5e-3f", "+", "0xe", "+", "1"]);
    }

    #[test]
    fn a_directive_takes_its_continuation_lines() {
        check(
            "#define A(x) \\\n x /* \n */ + 1\nb # c",
            &["#define A(x) \\\n x /* \n */ + 1", "b", "#", "c"],
        );
    }

    #[test]
    fn comments_are_no_tokens() {
        check(
            "a // b \\\n c\nd /* { */ e::f->g",
            &["a", "d", "e", "::", "f", "->", "g"],
        );
        assert!(lex("x /* y").unterminated.is_some());
    }
}
