//! The report for people: source excerpts with both accesses, drawn by miette.

use std::fmt::Write as _;

use super::diff::Diff;
use super::finding::{Finding, races_by_weight};
use super::model::{Failure, Race, Report};
use super::overview::{coverage_of, limits};
use super::phrases;
use hirace_model::error::Error;
use hirace_model::table::Texts;

mod advice;
mod compiler_output;
mod excerpt;
mod style;

pub use super::overview::{coverage, summary, switched_off, warned};
pub use super::phrases::count;
pub use style::Style;

/// Number of entries to show of a supporting list.
const LIST_LIMIT: usize = 10;

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

/// New findings of a report in full, and known ones in one line each.
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

/// Races, faults and the failure, with their places.
fn findings(out: &mut String, report: &Report, texts: &Texts, limit: Option<usize>, style: Style) {
    let max = limit.unwrap_or(usize::MAX);
    let mut explained: Vec<&Race> = Vec::new();
    for race in races_by_weight(report).into_iter().take(max) {
        let is_alike = |it: &&Race| {
            let told = |it: &Race| {
                (
                    it.code.clone(),
                    it.kernel.clone(),
                    it.reason.clone(),
                    it.help.clone(),
                )
            };
            told(it) == told(race)
        };
        let alike = explained.iter().copied().find(is_alike);
        let alike = alike.map(|race| {
            let place = excerpt::first_place(race);
            let there = explained
                .iter()
                .filter(|it| excerpt::first_place(it) == place);
            excerpt::Alike {
                race,
                is_only_one_there: there.count() == 1,
            }
        });
        explained.extend(alike.is_none().then_some(race));
        for excerpt in excerpt::of_race(race, report.seeds.len(), texts, alike) {
            *out += &style.draw(&excerpt);
        }
        out.push('\n');
    }
    for fault in report.faults.iter().take(max) {
        *out += &style.draw(&excerpt::of_fault(fault, report.seeds.len(), texts));
        out.push('\n');
    }
    let hidden = [(report.races.len(), "race"), (report.faults.len(), "fault")];
    for (number, what) in hidden {
        let more = number.saturating_sub(max);
        if more > 0 {
            let are = if more == 1 { "is" } else { "are" };
            let text = count(more as u64, &format!("more {what}"));
            line(
                out,
                &format!("{text} {are} not shown; `--limit 0` shows all\n"),
            );
        }
    }
    if let Some(failure) = &report.failure
        && phrases::ended_beside_findings(report).is_none()
    {
        *out += &render_failure(failure, texts, style);
        out.push('\n');
    }
}

/// The lists of limits, for a terminal.
fn lists(out: &mut String, report: &Report) {
    for limit in limits(report) {
        list(out, limit.title, limit.noun, &limit.entries);
    }
    for warning in &report.warnings {
        line(out, &format!("warning: {}", warned(warning)));
    }
    let ended = phrases::ended_beside_findings(report);
    for note in ended.iter().chain(&report.notes) {
        line(out, &format!("note: {note}"));
    }
}

/// Only a failure.
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

/// Prints an error to standard error.
pub fn complain(error: &Error) {
    let style = Style::for_stderr();
    let mut text = String::new();
    if let Error::Compile { output, .. } = error {
        text += &compiler_output::with_lines(output, style);
        text.push('\n');
    }
    text += &style.draw_error(error);
    hirace_terminal::tell(&text);
}
