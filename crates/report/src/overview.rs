//! The overall statements of a report, in words that all formats share: its summary, its coverage,
//! and the limits of its answer.

use std::fmt::Write as _;

use super::model::{Report, SampledKernel, Status};
use super::phrases::count;
use hirace_model::{Coverage, SwitchedOff, Warning};

/// The last line of the report.
#[must_use]
pub fn summary(report: &Report) -> String {
    let numbers = &report.summary;
    let schedules = match report.seeds.len() as u64 {
        0 | 1 => String::new(),
        some => format!("{}, ", count(some, "schedule")),
    };
    let left_out = |it: &SampledKernel| it.launches - it.launches_checked;
    let launches = match report.sampled.iter().map(left_out).sum::<u64>() {
        0 => count(numbers.launches, "kernel launch"),
        some => {
            let checked = numbers.launches.saturating_sub(some);
            let launches = count(numbers.launches, "kernel launch");
            format!("{checked} of {launches}")
        }
    };
    let what = format!(
        "{schedules}{launches} and {} checked",
        count(numbers.accesses, "access")
    );
    let what = match numbers.suppressed as u64 {
        0 => what,
        some => format!("{what}; {} suppressed", count(some, "finding")),
    };
    let warnings = report.faults.len().saturating_sub(numbers.faults) as u64;
    let what = match warnings {
        0 => what,
        some => format!("{what}; {}", count(some, "warning")),
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
        Status::Faults if report.faults.iter().any(|it| it.ended) => {
            format!("hirace: {faults}, no race before the run ended; {what}")
        }
        Status::Faults => format!("hirace: {faults}, no race; {what}"),
        Status::Failed => format!("hirace: could not check; {what}"),
    }
}

/// A list that supports the report.
#[derive(Clone, Debug, serde::Serialize)]
pub(super) struct List {
    /// The title: `not monitored`, …
    pub title: &'static str,
    /// The noun for one entry.
    #[serde(skip)]
    pub noun: &'static str,
    /// One line per entry.
    pub entries: Vec<String>,
}

/// The limits of the answer: the lists that are not empty.
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
    let sampled = List {
        title: "checked in part",
        noun: "kernel",
        entries: report.sampled.iter().map(sampled).collect(),
    };
    let all = lists.into_iter().map(|(title, entries)| List {
        title,
        noun: "place",
        entries,
    });
    let all = std::iter::once(sampled).chain(all);
    all.filter(|list| !list.entries.is_empty()).collect()
}

/// A line for a kernel of which only a part was checked.
fn sampled(kernel: &SampledKernel) -> String {
    let over = match (kernel.memory_used_up, kernel.time_over) {
        (true, _) => "; then little memory was left",
        (false, true) => "; then its share of the time was over",
        (false, false) => "",
    };
    format!(
        "`{}`: {} of {} and {} of {}{over}",
        kernel.kernel,
        kernel.launches_checked,
        count(kernel.launches, "launch"),
        kernel.blocks_checked,
        count(kernel.blocks, "block"),
    )
}

/// A line for a place that the user chose not to check.
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

/// A warning as one line.
pub fn warned(warning: &Warning) -> String {
    let Warning {
        file,
        line,
        column,
        message,
    } = warning;
    format!("{file}:{line}:{column}: {message}")
}

/// The coverage of a report. `lists` is the position of its lists: `above` or `below`.
pub(super) fn coverage_of(report: &Report, lists: &str) -> Option<String> {
    let more_listed = !report.not_monitored.is_empty() || !report.switched_off.is_empty();
    coverage(&report.coverage.counts, more_listed.then_some(lists))
}

/// How much of the device code is monitored; `None` if there is none. `listed` is the position of
/// the list of entries whose accesses could not be counted.
pub fn coverage(counts: &Coverage, listed: Option<&str>) -> Option<String> {
    let percent = counts.percent()?;
    if counts.monitored == counts.relevant() {
        let but = listed.map_or_else(String::new, |it| {
            format!(", except for what is listed {it}")
        });
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
