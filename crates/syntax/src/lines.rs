//! The lines of a text, by byte offset.

use std::ops::Range;

/// A text, as lines.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'s>(pub &'s str);

impl<'s> Lines<'s> {
    /// The line of an offset without its line feed.
    pub fn range(self, offset: usize) -> Range<usize> {
        let bytes = self.0.as_bytes();
        let offset = offset.min(bytes.len());
        let before = bytes[..offset].iter().rposition(|byte| *byte == b'\n');
        let length = bytes[offset..].iter().position(|byte| *byte == b'\n');
        before.map_or(0, |at| at + 1)..length.map_or(bytes.len(), |length| offset + length)
    }

    /// The number of the line of an offset, from 1.
    pub fn number(self, offset: usize) -> usize {
        let before = &self.0.as_bytes()[..offset.min(self.0.len())];
        1 + before.iter().filter(|byte| **byte == b'\n').count()
    }

    pub fn start(self, offset: usize) -> usize {
        self.range(offset).start
    }

    /// The end of the line of an offset, before its line break.
    pub fn end(self, offset: usize) -> usize {
        let rest = self.text(offset..self.range(offset).end);
        offset + rest.trim_end_matches('\r').len()
    }

    /// The blanks at the beginning of the line of an offset.
    pub fn indentation(self, offset: usize) -> &'s str {
        indentation(self.text(self.range(offset)))
    }

    /// One level of the text's indentation.
    pub fn indentation_step(self) -> &'s str {
        let mut steps = self.0.lines().map(indentation).filter(|it| !it.is_empty());
        match steps.next() {
            Some(tabs) if tabs.starts_with('\t') => "\t",
            Some(spaces) if spaces.len() <= 8 => spaces,
            _ => "    ",
        }
    }

    /// Whether only blanks precede an offset on its line.
    pub fn is_first(self, offset: usize) -> bool {
        self.text(self.start(offset)..offset).trim().is_empty()
    }

    /// Whether only blanks and a comment follow an offset on its line.
    pub fn is_last(self, offset: usize) -> bool {
        let rest = self.text(offset..self.end(offset)).trim();
        rest.is_empty() || rest.starts_with("//")
    }

    /// The text's line break.
    pub fn line_break(self) -> &'static str {
        match self.0.find('\n') {
            Some(at) if self.0[..at].ends_with('\r') => "\r\n",
            _ => "\n",
        }
    }

    fn text(self, range: Range<usize>) -> &'s str {
        self.0.get(range).unwrap_or("")
    }
}

/// The blanks at the beginning of a line.
fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_an_offset() {
        let lines = Lines("a\r\n\tb; // c\r\nd");
        let b = 4;
        assert_eq!(lines.range(b), 3..12);
        assert_eq!((lines.start(b), lines.end(b), lines.number(b)), (3, 11, 2));
        assert_eq!(
            (lines.indentation(b), lines.indentation_step()),
            ("\t", "\t")
        );
        assert_eq!((lines.is_first(b), lines.is_last(b)), (true, false));
        assert!(lines.is_last(b + 2) && !lines.is_first(b + 1));
        assert_eq!(lines.line_break(), "\r\n");
        assert_eq!((lines.range(99), lines.number(99)), (13..14, 3));
    }
}
