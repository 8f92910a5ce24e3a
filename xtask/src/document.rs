//! Generated sections of documents: the text between `<!-- NAME: begin -->` and `<!-- NAME: end -->`.

use anyhow::{Context, Result};

use crate::files;

/// The pages with benchmarks.
const BENCHMARKS: &str = "docs/benchmarks.md";

/// A document with another text in a section.
pub fn with_section(document: &str, name: &str, section: &str) -> Result<String> {
    let text = files::read_text(&crate::root().join(document))?;
    let (begin, end) = (
        format!("<!-- {name}: begin -->"),
        format!("<!-- {name}: end -->"),
    );
    let outside = text
        .split_once(&begin)
        .and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1)));
    let (before, after) =
        outside.with_context(|| format!("{document} lacks the markers {begin} and {end}"))?;
    Ok(format!("{before}{begin}\n{section}{end}{after}"))
}

/// Replaces a section of a document.
pub fn write_section(document: &str, name: &str, section: &str) -> Result<()> {
    let text = with_section(document, name, section)?;
    files::write(&crate::root().join(document), text)
}

/// Prints a table, and also writes it to the benchmarks' section `name` if `write` is set.
pub fn publish_benchmark(name: &str, table: &str, write: bool) -> Result<()> {
    println!("{table}");
    match write {
        true => write_section(BENCHMARKS, name, table),
        false => Ok(()),
    }
}
