//! The report for tools: one JSON object, see [`super::Report`].

use super::Report;

/// The report as one line of JSON, with a newline.
#[must_use]
pub fn render(report: &Report) -> String {
    // Nothing in a report can fail to serialise: no maps, no numbers JSON does not have.
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
}
