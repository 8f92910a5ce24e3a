//! Suppressions: findings that the user knows of, and does not want to see.
//!
//! A file of suppressions has one a line, in the manner of the sanitizers' `TYPE:PATTERN`. Of
//! several terms on a line all have to match:
//!
//! ```text
//! # comment
//! variable:debug_*
//! code:HR006 kernel:scatter file:src/queue.cu
//! ```
//!
//! Comments in the source do the same for the lines that they stand at
//! ([`Report::suppress_commented`]). What is suppressed was checked all the same, and is
//! counted. A fault that ended the run
//! cannot be suppressed, because nobody knows what would have come after it.

use std::cell::Cell;
use std::path::PathBuf;

use globset::GlobMatcher;

use super::model::{Fault, Position, Race, Report, Suppressed};
use hirace_model::error::{Error, Result};
use hirace_model::{Hidden, Warning};

mod baseline;
mod syntax;

pub use baseline::baseline;

/// The suppressions of all files.
///
/// ```
/// use hirace_report::{Report, Suppressions, read};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = "../../tests/formats/expected/race_shared_struct.json";
/// let mut report = read::parse(path, &std::fs::read_to_string(path)?)?;
/// let found = report.races.len();
/// report.suppress(&Suppressions::parse("known.supp", "code:HR*  # all of them")?);
/// assert!(report.races.is_empty());
/// assert_eq!(report.suppressed.len(), found);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct Suppressions {
    rules: Vec<Rule>,
}

/// One line of a file, or a comment.
#[derive(Debug)]
struct Rule {
    file: String,
    line: u32,
    column: u32,
    /// As it is written.
    text: String,
    matcher: Matcher,
    /// Whether it matched any finding.
    used: Cell<bool>,
}

/// What a rule matches.
#[derive(Debug)]
enum Matcher {
    /// What all of these match.
    Terms(Vec<Term>),
    /// What has a place on the lines that a comment speaks of.
    Comment(Hidden),
}

/// What a finding has to be like.
#[derive(Debug)]
struct Term {
    kind: TermKind,
    pattern: GlobMatcher,
}

/// What of a finding a pattern is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TermKind {
    Code,
    Kernel,
    File,
    Variable,
    Fingerprint,
}

/// A finding, as suppressions see it.
struct Finding<'a> {
    code: &'a str,
    kernel: Option<&'a str>,
    variable: Option<&'a str>,
    fingerprint: &'a str,
    places: Vec<&'a Position>,
    occurrences: u64,
}

impl Suppressions {
    /// The suppressions in `text`, the content of a file called `name`.
    ///
    /// # Errors
    /// A mistake in it, with its position.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        let rules = syntax::parse(name, text)?;
        Ok(Self { rules })
    }

    /// Reads files of suppressions.
    ///
    /// # Errors
    /// A file that cannot be read, or a mistake in one, with its position.
    pub fn read(files: &[PathBuf]) -> Result<Self> {
        let mut all = Self::default();
        for file in files {
            let text = std::fs::read_to_string(file).map_err(|source| Error::read(file, source))?;
            let parsed = Self::parse(&file.display().to_string(), &text)?;
            all.rules.extend(parsed.rules);
        }
        Ok(all)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The first rule that matches; all that do count as used.
    fn find(&self, finding: &Finding<'_>) -> Option<&Rule> {
        let matching = self.rules.iter().filter(|it| it.matches(finding));
        matching
            .inspect(|it| it.used.set(true))
            .reduce(|first, _| first)
    }

    fn unused(&self) -> impl Iterator<Item = Warning> {
        let unused = self.rules.iter().filter(|it| !it.used.get());
        unused.map(|it| Warning {
            file: it.file.clone(),
            line: it.line,
            column: it.column,
            message: format!("the suppression `{}` matched nothing", it.text),
        })
    }
}

impl Rule {
    fn of_comment(comment: Hidden) -> Self {
        Self {
            file: comment.file.clone(),
            line: comment.line,
            column: comment.column,
            text: format!("hirace: {}", comment.words),
            matcher: Matcher::Comment(comment),
            used: Cell::new(false),
        }
    }

    fn matches(&self, finding: &Finding<'_>) -> bool {
        match &self.matcher {
            Matcher::Terms(terms) => terms.iter().all(|term| term.matches(finding)),
            Matcher::Comment(comment) => {
                let codes = &comment.codes;
                let lines = comment.first..=comment.last;
                (codes.is_empty() || codes.iter().any(|code| code == finding.code))
                    && finding.places.iter().any(|place| {
                        place.file.as_ref() == Some(&comment.file)
                            && place.line.is_some_and(|line| lines.contains(&line))
                    })
            }
        }
    }
}

impl Term {
    fn matches(&self, finding: &Finding<'_>) -> bool {
        let matches = |name: &str| self.pattern.is_match(name);
        match self.kind {
            TermKind::Code => matches(finding.code),
            TermKind::Kernel => finding.kernel.is_some_and(matches),
            TermKind::Fingerprint => matches(finding.fingerprint),
            TermKind::Variable => {
                let places = finding.places.iter();
                let mut names = places.filter_map(|it| it.variable.as_deref());
                names.any(matches)
            }
            TermKind::File => {
                let places = finding.places.iter();
                let mut files = places.filter_map(|it| it.file.as_deref());
                files.any(|file| ends(file).any(matches))
            }
        }
    }
}

/// A path, and what is left of it without its first directories.
fn ends(path: &str) -> impl Iterator<Item = &str> {
    let path = path.trim_start_matches("./");
    let inner = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
    std::iter::once(path).chain(inner)
}

impl<'a> Finding<'a> {
    fn of_race(race: &'a Race) -> Self {
        Self {
            code: &race.code,
            kernel: Some(&race.kernel),
            variable: Some(race.variable.as_str()).filter(|it| !it.is_empty()),
            fingerprint: &race.fingerprint,
            places: race.accesses.iter().map(|it| &it.position).collect(),
            occurrences: race.occurrences,
        }
    }

    fn of_fault(fault: &'a Fault) -> Self {
        let places = std::iter::once(&fault.position).chain(&fault.other);
        Self {
            code: &fault.code,
            kernel: fault.kernel.as_deref(),
            variable: fault.position.variable.as_deref(),
            fingerprint: &fault.fingerprint,
            places: places.collect(),
            occurrences: fault.occurrences,
        }
    }

    fn suppressed(&self, by: &Rule) -> Suppressed {
        let place = self.places.iter().find(|it| it.file.is_some());
        Suppressed {
            fingerprint: self.fingerprint.to_owned(),
            code: self.code.to_owned().into(),
            kernel: self.kernel.map(str::to_owned),
            variable: self.variable.map(str::to_owned),
            file: place.and_then(|it| it.file.clone()),
            line: place.and_then(|it| it.line),
            occurrences: self.occurrences,
            by: format!("{}:{}", by.file, by.line),
            in_source: matches!(by.matcher, Matcher::Comment(_)),
        }
    }
}

impl Report {
    /// Takes the findings out that the user does not want to see, and counts them. Suppressions
    /// that match none become warnings.
    pub fn suppress(&mut self, suppressions: &Suppressions) {
        self.hide(suppressions);
    }

    /// The same by the comments in the source that say so.
    pub fn suppress_commented(&mut self) {
        let mut rules = Vec::new();
        for comment in std::mem::take(&mut self.hidden) {
            let mut codes = comment.codes.iter();
            match codes.find(|code| !syntax::codes().any(|it| it == *code)) {
                None => rules.push(Rule::of_comment(comment)),
                Some(unknown) => self.warnings.push(Warning {
                    message: format!("`hirace: {}`: there is no code `{unknown}`", comment.words),
                    file: comment.file,
                    line: comment.line,
                    column: comment.column,
                }),
            }
        }
        self.hide(&Suppressions { rules });
    }

    /// Leaves what comments would hide: the program stopped at what it found first.
    pub fn keep_commented(&mut self) {
        if !std::mem::take(&mut self.hidden).is_empty() {
            self.notes.push(
                "comments with `hirace: suppress` hide nothing under `halt_on_error`".to_owned(),
            );
        }
    }

    fn hide(&mut self, suppressions: &Suppressions) {
        let hidden = &mut self.suppressed;
        let mut stays = |finding: &Finding<'_>| match suppressions.find(finding) {
            Some(rule) => {
                hidden.push(finding.suppressed(rule));
                false
            }
            None => true,
        };
        self.races.retain(|race| stays(&Finding::of_race(race)));
        self.faults
            .retain(|fault| fault.ended || stays(&Finding::of_fault(fault)));
        self.warnings.extend(suppressions.unused());
        self.count();
    }
}

#[cfg(test)]
mod tests;
