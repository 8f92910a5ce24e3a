//! The data of the page: the report's words and numbers, arranged for its scripts.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::machine::{Path, path};
use crate::codes;
use crate::finding::Finding;
use crate::model::{Fault, Launch, Position, Race, Report, Severity, Status, Suppressed};
use crate::overview::{self, List};
use crate::phrases;
use hirace_model::table::Texts;

/// The data of a page.
#[derive(Serialize)]
pub(super) struct Page<'a> {
    version: &'a str,
    status: Status,
    /// As in the report for people.
    summary: String,
    coverage: Option<String>,
    failure: Option<Failed<'a>>,
    /// What limits the answer, and what is hidden.
    lists: Vec<List>,
    codes: BTreeMap<&'a str, Code<'a>>,
    files: Vec<File<'a>>,
    /// By weight.
    findings: Vec<Entry<'a>>,
}

/// A check that failed.
#[derive(Serialize)]
struct Failed<'a> {
    what: String,
    place: Option<String>,
    output: Option<&'a str>,
    help: Option<&'a str>,
}

/// The meaning of a code.
#[derive(Serialize)]
struct Code<'a> {
    title: &'a str,
    about: String,
}

/// A file with findings, and its text if that is available.
#[derive(Serialize)]
struct File<'a> {
    name: &'a str,
    text: Option<&'a str>,
}

/// A finding.
#[derive(Serialize)]
struct Entry<'a> {
    code: &'a str,
    /// A description in one line.
    what: String,
    /// A possible race, or a fault that is only a warning.
    warning: bool,
    kernel: Option<&'a str>,
    variable: Option<&'a str>,
    count: u64,
    remarks: Vec<String>,
    help: &'a str,
    fingerprint: &'a str,
    sites: Vec<Site<'a>>,
    launch: Option<Launch>,
    threads: Vec<Thread>,
    path: Option<Path>,
}

/// A place in the source.
#[derive(Serialize)]
struct Site<'a> {
    /// Its number among the finding's places, from 1.
    number: usize,
    label: String,
    /// Index into the files.
    file: usize,
    line: Option<u32>,
    column: Option<u32>,
    /// Characters of the expression on that line; 0 if only the line is known.
    length: usize,
    text: Option<&'a str>,
    function: Option<&'a str>,
}

/// A participating thread.
#[derive(Serialize)]
struct Thread {
    number: usize,
    block: [u32; 3],
    thread: [u32; 3],
}

/// Details that only races have, or that races and faults have in different forms.
struct Details<'a> {
    ended: bool,
    variable: Option<&'a str>,
    launch: Option<Launch>,
    threads: Vec<Thread>,
    path: Option<Path>,
}

impl<'a> Details<'a> {
    fn of_race(race: &'a Race) -> Self {
        let ends = (1..).zip(&race.accesses);
        Self {
            ended: false,
            variable: Some(&race.variable),
            launch: race.launch,
            threads: ends
                .filter_map(|(number, end)| Thread::new(number, end.block, end.thread))
                .collect(),
            path: path(race),
        }
    }

    fn of_fault(fault: &'a Fault) -> Self {
        let thread = Thread::new(1, fault.block, fault.thread);
        Self {
            ended: fault.ended,
            variable: fault.position.variable.as_deref(),
            launch: fault.launch,
            threads: thread.into_iter().collect(),
            path: None,
        }
    }
}

impl Thread {
    fn new(number: usize, block: Option<[u32; 3]>, thread: Option<[u32; 3]>) -> Option<Self> {
        Some(Self {
            number,
            block: block?,
            thread: thread?,
        })
    }
}

impl<'a> Page<'a> {
    /// The page of a report.
    pub fn of(report: &'a Report, texts: &'a Texts) -> Self {
        let races = report.races.iter().map(Details::of_race);
        let details = races.chain(report.faults.iter().map(Details::of_fault));
        let mut findings: Vec<_> = Finding::all(report).zip(details).collect();
        findings.sort_by_key(|(finding, details)| {
            let often = Reverse(finding.occurrences);
            (Reverse(details.ended), finding.severity, often)
        });
        let about = |finding: &Finding<'a>| {
            let code = codes::find(finding.code);
            let about = code.map(codes::Code::description).unwrap_or_default();
            (
                finding.code,
                Code {
                    title: finding.title,
                    about,
                },
            )
        };
        let codes = findings.iter().map(|(finding, _)| about(finding)).collect();
        let mut files = Files::new(texts);
        let entries = findings.into_iter();
        let findings = entries.map(|(finding, details)| entry(finding, details, &mut files));
        Self {
            version: &report.tool_version,
            status: report.status,
            summary: overview::summary(report),
            coverage: overview::coverage_of(report, "below"),
            failure: report.failure.as_ref().map(|failure| Failed {
                what: phrases::failure(failure),
                place: failure.position.as_ref().and_then(phrases::place),
                output: failure.output.as_deref(),
                help: failure.help.as_deref(),
            }),
            lists: lists(report),
            codes,
            findings: findings.collect(),
            files: files.list,
        }
    }
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
    list: Vec<File<'a>>,
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
            let text = self.texts.get(name).map(String::as_str);
            self.list.push(File { name, text });
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

fn entry<'a>(finding: Finding<'a>, details: Details<'a>, files: &mut Files<'a>) -> Entry<'a> {
    let sites = finding.places.into_iter().map(|place| {
        let position = place.position;
        Site {
            number: place.number,
            label: place.label,
            file: files.number(position.file.as_deref().unwrap_or_default()),
            line: position.line,
            column: position.column,
            length: files.length(position),
            text: position.text.as_deref(),
            function: position.function.as_deref(),
        }
    });
    Entry {
        code: finding.code,
        what: finding.headline,
        warning: finding.severity == Severity::Warning,
        kernel: finding.kernel,
        variable: details.variable,
        count: finding.occurrences,
        remarks: finding.remarks,
        help: finding.help,
        fingerprint: finding.fingerprint,
        sites: sites.collect(),
        launch: details.launch,
        threads: details.threads,
        path: details.path,
    }
}
