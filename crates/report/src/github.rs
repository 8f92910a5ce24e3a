//! Annotations of GitHub Actions: workflow commands, a line each.

use std::path::Path;

use super::finding::Finding;
use super::fingerprint::relative;
use super::model::{Report, Severity};
use super::phrases;

/// The annotations. Findings without a place are annotations of the whole run.
#[must_use]
pub fn render(report: &Report) -> String {
    let directory = report.working_directory.as_deref().map(Path::new);
    let mut out = String::new();
    for finding in Finding::all(report) {
        let level = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut properties = Vec::new();
        if let Some(place) = finding.main_place() {
            let position = place.position;
            let file = position.file.as_deref().unwrap_or_default();
            properties.push(("file", relative(file, directory).to_owned()));
            properties.extend(position.line.map(|line| ("line", line.to_string())));
            properties.extend(position.column.map(|column| ("col", column.to_string())));
            let end = position.end_column;
            properties.extend(end.map(|column| ("endColumn", column.to_string())));
        }
        properties.push(("title", format!("{}: {}", finding.code, finding.title)));
        let mut lines = vec![finding.headline.clone()];
        lines.extend(finding.details());
        out += &command(level, &properties, &lines.join("\n"));
    }
    if let Some(ended) = phrases::ended_beside_findings(report) {
        out += &command("notice", &[("title", "hirace".to_owned())], &ended);
    } else if let Some(failure) = &report.failure {
        let lines = phrases::failure_details(failure);
        let title = [("title", "hirace could not check".to_owned())];
        out += &command("error", &title, &lines.join("\n"));
    }
    out
}

fn command(level: &str, properties: &[(&str, String)], message: &str) -> String {
    let properties: Vec<_> = properties
        .iter()
        .map(|(key, value)| format!("{key}={}", property(value)))
        .collect();
    format!("::{level} {}::{}\n", properties.join(","), data(message))
}

/// Escapes what would end a command or begin an escape.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes what would also end a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
