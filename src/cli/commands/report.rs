//! `hirace report`: shows, converts, merges and compares saved reports.

use std::io::Read;
use std::path::Path;

use super::baseline::Baseline;
use super::deliver::{Content, Delivery};
use crate::cli::report::Report as Arguments;
use crate::exit::Exit;
use hirace_model::error::{Error, Result};
use hirace_report::diff::Diff;
use hirace_report::sources::{self, Unchanged};
use hirace_report::{Report, Suppressions, merge_runs, read, schema};
use hirace_terminal::print;

pub(super) fn run(arguments: &Arguments) -> Result<Exit> {
    if arguments.schema {
        return print(&schema::render()).map(|()| Exit::Clean);
    }
    count_files(arguments)?;
    let delivery = Delivery::open(&arguments.outputs)?;
    let baseline = Baseline::open(&arguments.known)?;
    let suppressions = Suppressions::read(&arguments.known.files(std::iter::empty()))?;
    let reports = arguments.files.iter().map(|file| load(file));
    let mut reports: Vec<_> = reports.collect::<Result<_>>()?;
    let earlier = arguments.diff.then(|| reports.remove(0));
    // The parser requires one.
    let Some(mut report) = merge_runs(reports) else {
        return Ok(Exit::CouldNotCheck);
    };
    report.suppress(&suppressions);
    let Unchanged { texts, notes } = sources::find(&mut report);
    let diff = earlier.map(|earlier| Diff::between(earlier, report.clone()));
    delivery.write(Content {
        report: diff.as_ref().map_or(&report, |diff| &diff.new),
        diff: diff.as_ref(),
        texts: &texts,
        notes: &notes,
        limit: arguments.limit.filter(|&limit| limit > 0),
    })?;
    baseline.write(&report)?;
    Ok(match diff {
        Some(diff) => Exit::of(&diff.new, arguments.strict),
        None => Exit::Clean,
    })
}

/// Checks that the number of files matches the options.
fn count_files(arguments: &Arguments) -> Result<()> {
    let message = match arguments.files.len() {
        2 if arguments.diff => return Ok(()),
        count if arguments.diff => format!("`--diff` needs two reports, and got {count}"),
        1 => return Ok(()),
        _ if arguments.merge => return Ok(()),
        count => format!("{count} reports need `--merge` or `--diff`"),
    };
    Err(Error::Input {
        message,
        help: Some(
            "`--merge` makes one report of several, `--diff OLD NEW` compares two".to_owned(),
        ),
    })
}

/// Reads a report.
fn load(file: &Path) -> Result<Report> {
    let (name, bytes) = if file == Path::new("-") {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        ("standard input".to_owned(), read.map(|_| bytes))
    } else {
        (file.display().to_string(), std::fs::read(file))
    };
    let bytes = bytes.map_err(|source| Error::read(Path::new(&name), source))?;
    let text = String::from_utf8(bytes).map_err(|error| Error::Input {
        message: format!(
            "`{name}` is not a JSON report: byte {} is not UTF-8",
            error.utf8_error().valid_up_to()
        ),
        help: None,
    })?;
    read::parse(&name, &text)
}
