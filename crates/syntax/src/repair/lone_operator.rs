//! Operators that are arguments of macros: `WAIT_WHILE(p, ==, 0)`.
//!
//! Such an argument becomes a name. The macro's own body is instrumented where it is defined.

use super::repairer::{CALL_LIMIT, Repairer};

impl Repairer<'_, '_> {
    /// Makes a name of the argument after the bracket or comma at `before`, if it is an operator alone.
    pub fn lone_operator(&mut self, before: usize) {
        let is_operator =
            |text: &str| !text.is_empty() && text.chars().all(|it| "+-*/%&|^<>=!".contains(it));
        let first = before + 1;
        let mut last = first;
        if !is_operator(self.text(first)) {
            return;
        }
        while is_operator(self.text(last + 1)) && self.touches(last) {
            last += 1;
        }
        if !matches!(self.text(last + 1), "," | ")") || !self.is_in_macro(before) {
            return;
        }
        let range = self.tokens[first].start..self.tokens[last].end;
        self.pass.text[range].fill(b'_');
    }

    /// Whether a bracket, or a comma, belongs to the arguments of a macro.
    fn is_in_macro(&self, at: usize) -> bool {
        let mut closed = 0usize;
        for at in (at.saturating_sub(CALL_LIMIT)..=at).rev() {
            match self.text(at) {
                ")" => closed += 1,
                "(" if closed == 0 => return self.aliases.is_function_macro(self.before(at)),
                "(" => closed -= 1,
                ";" | "{" | "}" => return false,
                _ => {}
            }
        }
        false
    }
}
