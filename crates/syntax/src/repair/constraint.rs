//! Concepts and packs: parts of templates that the grammar can parse only in some forms.

use super::repairer::{CALL_LIMIT, Repairer};

impl Repairer<'_, '_> {
    /// `template <::a::C T>`: the grammar does not accept colons before a concept's name. The
    /// template's parameters open at `open` and end before `after`.
    pub fn global_concepts(&mut self, open: usize, after: usize) {
        let mut depth = 0usize;
        for at in open..after {
            match self.text(at) {
                "<" => depth += 1,
                ">" if self.text(at + 1) == "=" && self.touches(at) => {}
                ">" => depth = depth.saturating_sub(1),
                "::" if depth == 1 && matches!(self.before(at), "<" | ",") => self.blank(at),
                _ => {}
            }
        }
    }

    /// `CONCEPT name = REQUIRES((T), T a)(a.f(), …);` after a template's parameters: it contains no
    /// code that runs, and the arguments of such a macro are not expressions. The words after the
    /// parameters start at `at`.
    pub fn concept_by_macro(&mut self, at: usize) {
        let Some(equals) = (at + 1..at + 5).find(|it| self.text(*it) == "=") else {
            return;
        };
        if !(at..equals).all(|it| self.is_word(it)) || self.text(at) == "using" {
            return;
        }
        let value = equals + 1;
        let (mut depth, mut odd) = (0usize, false);
        for end in value..value + CALL_LIMIT {
            match self.text(end) {
                "(" => {
                    let called = end > value && self.is_word(end - 1) && self.is_macro(end - 1);
                    odd |= depth == 0 && (called || self.before(end) == ")");
                    depth += 1;
                }
                ")" => depth = depth.saturating_sub(1),
                "{" | "}" | "" => return,
                ";" if depth == 0 => {
                    if odd {
                        self.blank_all(value..end);
                        self.pass.text[self.tokens[value].start] = b'0';
                    }
                    return;
                }
                _ => {}
            }
        }
    }

    /// `T*... p`: the grammar expects the dots next to the type. They are blanked, and the tree
    /// restores the pack. `at` is the `*` or `&` before the dots.
    pub fn pack_of_pointers(&mut self, at: usize) {
        let dots = (at + 1..at + 4).all(|it| self.text(it) == ".");
        let mut first = at;
        while matches!(self.before(first), "*" | "&" | "const") {
            first -= 1;
        }
        if dots
            && first > 0
            && (self.is_word(first - 1) || self.before(first) == ">")
            && (self.is_word(at + 4) || self.text(at + 4) == ",")
        {
            self.pass.packs.push(self.tokens[at + 1].start);
            self.blank_all(at + 1..at + 4);
        }
    }

    /// `f<A<T> const&, n>(x)`: in an expression, the grammar does not expect a type here. `at` is
    /// the `&` or `*` before the comma.
    pub fn late_type(&mut self, at: usize) {
        let mut first = at;
        while matches!(self.before(first), "*" | "&" | "const" | "volatile") {
            first -= 1;
        }
        if self.text(at + 1) == "," && self.before(first) == ">" {
            self.blank_all(first..=at);
        }
    }

    /// `A<sizeof(T) >= 4>`: in a type, a comparison must not look like a closing bracket. `at` is
    /// the `>`.
    pub fn at_least(&mut self, at: usize) {
        if self.text(at + 1) == "=" && self.touches(at) && self.in_alias(at) {
            self.pass.text[self.tokens[at].start] = b'=';
        }
    }

    /// `(x)... MACRO(n)`: the macro adds further arguments, including the comma. `at` is its name.
    pub fn more_arguments(&mut self, at: usize) {
        let follows = self.text(at + 1) == "("
            && at >= 3
            && (at - 3..at).all(|it| self.text(it) == ".")
            && self.is_macro(at);
        let gap = at.checked_sub(1).map_or(0, |it| self.tokens[it].end);
        if follows && gap < self.tokens[at].start {
            self.pass.text[gap] = b',';
        }
    }
}
