//! Edits of the user's files, kept in the coordinates of the originals, so that later ones
//! can be found in texts that hold earlier ones, and any of them can be taken back.

use std::ops::Range;

/// A piece of a file that another text takes the place of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    /// The file as the user named it.
    pub file: String,
    /// Bytes in it.
    pub range: Range<usize>,
    /// What stands there instead.
    pub text: String,
}

impl Edit {
    /// A new text at an offset.
    pub fn insertion(file: &str, at: usize, text: String) -> Self {
        Self {
            file: file.to_owned(),
            range: at..at,
            text,
        }
    }
}

/// Edits of original files, none of which touches another, each with the number of the step
/// that made it.
#[derive(Clone, Debug, Default)]
pub(super) struct EditSet(Vec<(usize, Edit)>);

impl EditSet {
    /// The set with the edits of a step, which are in the coordinates of the edited texts;
    /// none where one of them lies in what another has changed.
    pub fn with(&self, step: usize, edits: &[Edit]) -> Option<Self> {
        let mut all = self.clone();
        for edit in edits {
            let range = self.original(&edit.file, &edit.range)?;
            let edit = Edit {
                range,
                ..edit.clone()
            };
            all.0.push((step, edit));
        }
        all.0
            .sort_by(|(_, a), (_, b)| (&a.file, a.range.start).cmp(&(&b.file, b.range.start)));
        let apart = all.0.windows(2).all(|pair| {
            let (before, after) = (&pair[0].1, &pair[1].1);
            before.file != after.file || before.range.end <= after.range.start
        });
        apart.then_some(all)
    }

    /// The set without the edits of a step.
    pub fn without(&self, step: usize) -> Self {
        Self(self.0.iter().filter(|it| it.0 != step).cloned().collect())
    }

    /// The file's text with the edits.
    pub fn apply(&self, file: &str, text: &str) -> String {
        let mut edited = String::with_capacity(text.len());
        let mut done = 0;
        for edit in self.of(file) {
            edited.push_str(text.get(done..edit.range.start).unwrap_or(""));
            edited.push_str(&edit.text);
            done = edit.range.end;
        }
        edited.push_str(text.get(done..).unwrap_or(""));
        edited
    }

    fn of<'a>(&'a self, file: &'a str) -> impl Iterator<Item = &'a Edit> {
        self.0
            .iter()
            .map(|(_, edit)| edit)
            .filter(move |it| it.file == file)
    }

    /// Where a range of the edited text lies in the original.
    fn original(&self, file: &str, range: &Range<usize>) -> Option<Range<usize>> {
        // How much longer the edited text is so far.
        let mut longer = 0isize;
        for edit in self.of(file) {
            let begin = edit.range.start.checked_add_signed(longer)?;
            let end = begin + edit.text.len();
            if range.end <= begin {
                break;
            }
            if range.start < end {
                return None;
            }
            longer += edit.text.len() as isize - edit.range.len() as isize;
        }
        let back = |offset: usize| offset.checked_add_signed(-longer);
        Some(back(range.start)?..back(range.end)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(range: Range<usize>, text: &str) -> Edit {
        Edit {
            file: "a.cu".into(),
            range,
            text: text.into(),
        }
    }

    #[test]
    fn later_edits_are_found_in_the_original() {
        let original = "one two three";
        let first = EditSet::default().with(0, &[edit(4..7, "2, 2")]).unwrap();
        let text = first.apply("a.cu", original);
        assert_eq!(text, "one 2, 2 three");
        let three = text.find("three").unwrap();
        let both = first
            .with(1, &[edit(three..three + 5, "3"), edit(0..0, "0 ")])
            .unwrap();
        assert_eq!(both.without(0).apply("a.cu", original), "0 one two 3");
        assert_eq!(both.apply("a.cu", original), "0 one 2, 2 3");
        assert_eq!(both.apply("b.cu", original), original);
    }

    #[test]
    fn edits_of_edits_are_refused() {
        let first = EditSet::default().with(0, &[edit(4..7, "2, 2")]).unwrap();
        assert!(first.with(1, &[edit(5..6, "x")]).is_none());
        assert!(first.with(1, &[edit(8..8, "x")]).is_some());
    }
}
