//! Macro uses that the grammar cannot place.
//!
//! After qualifiers are gone, what still breaks the grammar is mostly macros:
//! used as statements without a semicolon, as loop heads, with types or
//! statements for arguments, or as attributes from headers that are not at
//! hand. All of it is found from tokens and the braces around them, and mended
//! in place. [`head`](super::head) looks at the heads of declarations.

use super::lexer::TokenKind;
use super::prepass::Prepass;
use super::qualifier::{Aliases, Mark, Qualifiers};

/// Longest macro call that is looked at, in tokens.
const CALL_LIMIT: usize = 4096;

/// Longest head of a declaration that is looked at, in tokens.
pub(crate) const HEAD_LIMIT: usize = 64;

/// What a pair of braces holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Braces {
    /// Declarations: a namespace, a class.
    Declarations,
    /// Statements.
    Code,
    /// Values: an initialiser, an enumeration.
    Values,
}

/// A token that the grammar sees.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'s> {
    pub(crate) text: &'s str,
    pub(crate) kind: TokenKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Mends the masked text; `in_code` where it starts among statements.
pub(crate) fn repair(pass: &mut Prepass, source: &str, aliases: &Aliases, in_code: bool) {
    let tokens: Vec<Seen<'_>> = pass
        .tokens
        .iter()
        .zip(&pass.directives.live)
        .filter(|(token, live)| {
            **live && token.kind != TokenKind::Directive && pass.text[token.start] != b' '
        })
        .map(|(token, _)| Seen {
            text: token.text(source),
            kind: token.kind,
            start: token.start,
            end: token.end,
        })
        .collect();
    let mut repairer = Repairer {
        pass,
        aliases,
        tokens,
        marks: Vec::new(),
    };
    repairer.run(in_code);
    let marks = std::mem::take(&mut repairer.marks);
    if !marks.is_empty() {
        pass.marks.extend(marks);
        pass.marks.sort_by_key(|mark| mark.range.start);
    }
}

pub(crate) struct Repairer<'a, 's> {
    pub(crate) pass: &'a mut Prepass,
    pub(crate) aliases: &'a Aliases,
    pub(crate) tokens: Vec<Seen<'s>>,
    pub(crate) marks: Vec<Mark>,
}

impl<'s> Repairer<'_, 's> {
    pub(crate) fn text(&self, at: usize) -> &'s str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    fn before(&self, at: usize) -> &'s str {
        at.checked_sub(1).map_or("", |it| self.text(it))
    }

    pub(crate) fn is_word(&self, at: usize) -> bool {
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
            match self.tokens[at].text {
                "{" => {
                    let inner = self.opened(start, at, around, parentheses);
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
                "(" => parentheses += 1,
                ")" => parentheses = parentheses.saturating_sub(1),
                ";" if parentheses == 0 => start = at + 1,
                ":" if start + 1 == at
                    && matches!(self.text(start), "public" | "private" | "protected") =>
                {
                    start = at + 1;
                }
                "typename" => self.typename(at),
                "operator" if matches!(self.before(at), "." | "->") && self.is_word(at + 1) => {
                    // `x.operator T()` reads as a call of `x.T()`.
                    self.blank(at);
                }
                "asm" if self.is_word(at) => self.assembly(at),
                _ if self.is_word(at) && self.is_stray(at, start == at) => self.blank(at),
                _ if self.is_word(at) && around != Braces::Values => {
                    if around == Braces::Declarations && parentheses == 0 {
                        self.trailing_attribute(at);
                    } else if around == Braces::Code {
                        let first = parentheses == 0 && self.starts_statement(start, at);
                        if first && let Some(next) = self.statement_macro(at) {
                            start = next;
                        }
                        if self.text(at + 1) == "(" && self.is_macro(at) {
                            self.type_arguments(at + 1);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether the word at `at` can only be a macro that stands for an
    /// attribute or for nothing: `T* RESTRICT p`, `TRACE return x;`.
    fn is_stray(&self, at: usize, first: bool) -> bool {
        if !looks_like_macro(self.text(at)) || !self.is_word(at + 1) {
            return false;
        }
        if matches!(self.before(at), "*" | "&") {
            return true;
        }
        first
            && (matches!(
                self.text(at + 1),
                "return"
                    | "if"
                    | "for"
                    | "while"
                    | "do"
                    | "switch"
                    | "const"
                    | "static"
                    | "else"
                    | "break"
                    | "continue"
                    | "goto"
                    | "constexpr"
                    | "auto"
            ) || is_builtin_type(self.text(at + 1))
                || self.is_word(at + 2))
    }

    fn is_blank(&self, at: usize) -> bool {
        self.pass.text[self.tokens[at].start] == b' '
    }

    /// Blanks a token; marks before it move on to the next one.
    pub(crate) fn blank(&mut self, at: usize) {
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
        for marks in [&mut self.pass.marks, &mut self.marks] {
            let first = marks.partition_point(|mark| mark.next < token.start);
            for mark in &mut marks[first..] {
                if mark.next != token.start {
                    break;
                }
                mark.next = next;
            }
        }
    }

    /// Blanks an attribute and remembers what it most likely means.
    pub(crate) fn blank_attribute(&mut self, at: usize, qualifiers: Qualifiers) {
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
            return if before == "]" {
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
            "=" | "," | "return" => Braces::Values,
            "]" if has("=") => Braces::Code,
            "" | "{" | "}" | ";" | ":" => around,
            _ if has("->") || has(":") => Braces::Code,
            _ if around == Braces::Code => Braces::Values,
            _ => Braces::Declarations,
        }
    }

    fn starts_statement(&self, start: usize, at: usize) -> bool {
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
    pub(crate) fn is_macro(&self, at: usize) -> bool {
        let text = self.text(at);
        self.aliases.is_function_macro(text) || looks_like_macro(text)
    }

    /// Makes sense of a macro used as a statement, as a loop's head, or around
    /// statements. Returns the token after it.
    fn statement_macro(&mut self, at: usize) -> Option<usize> {
        if self.text(at + 1) != "(" || !self.is_macro(at) {
            return None;
        }
        let close = self.closing(at + 1)?;
        if self.tokens[at + 2..close].iter().any(|it| it.text == ";")
            && !self.tokens[at + 2..close].iter().any(|it| it.text == "{")
        {
            // `F(return x;);`: what counts is inside.
            self.blank(at);
            self.blank(at + 1);
            self.blank(close);
            return Some(at + 2);
        }
        let next = self.tokens.get(close + 1)?;
        let gap = self.tokens[close].end..next.start;
        let breaks = self.pass.text.get(gap.clone())?.contains(&b'\n');
        let wanted = match next.text {
            "{" | "}" => true,
            "and" | "or" => false,
            _ if next.kind == TokenKind::Word => {
                breaks
                    || self.aliases.is_statement(self.text(at))
                    || matches!(self.text(close + 2), "[" | "." | "->" | "(")
            }
            "*" | "++" | "--" => self.aliases.is_statement(self.text(at)),
            _ => false,
        };
        if !wanted || gap.is_empty() {
            return None;
        }
        self.pass.text[gap.start] = b';';
        Some(close + 1)
    }

    pub(crate) fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for (index, token) in self.tokens.iter().enumerate().skip(open).take(CALL_LIMIT) {
            match token.text {
                "(" => depth += 1,
                ")" if depth == 1 => return Some(index),
                ")" => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// The token after the template arguments that open at `open`.
    pub(crate) fn after_angles(&self, open: usize) -> Option<usize> {
        let (mut angles, mut parentheses) = (0usize, 0usize);
        for (index, token) in self.tokens.iter().enumerate().skip(open).take(CALL_LIMIT) {
            match token.text {
                "(" => parentheses += 1,
                ")" => parentheses = parentheses.checked_sub(1)?,
                "<" if parentheses == 0 => angles += 1,
                ">" if parentheses == 0 && angles == 1 => return Some(index + 1),
                ">" if parentheses == 0 => angles -= 1,
                ";" | "{" | "}" => return None,
                _ => {}
            }
        }
        None
    }

    /// Makes names of the built-in types among a macro's arguments, so that
    /// `F(float*, x)` reads as a call.
    fn type_arguments(&mut self, open: usize) {
        let Some(close) = self.closing(open) else {
            return;
        };
        let mut at = open + 1;
        while at < close {
            let first = matches!(self.text(at - 1), "(" | ",");
            if first && matches!(self.text(at), "const" | "volatile" | "struct" | "typename") {
                self.blank(at);
                at += 1;
            }
            if first && (is_builtin_type(self.text(at)) || self.is_pointer_type(at)) {
                let mut end = at;
                while matches!(self.text(end + 1), "*" | "&" | "const")
                    || is_builtin_type(self.text(end + 1))
                {
                    end += 1;
                }
                if matches!(self.text(end + 1), "," | ")") {
                    if is_builtin_type(self.text(at)) {
                        self.pass.text[self.tokens[at].start].make_ascii_uppercase();
                    }
                    for rest in at + 1..=end {
                        self.blank(rest);
                    }
                    at = end;
                }
            }
            at += 1;
        }
    }

    /// Whether a type's name and nothing but `*` make up an argument.
    fn is_pointer_type(&self, at: usize) -> bool {
        let mut end = at + 1;
        while matches!(self.text(end), "*" | "&" | "const") {
            end += 1;
        }
        self.is_word(at) && end > at + 1 && matches!(self.text(end), "," | ")")
    }

    /// `typename` before a qualified name says what the grammar knows anyway,
    /// and in expressions it does not expect it.
    fn typename(&mut self, at: usize) {
        let qualified = self.is_word(at + 1) && matches!(self.text(at + 2), "::" | "<");
        if qualified || self.text(at + 1) == "::" {
            self.blank(at);
        }
    }

    /// Operands of inline assembly whose constraint a macro supplies.
    fn assembly(&mut self, at: usize) {
        let Some(open) = (at + 1..at + 4).find(|it| self.text(*it) == "(") else {
            return;
        };
        let Some(close) = self.closing(open) else {
            return;
        };
        for word in open + 2..close {
            if self.is_word(word)
                && self.text(word + 1) == "("
                && matches!(self.before(word), ":" | "::" | ",")
                && self.text(word).len() >= 2
                && self.depth_is_one(open, word)
            {
                let token = self.tokens[word];
                self.pass.text[token.start..token.end].fill(b' ');
                self.pass.text[token.start..token.start + 2].fill(b'"');
            }
            // A macro that is part of the code's text.
            if self.is_word(word)
                && self.text(word + 1) == "("
                && self.tokens[word - 1].kind == TokenKind::String
                && let Some(end) = self.closing(word + 1)
            {
                for part in word..=end {
                    self.blank(part);
                }
            }
        }
    }

    fn depth_is_one(&self, open: usize, at: usize) -> bool {
        let mut depth = 0i32;
        for token in &self.tokens[open..at] {
            match token.text {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
        }
        depth == 1
    }

    /// `f() NOEXCEPT {`: attributes after a function's parameters.
    fn trailing_attribute(&mut self, at: usize) {
        let text = self.text(at);
        let placed = matches!(
            self.before(at),
            ")" | "const" | "noexcept" | "override" | "final"
        );
        if !placed || !(looks_like_macro(text) || self.aliases.is_function_macro(text)) {
            return;
        }
        let end = match self.text(at + 1) {
            "(" => match self.closing(at + 1) {
                Some(close) => close,
                None => return,
            },
            _ => at,
        };
        if matches!(
            self.text(end + 1),
            "{" | ";" | ":" | "=" | "->" | "const" | "noexcept" | "override" | "final"
        ) {
            for attribute in at..=end {
                self.blank(attribute);
            }
        }
    }
}

/// Whether a word is spelled as macros are: `CAPITALS`, `__both_sides__`.
pub(crate) fn looks_like_macro(text: &str) -> bool {
    let capitals = text.len() >= 3
        && text.bytes().any(|byte| byte.is_ascii_uppercase())
        && text.bytes().all(|byte| !byte.is_ascii_lowercase());
    let underscores = text.len() > 4 && text.starts_with("__") && text.ends_with("__");
    capitals || underscores
}

pub(crate) fn is_builtin_type(text: &str) -> bool {
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
