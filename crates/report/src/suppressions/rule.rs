//! A suppression and its conditions.

use std::cell::Cell;

use globset::GlobMatcher;

use crate::model::{Fault, Position, Race, Suppressed};
use hirace_model::Hidden;

/// One line of a file, or a comment.
#[derive(Debug)]
pub(super) struct Rule {
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// Its text in the file.
    pub text: String,
    pub matcher: Matcher,
    /// Whether it matched any finding.
    pub used: Cell<bool>,
}

/// The conditions of a rule.
#[derive(Debug)]
pub(super) enum Matcher {
    /// Findings that match all of these.
    Terms(Vec<Term>),
    /// Findings with a place on the lines that a comment covers.
    Comment(Hidden),
}

/// A required property of a finding.
#[derive(Debug)]
pub(super) struct Term {
    pub kind: TermKind,
    pub pattern: GlobMatcher,
}

/// The property that a pattern is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TermKind {
    Code,
    Kernel,
    File,
    Variable,
    Fingerprint,
}

/// The properties of a finding that suppressions test.
pub(super) struct Finding<'a> {
    pub code: &'a str,
    pub kernel: Option<&'a str>,
    pub variable: Option<&'a str>,
    pub fingerprint: &'a str,
    pub places: Vec<&'a Position>,
    pub occurrences: u64,
}

impl Rule {
    pub fn of_comment(comment: Hidden) -> Self {
        Self {
            file: comment.file.clone(),
            line: comment.line,
            column: comment.column,
            text: format!("hirace: {}", comment.words),
            matcher: Matcher::Comment(comment),
            used: Cell::new(false),
        }
    }

    pub fn matches(&self, finding: &Finding<'_>) -> bool {
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

/// A path, and its ends after each directory.
fn ends(path: &str) -> impl Iterator<Item = &str> {
    let path = path.trim_start_matches("./");
    let inner = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
    std::iter::once(path).chain(inner)
}

impl<'a> Finding<'a> {
    pub fn of_race(race: &'a Race) -> Self {
        Self {
            code: &race.code,
            kernel: Some(&race.kernel),
            variable: Some(race.variable.as_str()).filter(|it| !it.is_empty()),
            fingerprint: &race.fingerprint,
            places: race.accesses.iter().map(|it| &it.position).collect(),
            occurrences: race.occurrences,
        }
    }

    pub fn of_fault(fault: &'a Fault) -> Self {
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

    pub fn suppressed(&self, by: &Rule) -> Suppressed {
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
