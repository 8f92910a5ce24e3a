//! Suppressions for all findings of a report.

use std::fmt::Write as _;

use crate::finding::Finding;
use crate::model::{Position, Report};

const HEADER: &str = "\
# The findings that were known when `--write-baseline` wrote this file. A fingerprint stays the
# same when lines move; `#` begins a comment.
";

/// A suppression file that hides the findings of the report, and nothing else.
#[must_use]
pub fn baseline(report: &Report) -> String {
    let mut text = HEADER.to_owned();
    for finding in Finding::all(report).filter(|it| !it.ended) {
        let mut about = format!("{}: {}", finding.code, finding.title);
        for (what, name) in [("variable", finding.variable), ("kernel", finding.kernel)] {
            if let Some(name) = name {
                // Writing to a string does not fail.
                let _ = write!(about, ", {what} {name}");
            }
        }
        let mut places: Vec<_> = finding
            .places
            .iter()
            .filter_map(|it| place(it.position))
            .collect();
        places.sort();
        places.dedup();
        for place in places {
            let _ = write!(about, ", {place}");
        }
        let _ = writeln!(text, "\n# {about}\nfingerprint:{}", finding.fingerprint);
    }
    text
}

/// The place of a finding without a line number, which would soon be out of date.
fn place(position: &Position) -> Option<String> {
    let file = position.file.as_deref()?;
    Some(match position.text.as_deref() {
        Some(expression) => format!("`{expression}` in {file}"),
        None => file.to_owned(),
    })
}
