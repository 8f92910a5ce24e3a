//! The length-preserving pass before the grammar.
//!
//! It blanks what the grammar cannot parse: directives, dropped `#if`
//! branches, qualifiers and attributes, line splices. Offsets stay those of the
//! original text, so that edits found in the tree apply to it.

use std::collections::HashSet;
use std::ops::Range;

use super::alias::Aliases;
use super::condition::{Defines, RELAXED_CONSTEXPR};
use super::directives::{self, Directives, MacroDefinition};
use super::lexer::{self, Token, TokenKind};
use super::qualifier::{Mark, Qualifiers, Treatment, skip_attribute, skip_parentheses};
use super::repair::repair;

/// A problem that keeps the whole file from being read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxProblem {
    /// Byte offset in the file.
    pub offset: usize,
    /// What is wrong, as a lowercase fragment.
    pub message: String,
}

/// What a file says about macros.
pub struct Definitions {
    pub macros: Vec<MacroDefinition>,
    /// Names that conditions ask about.
    pub asked: HashSet<String>,
}

/// Reads a file's macros, and nothing else.
pub fn definitions(source: &str, defines: &Defines) -> Definitions {
    let lexed = lexer::lex(source);
    let directives = directives::read(source, &lexed.tokens, defines);
    Definitions {
        macros: directives.macros,
        asked: directives.asked,
    }
}

/// A file, ready for the grammar.
pub struct Prepass {
    /// As long as the original.
    pub text: Vec<u8>,
    pub tokens: Vec<Token>,
    pub comments: Vec<(usize, usize)>,
    pub directives: Directives,
    /// In order of position.
    pub marks: Vec<Mark>,
    /// Operators of assignments in whose place a comma stands.
    pub assignments: Vec<Range<usize>>,
    /// Where the dots of packs stood that the grammar takes for plain parameters.
    pub packs: Vec<usize>,
    pub problems: Vec<SyntaxProblem>,
    /// Whether device code may call `constexpr` functions of the host.
    pub relaxed_constexpr: bool,
}

impl Prepass {
    /// Runs the pass.
    pub fn run(source: &str, defines: &Defines, aliases: &Aliases) -> Self {
        let lexed = lexer::lex(source);
        let directives = directives::read(source, &lexed.tokens, defines);
        let mut pass = Self {
            text: source.as_bytes().to_vec(),
            tokens: lexed.tokens,
            comments: lexed.comments,
            directives,
            marks: Vec::new(),
            assignments: Vec::new(),
            packs: Vec::new(),
            problems: Vec::new(),
            relaxed_constexpr: defines.is_given(RELAXED_CONSTEXPR),
        };
        if source.starts_with('\u{feff}') {
            pass.blank(0..3);
        }
        if let Some((offset, message)) = lexed.unterminated {
            pass.problems.push(SyntaxProblem {
                offset,
                message: message.to_owned(),
            });
        }
        if let Some((offset, message)) = pass.directives.unbalanced {
            pass.problems.push(SyntaxProblem {
                offset,
                message: message.to_owned(),
            });
        }
        pass.mask(source, aliases);
        // Where branches were chosen by guess, the guess may be what does not fit.
        if !pass.is_open() {
            pass.check_braces(source);
        }
        repair(&mut pass, source, aliases, false);
        pass
    }

    /// The same for a macro's body on its own: `#x` becomes a string and
    /// `a ## b` a name.
    pub fn of_macro(body: &str, aliases: &Aliases) -> Self {
        Self::of_body(body, aliases, true)
    }

    /// The same for a macro's body that consists of declarations.
    pub fn of_declaring_macro(body: &str, aliases: &Aliases) -> Self {
        Self::of_body(body, aliases, false)
    }

    fn of_body(body: &str, aliases: &Aliases, in_code: bool) -> Self {
        let lexed = lexer::lex_inline(body);
        let live = vec![true; lexed.tokens.len()];
        let mut pass = Self {
            text: body.as_bytes().to_vec(),
            tokens: lexed.tokens,
            comments: lexed.comments,
            directives: Directives {
                live,
                ..Directives::default()
            },
            marks: Vec::new(),
            assignments: Vec::new(),
            packs: Vec::new(),
            problems: Vec::new(),
            relaxed_constexpr: false,
        };
        pass.mask(body, aliases);
        for index in 0..pass.tokens.len() {
            let next = pass.tokens.get(index + 1).copied();
            match (pass.tokens[index].text(body), next) {
                ("##", Some(next)) => {
                    let start = index.checked_sub(1).map_or(0, |it| pass.tokens[it].end);
                    pass.text[start..next.start].fill(b'_');
                }
                ("#", Some(next)) => {
                    pass.text[pass.tokens[index].start] = b'"';
                    pass.text[next.end - 1] = b'"';
                }
                _ => {}
            }
        }
        repair(&mut pass, body, aliases, in_code);
        pass
    }

    /// Whether what the file holds depends on conditions that are not known.
    pub fn is_open(&self) -> bool {
        !(self.directives.uncertain.is_empty() && self.directives.unchosen.is_empty())
    }

    /// Marks directly before the syntax that starts at `start`.
    pub fn leading(&self, start: usize) -> &[Mark] {
        let first = self.marks.partition_point(|mark| mark.next < start);
        let last = self.marks.partition_point(|mark| mark.next <= start);
        &self.marks[first..last]
    }

    /// Moves all positions, those of a part of a file, to where the part stands.
    pub fn shift(&mut self, by: usize) {
        for token in &mut self.tokens {
            token.start += by;
            token.end += by;
        }
        for mark in &mut self.marks {
            mark.range = mark.range.start + by..mark.range.end + by;
            mark.next += by;
        }
        for range in &mut self.assignments {
            *range = range.start + by..range.end + by;
        }
        for dots in &mut self.packs {
            *dots += by;
        }
    }

    /// Marks that stand in `range`.
    pub fn within(&self, range: Range<usize>) -> &[Mark] {
        let first = self
            .marks
            .partition_point(|mark| mark.range.start < range.start);
        let last = self
            .marks
            .partition_point(|mark| mark.range.start < range.end);
        &self.marks[first.min(last)..last]
    }

    /// Where the syntax that the grammar sees from `start` really begins: blanked
    /// words before it belong to it if `wanted` says so.
    pub fn begin(&self, source: &str, start: usize, wanted: impl Fn(&str) -> bool) -> usize {
        let mut begin = start;
        let mut at = self.tokens.partition_point(|token| token.start < start);
        while let Some(before) = at.checked_sub(1) {
            let token = self.tokens[before];
            let blank = self.directives.live[before] && self.text[token.start] == b' ';
            if !blank || token.kind != TokenKind::Word || !wanted(token.text(source)) {
                break;
            }
            begin = token.start;
            at = before;
        }
        begin
    }

    /// All qualifiers of the declaration that starts at `start` and whose
    /// declarator is found at `declarator`.
    pub fn qualifiers(&self, start: usize, declarator: usize) -> Qualifiers {
        let mut all = Qualifiers::NONE;
        for mark in self
            .leading(start)
            .iter()
            .chain(self.within(start..declarator))
        {
            all |= mark.qualifiers;
        }
        all
    }

    /// Whether text at `offset` is there only under a condition that is not known.
    pub fn is_uncertain(&self, offset: usize) -> bool {
        self.directives
            .uncertain
            .iter()
            .any(|range| range.contains(&offset))
    }

    fn blank(&mut self, range: Range<usize>) {
        for byte in &mut self.text[range] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }

    fn mask(&mut self, source: &str, aliases: &Aliases) {
        for range in std::mem::take(&mut self.directives.dropped) {
            self.blank(range.clone());
            self.directives.dropped.push(range);
        }
        self.blank_gaps();
        for colon in &self.directives.joined {
            self.text[*colon] = b',';
        }
        // Marks wait here for the start of the next token that stays.
        let mut waiting = self.marks.len();
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
            let text = token.text(source);
            let after = match token.kind {
                TokenKind::Word => aliases
                    .treatment(text)
                    .map(|it| (it, self.after(source, at, it))),
                TokenKind::Punct if text == "[" && self.opens_attribute(source, at) => {
                    let after = skip_attribute(source, &self.tokens, at);
                    Some((Treatment::Blank(Qualifiers::NONE), after))
                }
                _ => None,
            };
            let mut stays = true;
            let mut next = at + 1;
            match after {
                Some((Treatment::Blank(found) | Treatment::BlankCall(found), after)) => {
                    let range = token.start..self.tokens[after - 1].end;
                    let packed =
                        text.starts_with("__attribute") && source[range.clone()].contains("packed");
                    let qualifiers = if packed {
                        found | Qualifiers::PACKED
                    } else {
                        found
                    };
                    self.blank(range.clone());
                    self.marks.push(Mark {
                        range,
                        next: 0,
                        qualifiers,
                        visible: false,
                    });
                    stays = false;
                    next = after;
                }
                Some((Treatment::Mark(qualifiers), _)) => {
                    let range = token.start..token.end;
                    self.marks.push(Mark {
                        range,
                        next: 0,
                        qualifiers,
                        visible: true,
                    });
                }
                Some((Treatment::Replace(word), _)) => {
                    self.blank(token.start..token.end);
                    self.text[token.start..token.start + word.len()]
                        .copy_from_slice(word.as_bytes());
                }
                Some((Treatment::Introduce(qualifiers), _)) => {
                    let range = token.start..token.end;
                    self.blank(range.clone());
                    let introducer: &[u8] = if range.len() > 2 { b"[=]" } else { b"[]" };
                    self.text[token.start..token.start + introducer.len()]
                        .copy_from_slice(introducer);
                    self.marks.push(Mark {
                        range,
                        next: 0,
                        qualifiers,
                        visible: true,
                    });
                }
                None => {}
            }
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

    /// The token after the text that `treatment` covers.
    fn after(&self, source: &str, at: usize, treatment: Treatment) -> usize {
        if matches!(treatment, Treatment::BlankCall(_)) {
            skip_parentheses(source, &self.tokens, at + 1)
        } else {
            at + 1
        }
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

    fn check_braces(&mut self, source: &str) {
        let mut open = Vec::new();
        for (index, token) in self.tokens.iter().enumerate() {
            if !self.directives.live[index] || token.kind != TokenKind::Punct {
                continue;
            }
            match token.text(source) {
                "{" => open.push(token.start),
                "}" if open.pop().is_none() => {
                    let message = "this closing brace matches no opening one".to_owned();
                    self.problems.push(SyntaxProblem {
                        offset: token.start,
                        message,
                    });
                    return;
                }
                _ => {}
            }
        }
        if let Some(&offset) = open.first() {
            let message = "this brace is never closed".to_owned();
            self.problems.push(SyntaxProblem { offset, message });
        }
    }
}
