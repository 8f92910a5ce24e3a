//! Edits of the user's files, stored in the coordinates of the originals, so that later edits can
//! be made to texts with earlier ones, and any of them can be undone.

use std::iter;
use std::ops::Range;

use hirace_syntax::lines::Lines;

/// The replacement of a piece of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    /// The file as the user named it.
    pub file: String,
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// The new text.
    pub text: String,
    /// How it can be tested together with others.
    pub trial: Trial,
}

/// Whether one build can contain a program both with and without an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trial {
    /// Yes: the edit alone has no effect, such as a pair of braces.
    Frame,
    /// Yes: each run executes either the edit's statements or others.
    Switch {
        /// The part of the text that is these statements.
        statements: Range<usize>,
        /// The statements to execute without the edit; may be empty.
        instead: String,
        /// Code that does not compile if the edit's statements are not an equivalent choice.
        demand: String,
    },
    /// Yes: each run evaluates either the edit's expression or another one.
    Value {
        /// The expression to evaluate without the edit.
        instead: String,
        /// An expression that does not compile if the edit's is not an equivalent choice.
        demand: String,
    },
    /// No: the edit takes effect at compile time.
    Alone,
}

impl Edit {
    /// Inserts text that alone has no effect.
    pub fn frame(file: &str, at: usize, text: String) -> Self {
        Self {
            file: file.to_owned(),
            range: at..at,
            text,
            trial: Trial::Frame,
        }
    }

    /// Inserts a statement, with blanks or braces around it.
    pub fn statement(file: &str, at: usize, [before, statement, after]: [&str; 3]) -> Self {
        let begin = before.len();
        Self {
            file: file.to_owned(),
            range: at..at,
            text: [before, statement, after].concat(),
            trial: Trial::Switch {
                statements: begin..begin + statement.len(),
                instead: String::new(),
                demand: String::new(),
            },
        }
    }

    /// The edit in a form that contains both versions, where `condition` selects one at run time.
    pub fn on_trial(&self, condition: &str) -> Option<Self> {
        let text = match &self.trial {
            Trial::Alone => return None,
            Trial::Frame => self.text.clone(),
            Trial::Value { instead, demand } => {
                format!("({condition} ? ({demand}, {}) : ({instead}))", self.text)
            }
            Trial::Switch {
                statements,
                instead,
                demand,
            } => {
                let chosen = &self.text[statements.clone()];
                let mut both = format!("{{ if ({condition}) {{ {demand}{chosen} }}");
                if !instead.is_empty() {
                    both += &format!(" else {{ {instead} }}");
                }
                let (before, after) =
                    (&self.text[..statements.start], &self.text[statements.end..]);
                format!("{before}{both} }}{after}")
            }
        };
        Some(Self {
            text,
            trial: Trial::Alone,
            ..self.clone()
        })
    }
}

/// Edits of original files that do not overlap, each with the number of the step that made it.
#[derive(Clone, Debug, Default)]
pub(super) struct EditSet(Vec<(usize, Edit)>);

impl EditSet {
    /// Adds the edits of a step, which are in the coordinates of the text with the edits of `base`.
    /// `None` if edits overlap.
    pub fn with(&self, step: usize, base: &Self, edits: &[Edit]) -> Option<Self> {
        let mut all = self.clone();
        for edit in edits {
            let range = base.original(&edit.file, &edit.range)?;
            let edit = Edit {
                range,
                ..edit.clone()
            };
            // Candidates for two races may have an edit in common.
            if all.0.iter().all(|(_, it)| *it != edit) {
                all.0.push((step, edit));
            }
        }
        // An insertion at the start of a replaced piece comes before the replacement.
        all.0.sort_by(|(_, a), (_, b)| {
            let key = |it: &Edit| (it.range.start, it.range.end);
            a.file.cmp(&b.file).then(key(a).cmp(&key(b)))
        });
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

    /// For each line of the edited text, the number of its line in the original one; empty without edits.
    pub fn original_lines(&self, file: &str, original: &str, edited: &str) -> Vec<usize> {
        if self.of(file).next().is_none() {
            return Vec::new();
        }
        let starts = edited.match_indices('\n').map(|(at, _)| at + 1);
        let before = |start| Lines(original).number(self.original_offset(file, start));
        iter::once(0).chain(starts).map(before).collect()
    }

    /// Maps an offset of the edited text to the original; one in an edit to its start.
    fn original_offset(&self, file: &str, offset: usize) -> usize {
        // Bytes of both texts up to the end of the edits before the offset.
        let (mut done, mut edited) = (0, 0);
        for edit in self.of(file) {
            let begin = edited + (edit.range.start - done);
            if offset < begin {
                break;
            }
            if offset < begin + edit.text.len() {
                return edit.range.start;
            }
            (done, edited) = (edit.range.end, begin + edit.text.len());
        }
        done + (offset - edited)
    }

    fn of<'a>(&'a self, file: &'a str) -> impl Iterator<Item = &'a Edit> {
        self.0
            .iter()
            .map(|(_, edit)| edit)
            .filter(move |it| it.file == file)
    }

    /// Maps a range of the edited text to the original; `None` if it touches an edit.
    fn original(&self, file: &str, range: &Range<usize>) -> Option<Range<usize>> {
        // By how much the edited text is longer up to here.
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
            trial: Trial::Alone,
        }
    }

    #[test]
    fn later_edits_are_found_in_the_original() {
        let original = "one two three";
        let none = EditSet::default();
        let first = none.with(0, &none, &[edit(4..7, "2, 2")]).unwrap();
        let text = first.apply("a.cu", original);
        assert_eq!(text, "one 2, 2 three");
        let three = text.find("three").unwrap();
        let both = first
            .with(1, &first, &[edit(three..three + 5, "3"), edit(0..0, "0 ")])
            .unwrap();
        assert_eq!(both.without(0).apply("a.cu", original), "0 one two 3");
        assert_eq!(both.apply("a.cu", original), "0 one 2, 2 3");
        assert_eq!(both.apply("b.cu", original), original);
    }

    #[test]
    fn lines_keep_the_numbers_of_the_original() {
        let original = "one\ntwo\nthree\n";
        let none = EditSet::default();
        let edits = [
            edit(4..4, "new\n"),
            edit(7..7, "\nnext"),
            edit(8..13, "3\n3"),
        ];
        let done = none.with(0, &none, &edits).unwrap();
        let text = done.apply("a.cu", original);
        assert_eq!(text, "one\nnew\ntwo\nnext\n3\n3\n");
        let lines = done.original_lines("a.cu", original, &text);
        assert_eq!(lines, [1, 2, 2, 2, 3, 3, 4]);
        assert!(done.original_lines("b.cu", original, original).is_empty());
    }

    #[test]
    fn edits_of_edits_are_refused() {
        let none = EditSet::default();
        let first = none.with(0, &none, &[edit(4..7, "2, 2")]).unwrap();
        assert!(first.with(1, &first, &[edit(5..6, "x")]).is_none());
        assert!(first.with(1, &first, &[edit(8..8, "x")]).is_some());
    }

    #[test]
    fn edits_on_trial_keep_both_texts() {
        let update = Edit {
            range: 0..7,
            trial: Trial::Switch {
                statements: 0..17,
                instead: "x += 1;".into(),
                demand: "demand();".into(),
            },
            ..edit(0..7, "atomicAdd(&x, 1);")
        };
        assert_eq!(
            update.on_trial("chosen(2)").unwrap().text,
            "{ if (chosen(2)) { demand();atomicAdd(&x, 1); } else { x += 1; } }"
        );
        let barrier = Edit::statement("a.cu", 0, ["", "__syncwarp();", "\n  "]);
        assert_eq!(
            barrier.on_trial("chosen(0)").unwrap().text,
            "{ if (chosen(0)) { __syncwarp(); } }\n  "
        );
        assert_eq!(edit(0..1, "x").on_trial("chosen(1)"), None);
    }
}
