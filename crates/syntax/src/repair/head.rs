//! Heads of declarations: words that can only be attributes.
//!
//! `EXPORT ATTR Type name(…)` has more words than a declaration can have. Those spelled like macros
//! are blanked until one type and one name are left.

use super::repairer::{Braces, HEAD_LIMIT, Repairer};
use crate::qualifier::Qualifiers;
use crate::words::{Words, is_builtin_type, looks_like_macro};

/// Words of a declaration that are neither types nor names.
const SPECIFIERS: Words = Words::of(
    "static inline extern const constexpr volatile virtual mutable typename thread_local register \
     consteval",
);

impl Repairer<'_, '_> {
    /// Repairs the head of the declaration that starts at `start`.
    pub fn head(&mut self, start: usize) {
        let mut at = start;
        for _ in 0..HEAD_LIMIT {
            if self.text(at) == "template" && self.text(at + 1) == "<" {
                let Some(after) = self.after_angles(at + 1) else {
                    return;
                };
                self.default_pointers(at + 1, after);
                self.global_concepts(at + 1, after);
                self.concept_by_macro(after);
                at = after;
            } else if self.text(at) == "extern" && self.text(at + 1).starts_with('"') {
                at += 2;
            } else if self.is_word(at) && self.made_head(at, at) {
                return;
            } else if self.type_macro(at, start, Braces::Declarations, false) {
                break;
            } else if self.is_word(at) && self.text(at + 1) == "(" && self.is_macro(at) {
                match self.macro_at_head(at) {
                    Some(after) => at = after,
                    None => return,
                }
            } else {
                break;
            }
        }
        self.words(at);
    }

    /// `template <class T = int*>`: the grammar expects a plain type there.
    fn default_pointers(&mut self, open: usize, after: usize) {
        let (mut angles, mut parentheses) = (0usize, 0usize);
        for at in open..after {
            match self.text(at) {
                "<" => angles += 1,
                ">" if self.text(at + 1) == "=" && self.touches(at) => {}
                ">" => angles = angles.saturating_sub(1),
                "(" => parentheses += 1,
                ")" => parentheses = parentheses.saturating_sub(1),
                "=" if self.text(at - 1) == ">"
                    && self.touches(at - 1)
                    && self.text(at - 2) != "<" =>
                {
                    // `sizeof...(T) >= 2` closes nothing.
                    let start = self.tokens[at - 1].start;
                    self.pass.text[start] = b'=';
                }
                "*" | "&"
                    if angles == 1
                        && parentheses == 0
                        && matches!(self.text(at + 1), "," | ">" | "=" | "*" | "&") =>
                {
                    self.blank(at);
                }
                _ => {}
            }
        }
    }

    /// `MACRO(…)` at the start of a declaration. Returns the token after it if it was blanked.
    fn macro_at_head(&mut self, at: usize) -> Option<usize> {
        let close = self.closing(at + 1)?;
        match self.text(close + 1) {
            "{" | ":" | "->" | "=" | "," | ")" => None,
            "(" => {
                // `KERNEL(name)(int* p) {`: the macro produces a function's head.
                let name = self.text(at);
                let qualifiers = self.aliases.maker(name);
                let is_name = self.is_word(at + 2)
                    && (close == at + 3 || qualifiers.on_device() && self.text(at + 3) == ",");
                if is_name {
                    self.blank_attribute(at, qualifiers);
                    self.blank(at + 1);
                    self.blank_all(at + 3..=close);
                    for mark in self.marks.iter_mut().rev().take(1) {
                        mark.next = self.tokens[at + 2].start;
                    }
                }
                None
            }
            after => {
                let qualifiers = guess(self.text(at)) | self.aliases.maker(self.text(at));
                self.blank_all(at..=close);
                self.marks.push(crate::qualifier::Mark {
                    range: self.tokens[at].start..self.tokens[close].end,
                    next: self.start_of(close + 1),
                    qualifiers,
                    visible: false,
                });
                if after == ";" {
                    self.blank(close + 1);
                    return None;
                }
                Some(close + 1)
            }
        }
    }

    fn words(&mut self, start: usize) {
        // Words that are types, names or attributes, in order.
        let mut names: Vec<usize> = Vec::new();
        let mut class = false;
        let mut builtin = false;
        // A constructor has no type before its name.
        let mut constructor = false;
        let mut at = start;
        // The number of words that the declaration itself needs.
        let needed = loop {
            if at >= start + HEAD_LIMIT {
                return;
            }
            match self.text(at) {
                "class" | "struct" | "union" => class = true,
                "friend" => self.befriend(start, at),
                // Names include their own colons.
                "::" if at > start => self.blank(at),
                "(" | "{" if names.len() == 1 && !class && self.made_head(start, names[0]) => {
                    return;
                }
                "(" if names.len() == 1 && !builtin && self.is_guide(at) => {
                    return self.deduction_guide(at);
                }
                "explicit" => constructor = true,
                "static" if names.is_empty() => {
                    self.declaring_macro(at, Braces::Declarations);
                    if self.is_blank(at) {
                        return;
                    }
                }
                "(" if names.len() > 1 && self.calls_macro(at) => {
                    // `PUSH POP(x) void f()`: the words before are macros too.
                    let last = names.pop().unwrap_or(start);
                    self.drop_surplus(&names, names.len());
                    return self.head(last);
                }
                "(" if self.is_constructor(at) => break 1,
                "(" if constructor => break 1,
                "namespace" | "using" | "typedef" | "template" | "enum" | "}" | "" => break 0,
                "public" | "private" | "protected" | "static_assert" => return,
                "operator" => {
                    // A conversion has no type before it.
                    let conversion = self.is_word(at + 1)
                        && !matches!(self.text(at + 1), "new" | "delete" | "co_await");
                    break usize::from(!conversion && !builtin);
                }
                "~" => break 0,
                "*" | "&" => break usize::from(!builtin),
                "{" | ":" if class => break 1,
                ";" if class && names.len() == 1 => break 1,
                text if is_builtin_type(text) => builtin = true,
                text if SPECIFIERS.has(text) => {}
                _ if self.is_word(at) => {
                    names.push(at);
                    at = match self.after_name(at) {
                        Some(after) => after,
                        None => return,
                    };
                    continue;
                }
                _ => break 1 + usize::from(!builtin),
            }
            at += 1;
        };
        self.drop_surplus(&names, names.len().saturating_sub(needed));
    }

    /// `inline friend`, `friend constexpr`: the grammar accepts only `friend` alone.
    fn befriend(&mut self, start: usize, friend: usize) {
        let plain = |it: usize| matches!(self.text(it), "inline" | "constexpr" | "static");
        let before: Vec<usize> = (start..friend).rev().take_while(|it| plain(*it)).collect();
        let after: Vec<usize> = (friend + 1..friend + 4)
            .take_while(|it| plain(*it))
            .collect();
        let next = friend + 1 + after.len();
        self.blank_all(before.into_iter().chain(after));
        // The declaration begins after the word, and its qualifiers move with it.
        if let Some(next) = self.tokens.get(next).map(|it| it.start) {
            self.move_marks(self.tokens[friend].start, next);
        }
    }

    /// Whether `(`, after a declaration's only word, opens the parameters of a deduction
    /// guide: `Name(T) -> Name<T>;`.
    fn is_guide(&self, open: usize) -> bool {
        self.closing(open)
            .is_some_and(|close| self.text(close + 1) == "->")
    }

    /// Blanks a deduction guide: it contains no code that runs.
    fn deduction_guide(&mut self, open: usize) {
        let mut first = open;
        while first > 0
            && !matches!(self.before(first), ";" | "{" | "}")
            && open - first < HEAD_LIMIT
        {
            first -= 1;
        }
        let last = (open..open + 4 * HEAD_LIMIT)
            .take_while(|it| !matches!(self.text(*it), "{" | "}" | ""))
            .find(|it| self.text(*it) == ";");
        let last = last.unwrap_or(first);
        // Its qualifiers do not apply to the next declaration.
        let range = self.tokens[first].start..self.tokens[last].end;
        for marks in [&mut self.pass.marks, &mut self.marks] {
            let from = marks.partition_point(|mark| mark.next < range.start);
            for mark in &mut marks[from..] {
                if mark.next >= range.end {
                    break;
                }
                mark.qualifiers = Qualifiers::NONE;
            }
        }
        self.blank_all(first..=last);
    }

    /// Whether the word before parentheses is a macro and not a declarator.
    fn calls_macro(&self, open: usize) -> bool {
        self.is_macro(open - 1)
            && self.closing(open).is_some_and(|close| {
                let next = close + 1;
                // `TEMPLATE(…) REQUIRES(…) void f()`
                let another = self.text(next + 1) == "("
                    && self
                        .closing(next + 1)
                        .is_some_and(|close| self.is_word(close + 1));
                self.is_word(next)
                    && !matches!(
                        self.text(next),
                        "const" | "noexcept" | "override" | "final" | "volatile" | "requires"
                    )
                    && (another || !looks_like_macro(self.text(next)))
            })
    }

    /// Blanks the first `surplus` words that are spelled like macros.
    fn drop_surplus(&mut self, names: &[usize], mut surplus: usize) {
        for &name in names {
            if surplus == 0 {
                break;
            }
            let text = self.text(name);
            if looks_like_macro(text) && !matches!(self.text(name + 1), "::" | "<" | "(") {
                surplus -= 1;
                self.blank_attribute(name, guess(text));
            }
        }
    }

    /// Whether the parameters that open at `open` are followed by initialisers.
    fn is_constructor(&self, open: usize) -> bool {
        self.closing(open)
            .is_some_and(|close| match self.text(close + 1) {
                "noexcept" => self.text(close + 2) == ":",
                after => after == ":",
            })
    }

    /// The token after `name::name<…>::name`.
    fn after_name(&self, at: usize) -> Option<usize> {
        let mut at = at + 1;
        loop {
            match self.text(at) {
                "::" if self.is_word(at + 1) && self.text(at + 1) != "operator" => at += 2,
                "::" => at += 1,
                "<" => at = self.after_angles(at)?,
                _ => return Some(at),
            }
        }
    }
}

/// The most likely meaning of an attribute from an unknown header. A function mistaken for device
/// code only gets hooks that do nothing.
fn guess(text: &str) -> Qualifiers {
    let upper = text.to_ascii_uppercase();
    let mut qualifiers = Qualifiers::NONE;
    if upper.contains("DEVICE") {
        qualifiers |= Qualifiers::DEVICE;
    }
    if upper.contains("HOST") {
        qualifiers |= Qualifiers::HOST;
    }
    qualifiers
}
