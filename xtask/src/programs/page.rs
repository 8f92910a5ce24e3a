//! The tables of `docs/programs.md`.

use std::fmt::Write as _;

use anyhow::Result;

use super::{Checked, Package};
use crate::document::write_section;
use crate::files;

const PAGE: &str = "docs/programs.md";
const HEAD: &str = "\
| program | compiles | runs to its end | its own check | verdict | accesses | what is missing |
|---|---|---|---|---|---|---|
";

/// The cells of a program's line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row([String; 7]);

impl Row {
    fn of(Checked { program, outcome }: &Checked) -> Self {
        let yes = |value: bool| if value { "yes" } else { "no" }.to_owned();
        let right = outcome.ends.then(|| yes(outcome.right));
        Self([
            program.name.clone(),
            yes(outcome.compiles),
            yes(outcome.ends),
            right.unwrap_or_default(),
            outcome.verdict(),
            outcome.accesses.to_string(),
            outcome.missing.clone(),
        ])
    }

    /// None if the line is no program's.
    fn read(line: &str) -> Option<Self> {
        let inner = line.strip_prefix("| ")?.strip_suffix('|')?;
        let mut cells = inner.splitn(7, '|').map(|it| it.trim().to_owned());
        let row: [String; 7] = std::array::from_fn(|_| cells.next().unwrap_or_default());
        row[0].contains('/').then_some(Self(row))
    }

    fn name(&self) -> &str {
        &self.0[0]
    }

    fn is_clean(&self) -> bool {
        self.0[4].starts_with("clean")
    }

    /// Whether there are races that are not only possible, or faults.
    fn has_findings(&self) -> bool {
        self.0[4].contains("race") || self.0[4].contains("fault")
    }
}

/// A line for each program.
pub(super) fn table(checked: &[Checked]) -> String {
    let rows: Vec<Row> = checked.iter().map(Row::of).collect();
    render(&rows)
}

fn render(rows: &[Row]) -> String {
    let mut table = String::from(HEAD);
    for row in rows {
        let _ = writeln!(table, "| {} |", row.0.join(" | "));
    }
    table
}

/// How many programs of each package compile, run and pass.
fn totals(packages: &[Package], rows: &[Row]) -> String {
    let mut table = String::from(
        "| package | programs | compile | run to their end | pass their own check | clean | with races or faults |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for package in packages {
        let prefix = format!("{}/", package.name);
        let mine = || rows.iter().filter(|it| it.name().starts_with(&prefix));
        let yes = |cell: usize| mine().filter(|row| row.0[cell] == "yes").count();
        let _ = writeln!(
            table,
            "| {} {} | {} | {} | {} | {} | {} | {} |",
            package.name,
            package.version,
            mine().count(),
            yes(1),
            yes(2),
            yes(3),
            mine().filter(|row| row.is_clean()).count(),
            mine().filter(|row| row.has_findings()).count(),
        );
    }
    table
}

/// Puts the lines of the checked programs into the page. It keeps those of other programs, unless these
/// are all.
pub(super) fn write(packages: &[Package], checked: &[Checked], complete: bool) -> Result<()> {
    let new: Vec<Row> = checked.iter().map(Row::of).collect();
    let rows = match complete {
        true => new,
        false => merged(&files::read_text(&crate::root().join(PAGE))?, new),
    };
    let section = |name, text: &str| write_section(PAGE, name, &format!("\n{text}\n"));
    section("totals", &totals(packages, &rows))?;
    section("programs", &render(&rows))
}

/// The lines of a page, with new ones in place of those of the same programs.
fn merged(page: &str, new: Vec<Row>) -> Vec<Row> {
    let mut rows: Vec<Row> = page.lines().filter_map(Row::read).collect();
    for row in new {
        match rows.iter_mut().find(|it| it.name() == row.name()) {
            Some(old) => *old = row,
            None => rows.push(row),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_lines_replace_those_of_the_same_program() {
        let line = |name: &str, verdict: &str| {
            format!("| p/{name} | yes | yes | yes | {verdict} | 5 |  |")
        };
        let page = format!(
            "text\n\n{HEAD}{}\n{}\n",
            line("a", "none"),
            line("b", "1 race")
        );
        let new = Row::read(&line("a", "clean")).expect("a line");
        let rows = merged(&page, vec![new]);
        let verdicts: Vec<_> = rows
            .iter()
            .map(|it| (it.name(), it.0[4].as_str()))
            .collect();
        assert_eq!(verdicts, [("p/a", "clean"), ("p/b", "1 race")]);
        assert_eq!((rows[0].is_clean(), rows[1].has_findings()), (true, true));
        // What is written is what was read.
        assert_eq!(
            render(&rows).lines().nth(2),
            Some(line("a", "clean").as_str())
        );
    }
}
