//! `hirace-indigo suite`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::output::print;
use crate::error::{Error, Result};
use crate::suite::{self, Label, Program, Suite, directory};

/// The selection of programs.
#[derive(Clone, Debug, Args)]
pub struct SuiteChoice {
    /// A checkout of IndigoSuite, or a directory of labelled programs [default: the built-in suite]
    #[arg(long, value_name = "DIR")]
    pub suite: Option<PathBuf>,

    /// Only programs whose name contains TEXT; repeatable
    #[arg(long, value_name = "TEXT")]
    pub filter: Vec<String>,
}

/// Arguments of `hirace-indigo suite`.
#[derive(Debug, Args)]
pub struct SuiteCommand {
    /// The selection of programs.
    #[command(flatten)]
    pub choice: SuiteChoice,

    /// Format of the list
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,

    /// Write the programs to DIR, a new or empty directory, with a manifest: a suite for --suite
    #[arg(long, short, value_name = "DIR", conflicts_with = "format")]
    pub output: Option<PathBuf>,
}

/// Values of `suite --format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One line per program
    Human,
    /// One JSON object
    Json,
}

/// Lists the programs of a suite, or writes them.
///
/// # Errors
/// There is no such suite, or the programs cannot be written.
pub fn run(command: &SuiteCommand) -> Result<()> {
    let mut suite = suite::open(command.choice.suite.as_deref())?;
    suite.filter(&command.choice.filter)?;
    let text = match (&command.output, command.format) {
        (Some(dir), _) => {
            directory::write(&suite, dir)?;
            format!("{}: {}\n", dir.display(), numbers(&suite))
        }
        (None, Format::Human) => table(&suite),
        (None, Format::Json) => json(&suite)?,
    };
    print(&text)
}

/// A line for each program, and a summary line.
fn table(suite: &Suite) -> String {
    let programs = suite.programs.iter();
    let width = |text: fn(&Program) -> &str| {
        let lengths = suite.programs.iter().map(|it| text(it).chars().count());
        lengths.max().unwrap_or_default()
    };
    let (name, pattern) = (width(|it| &it.name), width(|it| &it.pattern));
    let mut text = String::new();
    for program in programs {
        let line = format!(
            "{:name$}  {:7}  {:pattern$}  {}",
            program.name,
            program.label.name(),
            program.pattern,
            program.bugs.join(", ")
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let _ = writeln!(text, "{}", numbers(suite));
    text
}

fn numbers(suite: &Suite) -> String {
    let parts: Vec<String> = [Label::Clean, Label::Racy, Label::Unknown]
        .into_iter()
        .map(|label| {
            let count = suite.programs.iter().filter(|it| it.label == label).count();
            (count, label.name())
        })
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    let count = suite.programs.len();
    let noun = if count == 1 { "program" } else { "programs" };
    format!("{}: {count} {noun}, {}", suite.name, parts.join(", "))
}

#[derive(Serialize)]
struct Listing<'a> {
    suite: &'a str,
    programs: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    label: Label,
    pattern: &'a str,
    options: &'a [String],
    bugs: &'a [String],
    args: Vec<String>,
}

fn json(suite: &Suite) -> Result<String> {
    let programs = suite.programs.iter().map(|program| Entry {
        name: &program.name,
        label: program.label,
        pattern: &program.pattern,
        options: &program.options,
        bugs: &program.bugs,
        args: program.arguments.template(),
    });
    let listing = Listing {
        suite: &suite.name,
        programs: programs.collect(),
    };
    serde_json::to_string_pretty(&listing)
        .map(|text| text + "\n")
        .map_err(|error| Error::Usage(error.to_string()))
}
