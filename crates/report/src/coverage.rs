//! How much of the device code is monitored, file by file: `hirace instrument --coverage`.

use std::fmt::Write as _;

use serde::Serialize;

use super::model::CoverageEntry;
use super::overview::{switched_off, warned};
use super::phrases::count;
use hirace_model::Coverage;
use hirace_model::table::{Notes, Tables};

/// The version of the JSON form. A change that breaks readers changes the number.
pub const SCHEMA: &str = "hirace-coverage/1";

/// The coverage as data.
#[derive(Debug, Serialize)]
struct CoverageReport<'a> {
    schema: &'static str,
    total: CoverageEntry,
    files: Vec<File<'a>>,
}

/// The coverage of one file. Its lists are present even if they are empty.
#[derive(Debug, Serialize)]
struct File<'a> {
    file: &'a str,
    coverage: CoverageEntry,
    kernels: &'a [String],
    not_monitored: &'a [hirace_model::NotMonitored],
    not_modelled: &'a [hirace_model::NotModelled],
    switched_off: &'a [hirace_model::SwitchedOff],
    warnings: &'a [hirace_model::Warning],
}

/// The coverage as one JSON object, with a newline.
#[must_use]
pub fn json(tables: &Tables) -> String {
    let coverage = CoverageReport {
        schema: SCHEMA,
        total: tables.coverage().into(),
        files: files(tables)
            .into_iter()
            .map(|(file, notes)| File {
                file,
                coverage: notes.coverage.into(),
                kernels: &notes.kernels,
                not_monitored: &notes.not_monitored,
                not_modelled: &notes.not_modelled,
                switched_off: &notes.switched_off,
                warnings: &notes.warnings,
            })
            .collect(),
    };
    // Texts and numbers only: nothing in it can fail to serialise.
    let mut text = serde_json::to_string_pretty(&coverage).unwrap_or_default();
    text.push('\n');
    text
}

/// The coverage for people: a table of the files, then what is not monitored.
#[must_use]
pub fn human(tables: &Tables) -> String {
    let files = files(tables);
    let total = tables.coverage();
    let mut rows = vec![HEADINGS.map(str::to_owned).to_vec()];
    rows.extend(files.iter().map(|(file, notes)| row(file, notes.coverage)));
    rows.push(row("all files", total));
    let mut out = table(&rows);
    let mut list = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            // Writing to a string does not fail.
            let _ = writeln!(out, "\n{title}:");
            for line in lines {
                let _ = writeln!(out, "  {line}");
            }
        }
    };
    let notes = || files.iter().map(|(_, notes)| notes);
    let places = notes().flat_map(|notes| &notes.not_monitored);
    list(
        "not monitored",
        places
            .map(|it| {
                let accesses = match it.accesses {
                    0 => String::new(),
                    some => format!(" ({})", count(some as u64, "access")),
                };
                format!("{}:{}: {}{accesses}", it.file, it.line, it.reason)
            })
            .collect(),
    );
    let choices = notes().flat_map(|notes| &notes.switched_off);
    list("switched off", choices.map(switched_off).collect());
    let mistakes = notes().flat_map(|notes| &notes.warnings);
    list("warnings", mistakes.map(warned).collect());
    out
}

/// The files that hold device code or a remark, by name.
fn files(tables: &Tables) -> Vec<(&str, &Notes)> {
    let mut files: Vec<_> = tables
        .iter()
        .filter(|table| !table.notes.is_empty())
        .map(|table| (table.path.as_str(), &table.notes))
        .collect();
    files.sort_by_key(|(path, _)| *path);
    files
}

const HEADINGS: [&str; 8] = [
    "file",
    "functions",
    "untouched",
    "monitored",
    "private",
    "switched off",
    "not monitored",
    "share",
];

fn row(name: &str, numbers: Coverage) -> Vec<String> {
    let counts = [
        numbers.functions,
        numbers.untouched,
        numbers.monitored,
        numbers.private,
        numbers.switched_off,
        numbers.not_monitored,
    ];
    let share = numbers
        .percent()
        .map_or_else(|| "-".to_owned(), |share| format!("{share} %"));
    std::iter::once(name.to_owned())
        .chain(counts.iter().map(usize::to_string))
        .chain([share])
        .collect()
}

/// Rows with the first column left-aligned and the others right-aligned.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    let mut out = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate();
        let line: Vec<String> = cells
            .map(|(column, (cell, &width))| match column {
                0 => format!("{cell:width$}"),
                _ => format!("{cell:>width$}"),
            })
            .collect();
        out.push_str(line.join("  ").trim_end());
        out.push('\n');
    }
    out
}
