//! SARIF 2.1.0, for code scanning and editors.
//!
//! Fingerprints contain no line numbers, and files have URIs relative to the working directory, so
//! a result is recognised after lines have moved and in another checkout.
//!
//! The log is assembled as JSON: crates with types for SARIF use generators that are no longer
//! maintained. A test validates logs against the schema itself.

use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use super::finding::{Finding, Place};
use super::model::{Position, Report, Severity, Suppressed};
use super::phrases;

mod rules;
mod uri;

use rules::Rules;
use uri::Base;

/// The name of the fingerprint. A change of its definition changes the number.
const FINGERPRINT: &str = "hirace/v1";

/// A log. Readers look at its version first.
#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Value; 1],
}

/// The report as one log with one run, with a newline.
#[must_use]
pub fn render(report: &Report) -> String {
    let base = Base::of(report.working_directory.as_deref().map(Path::new));
    let rules = Rules::all();
    let visible = Finding::all(report).map(|finding| result(&finding, &rules, &base));
    let hidden = report.suppressed.iter();
    let results: Vec<_> = visible
        .chain(hidden.map(|it| suppressed(it, &rules, &base)))
        .collect();
    let log = Log {
        schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        version: "2.1.0",
        runs: [json!({
            "tool": {
                "driver": compact(json!({
                    "name": "hirace",
                    "semanticVersion": report.tool_version,
                    "informationUri": rules::home(),
                    "rules": rules.json(),
                })),
            },
            "originalUriBaseIds": { (uri::BASE_ID): base.location() },
            "invocations": [invocation(report, &base)],
            // Columns are counted in characters.
            "columnKind": "unicodeCodePoints",
            "results": results,
        })],
    };
    // Texts and numbers only: nothing in it can fail to serialise.
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

/// An object without the members that are null.
fn compact(mut object: Value) -> Value {
    if let Some(members) = object.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    object
}

/// A list, or null if it is empty.
fn unless_empty(list: Vec<Value>) -> Option<Vec<Value>> {
    Some(list).filter(|it| !it.is_empty())
}

/// A suppressed finding, which viewers hide by default.
fn suppressed(hidden: &Suppressed, rules: &Rules, base: &Base<'_>) -> Value {
    let rule = rules.find(&hidden.code);
    let variable = (hidden.variable.iter()).map(|it| format!(" on `{it}`"));
    let kernel = (hidden.kernel.iter()).map(|it| format!(" in kernel `{it}`"));
    let about: String = variable.chain(kernel).collect();
    let title = rule.map_or(&*hidden.code, |(_, title)| title);
    let places = hidden.file.iter();
    let places =
        places.map(|it| json!({ "physicalLocation": base.place(it, hidden.line, [None; 2]) }));
    compact(json!({
        "ruleId": hidden.code,
        "ruleIndex": rule.map(|(index, _)| index),
        "level": "error",
        "message": { "text": escaped(&format!("{title}{about}")) },
        "locations": places.collect::<Vec<_>>(),
        "partialFingerprints": { (FINGERPRINT): hidden.fingerprint },
        "occurrenceCount": hidden.occurrences,
        "properties": { "kernel": hidden.kernel },
        "suppressions": [{
            "kind": if hidden.in_source { "inSource" } else { "external" },
            "justification": format!("suppressed by {}", hidden.by),
        }],
    }))
}

fn result(finding: &Finding<'_>, rules: &Rules, base: &Base<'_>) -> Value {
    let location = |(index, place): (usize, &Place<'_>)| {
        let mut location = location(place.position, base);
        // Links in the message lead to it.
        location["id"] = (index + 1).into();
        location["message"] = json!({ "text": place.label });
        location
    };
    let places = finding.places.iter().enumerate();
    let (main, related): (Vec<_>, Vec<_>) =
        places.partition(|(index, _)| Some(*index) == finding.main);
    compact(json!({
        "ruleId": finding.code,
        "ruleIndex": rules.find(finding.code).map(|(index, _)| index),
        "level": match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "message": { "text": message(finding) },
        "locations": main.into_iter().map(location).collect::<Vec<_>>(),
        "relatedLocations": unless_empty(related.into_iter().map(location).collect()),
        "stacks": unless_empty(finding.places.iter().filter_map(|it| stack(it, base)).collect()),
        "partialFingerprints": { (FINGERPRINT): finding.fingerprint },
        "occurrenceCount": finding.occurrences,
        "properties": compact(json!({
            "kernel": finding.kernel,
            "launch": finding.launch,
            "process": finding.process,
            "element": finding.race.and_then(|it| it.element.as_ref()),
            "allocation": finding.allocation,
        })),
    }))
}

/// The calls that lead from the kernel to a place, innermost first; `None` if the kernel itself contains it. The place
/// alone if one of several calls was made.
fn stack(place: &Place<'_>, base: &Base<'_>) -> Option<Value> {
    let calls = &place.position.calls;
    let known = calls.iter().take_while(|it| it.alternatives.is_empty());
    let callers = known.map(|call| {
        json!({ "location": {
            "physicalLocation": base.place(&call.file, Some(call.line), [None; 2]),
            "logicalLocations": [{ "name": call.function, "kind": "function" }],
        }})
    });
    let innermost = json!({ "location": location(place.position, base) });
    let frames: Vec<_> = std::iter::once(innermost).chain(callers).collect();
    (!calls.is_empty()).then(|| json!({ "message": { "text": place.label }, "frames": frames }))
}

/// The headline, then the places as links, then the rest.
fn message(finding: &Finding<'_>) -> String {
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
    text
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

fn location(position: &Position, base: &Base<'_>) -> Value {
    let file = position.file.as_deref();
    let columns = [position.column, position.end_column];
    let function = position.function.as_deref().filter(|it| !it.is_empty());
    compact(json!({
        "physicalLocation": file.map(|it| base.place(it, position.line, columns)),
        "logicalLocations": function.map(|it| [json!({ "name": it, "kind": "function" })]),
    }))
}

/// The outcome of the check, and its limits.
fn invocation(report: &Report, base: &Base<'_>) -> Value {
    let notification = |level: &str, text: &str, locations: Vec<Value>| {
        compact(json!({
            "level": level,
            "message": { "text": text },
            "locations": unless_empty(locations),
        }))
    };
    let at = |level, text: &str, file: &str, line: u32, column| {
        // Some constructs have no known place.
        let place = (!file.is_empty()).then(|| base.place(file, Some(line), [column, None]));
        let locations = place.map(|it| json!({ "physicalLocation": it }));
        notification(level, text, locations.into_iter().collect())
    };
    let mut execution = Vec::new();
    if let Some(ended) = phrases::ended_beside_findings(report) {
        execution.push(notification("note", &ended, Vec::new()));
    } else if let Some(failure) = &report.failure {
        let mut lines = vec![phrases::failure(failure)];
        lines.extend(failure.output.clone());
        lines.extend(failure.help.clone());
        let places = failure.position.iter();
        let places = places.map(|it| location(it, base)).collect();
        execution.push(notification("error", &lines.join("\n"), places));
    }
    let noted = report.notes.iter();
    execution.extend(noted.map(|note| notification("note", note, Vec::new())));
    execution.extend(report.not_monitored.iter().map(|it| {
        let text = format!("not monitored: {}", it.reason);
        at("note", &text, &it.file, it.line, None)
    }));
    execution.extend(report.not_modelled.iter().map(|it| {
        let text = format!("not modelled: {}", it.construct);
        at("note", &text, &it.file, it.line, None)
    }));
    let warnings = report.warnings.iter();
    let configuration =
        warnings.map(|it| at("warning", &it.message, &it.file, it.line, Some(it.column)));
    compact(json!({
        "executionSuccessful": report.failure.is_none() || report.is_whole(),
        "toolExecutionNotifications": unless_empty(execution),
        "toolConfigurationNotifications": unless_empty(configuration.collect()),
        "workingDirectory": base.directory(),
    }))
}
