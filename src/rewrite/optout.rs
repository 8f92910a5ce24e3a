//! Comments that leave code unchecked.
//!
//! ```text
//! *done = true;  // hirace: ignore                   what begins on this line
//! // hirace: ignore-next-line                        what begins on the next line
//! // hirace: ignore-function                         the function that follows, or around
//! ```
//!
//! What follows the word is for people. Synchronisation is followed in any case: a barrier
//! that does not count would make ordered accesses look unordered.

use std::ops::Range;

use crate::parse::prepass::Prepass;

/// The words after `hirace:`.
const WORDS: [(&str, Reach); 3] = [
    ("ignore", Reach::Line),
    ("ignore-next-line", Reach::NextLine),
    ("ignore-function", Reach::Function),
];

/// What a comment speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    Line,
    NextLine,
    Function,
}

/// One comment.
#[derive(Debug)]
pub(crate) struct OptOut {
    pub(crate) at: usize,
    reach: Reach,
    /// The bytes of code that it covers; empty for a function not come by yet.
    covers: Range<usize>,
    /// The function's name.
    pub(crate) function: Option<String>,
    /// The texts of the accesses and launches that it leaves out, each once.
    pub(crate) texts: Vec<String>,
    /// How many accesses that are.
    pub(crate) accesses: usize,
    /// Something is left out.
    pub(crate) used: bool,
}

/// A file's comments for us.
#[derive(Debug, Default)]
pub(crate) struct OptOuts {
    pub(crate) list: Vec<OptOut>,
    /// Comments that begin like one of ours and are none, with what is wrong.
    pub(crate) misread: Vec<(usize, String)>,
}

impl OptOuts {
    pub(crate) fn read(source: &str, prepass: &Prepass) -> Self {
        let mut all = Self::default();
        if !source.contains("hirace:") {
            return all;
        }
        for &(start, end) in &prepass.comments {
            let Some(text) = source.get(start..end) else {
                continue;
            };
            let text = text.trim_start_matches(['/', '*', '!', '<']).trim_start();
            // `hirace::name` is a name.
            let Some(text) = text
                .strip_prefix("hirace:")
                .filter(|it| !it.starts_with(':'))
            else {
                continue;
            };
            let word = text.split_whitespace().next().unwrap_or("");
            let word = word
                .trim_end_matches("*/")
                .trim_end_matches([':', ',', '.', ';']);
            let Some((_, reach)) = WORDS.iter().find(|(name, _)| *name == word) else {
                let message = format!(
                    "`hirace: {word}` means nothing; there are `ignore`, `ignore-next-line` \
                     and `ignore-function`"
                );
                all.misread.push((start, message));
                continue;
            };
            let covers = match reach {
                Reach::Line => line_at(source, start),
                Reach::NextLine => line_at(source, line_at(source, end).end + 1),
                Reach::Function => 0..0,
            };
            all.list.push(OptOut {
                at: start,
                reach: *reach,
                covers,
                function: None,
                texts: Vec::new(),
                accesses: 0,
                used: false,
            });
        }
        all
    }

    /// A function with this body begins: it may be the one that a comment means.
    pub(crate) fn enter(
        &mut self,
        name: &str,
        body: Range<usize>,
        source: &str,
        prepass: &Prepass,
    ) {
        for one in &mut self.list {
            if one.reach != Reach::Function || one.function.is_some() {
                continue;
            }
            let before = one.at < body.start && {
                let first = prepass.tokens.partition_point(|it| it.start < one.at);
                let between = prepass.tokens[first..]
                    .iter()
                    .take_while(|it| it.start < body.start);
                // Nothing ends between the comment and the body.
                between
                    .into_iter()
                    .all(|it| !matches!(it.text(source), ";" | "}" | "{"))
            };
            if before || body.contains(&one.at) {
                one.covers = body.clone();
                one.function = Some(name.to_owned());
            }
        }
    }

    /// The comment that leaves out what begins at `offset`.
    pub(crate) fn covering(&mut self, offset: usize) -> Option<&mut OptOut> {
        self.list.iter_mut().find(|it| it.covers.contains(&offset))
    }

    /// Comments that leave out nothing, with what is wrong. In code that the compiler does
    /// not see there is nothing to leave out.
    pub(crate) fn idle(&self, source: &str, prepass: &Prepass) -> Vec<(usize, String)> {
        let unused = self.list.iter().filter(|it| !it.used);
        unused
            .filter_map(|it| {
                let word = WORDS.iter().find(|(_, reach)| *reach == it.reach)?.0;
                let what = match it.reach {
                    Reach::Line => "no access or launch begins on this line",
                    Reach::NextLine => "no access or launch begins on the next line",
                    Reach::Function if it.function.is_some() => {
                        "the function has no access to check"
                    }
                    Reach::Function => "no function follows",
                };
                let range = match it.reach {
                    Reach::Function => line_at(source, it.at),
                    _ => it.covers.clone(),
                };
                let first = prepass.tokens.partition_point(|it| it.end <= range.start);
                let tokens = prepass.tokens[first..]
                    .iter()
                    .take_while(|it| it.start < range.end)
                    .count();
                let live = prepass.directives.live.get(first..first + tokens)?;
                let dead = !live.is_empty() && live.iter().all(|live| !live);
                (!dead).then(|| {
                    (
                        it.at,
                        format!("`hirace: {word}` leaves out nothing: {what}"),
                    )
                })
            })
            .collect()
    }
}

/// The line around an offset, without its line break.
fn line_at(source: &str, offset: usize) -> Range<usize> {
    let bytes = source.as_bytes();
    let offset = offset.min(bytes.len());
    let start = bytes[..offset].iter().rposition(|it| *it == b'\n');
    let end = bytes[offset..].iter().position(|it| *it == b'\n');
    start.map_or(0, |it| it + 1)..end.map_or(bytes.len(), |it| offset + it)
}
