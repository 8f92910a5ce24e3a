//! The contents of a pair of braces, judged by the words before it.

use super::repairer::{Braces, CALL_LIMIT, HEAD_LIMIT, Repairer};

impl Repairer<'_, '_> {
    /// The kind of contents of the brace at `at`, given the statement's first token.
    pub fn opened(&self, start: usize, at: usize, around: Braces, parentheses: usize) -> Braces {
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
            // A lambda has its captures or its result type directly before the brace.
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
            // A macro that is a statement's head.
            _ if self.aliases.is_statement(before) => around,
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

    /// `T x = {…}` among parameters: the grammar expects an expression.
    pub fn braced_default(&mut self, at: usize) {
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
}
