//! SARIF 2.1.0, for code scanning and editors.
//!
//! Fingerprints contain no line numbers, and files have URIs relative to the working directory, so
//! a result is recognised after lines have moved and in another checkout.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;

use super::finding::{Finding, Place};
use super::model::{Position, Report, Severity, Suppressed};
use super::phrases;

mod log;
mod rules;
mod uri;

use log::{
    Invocation, Level, Location, Log, LogicalLocation, Message, Notification, Rule, Run,
    SarifResult, Suppression,
};
use uri::Base;

/// The name of the fingerprint. A change of its definition changes the number.
const FINGERPRINT: &str = "hirace/v1";

/// The report as one log with one run, with a newline.
#[must_use]
pub fn render(report: &Report) -> String {
    let base = Base::of(report.working_directory.as_deref().map(Path::new));
    let rules = rules::all();
    let shown = Finding::all(report).map(|finding| result(&finding, &rules, &base));
    let hidden = report.suppressed.iter();
    let results = shown
        .chain(hidden.map(|it| suppressed(it, &rules, &base)))
        .collect();
    let log = Log::with(Run {
        tool: log::tool(&report.tool_version, rules),
        original_uri_base_ids: BTreeMap::from([(uri::BASE_ID, base.location())]),
        invocations: [invocation(report, &base)],
        // Columns are counted in characters.
        column_kind: "unicodeCodePoints",
        results,
    });
    // Texts and numbers only: nothing in it can fail to serialise.
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

fn level(severity: Severity) -> Level {
    match severity {
        Severity::Error => Level::Error,
        Severity::Warning => Level::Warning,
    }
}

/// A suppressed finding, which viewers hide by default.
fn suppressed(hidden: &Suppressed, rules: &[Rule], base: &Base<'_>) -> SarifResult {
    let rule = rules.iter().position(|rule| rule.id == hidden.code);
    let variable = (hidden.variable.iter()).map(|it| format!(" on `{it}`"));
    let kernel = (hidden.kernel.iter()).map(|it| format!(" in kernel `{it}`"));
    let about: String = variable.chain(kernel).collect();
    let title = rule.map_or(&*hidden.code, |it| &rules[it].short_description.text);
    let place = hidden.file.iter().map(|file| Location {
        physical_location: Some(base.place(file, hidden.line, None)),
        ..Location::default()
    });
    SarifResult {
        rule_id: hidden.code.to_string(),
        rule_index: rule,
        level: Level::Error,
        message: Message::plain(&escaped(&format!("{title}{about}"))),
        locations: place.collect(),
        related_locations: Vec::new(),
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, hidden.fingerprint.clone())]),
        occurrence_count: hidden.occurrences,
        properties: json!({ "kernel": hidden.kernel }),
        suppressions: vec![Suppression::of(hidden)],
    }
}

fn result(finding: &Finding<'_>, rules: &[Rule], base: &Base<'_>) -> SarifResult {
    let location = |index: usize, place: &Place<'_>| {
        let mut location = location(place.position, base);
        // Links in the message lead to it.
        location.id = Some(index + 1);
        location.message = Some(Message::plain(&place.label));
        location
    };
    let places = finding.places.iter().enumerate();
    let (main, related): (Vec<_>, Vec<_>) =
        places.partition(|(index, _)| Some(*index) == finding.main);
    SarifResult {
        rule_id: finding.code.to_owned(),
        rule_index: rules.iter().position(|rule| rule.id == finding.code),
        level: level(finding.severity),
        message: message(finding),
        locations: (main.into_iter())
            .map(|(index, place)| location(index, place))
            .collect(),
        related_locations: (related.into_iter())
            .map(|(index, place)| location(index, place))
            .collect(),
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, finding.fingerprint.to_owned())]),
        occurrence_count: finding.occurrences,
        properties: json!({ "kernel": finding.kernel }),
        suppressions: Vec::new(),
    }
}

/// The headline, then the places as links, then the rest.
fn message(finding: &Finding<'_>) -> Message {
    let mut text = format!("{}.", escaped(&finding.headline));
    for (index, place) in finding.places.iter().enumerate() {
        let at = phrases::place(place.position).unwrap_or_default();
        text += &format!(
            "\n{} at [{}]({})",
            escaped(&place.label),
            escaped(&at),
            index + 1
        );
    }
    let help = format!("help: {}", finding.help);
    for line in finding.remarks.iter().chain([&help]) {
        text.push('\n');
        text += &escaped(line);
    }
    Message { text }
}

/// Escapes text so that no part of it is read as a link.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        if matches!(character, '\\' | '[' | ']') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

fn location(position: &Position, base: &Base<'_>) -> Location {
    let file = position.file.as_deref();
    let function = position.function.as_deref().filter(|it| !it.is_empty());
    Location {
        physical_location: file.map(|it| base.place(it, position.line, position.column)),
        logical_locations: function
            .map(LogicalLocation::function)
            .into_iter()
            .collect(),
        ..Location::default()
    }
}

/// The outcome of the check, and its limits.
fn invocation(report: &Report, base: &Base<'_>) -> Invocation {
    let mut execution = Vec::new();
    if let Some(failure) = &report.failure {
        let mut lines = vec![phrases::failure(failure)];
        lines.extend(failure.output.clone());
        lines.extend(failure.help.clone());
        execution.push(Notification {
            level: Level::Error,
            message: Message::plain(&lines.join("\n")),
            locations: (failure.position.iter())
                .map(|it| location(it, base))
                .collect(),
        });
    }
    let noted = report.notes.iter().map(|note| Notification {
        level: Level::Note,
        message: Message::plain(note),
        locations: Vec::new(),
    });
    let at = |level, text: String, file: &str, line: u32, column| Notification {
        level,
        message: Message { text },
        // Some constructs have no known place.
        locations: (!file.is_empty())
            .then(|| Location {
                physical_location: Some(base.place(file, Some(line), column)),
                ..Location::default()
            })
            .into_iter()
            .collect(),
    };
    let unchecked = report.not_monitored.iter().map(|it| {
        let text = format!("not monitored: {}", it.reason);
        at(Level::Note, text, &it.file, it.line, None)
    });
    let unfollowed = report.not_modelled.iter().map(|it| {
        let text = format!("not modelled: {}", it.construct);
        at(Level::Note, text, &it.file, it.line, None)
    });
    execution.extend(noted.chain(unchecked).chain(unfollowed));
    let configuration = report.warnings.iter().map(|it| {
        let text = it.message.clone();
        at(Level::Warning, text, &it.file, it.line, Some(it.column))
    });
    Invocation {
        execution_successful: report.failure.is_none(),
        tool_execution_notifications: execution,
        tool_configuration_notifications: configuration.collect(),
        working_directory: base.directory(),
    }
}
