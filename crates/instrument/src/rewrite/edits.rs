//! Edits by byte range, and how they are applied.

use std::ops::Range;

/// One replacement; an empty range is an insertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Bytes of the original that it replaces.
    pub range: Range<usize>,
    /// The replacement text.
    pub text: String,
    /// Whether it closes something that was opened before its position. Such edits come before
    /// others at the same position.
    closes: bool,
    /// Whether it opens before all other insertions at its position.
    outermost: bool,
}

/// Edits in the order in which the rewriter created them.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    list: Vec<Edit>,
}

impl Edits {
    /// Inserts text before the construct that starts at `at`. Of several insertions at one position
    /// the first one is outermost. Returns the edit's number.
    pub(crate) fn open(&mut self, at: usize, text: impl Into<String>) -> usize {
        self.list.push(Edit {
            range: at..at,
            text: text.into(),
            closes: false,
            outermost: false,
        });
        self.list.len() - 1
    }

    /// Inserts `before`, which opens a parenthesis, before `range` and everything inserted there,
    /// and closes it after them.
    pub(crate) fn enclose(&mut self, range: Range<usize>, before: String) {
        self.list.push(Edit {
            range: range.start..range.start,
            text: before,
            closes: false,
            outermost: true,
        });
        self.close(range.end, ")");
    }

    /// Sets the text of an edit that [`Edits::open`] has created without one.
    pub(crate) fn complete(&mut self, number: usize, text: String) {
        if let Some(edit) = self.list.get_mut(number) {
            edit.text = text;
        }
    }

    /// Inserts text after the construct that ends at `at`. Of several insertions at one position
    /// the last one is outermost.
    pub(crate) fn close(&mut self, at: usize, text: impl Into<String>) {
        self.list.push(Edit {
            range: at..at,
            text: text.into(),
            closes: true,
            outermost: false,
        });
    }

    /// Replaces `range` by `text`, but keeps its line breaks.
    pub(crate) fn replace(&mut self, source: &str, range: Range<usize>, text: impl Into<String>) {
        let mut text = Some(text.into());
        let mut start = range.start;
        let old = source.get(range.clone()).unwrap_or("");
        for (at, _) in old.match_indices('\n') {
            let line = &old[start - range.start..at];
            let kept = line.len() - line.trim_end_matches(['\r', '\\']).len();
            let end = range.start + at - kept;
            self.push(start..end, text.take().unwrap_or_default());
            start = range.start + at + 1;
        }
        self.push(start..range.end, text.take().unwrap_or_default());
    }

    /// Replaces `range`, or inserts text, before all other insertions at its start.
    pub(crate) fn before_all(&mut self, range: Range<usize>, text: String) {
        self.list.push(Edit {
            range,
            text,
            closes: true,
            outermost: false,
        });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    fn push(&mut self, range: Range<usize>, text: String) {
        if !range.is_empty() || !text.is_empty() {
            self.list.push(Edit {
                range,
                text,
                closes: false,
                outermost: false,
            });
        }
    }

    /// The edits in order of position. If edits overlap, which only text that is not C++ causes,
    /// the first one is kept.
    pub(crate) fn finish(mut self, source: &str) -> Vec<Edit> {
        self.list
            .sort_by_key(|edit| (edit.range.start, !edit.closes, !edit.outermost));
        let mut end = 0;
        self.list.retain(|edit| {
            let fits = edit.range.start >= end;
            if fits {
                end = edit.range.end;
            }
            fits
        });
        let mut before: Option<(usize, u8)> = None;
        for edit in &mut self.list {
            let start = edit.range.start;
            let last = match before {
                Some((end, byte)) if end == start => Some(byte),
                _ => start
                    .checked_sub(1)
                    .and_then(|at| source.as_bytes().get(at))
                    .copied(),
            };
            // `a?b:c` with a hook before `c` must not become `:::hirace`.
            if last == Some(b':') && edit.text.starts_with("::") {
                edit.text.insert(0, ' ');
            }
            before = edit
                .text
                .as_bytes()
                .last()
                .map(|byte| (edit.range.end, *byte));
        }
        self.list
    }
}

/// Applies sorted edits.
pub(crate) fn apply(source: &str, edits: &[Edit]) -> String {
    let added: usize = edits.iter().map(|edit| edit.text.len()).sum();
    let mut out = String::with_capacity(source.len() + added);
    let mut at = 0;
    for edit in edits {
        out.push_str(source.get(at..edit.range.start).unwrap_or(""));
        out.push_str(&edit.text);
        at = edit.range.end;
    }
    out.push_str(source.get(at..).unwrap_or(""));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_wraps_share_boundaries() {
        let source = "x=a[i];";
        let mut edits = Edits::default();
        edits.open(2, "f(");
        edits.open(2, "g(");
        edits.close(3, ")");
        edits.close(6, ")");
        let edits = edits.finish(source);
        assert_eq!(apply(source, &edits), "x=f(g(a)[i]);");
    }

    #[test]
    fn what_encloses_goes_around_what_was_there() {
        let source = "x=a;";
        let mut edits = Edits::default();
        edits.open(2, "f(");
        edits.close(3, ")");
        edits.enclose(2..3, "g(".to_owned());
        assert_eq!(apply(source, &edits.finish(source)), "x=g(f(a));");
    }

    #[test]
    fn a_replacement_keeps_line_breaks() {
        let source = "a b\\\r\n  c\n d;";
        let mut edits = Edits::default();
        edits.replace(source, 2..12, "X");
        assert_eq!(apply(source, &edits.finish(source)), "a X\\\r\n\n;");
    }

    #[test]
    fn a_hook_after_a_colon_gets_a_blank() {
        let mut edits = Edits::default();
        edits.open(3, "::h(");
        edits.close(4, ")");
        assert_eq!(apply("c?:a", &edits.finish("c?:a")), "c?: ::h(a)");
    }
}
