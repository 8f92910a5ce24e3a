//! The tables of `docs/corpora.md`.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, bail};

use super::Measured;

const NUMBERS: [&str; 2] = ["<!-- numbers: begin -->\n", "<!-- numbers: end -->"];
const COMPILED: [&str; 2] = ["<!-- compiled: begin -->\n", "<!-- compiled: end -->"];

/// The table of instrumented files, one line per corpus.
pub(super) fn numbers(all: &[Measured]) -> Result<String> {
    let mut table = String::from(
        "| corpus | `.cu`, `.cuh` | files with device code | of them whole | device functions | instrumented, % | accesses | covered, % | MB | MB/s per core | s |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for Measured {
        corpus,
        numbers: it,
        ..
    } in all
    {
        writeln!(
            table,
            "| {} {} | {} | {} | {} | {} | {:.2} | {} | {:.2} | {:.1} | {:.1} | {:.1} |",
            corpus.name,
            corpus.version,
            it.cuda_files,
            it.device_files,
            it.whole_files,
            it.functions,
            it.read(),
            it.monitored + it.private + it.not_monitored,
            it.covered(),
            it.megabytes(),
            it.rate(),
            it.wall.as_secs_f64(),
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
        let Some(it) = compiled else {
            continue;
        };
        let after = it.before.len() - it.broken.len();
        writeln!(
            table,
            "| {} | {} | {} | {after} |",
            corpus.name,
            it.tried,
            it.before.len(),
        )?;
        for (file, complaint) in &it.broken {
            writeln!(broken, "- {} `{file}`: `{complaint}`", corpus.name)?;
        }
        if !it.before.is_empty() {
            let files: Vec<String> = it.before.iter().map(|file| format!("`{file}`")).collect();
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
    let file = crate::root().join("docs/corpora.md");
    let mut text =
        fs::read_to_string(&file).with_context(|| format!("failed to read {}", file.display()))?;
    if complete {
        insert(&mut text, NUMBERS, &numbers(all)?)?;
    }
    if all.iter().any(|it| it.compiled.is_some()) {
        insert(&mut text, COMPILED, &compiled(all)?)?;
    }
    fs::write(&file, text).with_context(|| format!("failed to write {}", file.display()))
}

/// Replaces the text between two markers.
fn insert(text: &mut String, [begin, end]: [&str; 2], new: &str) -> Result<()> {
    let (Some(from), Some(to)) = (text.find(begin), text.find(end)) else {
        bail!("docs/corpora.md lacks the markers {begin} and {end}");
    };
    text.replace_range(from + begin.len()..to, &format!("\n{new}\n"));
    Ok(())
}
