//! Comparisons that read like template arguments.
//!
//! `t < n && p[5] > -1` could be an instance of a template `t`, and the grammar takes
//! it for one. Whoever has seen `t` as a variable before knows better: its `<` is
//! masked by an operator that opens nothing, which leaves the operands as they are.

use super::lexer::TokenKind;
use super::repair::Repairer;

/// How far the matching `>` may be, in tokens.
const SPAN_LIMIT: usize = 256;

/// How far back a use as a variable is looked for, in tokens.
const LOOK_BACK: usize = 4096;

/// What follows a variable, and hardly the bare name of a template.
const AFTER_VARIABLE: [&str; 30] = [
    "=", ";", ",", ")", "]", "[", "+", "-", "*", "/", "%", "++", "--", "+=", "-=", "*=", "/=",
    "%=", "<=", ">=", "==", "!=", "&&", "||", "?", ".", "->", "<<=", ">>=", "|",
];

/// What begins a template's argument and no operand.
const TYPE_WORDS: [&str; 14] = [
    "bool", "char", "short", "int", "long", "float", "double", "void", "signed", "unsigned",
    "const", "volatile", "typename", "struct",
];

impl Repairer<'_, '_> {
    /// Masks the `<` at token `at` where it compares a variable.
    pub(crate) fn comparison(&mut self, at: usize) {
        // A launch, or what begins a template's argument and no operand.
        let next = self.text(at + 1);
        let other = next.starts_with('<') || TYPE_WORDS.contains(&next);
        if !other && self.closes_like_arguments(at) && self.is_variable(at) {
            let start = self.tokens[at].start;
            self.pass.text[start] = b'+';
        }
    }

    /// Whether a `>` follows before the expression ends.
    fn closes_like_arguments(&self, at: usize) -> bool {
        let mut depth = 0usize;
        for token in self.tokens.iter().skip(at + 1).take(SPAN_LIMIT) {
            match token.text {
                "(" | "[" => depth += 1,
                ")" | "]" if depth == 0 => return false,
                ")" | "]" => depth -= 1,
                ";" | "{" | "}" => return false,
                ">" | ">>" if depth == 0 => return true,
                _ => {}
            }
        }
        false
    }

    /// Whether the word before token `at` was used as a variable.
    fn is_variable(&self, at: usize) -> bool {
        let Some(name) = at.checked_sub(1).filter(|it| self.is_word(*it)) else {
            return false;
        };
        if matches!(self.before(name), "::" | "." | "->" | "template") {
            return false;
        }
        let text = self.text(name);
        (name.saturating_sub(LOOK_BACK)..name).any(|it| {
            self.tokens[it].kind == TokenKind::Word
                && self.text(it) == text
                && AFTER_VARIABLE.contains(&self.text(it + 1))
                && !matches!(
                    self.before(it),
                    "::" | "." | "->" | "class" | "struct" | "typename" | "template"
                )
        })
    }
}
