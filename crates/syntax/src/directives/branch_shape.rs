//! The properties of a conditional's branch that decide whether it can be combined with others.

use crate::words::looks_like_macro;

/// The properties of a branch's text.
pub(super) struct BranchShape {
    pub(super) empty: bool,
    /// Brackets of each kind close what they open.
    pub(super) balanced: bool,
    /// Balanced, and ends where a statement ends.
    pub(super) whole: bool,
    /// Begins with `else`.
    pub(super) alternative: bool,
    /// Begins with the colon before a constructor's initialisers.
    pub(super) initialises: bool,
}

impl BranchShape {
    /// The shape of a text with these tokens.
    pub(super) fn of<'s>(tokens: impl Iterator<Item = &'s str>) -> Self {
        let mut depth = [0i32; 3];
        let mut shape = Self {
            empty: true,
            balanced: true,
            whole: true,
            alternative: false,
            initialises: false,
        };
        let mut end = "";
        let mut statement = Statement::default();
        for token in tokens {
            end = token;
            if shape.empty {
                shape.alternative = end == "else";
                shape.initialises = end == ":";
            }
            shape.empty = false;
            if depth == [0; 3] {
                statement.add(end);
            }
            let (slot, step) = match end {
                "{" => (0, 1),
                "}" => (0, -1),
                "(" => (1, 1),
                ")" => (1, -1),
                "[" => (2, 1),
                "]" => (2, -1),
                _ => continue,
            };
            depth[slot] += step;
            shape.balanced &= depth[slot] >= 0;
            if depth == [0; 3] && end == "}" {
                statement = Statement::default();
            }
        }
        shape.balanced &= depth == [0; 3];
        let call = end == ")" && statement.is_macro_call();
        shape.whole = shape.balanced && (call || matches!(end, "" | ";" | "}" | ":"));
        shape
    }
}

/// The tokens of a statement outside brackets, as needed to recognise a macro's call.
#[derive(Default)]
struct Statement {
    /// The number of tokens.
    count: usize,
    /// Whether the first is spelled like a macro, and parentheses come next.
    call: bool,
}

impl Statement {
    fn add(&mut self, text: &str) {
        if text == ";" {
            *self = Self::default();
            return;
        }
        self.call = match self.count {
            0 => looks_like_macro(text),
            1 => self.call && text == "(",
            _ => self.call,
        };
        self.count += 1;
    }

    /// `MACRO(…)`, which may have no semicolon.
    fn is_macro_call(&self) -> bool {
        self.count == 2 && self.call
    }
}
