//! Macro uses among statements.

use std::ops::Range;

use super::repairer::Repairer;
use crate::lexer::TokenKind;
use crate::words::is_builtin_type;

impl Repairer<'_, '_> {
    /// Repairs a macro used as a statement, as a loop's head, or around statements.
    /// Returns the token after it.
    pub fn statement_macro(&mut self, at: usize) -> Option<usize> {
        if self.aliases.is_head(self.text(at)) {
            return self.head_of_statement(at);
        }
        let called = self.text(at + 1) == "(" && self.aliases.is_function_macro(self.text(at));
        if !called && self.aliases.is_statement(self.text(at)) {
            return self.end_statement(at);
        }
        if self.text(at + 1) != "(" || !self.is_macro(at) {
            return None;
        }
        let close = self.closing(at + 1)?;
        if self.holds_statements(at + 1, close) || self.holds_declaration(at + 1, close) {
            self.unwrap_statements(at, close);
            return Some(at + 2);
        }
        let next = self.tokens.get(close + 1)?;
        let gap = self.tokens[close].end..next.start;
        let breaks = self.pass.text.get(gap)?.contains(&b'\n');
        let wanted = match next.text {
            "{" | "}" => true,
            "::" => breaks,
            "and" | "or" => false,
            _ if next.kind == TokenKind::Word => {
                breaks
                    || self.aliases.is_statement(self.text(at))
                    || matches!(self.text(close + 2), "[" | "." | "->" | "(")
            }
            "*" | "++" | "--" => {
                self.aliases.is_statement(self.text(at))
                    || breaks && self.assigns_through(close + 1)
            }
            _ => false,
        };
        if !wanted {
            return None;
        }
        let ended = self.end_statement(close);
        if ended.is_none() && self.text(close + 1) == "{" && !self.is_blank(at) {
            // There is no room for a semicolon, and this may be the head of a loop.
            return self.called_head(at, close);
        }
        ended
    }

    /// Inserts a semicolon after the token at `end`, if there is none and there is room. Returns
    /// the token after it.
    fn end_statement(&mut self, end: usize) -> Option<usize> {
        let next = self.tokens.get(end + 1)?;
        let at = self.tokens[end].end;
        if next.text == ";" || next.start == at {
            return None;
        }
        self.pass.text[at] = b';';
        Some(end + 1)
    }

    /// `*this = …`, `*p = …`: an operand of a multiplication cannot be assigned to.
    fn assigns_through(&self, star: usize) -> bool {
        self.text(star) == "*"
            && self.is_word(star + 1)
            && self.text(star + 2) == "="
            && !(self.text(star + 3) == "=" && self.touches(star + 2))
    }

    /// Whether arguments between parentheses are statements:
    /// `F(return x;);`, `IF(HOST, (f();), (g();))`.
    fn holds_statements(&self, open: usize, close: usize) -> bool {
        let (mut depth, mut braces) = (0usize, 0usize);
        for at in open..close {
            match self.text(at) {
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                "{" => braces += 1,
                "}" => braces = braces.saturating_sub(1),
                ";" if braces == 0 && depth <= 2 => return true,
                "if" | "for" | "while" | "switch" | "return" | "try" | "do"
                    if braces == 0 && matches!(self.before(at), "(" | ",") =>
                {
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// Whether the only argument between parentheses is a declaration:
    /// `HOOK(int n = size);`.
    fn holds_declaration(&self, open: usize, close: usize) -> bool {
        self.is_word(open + 1)
            && self.is_word(open + 2)
            && self.text(open + 3) == "="
            && (matches!(self.text(close + 1), ";" | "}") || self.ends_line(close))
    }

    /// Whether nothing comes after the token at `at` on its line.
    pub fn ends_line(&self, at: usize) -> bool {
        self.tokens
            .get(at + 1)
            .is_none_or(|next| self.pass.text[self.tokens[at].end..next.start].contains(&b'\n'))
    }

    /// Whether the arguments of the call of the word at `at` may be types.
    pub fn takes_types(&self, at: usize) -> bool {
        let text = self.text(at);
        self.is_macro(at) || text.starts_with("__builtin_") || matches!(text, "va_arg" | "typeid")
    }

    /// Macro arguments that no grammar accepts: `CATCH(...)`, and `F(x)::f()`, where the macro
    /// produces a type's name. The macro's name is at `at`.
    pub fn odd_arguments(&mut self, at: usize) {
        let Some(close) = self.closing(at + 1) else {
            return;
        };
        let dots = close == at + 5 && (at + 2..close).all(|it| self.text(it) == ".");
        if dots {
            self.blank_all(at + 2..close);
        } else if self.text(close + 1) == "::" && !self.is_blank(at) {
            self.blank_all(at + 1..=close);
        }
    }

    /// Turns a macro's arguments into blocks and statements.
    fn unwrap_statements(&mut self, at: usize, close: usize) {
        self.blank(at);
        self.blank(at + 1);
        self.blank(close);
        if self.text(close + 1) != ";" && !matches!(self.before(close), ";" | "}" | ")") {
            self.pass.text[self.tokens[close].start] = b';';
        }
        let (mut depth, mut braces) = (0usize, 0usize);
        for index in at + 2..close {
            let start = self.tokens[index].start;
            match self.text(index) {
                "(" if depth == 0 && braces == 0 && self.is_argument(index) => {
                    self.pass.text[start] = b'{';
                    if let Some(end) = self.closing(index) {
                        self.pass.text[self.tokens[end].start] = b'}';
                    }
                    depth += 1;
                }
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                "{" => braces += 1,
                "}" => braces = braces.saturating_sub(1),
                "," if depth == 0 && braces == 0 => self.pass.text[start] = b';',
                _ => {}
            }
        }
    }

    /// Whether parentheses that open at `open` are a macro's whole argument.
    fn is_argument(&self, open: usize) -> bool {
        matches!(self.before(open), "(" | ",")
            && self
                .closing(open)
                .is_some_and(|it| matches!(self.text(it + 1), "," | ")"))
    }

    /// Turns built-in types among a macro's arguments into names, so that `F(float*, x)` is parsed
    /// as a call.
    pub fn type_arguments(&mut self, open: usize) {
        let Some(close) = self.closing(open) else {
            return;
        };
        let mut at = open + 1;
        while at < close {
            let cast = at - 1 != open && self.before(at) == "(" && !self.is_word(at - 2);
            let first = matches!(self.before(at), "(" | ",") && !cast;
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
                    self.blank_all(at + 1..=end);
                    at = end;
                }
            }
            at += 1;
        }
    }

    /// Whether an argument consists only of a type's name and `*`.
    fn is_pointer_type(&self, at: usize) -> bool {
        let mut end = at + 1;
        while matches!(self.text(end), "*" | "&" | "const") {
            end += 1;
        }
        self.is_word(at) && end > at + 1 && matches!(self.text(end), "," | ")")
    }

    /// Operands of inline assembly with a constraint from a macro. Inserts missing commas between
    /// operands.
    pub fn assembly(&mut self, at: usize) {
        let Some(open) = (at + 1..at + 4).find(|it| self.text(*it) == "(") else {
            return;
        };
        let Some(close) = self.closing(open) else {
            return;
        };
        let mut depth = 1usize;
        // The code's text goes up to the first colon.
        let mut in_text = true;
        for word in open + 1..close {
            match self.text(word) {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                ":" | "::" if depth == 1 => in_text = false,
                _ => {}
            }
            let follows = self.before(word) == ")" && !self.touches(word - 1);
            if follows && !in_text && depth == 1 && self.tokens[word].kind == TokenKind::String {
                self.pass.text[self.tokens[word - 1].end] = b',';
            }
            let token = self.tokens[word];
            if depth == 1
                && word == open + 1
                && self.is_word(word)
                && matches!(self.text(word + 1), ":" | "::" | ")")
            {
                self.quotes(token.start..token.end);
            }
            if depth != 1 || !self.is_word(word) || self.text(word + 1) != "(" {
                continue;
            }
            if in_text {
                // A macro that is part of the code's text.
                let Some(end) = self.closing(word + 1) else {
                    return;
                };
                self.blank_all(word..=end);
                let is_whole_code =
                    word == open + 1 && self.tokens[end + 1].kind != TokenKind::String;
                if is_whole_code {
                    self.quotes(token.start..token.end);
                }
            } else if matches!(self.before(word), ":" | "::" | ",") {
                self.quotes(token.start..token.end);
            }
        }
    }

    /// Makes a word an empty literal, if it is long enough.
    fn quotes(&mut self, word: Range<usize>) {
        if word.len() >= 2 {
            self.pass.text[word.clone()].fill(b' ');
            self.pass.text[word.start..word.start + 2].fill(b'"');
        }
    }
}
