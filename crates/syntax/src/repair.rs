//! Macro uses that the grammar cannot place.
//!
//! After qualifiers are gone, what still breaks the grammar is mostly macros:
//! used as statements without a semicolon, as loop heads, with types or
//! statements for arguments, or as attributes from headers that are not at
//! hand. All of it is found from tokens and the braces around them, and mended
//! in place. `head` looks at the heads of declarations, `macro_use` at macros among
//! statements, `stray` at macros of one word, `expression` and `comparison` at what else
//! the grammar does not know or does not know well enough.

use super::alias::Aliases;
use super::lexer::TokenKind;
use super::prepass::Prepass;
use super::qualifier::{Mark, Qualifiers};

/// Longest macro call that is looked at, in tokens.
pub const CALL_LIMIT: usize = 4096;

/// Longest head of a declaration that is looked at, in tokens.
pub const HEAD_LIMIT: usize = 64;

/// What a pair of braces holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Braces {
    /// Declarations: a namespace, a class.
    Declarations,
    /// Statements.
    Code,
    /// Values: an initialiser, an enumeration.
    Values,
}

/// A token that the grammar sees.
#[derive(Clone, Copy)]
pub struct Seen<'s> {
    pub text: &'s str,
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

/// Mends the masked text; `in_code` where it starts among statements.
pub fn repair(pass: &mut Prepass, source: &str, aliases: &Aliases, in_code: bool) {
    let tokens: Vec<Seen<'_>> = pass
        .tokens
        .iter()
        .zip(&pass.directives.live)
        .filter(|(token, live)| {
            **live && token.kind != TokenKind::Directive && pass.text[token.start] != b' '
        })
        .map(|(token, _)| {
            // A macro in whose place stands a lambda's introducer.
            let introducer = token.kind == TokenKind::Word && pass.text[token.start] == b'[';
            Seen {
                text: if introducer { "]" } else { token.text(source) },
                kind: if introducer {
                    TokenKind::Punct
                } else {
                    token.kind
                },
                start: token.start,
                end: token.end,
            }
        })
        .collect();
    let mut repairer = Repairer {
        pass,
        aliases,
        closing: matching(&tokens, "(", ")"),
        closing_braces: matching(&tokens, "{", "}"),
        tokens,
        marks: Vec::new(),
        function: 0,
    };
    repairer.run(in_code);
    let marks = std::mem::take(&mut repairer.marks);
    if !marks.is_empty() {
        pass.marks.extend(marks);
        pass.marks.sort_by_key(|mark| mark.range.start);
    }
}

/// Which token closes which, for all at once: they are asked for again and again.
fn matching(tokens: &[Seen<'_>], open: &str, close: &str) -> Vec<usize> {
    let mut closing = vec![0; tokens.len()];
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
    closing
}

pub struct Repairer<'a, 's> {
    pub pass: &'a mut Prepass,
    pub aliases: &'a Aliases,
    pub tokens: Vec<Seen<'s>>,
    /// For each opening parenthesis the token that closes it; 0 where there is none.
    closing: Vec<usize>,
    /// The same for braces.
    pub closing_braces: Vec<usize>,
    pub marks: Vec<Mark>,
    /// First token of the function around the current place.
    pub function: usize,
}

impl<'s> Repairer<'_, 's> {
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

    fn run(&mut self, in_code: bool) {
        let mut braces = vec![if in_code {
            Braces::Code
        } else {
            Braces::Declarations
        }];
        let mut parentheses = 0usize;
        // First token of the current statement.
        let mut start = 0;
        for at in 0..self.tokens.len() {
            let around = braces.last().copied().unwrap_or(Braces::Declarations);
            if start == at && around == Braces::Declarations {
                self.head(at);
            }
            if self.is_blank(at) {
                if start == at {
                    start = at + 1;
                }
                continue;
            }
            let word = self.is_word(at);
            let code = around == Braces::Code;
            if word && self.special_word(at, around, parentheses > 0)
                || code && self.stray_statement(start, at)
            {
                continue;
            }
            if word && self.type_macro(at, start, around, parentheses > 0) {
                continue;
            }
            match self.tokens[at].text {
                "{" if parentheses > 0 && self.before(at) == "=" => {
                    self.braced_default(at);
                    // A blank in place of the closing brace will not be seen.
                    if !self.is_blank(at + 1) {
                        braces.push(Braces::Values);
                    }
                }
                "{" => {
                    let inner = self.opened(start, at, around, parentheses);
                    if inner == Braces::Code && around == Braces::Declarations {
                        self.function = start;
                    }
                    braces.push(inner);
                    if inner != Braces::Values {
                        start = at + 1;
                        parentheses = 0;
                    }
                }
                "}" => {
                    if braces.len() > 1 {
                        braces.pop();
                    }
                    if around != Braces::Values {
                        start = at + 1;
                        parentheses = 0;
                    }
                }
                "<" if around == Braces::Code => self.comparison(at, start, parentheses > 0),
                ">" if around != Braces::Values => {
                    self.at_least(at);
                    self.triple_close(at, start);
                }
                "*" | "&" if parentheses > 0 && self.text(at + 1) == "." => {
                    self.pack_of_pointers(at);
                }
                "*" | "&" if code && self.text(at + 1) == "," => self.late_type(at),
                "*" | "&" if parentheses > 0 => self.unnamed_default(at),
                "&" if around == Braces::Code => self.reference_initializer(at, start),
                "(" => {
                    parentheses += 1;
                    if !in_code {
                        self.assignment_before_comma(at);
                    }
                }
                ")" => parentheses = parentheses.saturating_sub(1),
                ";" if parentheses == 0 => start = at + 1,
                ":" if start + 1 == at
                    && matches!(self.text(start), "public" | "private" | "protected") =>
                {
                    start = at + 1;
                }
                "typename" => self.typename(at),
                "::" if self.text(at + 1) == "*" => self.member_pointer(at),
                "~" => self.destructor_call(at),
                _ if self.tokens[at].kind == TokenKind::String => self.string_parts(at),
                "->" | "." if self.text(at + 1) == "*" && self.touches(at) => {
                    // A pointer to a member: read as a member.
                    self.blank(at + 1);
                }
                "asm" if self.is_word(at) => self.assembly(at),
                "static" | "const" if start == at && code => self.declaring_macro(at, around),
                _ if self.is_word(at) && self.is_stray(start, at) => self.blank(at),
                _ if self.is_word(at) && around != Braces::Values => {
                    if around == Braces::Declarations && parentheses == 0 {
                        self.trailing_attribute(at);
                    } else if around == Braces::Code {
                        self.more_arguments(at);
                        if self.text(at + 1) == "(" && self.is_macro(at) {
                            self.odd_arguments(at);
                        }
                        let first = parentheses == 0 && self.starts_statement(start, at);
                        if first && let Some(next) = self.statement_macro(at) {
                            start = next;
                        }
                        if self.text(at + 1) == "(" && self.takes_types(at) {
                            self.type_arguments(at + 1);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    pub fn is_blank(&self, at: usize) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| self.pass.text[token.start] == b' ')
    }

    /// Whether the next token follows without a blank.
    pub fn touches(&self, at: usize) -> bool {
        self.tokens
            .get(at + 1)
            .is_some_and(|next| next.start == self.tokens[at].end)
    }

    /// Blanks a token; marks before it move on to the next one.
    pub fn blank(&mut self, at: usize) {
        let Some(token) = self.tokens.get(at).copied() else {
            return;
        };
        for byte in &mut self.pass.text[token.start..token.end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        let next = self
            .tokens
            .get(at + 1)
            .map_or(self.pass.text.len(), |it| it.start);
        self.move_marks(token.start, next);
    }

    /// Marks before the token that starts at `from` are from now on before the one at `to`.
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

    /// Blanks an attribute and remembers what it most likely means.
    pub fn blank_attribute(&mut self, at: usize, qualifiers: Qualifiers) {
        let token = self.tokens[at];
        self.blank(at);
        let next = self
            .tokens
            .get(at + 1)
            .map_or(self.pass.text.len(), |it| it.start);
        self.marks.push(Mark {
            range: token.start..token.end,
            next,
            qualifiers,
            visible: false,
        });
    }

    /// What a brace at `at` opens, given the statement's first token.
    fn opened(&self, start: usize, at: usize, around: Braces, parentheses: usize) -> Braces {
        if around == Braces::Values {
            return Braces::Values;
        }
        let before = self.before(at);
        if matches!(
            before,
            ")" | "else" | "do" | "try" | "const" | "noexcept" | "override" | "final" | "mutable"
        ) && !(parentheses == 0 && self.text(start) == "class")
        {
            return Braces::Code;
        }
        if parentheses > 0 {
            // A lambda has its captures directly before, or its result type.
            return if before == "]" || self.has_lambda_result(at) {
                Braces::Code
            } else {
                Braces::Values
            };
        }
        let head = &self.tokens[start.min(at)..at];
        let head = &head[head.len().saturating_sub(HEAD_LIMIT)..];
        let has = |word: &str| head.iter().any(|token| token.text == word);
        if has("enum") {
            return Braces::Values;
        }
        let class = has("namespace") || has("class") || has("struct") || has("union");
        if class && !has("(") || has("extern") && head.len() <= 2 {
            return Braces::Declarations;
        }
        match before {
            _ if at > 0 && around == Braces::Code && self.is_blank(at - 1) => Braces::Code,
            "=" | "," | "return" => Braces::Values,
            "]" if has("=") => Braces::Code,
            "" | "{" | "}" | ";" | ":" => around,
            _ if has("->") || has(":") => Braces::Code,
            _ if around == Braces::Code => Braces::Values,
            _ => Braces::Declarations,
        }
    }

    /// Whether `-> T` of a lambda comes before the brace at `at`.
    fn has_lambda_result(&self, at: usize) -> bool {
        let first = at.saturating_sub(HEAD_LIMIT);
        let arrow = (first..at)
            .rev()
            .take_while(|it| !matches!(self.text(*it), ";" | "{" | "}" | ")"))
            .find(|it| self.text(*it) == "->");
        let mut close = arrow.unwrap_or(0);
        while matches!(self.before(close), "mutable" | "noexcept" | "constexpr") {
            close -= 1;
        }
        let mut depth = 0usize;
        for it in (close.saturating_sub(CALL_LIMIT)..close).rev() {
            match self.text(it) {
                ")" => depth += 1,
                "(" if depth == 1 => return self.before(it) == "]",
                "(" if depth > 0 => depth -= 1,
                _ if depth == 0 => return false,
                _ => {}
            }
        }
        false
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

    /// `T x = {…}` among parameters: the grammar wants an expression.
    fn braced_default(&mut self, at: usize) {
        let mut end = at + 1;
        while end < at + HEAD_LIMIT && !matches!(self.text(end), "{" | "}" | ";" | "") {
            end += 1;
        }
        if self.text(end) != "}" || !matches!(self.text(end + 1), "," | ")") {
            return;
        }
        let (first, last) = (self.tokens[at].start, self.tokens[end].start);
        (self.pass.text[first], self.pass.text[last]) = if end == at + 1 {
            (b'0', b' ')
        } else {
            (b'(', b')')
        };
    }

    /// The parenthesis that closes the one at `open`, if that is not too far.
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
                ">" if parentheses == 0 && angles == 1 => return Some(index + 1),
                ">" if parentheses == 0 => angles -= 1,
                ";" | "{" | "}" => return None,
                _ => {}
            }
        }
        None
    }

    /// `typename` before a qualified name says what the grammar knows anyway,
    /// and in expressions it does not expect it.
    fn typename(&mut self, at: usize) {
        let qualified = self.is_word(at + 1) && matches!(self.text(at + 2), "::" | "<");
        let deduced = self.text(at + 1) == "decltype";
        if qualified || deduced || self.text(at + 1) == "::" {
            self.blank(at);
        }
    }
}

/// Whether a word is spelled as macros are: `CAPITALS`, `__both_sides__`.
pub fn looks_like_macro(text: &str) -> bool {
    let capitals = text.len() >= 3
        && text.bytes().any(|byte| byte.is_ascii_uppercase())
        && text.bytes().all(|byte| !byte.is_ascii_lowercase());
    let underscores = text.len() > 4 && text.starts_with("__") && text.ends_with("__");
    capitals || underscores
}

pub fn is_builtin_type(text: &str) -> bool {
    matches!(
        text,
        "void"
            | "bool"
            | "char"
            | "short"
            | "int"
            | "long"
            | "float"
            | "double"
            | "unsigned"
            | "signed"
            | "auto"
    )
}
