//! Masking: blanks everything that the grammar cannot parse, and records its meaning as marks.

use std::ops::Range;

use crate::alias::Aliases;
use crate::lexer::TokenKind;
use crate::masked::Prepass;
use crate::qualifier::{Mark, Qualifiers, Treatment, skip_attribute, skip_parentheses};
use crate::stand_in::StandIn;

impl Prepass {
    /// Masks directives, dropped branches, comments, qualifiers and attributes.
    pub(super) fn mask(&mut self, source: &str, aliases: &Aliases) {
        for range in std::mem::take(&mut self.directives.dropped) {
            self.blank(range.clone());
            self.directives.dropped.push(range);
        }
        self.blank_gaps();
        for colon in &self.directives.joined {
            self.text[*colon] = b',';
        }
        // Marks wait for the start of the next token that is not blanked.
        let mut waiting = self.marks.len();
        // For each open brace, whether a macro opened it that the grammar does not see.
        let mut hidden = Vec::new();
        let mut at = 0;
        while let Some(&token) = self.tokens.get(at) {
            if !self.directives.live[at] {
                at += 1;
                continue;
            }
            if token.kind == TokenKind::Directive {
                self.blank(token.start..token.end);
                at += 1;
                continue;
            }
            let word = (token.kind == TokenKind::Word).then(|| token.text(source));
            let part = word.and_then(|it| aliases.stand_in(it));
            let treatment = match part {
                Some(part) => {
                    let text = part.text(token.end - token.start);
                    self.put(token.start, &text);
                    None
                }
                None => self.treatment(source, at, aliases),
            };
            let (opened, closed) = braces_of(token.text(source), part);
            hidden.resize(
                hidden.len() + opened,
                matches!(part, Some(StandIn::Open(_))),
            );
            let ends = (0..closed).filter(|_| hidden.pop() == Some(true)).count();
            self.blank(token.start..token.start + ends);
            let (stays, next) = match treatment {
                Some((treatment, after)) => {
                    let range = token.start..self.tokens[after - 1].end;
                    (self.treat(source, range, treatment), after)
                }
                None => (true, at + 1),
            };
            if stays {
                for mark in &mut self.marks[waiting..] {
                    mark.next = token.start;
                }
                waiting = self.marks.len();
            }
            at = next;
        }
        for mark in &mut self.marks[waiting..] {
            mark.next = source.len();
        }
    }

    /// The treatment of the token at `at`, and the first token after its extent.
    fn treatment(&self, source: &str, at: usize, aliases: &Aliases) -> Option<(Treatment, usize)> {
        let text = self.tokens[at].text(source);
        match self.tokens[at].kind {
            TokenKind::Word => {
                let treatment = aliases.treatment(text)?;
                let after = match treatment {
                    Treatment::BlankCall(_) => skip_parentheses(source, &self.tokens, at + 1),
                    _ => at + 1,
                };
                Some((treatment, after))
            }
            TokenKind::Punct if text == "[" && self.opens_attribute(source, at) => {
                let after = skip_attribute(source, &self.tokens, at);
                Some((Treatment::Blank(Qualifiers::NONE), after))
            }
            _ => None,
        }
    }

    /// Treats the text in `range`; returns whether the grammar still sees something there.
    fn treat(&mut self, source: &str, range: Range<usize>, treatment: Treatment) -> bool {
        let mut visible = true;
        let qualifiers = match treatment {
            Treatment::Blank(found) | Treatment::BlankCall(found) => {
                self.blank(range.clone());
                visible = false;
                let text = &source[range.clone()];
                if text.starts_with("__attribute") && text.contains("packed") {
                    found | Qualifiers::PACKED
                } else {
                    found
                }
            }
            Treatment::Mark(qualifiers) => qualifiers,
            Treatment::Replace(word) => {
                self.blank(range.clone());
                self.put(range.start, word);
                return true;
            }
            Treatment::Introduce(qualifiers) => {
                self.blank(range.clone());
                self.put(range.start, if range.len() > 2 { "[=]" } else { "[]" });
                qualifiers
            }
        };
        self.marks.push(Mark {
            range,
            next: 0,
            qualifiers,
            visible,
        });
        visible
    }

    fn put(&mut self, start: usize, text: &str) {
        self.text[start..start + text.len()].copy_from_slice(text.as_bytes());
    }

    fn opens_attribute(&self, source: &str, at: usize) -> bool {
        let text = |index: usize| {
            self.tokens
                .get(index)
                .map_or("", |token| token.text(source))
        };
        text(at + 1) == "["
            && self.tokens[at].end == self.tokens[at + 1].start
            && self
                .tokens
                .get(at + 2)
                .is_some_and(|token| token.kind == TokenKind::Word)
            && matches!(text(at + 3), "]" | "(" | "::" | ",")
    }

    /// Blanks comments, and backslashes that join lines.
    fn blank_gaps(&mut self) {
        for index in 0..self.comments.len() {
            let (start, end) = self.comments[index];
            self.blank(start..end);
        }
        let mut start = 0;
        for token in &self.tokens {
            for byte in &mut self.text[start..token.start.max(start)] {
                if *byte == b'\\' {
                    *byte = b' ';
                }
            }
            start = token.end;
        }
    }

    /// Reports an unmatched brace, unless macros have others that may match it.
    pub(super) fn check_braces(&mut self, source: &str, aliases: &Aliases) {
        let mut open = Vec::new();
        for (index, token) in self.tokens.iter().enumerate() {
            if !self.directives.live[index] {
                continue;
            }
            let part = match token.kind {
                TokenKind::Word if aliases.is_unbalanced(token.text(source)) => return,
                TokenKind::Punct => None,
                TokenKind::Word => aliases.stand_in(token.text(source)),
                _ => continue,
            };
            let (opened, closed) = braces_of(token.text(source), part);
            open.resize(open.len() + opened, token.start);
            for _ in 0..closed {
                if open.pop().is_none() {
                    let offset = token.start;
                    return self.problem(offset, "this closing brace matches no opening one");
                }
            }
        }
        if let Some(&offset) = open.first() {
            self.problem(offset, "this brace is never closed");
        }
    }
}

/// How many braces a token opens, and how many it closes; `part` is what it stands for.
fn braces_of(token: &str, part: Option<StandIn>) -> (usize, usize) {
    match (token, part) {
        (_, Some(part)) => part.braces(),
        ("{", None) => (1, 0),
        ("}", None) => (0, 1),
        _ => (0, 0),
    }
}
