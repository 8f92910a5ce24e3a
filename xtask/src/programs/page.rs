//! The tables of `docs/programs.md`.

use std::fmt::Write as _;

use anyhow::Result;

use super::{Checked, Package};
use crate::document::write_section;

/// A line for each program.
pub(super) fn table(checked: &[Checked]) -> String {
    let mut table = String::from(
        "| program | compiles | runs to its end | its own check | verdict | accesses | what is missing |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for Checked { program, outcome } in checked {
        let yes = |value: bool| if value { "yes" } else { "no" };
        let _ = writeln!(
            table,
            "| {} | {} | {} | {} | {} | {} | {} |",
            program.name,
            yes(outcome.compiles),
            yes(outcome.ends),
            if outcome.ends { yes(outcome.right) } else { "" },
            outcome.verdict(),
            outcome.accesses,
            outcome.missing,
        );
    }
    table
}

/// How many programs of each package compile, run and pass.
fn totals(packages: &[Package], checked: &[Checked]) -> String {
    let mut table = String::from(
        "| package | programs | compile | run to their end | pass their own check | clean | with races or faults |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for package in packages {
        let prefix = format!("{}/", package.name);
        let mine = || {
            let all = checked.iter();
            all.filter(|it| it.program.name.starts_with(&prefix))
        };
        let count = |it: fn(&Checked) -> bool| mine().filter(|checked| it(checked)).count();
        let found = |it: &Checked| it.outcome.races + it.outcome.faults > 0;
        let _ = writeln!(
            table,
            "| {} {} | {} | {} | {} | {} | {} | {} |",
            package.name,
            package.version,
            mine().count(),
            count(|it| it.outcome.compiles),
            count(|it| it.outcome.ends),
            count(|it| it.outcome.right),
            count(|it| it.outcome.verdict() == "clean"),
            mine().filter(|it| found(it)).count(),
        );
    }
    table
}

/// Puts the tables into the page, if they are `complete`.
pub(super) fn write(packages: &[Package], checked: &[Checked], complete: bool) -> Result<()> {
    let section =
        |name, text: &str| write_section("docs/programs.md", name, &format!("\n{text}\n"));
    if complete {
        section("totals", &totals(packages, checked))?;
        section("programs", &table(checked))?;
    }
    Ok(())
}
