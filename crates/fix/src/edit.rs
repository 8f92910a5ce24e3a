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
    /// How it can be tried together with others.
    pub trial: Trial,
}

/// Whether one build can hold a program with and without an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trial {
    /// It changes nothing by itself, such as a pair of braces.
    Frame,
    /// A part of the text is statements, of which a run may have others instead.
    Switch {
        /// The part.
        statements: Range<usize>,
        /// The others; none where this is empty.
        instead: String,
        /// What the compiler is to refuse where these are not a sound choice.
        demand: String,
    },
    /// No: what it changes is decided when the program is compiled.
    Alone,
}

impl Edit {
    /// A new text at an offset that changes nothing by itself.
    pub fn frame(file: &str, at: usize, text: String) -> Self {
        Self {
            file: file.to_owned(),
            range: at..at,
            text,
            trial: Trial::Frame,
        }
    }

    /// A statement at an offset, with blanks or braces around it.
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

    /// The same for a program that has both, where `condition` says which of them runs.
    pub fn on_trial(&self, condition: &str) -> Option<Self> {
        let text = match &self.trial {
            Trial::Alone => return None,
            Trial::Frame => self.text.clone(),
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

/// Edits of original files, none of which touches another, each with the number of the step
/// that made it.
#[derive(Clone, Debug, Default)]
pub(super) struct EditSet(Vec<(usize, Edit)>);

impl EditSet {
    /// The set with the edits of a step, which are in the coordinates of the text with the
    /// edits of `base`; none where one of them lies in what another has changed.
    pub fn with(&self, step: usize, base: &Self, edits: &[Edit]) -> Option<Self> {
        let mut all = self.clone();
        for edit in edits {
            let range = base.original(&edit.file, &edit.range)?;
            let edit = Edit {
                range,
                ..edit.clone()
            };
            // Two races may be removed by one edit, and another one each.
            if all.0.iter().all(|(_, it)| *it != edit) {
                all.0.push((step, edit));
            }
        }
        // What is put at the begin of a text stands before what takes its place.
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
