//! Reads a JSON report.

use serde::Deserialize;

use super::model::{Report, SCHEMA, SCHEMA_VERSION};
use hirace_model::error::{Error, Mistake, Result};

/// The part that is read first, since the rest depends on it.
#[derive(Deserialize)]
struct Header {
    schema: Option<String>,
    schema_version: Option<String>,
}

/// Parses `text` as a report. `name` is its origin, for messages.
///
/// # Errors
/// It is not JSON, not a report, or a report of an unknown version.
pub fn parse(name: &str, text: &str) -> Result<Report> {
    let header: Header = serde_json::from_str(text)
        .map_err(|error| bad(name, text, &error, "is not a JSON report", None))?;
    let Some(schema) = header.schema else {
        return Err(Error::Input {
            message: format!("`{name}` is not a hirace report: it has no `schema`"),
            help: Some("`hirace check --format json` writes one".to_owned()),
        });
    };
    if schema != SCHEMA {
        return Err(Error::Input {
            message: format!("`{name}` is of schema `{schema}`; this hirace reads `{SCHEMA}`"),
            help: Some(if schema.starts_with("hirace-report/") {
                "use the hirace that wrote it, or check again with this one".to_owned()
            } else {
                "`hirace check --format json` writes such a report".to_owned()
            }),
        });
    }
    serde_json::from_str(text).map_err(|error| {
        let version = header.schema_version.unwrap_or_default();
        let newer = minor(&version) > minor(SCHEMA_VERSION);
        let help = newer.then(|| {
            format!("it is of version {version}, and this hirace knows {SCHEMA_VERSION}: update it")
        });
        bad(name, text, &error, "is not a valid report", help)
    })
}

/// The minor number of a version.
fn minor(version: &str) -> Option<u32> {
    version.split_once('.')?.1.parse().ok()
}

fn bad(
    name: &str,
    text: &str,
    error: &serde_json::Error,
    what: &str,
    help: Option<String>,
) -> Error {
    let begin = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    let at = begin + error.column().saturating_sub(1);
    // Columns are bytes there.
    let span = (0..=at).rev().find(|it| text.is_char_boundary(*it));
    let message = format!("`{name}` {what}: {error}");
    Error::Report(Mistake::new(name, text, span.unwrap_or_default(), message).with_help(help))
}
