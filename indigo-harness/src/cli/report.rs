//! `hirace-indigo report`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::merge::warn;
use super::output::print;
use crate::error::{Error, Result};
use crate::results::{Document, csv, html, markdown};
use crate::store::{self, Results, Store};

/// Arguments of `hirace-indigo report`.
#[derive(Debug, Args)]
pub struct ReportCommand {
    /// Databases of a sweep or of its shards
    #[arg(required = true, value_name = "DATABASE")]
    pub databases: Vec<PathBuf>,

    /// Format [default: all formats for a directory; otherwise by the file's extension, or
    /// Markdown]
    #[arg(long, value_enum)]
    pub format: Option<Format>,

    /// A file (.md, .html), or a directory for all files [default: standard output]
    #[arg(long, short, value_name = "FILE|DIR")]
    pub output: Option<PathBuf>,
}

/// Formats of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables as text
    Markdown,
    /// One file per table; needs --output
    Csv,
    /// One page with tables and plots
    Html,
    /// One file per plot; needs --output
    Svg,
}

impl Format {
    const ALL: [Self; 4] = [Self::Markdown, Self::Csv, Self::Html, Self::Svg];

    /// The format for a file name; `None` for a directory.
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "md" | "markdown" => Some(Self::Markdown),
            "html" | "htm" => Some(Self::Html),
            _ => None,
        }
    }
}

/// Shows results.
///
/// # Errors
/// A database cannot be read, or a file cannot be written.
pub fn run(command: &ReportCommand) -> Result<()> {
    let document = Document::of(&read(&command.databases)?);
    for warning in &document.warnings {
        eprintln!("hirace-indigo: {warning}");
    }
    let Some(output) = &command.output else {
        return print(&text(&document, command.format)?);
    };
    match Format::of(output).filter(|_| !output.is_dir()) {
        Some(by_name) => {
            let text = text(&document, command.format.or(Some(by_name)))?;
            write(output, &text)?;
        }
        None if output.extension().is_some() && !output.is_dir() => {
            return Err(Error::Usage(format!(
                "`{}`: a file is .md or .html; everything else is a directory, without a dot in \
                 its name",
                output.display()
            )));
        }
        None => {
            fs::create_dir_all(output).map_err(|source| Error::write(output, source))?;
            for format in Format::ALL {
                if command.format.is_none_or(|chosen| chosen == format) {
                    files(&document, format, output)?;
                }
            }
        }
    }
    Ok(())
}

/// The results of one database, or of several merged.
fn read(databases: &[PathBuf]) -> Result<Results> {
    if let [only] = databases {
        return Store::open_to_read(only)?.results();
    }
    let folder =
        tempfile::tempdir().map_err(|source| Error::write(std::env::temp_dir(), source))?;
    let joined = folder.path().join("all.sqlite");
    warn(&store::merge(&joined, databases)?);
    Store::open_to_read(&joined)?.results()
}

/// The document as one text.
fn text(document: &Document, format: Option<Format>) -> Result<String> {
    match format.unwrap_or(Format::Markdown) {
        Format::Markdown => Ok(markdown::render(document)),
        Format::Html => Ok(html::render(document)),
        Format::Csv => Err(Error::Usage(
            "CSV is a file for each table; name a directory with --output".into(),
        )),
        Format::Svg => Err(Error::Usage(
            "SVG is a file for each plot; name a directory with --output".into(),
        )),
    }
}

/// The document as files in a directory.
fn files(document: &Document, format: Format, directory: &Path) -> Result<()> {
    match format {
        Format::Markdown => write(&directory.join("report.md"), &markdown::render(document)),
        Format::Html => write(&directory.join("report.html"), &html::render(document)),
        Format::Svg => document.plots().try_for_each(|plot| {
            let file = directory.join(format!("{}.svg", plot.name));
            write(&file, &plot.svg())
        }),
        Format::Csv => document.tables().try_for_each(|table| {
            let file = directory.join(format!("{}.csv", table.name));
            write(&file, &csv::render(table))
        }),
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(|source| Error::write(path, source))
}
