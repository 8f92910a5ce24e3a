//! Shifts in the configuration of a launch: `k<<<(n + 31) >> 5, 32>>>(a)`.
//!
//! The grammar takes `>>` for a part of the closing bracket. It becomes `<<`, an operator of the same
//! precedence: what the text says is read from the source.

use super::repairer::{CALL_LIMIT, Repairer};

impl Repairer<'_, '_> {
    /// Whether the token at `at` is the first of `<<<`.
    pub fn opens_launch(&self, at: usize) -> bool {
        let triple = (at..at + 3).all(|it| self.text(it) == "<");
        let whole = triple && self.touches(at) && self.touches(at + 1);
        whole && !(self.before(at) == "<" && self.touches(at - 1))
    }

    /// Repairs the shifts between the `<<<` at `open` and its `>>>`.
    pub fn shifts_in_launch(&mut self, open: usize) {
        // Open brackets of any kind: template arguments may end in `>>`.
        let mut brackets: Vec<&str> = Vec::new();
        let mut at = open + 3;
        while at < open + CALL_LIMIT {
            let double = self.text(at) == ">" && self.text(at + 1) == ">" && self.touches(at);
            match self.text(at) {
                "" | ";" => return,
                "(" | "[" | "{" => brackets.push("("),
                ")" | "]" | "}" => while brackets.pop().is_some_and(|it| it == "<") {},
                "<" if self.text(at + 1) == "<" && self.touches(at) => at += 1,
                "<" if self.is_word(at - 1) && self.touches(at - 1) && self.text(at + 1) != "=" => {
                    brackets.push("<");
                }
                ">" if brackets.last() == Some(&"<") => {
                    brackets.pop();
                }
                ">" if double
                    && brackets.is_empty()
                    && self.text(at + 2) == ">"
                    && self.touches(at + 1) =>
                {
                    return;
                }
                ">" if double => {
                    for it in [at, at + 1] {
                        let start = self.tokens[it].start;
                        self.pass.text[start] = b'<';
                    }
                    at += 1;
                }
                _ => {}
            }
            at += 1;
        }
    }
}
