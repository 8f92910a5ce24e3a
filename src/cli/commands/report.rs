//! `hirace report`: what becomes of reports that were written earlier.

use std::io::Read;
use std::path::Path;

use super::deliver::{Content, Delivery};
use super::print;
use crate::cli::report::Report as Arguments;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::report::{Report, read, schema, sources};

pub(super) fn run(arguments: &Arguments) -> Result<Exit> {
    let Some(file) = &arguments.file else {
        return print(&schema::render()).map(|()| Exit::Clean);
    };
    let delivery = Delivery::open(&arguments.outputs)?;
    let mut report = load(file)?;
    let found = sources::find(&mut report);
    delivery.write(Content {
        report: &report,
        texts: &found.texts,
        notes: &found.notes,
        limit: arguments.limit.filter(|&limit| limit > 0),
    })?;
    Ok(Exit::Clean)
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
            "`{name}` is no JSON report: byte {} is not UTF-8",
            error.utf8_error().valid_up_to()
        ),
        help: None,
    })?;
    read::parse(&name, &text)
}
