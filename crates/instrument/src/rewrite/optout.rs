//! Comments that switch checks off or hide findings.
//!
//! ```text
//! *done = true;  // hirace: ignore                   accesses on this line
//! // hirace: ignore-next-line                        accesses on the next line
//! // hirace: ignore-function                         the next function, or the enclosing one
//! *done = true;  // hirace: suppress                 findings on this line (or -next-line, -function)
//! *done = true;  // hirace: suppress HR006: why      findings with these codes
//! ```
//!
//! Text after these words is for human readers. Synchronisation is always followed: without a barrier,
//! ordered accesses would look unordered.

use std::ops::Range;

use hirace_syntax::lines::Lines;
use hirace_syntax::prepass::Prepass;

/// The words after `hirace:`.
const WORDS: [(&str, Action, Reach); 6] = [
    ("ignore", Action::Ignore, Reach::Line),
    ("ignore-next-line", Action::Ignore, Reach::NextLine),
    ("ignore-function", Action::Ignore, Reach::Function),
    ("suppress", Action::Suppress, Reach::Line),
    ("suppress-next-line", Action::Suppress, Reach::NextLine),
    ("suppress-function", Action::Suppress, Reach::Function),
];

/// What a comment does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    /// Accesses are not checked.
    Ignore,
    /// Accesses are checked, but their findings are hidden.
    Suppress,
}

/// The code that a comment applies to.
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
    action: Action,
    reach: Reach,
    /// The codes that it names; if there are any it applies only to them.
    pub(crate) codes: Vec<String>,
    /// The bytes of code that it covers; empty until its function is found.
    covers: Range<usize>,
    /// The function's name.
    pub(crate) function: Option<String>,
    /// The texts of the accesses and launches that it switches off, each once.
    pub(crate) texts: Vec<String>,
    /// The number of those accesses.
    pub(crate) accesses: usize,
    /// Whether it switched anything off.
    pub(crate) used: bool,
}

/// A file's `// hirace:` comments.
#[derive(Debug, Default)]
pub(crate) struct OptOuts {
    pub(crate) list: Vec<OptOut>,
    /// Comments that begin like one of ours but are not valid, with the mistake.
    pub(crate) misread: Vec<(usize, String)>,
}

impl OptOuts {
    pub fn read(source: &str, prepass: &Prepass) -> Self {
        let mut all = Self::default();
        let lines = Lines(source);
        if !source.contains("hirace:") {
            return all;
        }
        for &(start, end) in &prepass.comments {
            let Some(text) = source.get(start..end) else {
                continue;
            };
            let text = text.trim_end_matches("*/");
            let text = text.trim_start_matches(['/', '*', '!', '<']).trim_start();
            // `hirace::name` is a C++ name.
            let Some(text) = text
                .strip_prefix("hirace:")
                .filter(|it| !it.starts_with(':'))
            else {
                continue;
            };
            let mut words = text
                .split_whitespace()
                .map(|word| word.trim_end_matches([':', ',', '.', ';']));
            let word = words.next().unwrap_or("");
            let Some((_, action, reach)) = WORDS.iter().find(|(name, ..)| *name == word) else {
                let message = format!(
                    "`hirace: {word}` is unknown; use `ignore` or `suppress`, alone or with \
                     `-next-line` or `-function`"
                );
                all.misread.push((start, message));
                continue;
            };
            let codes = match action {
                Action::Ignore => Vec::new(),
                Action::Suppress => words
                    .take_while(|word| is_code(word))
                    .map(str::to_owned)
                    .collect(),
            };
            let covers = match reach {
                Reach::Line => lines.range(start),
                Reach::NextLine => lines.range(lines.range(end).end + 1),
                Reach::Function => 0..0,
            };
            all.list.push(OptOut {
                at: start,
                action: *action,
                reach: *reach,
                codes,
                covers,
                function: None,
                texts: Vec::new(),
                accesses: 0,
                used: false,
            });
        }
        all
    }

    /// Begins a function with this body: a comment may apply to it.
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
                // No statement or block ends between the comment and the body.
                let mut between = prepass.tokens_in(&(one.at..body.start)).iter();
                between.all(|it| !matches!(it.text(source), ";" | "}" | "{"))
            };
            if before || body.contains(&one.at) {
                one.covers = body.clone();
                one.function = Some(name.to_owned());
            }
        }
    }

    /// The comment that switches off the code at `offset`.
    pub(crate) fn covering(&mut self, offset: usize) -> Option<&mut OptOut> {
        let mut ignoring = self.list.iter_mut().filter(|it| it.ignores());
        ignoring.find(|it| it.covers.contains(&offset))
    }

    /// The comments that hide findings.
    pub(crate) fn suppressing(&self) -> impl Iterator<Item = &OptOut> {
        let suppressing = self.list.iter().filter(|it| !it.ignores());
        suppressing.filter(|it| !it.covers.is_empty())
    }

    /// Comments that have no effect, with the reason. In code that the compiler does not see there
    /// is nothing to switch off.
    pub(crate) fn idle(&self, source: &str, prepass: &Prepass) -> Vec<(usize, String)> {
        let unused = self.list.iter().filter(|it| !it.used);
        unused
            .filter_map(|comment| {
                let word = comment.word();
                let what = match comment.reach {
                    // Only running the program shows whether it hides anything.
                    _ if !comment.ignores() && !comment.covers.is_empty() => return None,
                    Reach::Line => "no access or launch begins on this line",
                    Reach::NextLine => "no access or launch begins on the next line",
                    Reach::Function if comment.function.is_some() => {
                        "the function has no access to check"
                    }
                    Reach::Function => "no function follows",
                };
                let range = match comment.reach {
                    Reach::Function => Lines(source).range(comment.at),
                    _ => comment.covers.clone(),
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
                        comment.at,
                        format!("`hirace: {word}` has no effect: {what}"),
                    )
                })
            })
            .collect()
    }
}

impl OptOut {
    /// Whether it switches accesses off.
    pub(crate) fn ignores(&self) -> bool {
        self.action == Action::Ignore
    }

    /// The bytes of code that it covers.
    pub(crate) fn covers(&self) -> &Range<usize> {
        &self.covers
    }

    /// Its text after `hirace:`, with its codes.
    pub(crate) fn words(&self) -> String {
        let words = std::iter::once(self.word()).chain(self.codes.iter().map(String::as_str));
        words.collect::<Vec<_>>().join(" ")
    }

    fn word(&self) -> &'static str {
        let mut words = WORDS.iter();
        let word = words.find(|(_, action, reach)| (*action, *reach) == (self.action, self.reach));
        word.map_or("", |(word, ..)| word)
    }
}

/// Whether a word looks like a finding's code.
fn is_code(word: &str) -> bool {
    word.strip_prefix('H').is_some_and(|rest| {
        let number = rest.trim_start_matches(|it: char| it.is_ascii_uppercase());
        number.len() < rest.len()
            && !number.is_empty()
            && number.bytes().all(|it| it.is_ascii_digit())
    })
}
