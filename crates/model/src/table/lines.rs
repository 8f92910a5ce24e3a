//! Converts lines and columns to offsets.

/// A text, and where its lines start.
#[derive(Debug)]
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Finds the lines of `text`.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        let newlines = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            text,
            starts: std::iter::once(0).chain(newlines).collect(),
        }
    }

    /// The byte offset of a line and a column, both from 1 and the latter in characters; `None` if
    /// the text is shorter.
    #[must_use]
    pub fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let start = *self.starts.get((line as usize).checked_sub(1)?)?;
        // A byte order mark does not count as a column.
        let mut characters = self.text[start..]
            .char_indices()
            .filter(|(_, it)| *it != '\u{feff}');
        let (offset, _) = characters.nth((column as usize).saturating_sub(1))?;
        Some(start + offset)
    }
}
