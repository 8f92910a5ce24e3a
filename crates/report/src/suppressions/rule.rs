//! A suppression and its conditions.

use std::cell::Cell;

use globset::GlobMatcher;

use crate::finding::Finding;
use crate::model::Suppressed;
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
                        place.position.file.as_ref() == Some(&comment.file)
                            && place.position.line.is_some_and(|it| lines.contains(&it))
                    })
            }
        }
    }

    /// The entry for a finding that this hides.
    pub fn suppressed(&self, finding: &Finding<'_>) -> Suppressed {
        let place = finding.places.first().map(|it| it.position);
        Suppressed {
            fingerprint: finding.fingerprint.to_owned(),
            code: finding.code.to_owned().into(),
            kernel: finding.kernel.map(str::to_owned),
            variable: finding.variable.map(str::to_owned),
            file: place.and_then(|it| it.file.clone()),
            line: place.and_then(|it| it.line),
            occurrences: finding.occurrences,
            by: format!("{}:{}", self.file, self.line),
            in_source: matches!(self.matcher, Matcher::Comment(_)),
        }
    }
}

impl Term {
    fn matches(&self, finding: &Finding<'_>) -> bool {
        let matches = |name: &str| self.pattern.is_match(name);
        let positions = finding.places.iter().map(|it| it.position);
        match self.kind {
            TermKind::Code => matches(finding.code),
            TermKind::Kernel => finding.kernel.is_some_and(matches),
            TermKind::Fingerprint => matches(finding.fingerprint),
            TermKind::Variable => {
                let names = positions.filter_map(|it| it.variable.as_deref());
                names.chain(finding.object).any(matches)
            }
            TermKind::File => {
                let mut files = positions.filter_map(|it| it.file.as_deref());
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
