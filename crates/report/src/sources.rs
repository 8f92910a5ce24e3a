//! The source files of a report that was read from JSON, if they are unchanged.

use std::path::{Path, PathBuf};

use super::model::{Position, Report, Source};
use hirace_model::source_text;
use hirace_model::table::lines::Lines;
use hirace_model::table::{Texts, digest};

/// The files that were found.
#[derive(Clone, Debug, Default)]
pub struct Unchanged {
    /// Those that are unchanged.
    pub texts: Texts,
    /// Notes on missing files, one sentence each.
    pub notes: Vec<String>,
}

/// Reads the files that contain the report's findings, for excerpts, and finds the places in them.
/// Files that have changed are skipped.
#[must_use]
pub fn find(report: &mut Report) -> Unchanged {
    let Unchanged {
        mut texts,
        mut notes,
    } = Unchanged::default();
    for source in &report.sources {
        let path = path(&source.file, report.working_directory.as_deref());
        let Ok(bytes) = std::fs::read(path) else {
            continue;
        };
        let text = source_text::decode(bytes);
        if Source::new(&source.file, digest(&text)) == *source {
            let shown = source_text::lossy(&text).into_owned();
            texts.insert(source.file.clone(), shown);
        } else {
            notes.push(format!(
                "`{}` has changed since it was checked; line numbers are those of the checked version",
                source.file
            ));
        }
    }
    for (file, text) in &texts {
        let lines = Lines::new(text);
        let places = positions(report).filter(|it| it.file.as_ref() == Some(file));
        for position in places {
            locate(position, text, &lines);
        }
    }
    Unchanged { texts, notes }
}

/// The check's directory may not exist here; then the current one is used.
fn path(file: &str, directory: Option<&str>) -> PathBuf {
    let then = Path::new(directory.unwrap_or_default()).join(file);
    if then.exists() { then } else { file.into() }
}

fn positions(report: &mut Report) -> impl Iterator<Item = &mut Position> {
    let races = report.races.iter_mut();
    let faults = report.faults.iter_mut();
    let failures = report.failure.iter_mut();
    races
        .flat_map(|race| {
            let accesses = race.accesses.iter_mut().map(|it| &mut it.position);
            accesses.chain(race.flag.iter_mut().flatten())
        })
        .chain(faults.flat_map(|it| std::iter::once(&mut it.position).chain(&mut it.other)))
        .chain(failures.filter_map(|it| it.position.as_mut()))
}

/// Finds the bytes of a position. They stay empty if only its line is known.
fn locate(position: &mut Position, text: &str, lines: &Lines<'_>) {
    let (Some(line), Some(column)) = (position.line, position.column) else {
        return;
    };
    let start = lines.offset(line, column);
    let Some((start, rest)) = start.and_then(|it| Some((it, text.get(it..)?))) else {
        return;
    };
    if let Some(length) = position.text.as_deref().and_then(|it| written(rest, it)) {
        position.range = start..start + length;
    }
}

/// The length of the text at the beginning of `text` that becomes `expression` when its white space
/// is folded.
fn written(text: &str, expression: &str) -> Option<usize> {
    let mut rest = text;
    for (index, word) in expression.split(' ').enumerate() {
        if index > 0 {
            rest = rest.trim_start();
        }
        rest = rest.strip_prefix(word)?;
    }
    Some(text.len() - rest.len())
}
