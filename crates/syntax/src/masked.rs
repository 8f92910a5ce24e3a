//! A text in which everything that the grammar cannot parse is masked, with the masked parts.

use std::ops::Range;

use super::directives::Directives;
use super::lexer::{Token, TokenKind};
use super::qualifier::{Mark, Qualifiers};

/// A problem that prevents the whole file from being parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxProblem {
    /// Byte offset in the file.
    pub offset: usize,
    /// The problem, as a lowercase fragment.
    pub message: String,
}

/// A file, ready for the grammar.
pub struct Prepass {
    /// Has the same length as the original.
    pub text: Vec<u8>,
    pub tokens: Vec<Token>,
    pub comments: Vec<(usize, usize)>,
    pub directives: Directives,
    /// In order of position.
    pub marks: Vec<Mark>,
    /// Assignment operators that are masked by a comma.
    pub assignments: Vec<Range<usize>>,
    /// Positions of the dots of parameter packs; the grammar sees plain parameters.
    pub packs: Vec<usize>,
    pub problems: Vec<SyntaxProblem>,
    /// Whether device code may call `constexpr` functions of the host.
    pub relaxed_constexpr: bool,
}

impl Prepass {
    /// Whether the content of the file depends on unknown conditions.
    pub fn is_open(&self) -> bool {
        !(self.directives.uncertain.is_empty() && self.directives.unchosen.is_empty())
    }

    /// Marks directly before the syntax that starts at `start`.
    pub fn leading(&self, start: usize) -> &[Mark] {
        let first = self.marks.partition_point(|mark| mark.next < start);
        let last = self.marks.partition_point(|mark| mark.next <= start);
        &self.marks[first..last]
    }

    /// Shifts all positions, which are relative to a part of a file, by the offset of the part.
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

    /// Marks inside `range`.
    pub fn within(&self, range: Range<usize>) -> &[Mark] {
        let marks = &self.marks;
        let first = marks.partition_point(|mark| mark.range.start < range.start);
        let last = marks.partition_point(|mark| mark.range.start < range.end);
        &self.marks[first.min(last)..last]
    }

    /// The real start of the syntax that the grammar sees from `start`: blanked words before it
    /// belong to it if `wanted` accepts them.
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

    /// The marks of the declaration that starts at `start` and has its declarator at `declarator`.
    pub(super) fn marks_before(
        &self,
        start: usize,
        declarator: usize,
    ) -> impl Iterator<Item = &Mark> {
        let leading = self.leading(start).iter();
        leading.chain(self.within(start..declarator))
    }

    /// All qualifiers of the declaration that starts at `start` and has its declarator at
    /// `declarator`.
    pub fn qualifiers(&self, start: usize, declarator: usize) -> Qualifiers {
        self.marks_before(start, declarator)
            .fold(Qualifiers::NONE, |all, mark| all | mark.qualifiers)
    }

    /// The start of the syntax that the grammar sees from `start`, with the qualifiers before it.
    pub fn start_with_qualifiers(&self, start: usize) -> usize {
        self.leading(start)
            .first()
            .map_or(start, |mark| mark.range.start)
    }

    /// The tokens that start in `range`.
    pub fn tokens_in(&self, range: &Range<usize>) -> &[Token] {
        let first = self.tokens.partition_point(|it| it.start < range.start);
        let last = self.tokens.partition_point(|it| it.start < range.end);
        &self.tokens[first..last.max(first)]
    }

    /// Whether text at `offset` is compiled only under an unknown condition.
    pub fn is_uncertain(&self, offset: usize) -> bool {
        let mut uncertain = self.directives.uncertain.iter();
        uncertain.any(|range| range.contains(&offset))
    }

    pub(super) fn blank(&mut self, range: Range<usize>) {
        for byte in &mut self.text[range] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
}
