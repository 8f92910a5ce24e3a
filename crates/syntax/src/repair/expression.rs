//! Expressions that the grammar does not support.
//!
//! All of them keep their length, and evaluated parts stay visible: a call of an operator by its
//! name becomes a call of a function, `decltype(x){}` an object of a type.

use super::repairer::{Braces, CALL_LIMIT, HEAD_LIMIT, Repairer};
use crate::lexer::TokenKind;
use crate::words::{is_builtin_type, looks_like_macro};

impl Repairer<'_, '_> {
    /// Repairs the expression or type that begins with the word at `at`; returns whether it was one
    /// that this file handles.
    pub fn special_word(&mut self, at: usize, around: Braces, inside: bool) -> bool {
        match self.text(at) {
            "operator" => self.operator_name(at, around),
            "decltype" if self.text(at + 1) == "(" => self.decltype(at),
            "typeid" if self.text(at + 1) == "(" => self.type_arguments(at + 1),
            "case" if around == Braces::Code => self.case_range(at),
            "enum" if self.text(at + 1) == ":" => self.unnamed_enumeration(at),
            "noexcept" if matches!(self.before(at), ")" | "const" | "&" | "mutable") => {
                self.condition_of_exceptions(at);
            }
            "template" if matches!(self.before(at), "." | "->") => self.template_member(at),
            text if around == Braces::Code && is_builtin_type(text) => {
                self.functional_cast(at, inside);
            }
            _ => return false,
        }
        true
    }

    /// `operator++()` and `x.operator[](i)` call a function with a special name; `operator()<T>(…)`
    /// declares a specialisation.
    fn operator_name(&mut self, at: usize, around: Braces) {
        if self.is_word(at + 1) {
            if matches!(self.before(at), "." | "->") {
                // `x.operator T()` reads as a call of `x.T()`.
                self.blank(at);
            } else if self.text(at + 2) == "("
                && self.text(at + 3) != ")"
                && !matches!(self.text(at + 1), "new" | "delete" | "co_await")
            {
                // `operator OP(T a)`: not a conversion, which has no parameters. `OP` is a macro's
                // parameter.
                let gap = self.tokens[at].end..self.tokens[at + 1].start;
                self.pass.text[gap].fill(b'_');
            }
            return;
        }
        let Some(last) = self.operator_symbol(at) else {
            return;
        };
        if around != Braces::Code {
            if matches!(self.text(last), ")" | "]")
                && self.text(last + 1) == "<"
                && let Some(after) = self.after_angles(last + 1)
                && self.text(after) == "("
            {
                self.blank_all(last + 1..after);
            }
            return;
        }
        let range = self.tokens[at].end..self.tokens[last].end;
        if !self.pass.text[range.clone()].contains(&b'\n') {
            self.pass.text[range].fill(b'_');
        }
    }

    /// The last token of the operator name at `at`.
    fn operator_symbol(&self, at: usize) -> Option<usize> {
        if matches!(
            (self.text(at + 1), self.text(at + 2)),
            ("(", ")") | ("[", "]")
        ) {
            return Some(at + 2);
        }
        let symbol = |it: usize| {
            self.tokens
                .get(it)
                .is_some_and(|token| token.kind == TokenKind::Punct)
                && !matches!(self.text(it), "(" | ")" | ";" | "{" | "}" | "," | "::")
        };
        let mut last = at;
        while last < at + 3 && symbol(last + 1) && (last == at || self.touches(last)) {
            last += 1;
        }
        (last > at).then_some(last)
    }

    /// `decltype(x){}` and `decltype(x)::f()` in an expression: a type's name is enough.
    fn decltype(&mut self, at: usize) {
        let Some(close) = self.closing(at + 1) else {
            return;
        };
        if matches!(self.text(close + 1), "{" | "(" | "::") {
            self.pass.text[self.tokens[at].start] = b'D';
            self.blank_all(at + 1..=close);
        }
    }

    /// `enum : int {…}` among statements.
    fn unnamed_enumeration(&mut self, at: usize) {
        let end = (at + 1..at + HEAD_LIMIT).find(|it| matches!(self.text(*it), "{" | ";" | ""));
        self.blank_all(at + 1..end.unwrap_or(at));
    }

    /// `noexcept(::a::b<T>)` after parameters: it contains no code that runs.
    fn condition_of_exceptions(&mut self, at: usize) {
        if self.text(at + 1) == "("
            && let Some(close) = self.closing(at + 1)
        {
            self.blank_all(at..=close);
        }
    }

    /// `x.template f(y)`: the grammar expects template arguments.
    fn template_member(&mut self, at: usize) {
        if self.is_word(at + 1) && self.text(at + 2) == "(" {
            self.blank(at);
        }
    }

    /// `T C::*` is also a pointer: to a member. `at` is the colons before the `*`.
    pub fn member_pointer(&mut self, at: usize) {
        let mut first = at;
        while first > 0 && self.text(first) == "::" && self.is_word(first - 1) {
            first -= 1;
            if first > 0 && self.text(first - 1) == "::" {
                first -= 1;
            }
        }
        if first < at {
            self.blank_all(first..=at);
        }
    }

    /// `x.~C<T>()`: the arguments add no information. `at` is the `~`.
    pub fn destructor_call(&mut self, at: usize) {
        if matches!(self.before(at), "." | "->")
            && self.text(at + 2) == "<"
            && let Some(after) = self.after_angles(at + 2)
        {
            self.blank_all(at + 2..after);
        }
    }

    /// `"a" PRIu32 "b"`: macros that are parts of a string. `at` is a literal.
    pub fn string_parts(&mut self, at: usize) {
        let is_string = |it: usize| {
            self.tokens
                .get(it)
                .is_some_and(|token| token.kind == TokenKind::String)
        };
        let (after, before) = (at + 1, at.wrapping_sub(1));
        // A suffix touches its literal.
        let follows = self.is_word(after)
            && !self.touches(at)
            && (is_string(after + 1)
                || matches!(self.text(after + 1), "," | ")" | ":" | "::" | ";"))
            && !matches!(self.text(after), "and" | "or");
        let leads = at > 1
            && self.is_word(before)
            && looks_like_macro(self.text(before))
            && matches!(self.before(before), "(" | "," | "=");
        if follows {
            self.blank(after);
        }
        // `NAME(x) "b"`: the call stands for the whole string.
        if at > 1 && self.before(at) == ")" && self.ends_macro_call(before) {
            self.blank(at);
        }
        if leads {
            self.blank(before);
        }
    }

    /// Whether the parenthesis at `close` ends the call of a macro.
    fn ends_macro_call(&self, close: usize) -> bool {
        let mut opens = (close.saturating_sub(HEAD_LIMIT)..close).rev();
        let open = opens.find(|it| self.text(*it) == "(" && self.closing(*it) == Some(close));
        open.is_some_and(|it| it > 0 && self.is_word(it - 1) && self.is_macro(it - 1))
    }

    /// `case 1 ... 3:`, an extension that all compilers support.
    fn case_range(&mut self, at: usize) {
        let end = (at + 1..at + HEAD_LIMIT)
            .take_while(|it| !matches!(self.text(*it), "" | ";" | "{" | "}"))
            .find(|it| self.text(*it) == ":");
        let Some(end) = end else {
            return;
        };
        let dots = (at + 2..end).find(|it| self.text(*it) == "." && self.text(*it + 1) == ".");
        self.blank_all(dots.unwrap_or(end)..end);
    }

    /// `(unsigned(x) << 8)`: the grammar parses it as a cast to a function type.
    fn functional_cast(&mut self, at: usize, inside: bool) {
        let opens = self.before(at) == "("
            && self.text(at + 1) == "("
            && !matches!(self.text(at + 2), "*" | "&" | ")");
        let called = at >= 2
            && (self.is_word(at - 2) || matches!(self.text(at - 2), ")" | "]" | ">"))
            && self.text(at - 2) != "return";
        if opens && !called || self.is_cast_to_sized(at, inside) {
            self.pass.text[self.tokens[at].start].make_ascii_uppercase();
        }
    }

    /// Whether `unsigned(x)` is used as a value; unlike `int`, the grammar does not accept
    /// `unsigned` as a function's name. `inside` parentheses.
    fn is_cast_to_sized(&self, at: usize, inside: bool) -> bool {
        if !matches!(self.text(at), "unsigned" | "signed" | "long" | "short")
            || self.text(at + 1) != "("
        {
            return false;
        }
        let value_before = match self.before(at) {
            "" | "{" | "}" => false,
            ";" => inside,
            "(" => at < 2 || self.text(at - 2) != "for",
            before => {
                !self.is_word(at - 1) || matches!(before, "return" | "case" | "else" | "throw")
            }
        };
        let declarator = matches!(self.text(at + 2), "*" | "&")
            && self
                .closing(at + 1)
                .is_some_and(|it| matches!(self.text(it + 1), "(" | "["));
        value_before && !declarator && self.text(at + 2) != ")"
    }

    /// `A<B<C<int>>>`: the grammar takes `>>>` for the end of a launch's configuration. The
    /// innermost arguments are types and constants, and are blanked. `start` is where the statement
    /// starts.
    pub fn triple_close(&mut self, at: usize, start: usize) {
        let triple =
            (at..at + 3).all(|it| self.text(it) == ">") && self.touches(at) && self.touches(at + 1);
        if !triple || self.before(at) == ">" && self.touches(at - 1) {
            return;
        }
        let mut depth = 0usize;
        let mut open = at;
        let start = start.max(at.saturating_sub(CALL_LIMIT));
        while open > start {
            open -= 1;
            match self.text(open) {
                // A shift in the configuration of a launch.
                ">" if self.pass.text[self.tokens[open].start] == b'<' => {}
                ")" | ">" => depth += 1,
                "(" | "<" if depth > 0 => depth -= 1,
                // A launch.
                "<" if self.before(open) == "<" && self.touches(open - 1) => return,
                "<" => break,
                "(" | ";" | "{" | "}" => return,
                _ => {}
            }
        }
        if open == start {
            return;
        }
        self.blank_all(open..=at);
    }

    /// `T* = 0` among parameters: an unnamed pointer with a default value.
    pub fn unnamed_default(&mut self, at: usize) {
        if self.text(at + 1) == "=" && !self.touches(at) && self.text(at + 2) != "=" {
            self.blank(at);
        }
    }

    /// `const T& name(value);` among statements is parsed as a function's declaration with an
    /// invalid parameter. `at` is the `&`.
    pub fn reference_initializer(&mut self, at: usize, start: usize) {
        let open = at + 2;
        let declares = self.is_word(at + 1) && self.text(open) == "(" && start + 1 < at + 1;
        let typed = (start..at).all(|it| {
            self.is_word(it) && self.text(it) != "return"
                || matches!(self.text(it), "::" | "<" | ">" | ",")
        });
        if !declares || !typed || at - start > HEAD_LIMIT {
            return;
        }
        let Some(close) = self.closing(open) else {
            return;
        };
        let value = (open + 1..close).any(|it| {
            matches!(self.text(it), "." | "->" | "[" | "+" | "-" | "(")
                || self.tokens[it].kind == TokenKind::Number
        });
        if value && self.text(close + 1) == ";" && close > open + 1 {
            self.pass.text[self.tokens[open].start] = b'=';
            self.blank(close);
        }
    }
}
