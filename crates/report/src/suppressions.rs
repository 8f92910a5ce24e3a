//! Suppressions: findings that the user knows and wants to hide.
//!
//! A suppression file has one suppression per line, in the form of the sanitizers' `TYPE:PATTERN`.
//! All terms of a line must match:
//!
//! ```text
//! # comment
//! variable:debug_*
//! code:HR006 kernel:scatter file:src/queue.cu
//! ```
//!
//! Comments in the source do the same for their own lines ([`Report::suppress_commented`]).
//! Suppressed findings are still checked and counted. A fault that ended the run cannot be
//! suppressed, because later findings are unknown.

use std::path::PathBuf;

use super::codes;
use super::finding::Finding;
use super::model::Report;
use hirace_model::Warning;
use hirace_model::error::{Error, Result};

mod baseline;
mod rule;
mod syntax;

pub use baseline::baseline;
use rule::Rule;

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

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The first rule that matches; all matching rules count as used.
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

impl Report {
    /// Moves the matching findings to the suppressed ones. Suppressions that match nothing become
    /// warnings.
    pub fn suppress(&mut self, suppressions: &Suppressions) {
        self.hide(suppressions);
    }

    /// The same for comments in the source.
    pub fn suppress_commented(&mut self) {
        let mut rules = Vec::new();
        for comment in std::mem::take(&mut self.hidden) {
            let mut codes = comment.codes.iter();
            match codes.find(|code| codes::find(code).is_none_or(|it| it.name != *code)) {
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

    /// Keeps findings that comments would hide: the program stopped at its first finding.
    pub fn keep_commented(&mut self) {
        if !std::mem::take(&mut self.hidden).is_empty() {
            self.notes.push(
                "comments with `hirace: suppress` hide nothing under `halt_on_error`".to_owned(),
            );
        }
    }

    fn hide(&mut self, suppressions: &Suppressions) {
        let mut hidden = Vec::new();
        self.retain(|finding| {
            let rule = match finding.ended {
                true => None,
                false => suppressions.find(finding),
            };
            hidden.extend(rule.map(|it| it.suppressed(finding)));
            rule.is_none()
        });
        self.suppressed.extend(hidden);
        self.warnings.extend(suppressions.unused());
        self.count();
    }
}

#[cfg(test)]
mod tests;
