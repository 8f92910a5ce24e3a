//! The data of the page: the report's words and numbers, arranged for its scripts.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use super::machine::path;
use crate::codes;
use crate::finding::Finding;
use crate::model::{Position, Race, Report, Severity, Suppressed};
use crate::overview::{self, List};
use crate::phrases;
use hirace_model::table::Texts;

/// The data of the page of a report.
pub(super) fn page(report: &Report, texts: &Texts) -> Value {
    let mut findings: Vec<_> = Finding::all(report).collect();
    findings.sort_by_key(|it| (Reverse(it.ended), it.severity, Reverse(it.occurrences)));
    let about = |finding: &Finding<'_>| {
        let code = codes::find(finding.code);
        let about = code.map(codes::Code::description);
        let meaning = json!({ "title": finding.title, "about": about.unwrap_or_default() });
        (finding.code.to_owned(), meaning)
    };
    let codes: BTreeMap<_, _> = findings.iter().map(about).collect();
    let mut files = Files::new(texts);
    let findings: Vec<_> = findings.iter().map(|it| entry(it, &mut files)).collect();
    let ended = phrases::ended_beside_findings(report);
    json!({
        "version": report.tool_version,
        "status": report.status,
        // As in the report for people.
        "summary": overview::summary(report),
        "coverage": overview::coverage_of(report, "below"),
        "failure": report.failure.as_ref().map(|failure| json!({
            "what": ended.clone().unwrap_or_else(|| phrases::failure(failure)),
            "place": failure.position.as_ref().and_then(phrases::place),
            "output": failure.output,
            // A program that checks its own results got the arguments that it needs.
            "help": failure.help.as_ref().filter(|_| ended.is_none()),
        })),
        // What limits the answer, and what is hidden.
        "lists": lists(report),
        "codes": codes,
        // With their texts, as far as these are available.
        "files": files.list,
        // By weight.
        "findings": findings,
    })
}

/// The lists of limits and of hidden findings.
fn lists(report: &Report) -> Vec<List> {
    let warnings = report.warnings.iter().map(overview::warned).collect();
    let more = [
        ("warnings", warnings),
        ("notes", report.notes.clone()),
        (
            "suppressed",
            report.suppressed.iter().map(suppressed).collect(),
        ),
    ];
    let more = more.into_iter().map(|(title, entries)| List {
        title,
        noun: "line",
        entries,
    });
    let all = overview::limits(report).into_iter().chain(more);
    all.filter(|list| !list.entries.is_empty()).collect()
}

/// A line for a hidden finding.
fn suppressed(it: &Suppressed) -> String {
    let on = it.variable.iter().map(|it| format!(" on `{it}`"));
    let kernel = it.kernel.iter().map(|it| format!(" in kernel `{it}`"));
    let place = it.file.iter().zip(it.line);
    let place = place.map(|(file, line)| format!(" at {file}:{line}"));
    let what: String = on.chain(kernel).chain(place).collect();
    format!("{}{what}, by {}", it.code, it.by)
}

/// The files in the order in which they are first named.
struct Files<'a> {
    texts: &'a Texts,
    list: Vec<Value>,
    numbers: HashMap<&'a str, usize>,
}

impl<'a> Files<'a> {
    fn new(texts: &'a Texts) -> Self {
        Self {
            texts,
            list: Vec::new(),
            numbers: HashMap::new(),
        }
    }

    fn number(&mut self, name: &'a str) -> usize {
        *self.numbers.entry(name).or_insert_with(|| {
            let text = self.texts.get(name);
            self.list.push(json!({ "name": name, "text": text }));
            self.list.len() - 1
        })
    }

    /// The number of a place's characters on its first line.
    fn length(&self, position: &Position) -> usize {
        let text = position.file.as_ref().and_then(|it| self.texts.get(it));
        let written = text.and_then(|it| it.get(position.range.clone()));
        let first = written.and_then(|it| it.lines().next());
        first.map_or(0, |it| it.trim_end().chars().count())
    }
}

fn entry<'a>(finding: &Finding<'a>, files: &mut Files<'a>) -> Value {
    let threads = (1..).zip(finding.threads).filter_map(|(number, thread)| {
        let (block, thread) = thread?;
        Some(json!({ "number": number, "block": block, "thread": thread }))
    });
    let sites = finding.places.iter().map(|place| {
        let position = place.position;
        json!({
            "number": place.number,
            "label": place.label,
            // Index into the files.
            "file": files.number(position.file.as_deref().unwrap_or_default()),
            "line": position.line,
            "column": position.column,
            // Characters of the expression on that line; 0 if only the line is known.
            "length": files.length(position),
            "text": position.text,
            "function": position.function,
        })
    });
    json!({
        "code": finding.code,
        "what": finding.headline,
        // What is not certain, or no error.
        "certainty": match (finding.severity, finding.race) {
            (Severity::Error, _) => "definite",
            (Severity::Warning, Some(_)) => "possible",
            (Severity::Warning, None) => "warning",
        },
        "kernel": finding.kernel,
        "variable": finding.variable,
        // The memory behind it, too.
        "memory": finding.race.and_then(Race::memory).map(|it| it.replace('`', "")),
        "count": finding.occurrences,
        "remarks": finding.remarks,
        "help": finding.help,
        "fingerprint": finding.fingerprint,
        "sites": sites.collect::<Vec<_>>(),
        "launch": finding.launch,
        "threads": threads.collect::<Vec<_>>(),
        "path": finding.race.and_then(path),
    })
}
