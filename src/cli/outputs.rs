//! `--format` and `--output`, which are both repeatable.

use std::path::{Path, PathBuf};

use super::headings::REPORTS;
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};

/// Values of `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text with source excerpts
    Human,
    /// One JSON object, schema hirace-report/1
    Json,
    /// SARIF 2.1.0, for code scanning and editors
    Sarif,
    /// JUnit XML, for CI servers that show test results
    Junit,
    /// GitHub Actions annotations
    Github,
    /// A web page that includes the source
    Html,
}

/// The reports to write: each format, and its file if one is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outputs(Vec<(Format, Option<PathBuf>)>);

impl Outputs {
    /// The reports, in the order of the `--format` options.
    pub fn iter(&self) -> impl Iterator<Item = (Format, Option<&PathBuf>)> {
        self.0.iter().map(|(format, file)| (*format, file.as_ref()))
    }

    /// These reports, with the human report in `file`; `None` if it already has another file.
    #[must_use]
    pub fn with_log(&self, file: &Path) -> Option<Self> {
        let mut outputs = self.clone();
        let mut human = (outputs.0.iter_mut()).filter(|(format, _)| *format == Format::Human);
        match human.next() {
            Some((_, Some(_))) => return None,
            Some((_, place)) => *place = Some(file.to_owned()),
            None => outputs.0.push((Format::Human, Some(file.to_owned()))),
        }
        Some(outputs)
    }

    /// Whether a report other than the human one goes to standard output.
    #[must_use]
    pub fn take_standard_output(&self) -> bool {
        self.iter()
            .any(|(format, file)| format != Format::Human && file.is_none())
    }
}

/// The options as clap declares them.
#[derive(Debug, Args)]
struct Options {
    /// How to write the report; repeatable, each with its own --output
    ///
    /// An --output belongs to the --format before it. Without an --output, the human report goes
    /// to standard error, and any other report to standard output. At most one report can go
    /// there, and the program's standard output then goes to standard error. If all other formats
    /// go to files, the human report is written as well.
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = REPORTS)]
    format: Vec<Format>,

    /// Write the report to FILE, which is replaced only when the new report is complete
    #[arg(long, value_name = "FILE", help_heading = REPORTS)]
    output: Vec<PathBuf>,
}

impl Args for Outputs {
    fn augment_args(command: clap::Command) -> clap::Command {
        Options::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Options::augment_args_for_update(command)
    }
}

impl FromArgMatches for Outputs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let Options { format, output } = Options::from_arg_matches(matches)?;
        let positions = |id| matches.indices_of(id).into_iter().flatten();
        let formats: Vec<_> = positions("format").zip(format).collect();
        let files: Vec<_> = positions("output").zip(output).collect();
        paired(&formats, &files)
            .map(Self)
            .map_err(|why| clap::Error::raw(ErrorKind::ArgumentConflict, format!("{why}\n")))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Assigns each file to its format. Both carry their positions on the command line.
fn paired(
    formats: &[(usize, Format)],
    files: &[(usize, PathBuf)],
) -> Result<Vec<(Format, Option<PathBuf>)>, String> {
    let mut pairs: Vec<(Format, Option<PathBuf>)> = match formats {
        [] => vec![(Format::Human, None)],
        some => some.iter().map(|(_, format)| (*format, None)).collect(),
    };
    for (at, file) in files {
        let name = file.display();
        let before = formats.iter().take_while(|(it, _)| it < at).count();
        let index = match before.checked_sub(1) {
            Some(index) => index,
            // With a single report, the order does not matter.
            None if pairs.len() == 1 => 0,
            None => {
                return Err(format!(
                    "`--output {name}` comes before the first of several `--format`s; put it \
                     after its own"
                ));
            }
        };
        if pairs.iter().any(|(_, other)| other.as_ref() == Some(file)) {
            return Err(format!("`--output {name}` is given twice"));
        }
        if let Some(other) = pairs[index].1.replace(file.clone()) {
            return Err(format!(
                "`--output {}` and `--output {name}` belong to the same `--format`; each needs its own",
                other.display()
            ));
        }
    }
    let loose =
        |(format, file): &&(Format, Option<PathBuf>)| file.is_none() && *format != Format::Human;
    if pairs.iter().filter(loose).count() > 1 {
        return Err(
            "several reports would go to standard output; all but one need an `--output` after \
             their `--format`"
                .to_owned(),
        );
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Maps a command line to the reports that it selects.
    fn paired(line: &str) -> Result<String, String> {
        let command = Outputs::augment_args(clap::Command::new("test").no_binary_name(true));
        let outputs = command
            .try_get_matches_from(line.split_whitespace())
            .and_then(|it| Outputs::from_arg_matches(&it))
            .map_err(|error| error.to_string())?;
        let words = outputs.iter().map(|(format, file)| match file {
            Some(file) => format!("{format:?}>{}", file.display()),
            None => format!("{format:?}"),
        });
        Ok(words.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn an_output_belongs_to_the_format_before_it() {
        for (line, expected) in [
            ("", "Human"),
            ("--output a", "Human>a"),
            ("--format json", "Json"),
            ("--output a --format json", "Json>a"),
            ("--format json --output a", "Json>a"),
            ("--format human --format json --output a", "Human Json>a"),
            ("--format json --output a --format human", "Json>a Human"),
            (
                "--format json --output a --format json --output b",
                "Json>a Json>b",
            ),
            ("--format json --output a --format json", "Json>a Json"),
        ] {
            assert_eq!(paired(line).as_deref(), Ok(expected), "{line}");
        }
    }

    #[test]
    fn what_cannot_be_paired_is_said() {
        for (line, expected) in [
            ("--output a --output b", "belong to the same"),
            ("--format json --output a --output b", "belong to the same"),
            (
                "--output a --format json --format human",
                "before the first",
            ),
            (
                "--format json --output a --format json --output a",
                "is given twice",
            ),
            ("--format json --format json", "standard output"),
        ] {
            let error = paired(line).unwrap_err();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
