//! Macros that produce a type from their arguments: `const ELEMENT(T)* p`, `ELEMENT(T) a[4];`.
//!
//! Without its arguments the macro's name is parsed as a type's name.

use super::repairer::{Braces, HEAD_LIMIT, Repairer};
use crate::words::Words;

/// Keywords that are not part of a type.
const KEYWORDS: Words = Words::of(
    "return else do if for while switch case default break continue goto throw new delete sizeof \
     co_return co_await co_yield and or not",
);

impl Repairer<'_, '_> {
    /// Blanks the arguments of the macro at `at` if it produces a declaration's type, among
    /// parameters if `enclosed`; returns whether it did.
    pub fn type_macro(&mut self, at: usize, start: usize, around: Braces, enclosed: bool) -> bool {
        if self.text(at + 1) != "(" || !self.is_macro(at) || self.is_blank(at + 1) {
            return false;
        }
        let Some(close) = self.closing(at + 1) else {
            return false;
        };
        let makes = match around {
            Braces::Declarations if enclosed => self.types_parameter(at, close),
            Braces::Declarations => self.types_member(at, close),
            Braces::Code => {
                self.types_cast(at, close) || !enclosed && self.types_variable(at, start, close)
            }
            Braces::Values => false,
        };
        if makes {
            self.blank_all(at + 1..=close);
        }
        makes
    }

    /// `(const M(T)* p, …`: parameter lists contain no computations.
    fn types_parameter(&self, at: usize, close: usize) -> bool {
        let mut name = close + 1;
        while matches!(self.text(name), "*" | "&" | "const" | "volatile") {
            name += 1;
        }
        matches!(self.before(at), "(" | "," | "const" | "volatile")
            && self.is_word(name)
            && matches!(self.text(name + 1), "," | ")" | "=" | "[")
    }

    /// `union { M(T) n[4]; }`
    fn types_member(&self, at: usize, close: usize) -> bool {
        let name = close + 1;
        !self.aliases.is_statement(self.text(at))
            && self.is_word(name)
            && matches!(self.text(name + 1), "[" | ";")
            && !self.ends_line(close)
    }

    /// `static_cast<M(T)*>(p)`
    fn types_cast(&self, at: usize, close: usize) -> bool {
        let mut open = at;
        while matches!(self.before(open), "const" | "volatile") {
            open -= 1;
        }
        let cast = open >= 2 && self.before(open) == "<" && self.text(open - 2).ends_with("_cast");
        cast && matches!(self.text(close + 1), "*" | "&" | "const" | ">")
    }

    /// `const M(T) x = y;`, `ATTRIBUTE M(T) a[4];`, `M(T) a[4];`: otherwise two adjacent words, or
    /// an expression without effect.
    pub fn types_variable(&self, at: usize, start: usize, close: usize) -> bool {
        let name = close + 1;
        if !self.is_word(name)
            || self.is_keyword(name)
            || self.aliases.is_statement(self.text(at))
            || self.ends_line(close)
        {
            return false;
        }
        let ends = |mut at: usize| {
            while self.text(at) == "["
                && let Some(end) = (at..at + HEAD_LIMIT).find(|it| self.text(*it) == "]")
            {
                at = end + 1;
            }
            self.text(at) == ";"
        };
        if at == start || self.is_blank(at.wrapping_sub(1)) {
            return ends(name + 1);
        }
        self.is_word(at - 1)
            && !self.is_keyword(at - 1)
            && matches!(self.text(name + 1), ";" | "=" | "[" | "," | "{")
    }

    /// Whether the word at `at` is a keyword and not part of a type.
    pub fn is_keyword(&self, at: usize) -> bool {
        KEYWORDS.has(self.text(at))
    }

    /// `static CONSTANT(name, 1);`: the macro produces a declaration. Among statements the grammar
    /// parses it as a call after `static` is blanked; elsewhere all of it is blanked.
    pub fn declaring_macro(&mut self, at: usize, around: Braces) {
        let mut name = at + 1;
        while matches!(self.text(name), "inline" | "const" | "constexpr") {
            name += 1;
        }
        if self.text(name + 1) != "(" || !self.is_word(name) || !self.is_macro(name) {
            return;
        }
        let Some(close) = self.closing(name + 1).filter(|it| self.text(it + 1) == ";") else {
            return;
        };
        let last = match around {
            Braces::Declarations => close + 1,
            Braces::Code => name - 1,
            Braces::Values => return,
        };
        self.blank_all(at..=last);
    }
}
