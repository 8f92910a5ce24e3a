//! The report for people: source excerpts with both accesses, drawn by miette.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::io::IsTerminal;

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, ThemeCharacters, ThemeStyles};

use super::diff::Diff;
use super::finding::Finding;
use super::model::{Failure, Race, Report, Status};
use super::phrases;
use hirace_model::error::Error;
use hirace_model::table::Texts;
use hirace_model::{Coverage, SwitchedOff, Warning};

mod advice;
mod excerpt;

/// Entries shown of a list that only backs the report up.
const LIST_LIMIT: usize = 10;

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Columns.
    pub width: usize,
    /// With colours.
    pub color: bool,
    /// With line-drawing characters beyond ASCII.
    pub unicode: bool,
}

impl Style {
    /// The style for what goes to standard error.
    #[must_use]
    pub fn for_stderr() -> Self {
        Self::for_stream(std::io::stderr())
    }

    /// The style for what goes to standard output.
    #[must_use]
    pub fn for_stdout() -> Self {
        Self::for_stream(std::io::stdout())
    }

    fn for_stream(stream: impl IsTerminal + std::os::fd::AsFd) -> Self {
        let terminal = stream.is_terminal();
        let columns =
            terminal_size::terminal_size_of(stream).map_or(100, |(width, _)| usize::from(width.0));
        Self {
            width: columns.clamp(40, 120),
            color: terminal && !is_set("NO_COLOR") && !is("TERM", "dumb"),
            unicode: speaks_utf8(),
        }
    }

    /// The style for a file.
    #[must_use]
    pub fn for_file() -> Self {
        Self {
            width: 100,
            color: false,
            unicode: speaks_utf8(),
        }
    }

    /// Draws a diagnostic.
    #[must_use]
    pub fn draw(self, diagnostic: &dyn Diagnostic) -> String {
        let theme = GraphicalTheme {
            characters: if self.unicode {
                ThemeCharacters::unicode()
            } else {
                ThemeCharacters::ascii()
            },
            styles: if self.color {
                ThemeStyles::ansi()
            } else {
                ThemeStyles::none()
            },
        };
        let mut text = String::new();
        let drawn = GraphicalReportHandler::new_themed(theme)
            .with_width(self.width)
            .with_links(false)
            .with_context_lines(1)
            .render_report(&mut text, diagnostic);
        if drawn.is_err() {
            // A label that does not fit its text must not cost the message.
            text = format!("{diagnostic}\n");
        }
        text
    }
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

fn is(name: &str, value: &str) -> bool {
    std::env::var_os(name).is_some_and(|found| found == value)
}

/// The locale's encoding, by the rules for LC_CTYPE.
fn speaks_utf8() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    locale.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// The whole report. At most `limit` races are shown in full.
#[must_use]
pub fn render(report: &Report, texts: &Texts, limit: Option<usize>, style: Style) -> String {
    let mut out = String::new();
    findings(&mut out, report, texts, limit, style);
    lists(&mut out, report);
    for text in advice::lines(report) {
        line(&mut out, &text);
    }
    if let Some(text) = coverage_of(report, "above") {
        line(&mut out, &text);
    }
    line(&mut out, &summary(report));
    out
}

/// What is new in a report, in full, and what is not, in a line each.
#[must_use]
pub fn render_diff(diff: &Diff, texts: &Texts, limit: Option<usize>, style: Style) -> String {
    let mut out = String::new();
    findings(&mut out, &diff.new, texts, limit, style);
    let named = |report: &Report| -> Vec<String> {
        let one = |finding: Finding<'_>| {
            let place = finding
                .main_place()
                .and_then(|it| phrases::place(it.position));
            let at = place.map_or_else(String::new, |place| format!("{place}: "));
            format!("{at}{} {}", finding.code, finding.headline)
        };
        Finding::all(report).map(one).collect()
    };
    list(&mut out, "no longer found", "finding", &named(&diff.gone));
    list(&mut out, "found before", "finding", &named(&diff.same));
    for text in advice::lines(&diff.new) {
        line(&mut out, &text);
    }
    let failed = match diff.new.failure {
        Some(_) => "; could not check",
        None => "",
    };
    line(
        &mut out,
        &format!(
            "hirace: findings: {} new, {} no longer found, {} found before{failed}",
            diff.new.findings(),
            diff.gone.findings(),
            diff.same.findings()
        ),
    );
    out
}

/// Races by weight: what is certain, and what happened most. Else by position.
fn by_weight(report: &Report) -> Vec<&Race> {
    let mut races: Vec<_> = report.races.iter().collect();
    races.sort_by_key(|race| (race.certainty, Reverse(race.occurrences)));
    races
}

/// Races, faults and the failure, with their places.
fn findings(out: &mut String, report: &Report, texts: &Texts, limit: Option<usize>, style: Style) {
    let shown = limit.unwrap_or(usize::MAX);
    for race in by_weight(report).into_iter().take(shown) {
        for excerpt in excerpt::of_race(race, report.seeds.len(), texts) {
            *out += &style.draw(&excerpt);
        }
        out.push('\n');
    }
    for fault in report.faults.iter().take(shown) {
        *out += &style.draw(&excerpt::of_fault(fault, report.seeds.len(), texts));
        out.push('\n');
    }
    let hidden = [(report.races.len(), "race"), (report.faults.len(), "fault")];
    for (number, what) in hidden {
        let more = number.saturating_sub(shown);
        if more > 0 {
            let are = if more == 1 { "is" } else { "are" };
            let text = count(more as u64, &format!("more {what}"));
            line(
                out,
                &format!("{text} {are} not shown; `--limit 0` shows all\n"),
            );
        }
    }
    if let Some(failure) = &report.failure {
        *out += &render_failure(failure, texts, style);
        out.push('\n');
    }
}

/// A list that backs the report up.
#[derive(Clone, Debug, serde::Serialize)]
pub(super) struct List {
    /// What its entries are: `not monitored`, …
    pub title: &'static str,
    /// What one of them is called.
    #[serde(skip)]
    pub noun: &'static str,
    /// A line each.
    pub entries: Vec<String>,
}

/// What else limits the answer: the lists that are not empty.
pub(super) fn limits(report: &Report) -> Vec<List> {
    let places: Vec<_> = report
        .not_monitored
        .iter()
        .map(|place| format!("{}:{}: {}", place.file, place.line, place.reason))
        .collect();
    let constructs: Vec<_> = report
        .not_modelled
        .iter()
        .map(|place| {
            let executed = if place.executed {
                ""
            } else {
                " (not reached in this run)"
            };
            if place.line == 0 {
                return place.construct.clone();
            }
            format!(
                "{}:{}: {}{executed}",
                place.file, place.line, place.construct
            )
        })
        .collect();
    let switched_off: Vec<_> = report.switched_off.iter().map(switched_off).collect();
    let lists = [
        ("not monitored", places),
        ("not modelled", constructs),
        ("switched off", switched_off),
    ];
    let all = lists.into_iter().map(|(title, entries)| List {
        title,
        noun: "place",
        entries,
    });
    all.filter(|list| !list.entries.is_empty()).collect()
}

/// What else limits the answer, for a terminal.
fn lists(out: &mut String, report: &Report) {
    for limit in limits(report) {
        list(out, limit.title, limit.noun, &limit.entries);
    }
    for warning in &report.warnings {
        line(out, &format!("warning: {}", warned(warning)));
    }
    for note in &report.notes {
        line(out, &format!("note: {note}"));
    }
}

/// A line on what the user chose not to check.
pub fn switched_off(place: &SwitchedOff) -> String {
    let accesses = match place.accesses {
        0 => String::new(),
        some => format!(" ({})", count(some as u64, "access")),
    };
    let by = match place.by.as_str() {
        "comment" => "by a comment",
        _ => "by the configuration",
    };
    format!(
        "{}:{}: {}{accesses}, {by}",
        place.file, place.line, place.what
    )
}

/// A line on a mistake.
pub fn warned(warning: &Warning) -> String {
    let Warning {
        file,
        line,
        column,
        message,
    } = warning;
    format!("{file}:{line}:{column}: {message}")
}

/// How much of the device code a report covers. Lists stand `above` or `below`.
pub(super) fn coverage_of(report: &Report, lists: &str) -> Option<String> {
    let more_listed = !report.not_monitored.is_empty() || !report.switched_off.is_empty();
    coverage(&report.coverage.counts, more_listed.then_some(lists))
}

/// How much of the device code is monitored; `None` where there is none. `listed` says
/// where something is listed of which it is not counted how many accesses it concerns.
pub fn coverage(counts: &Coverage, listed: Option<&str>) -> Option<String> {
    let percent = counts.percent()?;
    if counts.monitored == counts.relevant() {
        let but = listed.map_or_else(String::new, |it| format!(", but for what is listed {it}"));
        return Some(format!(
            "coverage: all accesses in device code are monitored{but}"
        ));
    }
    let mut text = format!(
        "coverage: {percent} % of {} in device code {} monitored",
        count(counts.relevant() as u64, "access"),
        if counts.relevant() == 1 { "is" } else { "are" },
    );
    for (number, what) in [
        (counts.switched_off, "switched off"),
        (counts.not_monitored, "not monitored"),
    ] {
        if number > 0 {
            // Writing to a string does not fail.
            let _ = write!(text, ", {number} {what}");
        }
    }
    Some(text)
}

/// A failure alone.
#[must_use]
pub fn render_failure(failure: &Failure, texts: &Texts, style: Style) -> String {
    style.draw(&excerpt::of_failure(failure, texts))
}

fn list(out: &mut String, title: &str, what: &str, entries: &[String]) {
    if entries.is_empty() {
        return;
    }
    line(
        out,
        &format!("{title} ({}):", count(entries.len() as u64, what)),
    );
    for entry in entries.iter().take(LIST_LIMIT) {
        line(out, &format!("  {entry}"));
    }
    if entries.len() > LIST_LIMIT {
        line(out, &format!("  and {} more", entries.len() - LIST_LIMIT));
    }
}

fn line(out: &mut String, text: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "{text}");
}

/// The last line of the report.
#[must_use]
pub fn summary(report: &Report) -> String {
    let numbers = &report.summary;
    let schedules = match report.seeds.len() as u64 {
        0 | 1 => String::new(),
        some => format!("{}, ", count(some, "schedule")),
    };
    let what = format!(
        "{schedules}{} and {} checked",
        count(numbers.launches, "kernel launch"),
        count(numbers.accesses, "access")
    );
    let what = match numbers.suppressed as u64 {
        0 => what,
        some => format!("{what}; {} suppressed", count(some, "finding")),
    };
    let definite = (numbers.races - numbers.possible) as u64;
    let possible = match numbers.possible as u64 {
        0 => String::new(),
        n if definite == 0 => count(n, "possible race"),
        n => format!(", {}", count(n, "possible race")),
    };
    let faults = count(numbers.faults as u64, "fault");
    let and_faults = match numbers.faults {
        0 => String::new(),
        _ => format!(" and {faults}"),
    };
    match report.status {
        Status::Clean if numbers.suppressed > 0 => format!("hirace: no other race found; {what}"),
        Status::Clean => format!("hirace: no race found; {what}"),
        Status::Possible => format!(
            "hirace: {possible} ({}), no definite one; {what}",
            count(numbers.occurrences, "occurrence")
        ),
        Status::Races => format!(
            "hirace: {}{possible} ({}){and_faults}; {what}",
            count(definite, "race"),
            count(numbers.occurrences, "occurrence")
        ),
        Status::Faults if numbers.possible > 0 => format!("hirace: {faults}, {possible}; {what}"),
        Status::Faults => format!("hirace: {faults}, no race; {what}"),
        Status::Failed => format!("hirace: could not check; {what}"),
    }
}

/// `1 race`, `2 races`, `2 accesses`.
pub fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 {
        ""
    } else if noun.ends_with('s') || noun.ends_with("ch") {
        "es"
    } else {
        "s"
    };
    format!("{number} {noun}{plural}")
}

/// Shows an error on standard error.
pub fn complain(error: &Error) {
    let mut text = String::new();
    if let Error::Compile { output, .. } = error {
        text.push_str(output);
        text.push('\n');
    }
    text += &Style::for_stderr().draw(error);
    hirace_terminal::tell(&text);
}
