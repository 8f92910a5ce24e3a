//! Macros of one word, where the grammar expects no word.
//!
//! They expand to attributes, to nothing, to a statement, or to a condition.

use super::repairer::{HEAD_LIMIT, Repairer};
use crate::words::{Words, is_builtin_type, looks_like_macro};

/// Keywords that begin a statement.
const STATEMENT_WORDS: Words =
    Words::of("return if for while do switch const static else break continue goto constexpr auto");

/// Words that may precede a type's name.
const SPECIFIERS: Words =
    Words::of("const volatile struct class union enum typename return static constexpr register");

impl Repairer<'_, '_> {
    /// Replaces the macro at `at`, in the statement that starts at `start`, by its most likely
    /// expansion. Returns whether it did.
    pub fn stray_statement(&mut self, start: usize, at: usize) -> bool {
        if self.aliases.is_head(self.text(at)) {
            return false;
        }
        let stands_for = if start == at && self.stands_for_condition(at) {
            "if(0)"
        } else if self.stands_alone(start, at) {
            ";"
        } else {
            return false;
        };
        let token = self.tokens[at];
        self.pass.text[token.start..token.end].fill(b' ');
        self.pass.text[token.start..token.start + stands_for.len()]
            .copy_from_slice(stands_for.as_bytes());
        true
    }

    /// Whether the word at `at` can only be a macro that expands to an attribute or to nothing:
    /// `T* RESTRICT p`, `TRACE return x;`.
    pub fn is_stray(&self, start: usize, at: usize) -> bool {
        let first =
            start == at || self.before(at) == ":" && matches!(self.text(start), "case" | "default");
        if at == 0 || !looks_like_macro(self.text(at)) || self.aliases.is_head(self.text(at)) {
            return false;
        }
        if first && self.text(at + 1) == "}" {
            return true;
        }
        let alias = self.text(at + 1) == "=" && at >= 2 && self.text(at - 2) == "using";
        let is_block = self.text(at + 1) == "{" && !self.aliases.maker(self.text(at)).on_device();
        if alias || first && is_block {
            return true;
        }
        // `f(int a EXTRA_PARAMETERS)`
        if self.text(at + 1) == ")" && self.is_word(at - 1) {
            return self.follows_declaration(at);
        }
        if !self.is_word(at + 1) {
            return false;
        }
        if matches!(self.before(at), "*" | "&" | "." | "->") || self.is_argument_prefix(at) {
            return true;
        }
        if first && self.stands_on_its_line(at) {
            return true;
        }
        first
            && (STATEMENT_WORDS.has(self.text(at + 1))
                || is_builtin_type(self.text(at + 1))
                || self.is_word(at + 2)
                || self.declares_by_macro(at))
    }

    /// `ATTRIBUTE TYPE(x) y;`: the macro after the one at `at` produces a type.
    fn declares_by_macro(&self, at: usize) -> bool {
        self.text(at + 2) == "("
            && self.is_macro(at + 1)
            && self
                .closing(at + 2)
                .is_some_and(|close| self.types_variable(at + 1, at, close))
    }

    /// `A<CONST T, n>`: an attribute of a template's argument.
    fn is_argument_prefix(&self, at: usize) -> bool {
        self.before(at) == "<"
            && at >= 2
            && self.text(at - 2) != "template"
            && matches!(
                self.text(at + 2),
                "," | ">" | "::" | "<" | "*" | "&" | "const"
            )
    }

    /// `PLUGIN`, and on the next line `f(x) = y;` or `f(x).g();`.
    fn stands_on_its_line(&self, at: usize) -> bool {
        let gap = self.tokens[at].end..self.tokens[at + 1].start;
        let open = match self.text(at + 2) {
            "<" => self.after_angles(at + 2).unwrap_or(at),
            _ => at + 2,
        };
        self.pass.text[gap].contains(&b'\n')
            && self.text(open) == "("
            && self
                .closing(open)
                .is_some_and(|close| matches!(self.text(close + 1), "=" | "." | "->"))
    }

    /// Whether a type and a name come before `at`.
    fn follows_declaration(&self, at: usize) -> bool {
        let Some(kind) = at.checked_sub(2) else {
            return false;
        };
        !is_builtin_type(self.before(at))
            && (self.is_word(kind) && !SPECIFIERS.has(self.text(kind))
                || matches!(self.text(kind), "*" | "&" | ">"))
    }

    /// `IF_CONSTEVAL { … } else { … }`
    fn stands_for_condition(&self, at: usize) -> bool {
        self.is_word(at)
            && self.text(at + 1) == "{"
            && self.text(at).len() >= 5
            && looks_like_macro(self.text(at))
            && self
                .closing(at + 1)
                .is_some_and(|close| self.text(close + 1) == "else")
    }

    /// `if (x) TRACE }`: a macro that expands to a statement with its semicolon.
    fn stands_alone(&self, start: usize, at: usize) -> bool {
        self.text(at + 1) == "}"
            && self.is_word(at)
            && looks_like_macro(self.text(at))
            && start != at
            && self.starts_statement(start, at)
    }

    /// `f() NOEXCEPT {`: attributes after a function's parameters.
    pub fn trailing_attribute(&mut self, at: usize) {
        let text = self.text(at);
        // Attributes before it are already blanked.
        let first = (at.saturating_sub(HEAD_LIMIT)..at).rev();
        let before = first.take_while(|it| self.is_blank(*it)).last();
        let placed = matches!(
            self.before(before.unwrap_or(at)),
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
        // Several may follow one another.
        let another =
            self.is_word(end + 1) && looks_like_macro(self.text(end + 1)) && looks_like_macro(text);
        if another
            || matches!(
                self.text(end + 1),
                "{" | ";" | ":" | "=" | "->" | "const" | "noexcept" | "override" | "final"
            )
        {
            self.blank_all(at..=end);
        }
    }
}
