//! The tables of `docs/corpora.md`.

use std::fmt::Write as _;

use anyhow::Result;

use super::Measured;
use crate::document::write_section;

/// The table of instrumented files, one line per corpus.
pub(super) fn numbers(all: &[Measured]) -> Result<String> {
    let mut table = String::from(
        "| corpus | `.cu`, `.cuh` | files with device code | of them whole | device functions | instrumented, % | accesses | covered, % | MB | MB/s per core | s |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for Measured {
        corpus, numbers, ..
    } in all
    {
        writeln!(
            table,
            "| {} {} | {} | {} | {} | {} | {:.2} | {} | {:.2} | {:.1} | {:.1} | {:.1} |",
            corpus.name,
            corpus.version,
            numbers.cuda_files,
            numbers.device_files,
            numbers.whole_files,
            numbers.functions,
            numbers.read(),
            numbers.monitored + numbers.private + numbers.not_monitored,
            numbers.covered(),
            numbers.megabytes(),
            numbers.rate(),
            numbers.wall.as_secs_f64(),
        )?;
    }
    Ok(table)
}

/// The table of compiled files, one line per corpus, and the files that fail when instrumented.
pub(super) fn compiled(all: &[Measured]) -> Result<String> {
    let mut table = String::from(
        "| corpus | files tried | compile as they are | and instrumented |\n|---|---|---|---|\n",
    );
    let mut broken = String::new();
    let mut names = String::new();
    for Measured {
        corpus, compiled, ..
    } in all
    {
        let Some(outcome) = compiled else {
            continue;
        };
        let after = outcome.before.len() - outcome.broken.len();
        writeln!(
            table,
            "| {} | {} | {} | {after} |",
            corpus.name,
            outcome.tried,
            outcome.before.len(),
        )?;
        for (file, error) in &outcome.broken {
            writeln!(broken, "- {} `{file}`: `{error}`", corpus.name)?;
        }
        if !outcome.before.is_empty() {
            let files: Vec<String> = outcome
                .before
                .iter()
                .map(|file| format!("`{file}`"))
                .collect();
            writeln!(names, "- {}: {}", corpus.name, files.join(", "))?;
        }
    }
    let broken = match broken.as_str() {
        "" => "None that compiles as it is fails instrumented.\n".to_owned(),
        some => format!("Those that compile as they are and fail instrumented:\n\n{some}"),
    };
    Ok(format!(
        "{table}\n{broken}\nThose that compile as they are:\n\n{names}"
    ))
}

/// Puts the tables into the page: the numbers if they are `complete` for all corpora, the table on
/// compiling if anything was compiled.
pub(super) fn write(all: &[Measured], complete: bool) -> Result<()> {
    let section =
        |name, text: String| write_section("docs/corpora.md", name, &format!("\n{text}\n"));
    if complete {
        section("numbers", numbers(all)?)?;
    }
    if all.iter().any(|measured| measured.compiled.is_some()) {
        section("compiled", compiled(all)?)?;
    }
    Ok(())
}
