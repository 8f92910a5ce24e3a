//! Heads of functions that a macro produces as a whole: `KERNEL(add, int) { … }`.

use super::repairer::Repairer;
use crate::qualifier::Mark;

impl Repairer<'_, '_> {
    /// Repairs such a use at `at`, in the declaration that starts at `start`: the grammar sees a
    /// function with the macro's name and without parameters. Returns whether it was one.
    pub fn made_head(&mut self, start: usize, at: usize) -> bool {
        let qualifiers = self.aliases.maker(self.text(at));
        if !qualifiers.on_device() {
            return false;
        }
        let token = self.tokens[at];
        if self.text(at + 1) == "(" {
            let Some(close) = self.closing(at + 1) else {
                return false;
            };
            if self.text(close + 1) != "{" {
                return false;
            }
            self.blank_all(at + 2..close);
        } else if self.text(at + 1) == "{" && token.end - token.start > 2 {
            self.pass.text[token.end - 2..token.end].copy_from_slice(b"()");
        } else {
            return false;
        }
        self.marks.push(Mark {
            range: token.start..token.end,
            next: self.start_of(start),
            qualifiers,
            visible: true,
        });
        true
    }
}
