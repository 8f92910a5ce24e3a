//! `(p[0] = t, true)`: an assignment before a comma in parentheses.
//!
//! The grammar takes it for a C++ fold expression and fails, but it can parse `(p[0], t, true)`. So
//! the pre-pass replaces the operator by a comma, and `restore` turns it into an assignment again
//! in the tree.

use std::ops::Range;

use super::repairer::Repairer;
use crate::lexer::TokenKind;

impl Repairer<'_, '_> {
    /// Masks the operator of an assignment that comes first in the parentheses that open at `open`,
    /// if a comma follows.
    pub fn assignment_before_comma(&mut self, open: usize) {
        let call = open > 0
            && (self.tokens[open - 1].kind != TokenKind::Punct && self.before(open) != "return"
                || matches!(self.before(open), ")" | "]" | ">"));
        if call || self.text(open + 1) == "using" {
            return;
        }
        let Some(close) = self.closing(open) else {
            return;
        };
        let mut depth = 0usize;
        let mut operator = None;
        let mut angles = true;
        // Continue after the last template arguments.
        let mut resume = open + 1;
        for at in open + 1..close {
            if at < resume {
                continue;
            }
            match self.text(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                "?" if operator.is_none() => return,
                ";" => return,
                "<" if angles => match self.after_angles(at) {
                    Some(after) => resume = after,
                    // The next ones will not close either, and searching again takes time.
                    None => angles = false,
                },
                "=" if operator.is_none() => match self.assignment(at) {
                    Some(range) => operator = Some(range),
                    None => continue,
                },
                "," => break,
                _ => {}
            }
            if at + 1 == close {
                return;
            }
        }
        if resume >= close {
            return;
        }
        if let Some(range) = operator {
            self.pass.text[range.clone()].fill(b' ');
            self.pass.text[range.start] = b',';
            self.pass.assignments.push(range);
        }
    }

    /// The bytes of the assignment's operator that ends with the `=` at `at`.
    fn assignment(&self, at: usize) -> Option<Range<usize>> {
        let joined = |it: usize| self.touches(it).then(|| self.text(it));
        if joined(at) == Some("") || self.touches(at) && self.text(at + 1) == "=" {
            return None;
        }
        let mut first = at;
        match joined(at - 1) {
            Some("=" | "!") => return None,
            Some(shift @ ("<" | ">")) => {
                // `<=` compares, `<<=` assigns.
                if joined(at - 2) != Some(shift) {
                    return None;
                }
                first = at - 2;
            }
            Some("+" | "-" | "*" | "/" | "%" | "&" | "|" | "^") => first = at - 1,
            _ => {}
        }
        Some(self.tokens[first].start..self.tokens[at].end)
    }
}
