//! A document as Markdown, with columns that also align as plain text.

use super::document::Document;
use super::table::{Cell, Table};

/// The document.
#[must_use]
pub fn render(document: &Document) -> String {
    let mut text = "# Results of a sweep\n".to_owned();
    for warning in &document.warnings {
        text += &format!("\n> **{warning}**\n");
    }
    text.push('\n');
    for fact in &document.facts {
        text += &format!("- {}\n", escape(fact));
    }
    for section in &document.sections {
        text += &format!("\n## {}\n\n{}\n", section.title, section.text);
        for it in &section.tables {
            text += &format!("\n{}\n\n{}", escape(&it.caption), table(it));
        }
    }
    text
}

/// A table with its columns aligned.
fn table(table: &Table) -> String {
    let head: Vec<String> = table.columns.iter().map(|it| it.title.to_owned()).collect();
    let rows: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|row| row.iter().map(cell).collect())
        .collect();
    let width = |at: usize| {
        let cells = rows
            .iter()
            .chain([&head])
            .map(|row| row[at].chars().count());
        // Aligning longer cells would only make the lines long.
        cells.max().unwrap_or_default().clamp(3, 60)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: &[String]| {
        let mut line = String::new();
        for ((cell, width), column) in cells.iter().zip(&widths).zip(&table.columns) {
            line += &match column.number {
                true => format!("| {cell:>width$} "),
                false => format!("| {cell:<width$} "),
            };
        }
        line + "|\n"
    };
    let mut text = line(&head);
    for (width, column) in widths.iter().zip(&table.columns) {
        let dashes = "-".repeat(width - 1);
        text += &match column.number {
            true => format!("| {dashes}: "),
            false => format!("| {dashes}- "),
        };
    }
    text += "|\n";
    for row in &rows {
        text += &line(row);
    }
    text
}

fn cell(cell: &Cell) -> String {
    let text = cell.for_people();
    match cell {
        // A bar ends a table's cell, even in code.
        Cell::Code(_) => code(&text.replace('|', "\\|")),
        _ => escape(&text),
    }
}

/// Code, quoted with more backticks than it contains.
fn code(text: &str) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max();
    match longest.unwrap_or_default() {
        0 => format!("`{text}`"),
        inside => {
            let ticks = "`".repeat(inside + 1);
            format!("{ticks} {text} {ticks}")
        }
    }
}

/// Escapes characters with a meaning in Markdown. An underscore between letters and digits has
/// none.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let characters: Vec<char> = text.chars().collect();
    for (at, &character) in characters.iter().enumerate() {
        let inside = |at: usize| characters.get(at).is_some_and(|it| it.is_alphanumeric());
        let plain_underscore = character == '_' && at > 0 && inside(at - 1) && inside(at + 1);
        match character {
            '\n' | '\r' => escaped.push(' '),
            '|' | '*' | '`' | '\\' | '[' | ']' | '<' | '>' => escaped.extend(['\\', character]),
            '_' if !plain_underscore => escaped.extend(['\\', '_']),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_as_they_are() {
        assert_eq!(escape("pull_warp"), "pull_warp");
        assert_eq!(escape("_a_|*b*"), "\\_a\\_\\|\\*b\\*");
        assert_eq!(escape("two\nlines"), "two lines");
        assert_eq!(code("a 'b c'"), "`a 'b c'`");
        assert_eq!(code("a ``b"), "``` a ``b ```");
    }
}
