//! Macros that are the head of a statement: `FOR(i, n) a[i] = 0;`, `FIRST_THREAD { … } else { … }`.
//!
//! What follows is a statement of any kind, and often touches the macro, so that no semicolon fits between
//! them. The macro becomes a head that the grammar knows.

use super::repairer::Repairer;

impl Repairer<'_, '_> {
    /// Repairs the use of such a macro at `at`. Returns the token after it, which begins a statement.
    pub fn head_of_statement(&mut self, at: usize) -> Option<usize> {
        if self.text(at + 1) == "(" && self.aliases.is_function_macro(self.text(at)) {
            let close = self.closing(at + 1)?;
            return self.called_head(at, close);
        }
        if self.replace(at, "if(0)") {
            return Some(at + 1);
        }
        // Too short: both branches become statements.
        self.blank(at);
        let end = match self.text(at + 1) {
            "{" => self.closing(at + 1)?,
            _ => self.end_of_statement(at + 1)?,
        };
        if self.text(end + 1) == "else" {
            self.blank(end + 1);
        }
        Some(at + 1)
    }

    /// The same for the call of a macro, whose arguments become values of a condition.
    pub fn called_head(&mut self, at: usize, close: usize) -> Option<usize> {
        if self.text(close + 1) == ";" || close == at + 2 {
            return None;
        }
        if !self.replace(at, "while") && !self.replace(at, "if") {
            return None;
        }
        self.name_declared(at + 2, close);
        self.type_arguments(at + 1);
        let mut depth = 0usize;
        for index in at + 2..close {
            match self.text(index) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                // Each operand is read, as each argument may be.
                "," if depth == 0 => {
                    let start = self.tokens[index].start;
                    self.pass.text[start] = b'|';
                }
                _ => {}
            }
        }
        Some(close + 1)
    }

    /// `FOR(int i, n)`, `FOR_EACH(auto& x, xs)`: leaves only the name of what an argument declares.
    fn name_declared(&mut self, first: usize, close: usize) {
        let mut end = first;
        while end < close && (self.is_word(end) || matches!(self.text(end), "*" | "&" | "::")) {
            end += 1;
        }
        let declares =
            end > first + 1 && self.is_word(end - 1) && matches!(self.text(end), "," | ")" | "=");
        let words = (first..end).filter(|it| self.is_word(*it)).count();
        if declares && words > 1 && self.text(end - 2) != "::" {
            self.blank_all(first..end - 1);
        }
    }

    /// The semicolon that ends the statement that starts at `start`.
    fn end_of_statement(&self, start: usize) -> Option<usize> {
        let mut at = start;
        loop {
            match self.text(at) {
                ";" => return Some(at),
                "(" | "{" => at = self.closing(at)?,
                "" | "}" => return None,
                _ => {}
            }
            at += 1;
        }
    }

    /// Writes `text` in the place of a token, if it fits.
    fn replace(&mut self, at: usize, text: &str) -> bool {
        let token = self.tokens[at];
        if token.end - token.start < text.len() {
            return false;
        }
        self.pass.text[token.start..token.end].fill(b' ');
        self.pass.text[token.start..token.start + text.len()].copy_from_slice(text.as_bytes());
        true
    }
}
