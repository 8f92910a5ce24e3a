//! Races and failures as miette diagnostics.

use std::fmt::Display;

use miette::{
    Diagnostic, LabeledSpan, MietteError, NamedSource, Severity, SourceCode, SourceSpan,
    SpanContents,
};
use thiserror::Error;

use super::super::model::Severity as FaultSeverity;
use super::super::model::{Certainty, Failure, Fault, Position, Race};
use super::super::phrases;
use hirace_model::table::Texts;

/// A line below the message, and those after it: miette draws an error's chain of sources
/// this way.
#[derive(Debug, Error)]
#[error("{text}")]
struct Remark {
    text: String,
    #[source]
    next: Option<Box<Self>>,
}

impl Remark {
    fn chain(lines: Vec<String>) -> Option<Box<Self>> {
        lines
            .into_iter()
            .rev()
            .fold(None, |next, text| Some(Box::new(Self { text, next })))
    }
}

/// A message with labels in one file.
#[derive(Debug, Error)]
#[error("{message}")]
struct Excerpt {
    code: Option<String>,
    message: String,
    severity: Severity,
    #[source]
    remarks: Option<Box<Remark>>,
    help: Option<String>,
    file: Option<NamedSource<Pieces>>,
    labels: Vec<LabeledSpan>,
}

impl Diagnostic for Excerpt {
    fn code<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        self.code.as_ref().map(|code| Box::new(code) as _)
    }

    fn severity(&self) -> Option<Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as _)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.file.as_ref().map(|file| file as _)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}

/// The most lines of a file to draw in one piece. Where labels are further apart, each gets its own.
const MAX_LINES: usize = 14;

/// A text of which only short pieces are drawn.
#[derive(Debug)]
struct Pieces(String);

impl SourceCode for Pieces {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let contents = self.0.read_span(span, before, after)?;
        let lines = contents.data().iter().filter(|it| **it == b'\n').count();
        match lines > MAX_LINES {
            true => Err(MietteError::OutOfBounds),
            false => Ok(contents),
        }
    }
}

/// A race as a diagnostic, and another one for its second end if that is in another file.
/// `schedules` is the number of schedules. `alike` is a race above that says the same.
pub(super) fn of_race(
    race: &Race,
    schedules: usize,
    texts: &Texts,
    alike: Option<Alike<'_>>,
) -> Vec<impl Diagnostic> {
    let [prior, current] = &race.accesses;
    // The first of the two with a known place; the other may be in another file.
    let home = match prior.position.file {
        Some(_) => &prior.position,
        None => &current.position,
    };
    let mut excerpt = Excerpt {
        code: Some(race.code.to_string()),
        message: phrases::race(race),
        severity: match race.certainty {
            Certainty::Definite => Severity::Error,
            Certainty::Possible => Severity::Warning,
        },
        remarks: Remark::chain(remarks(race, schedules, texts, alike)),
        help: alike.is_none().then(|| race.help.clone()),
        file: file(home, texts),
        labels: Vec::new(),
    };
    let [first, second] = race.accesses.each_ref().map(phrases::access);
    if prior.position.is_at(&current.position) {
        let text = format!("(1) {first}\n(2) {second}");
        excerpt.labels.extend(span(&current.position, texts, text));
        return vec![excerpt];
    }
    let mut elsewhere = None;
    // Its place is the error.
    if race.code == "HR015"
        && let Some([written, read]) = &race.flag
    {
        let labels = [(written, "the release"), (read, "the acquire")];
        for (position, text) in labels {
            let label = span(position, texts, text.to_owned());
            excerpt
                .labels
                .extend(label.filter(|_| position.file == home.file));
        }
    }
    for (number, access, text) in [(1, prior, first), (2, current, second)] {
        let position = &access.position;
        let label = span(position, texts, format!("({number}) {text}"));
        if position.file == home.file {
            excerpt.labels.extend(label);
        } else if label.is_some() {
            elsewhere = Some(Excerpt {
                code: None,
                message: format!("({number}) lies in another file"),
                severity: Severity::Advice,
                remarks: None,
                // Shown below the last excerpt.
                help: excerpt.help.take(),
                file: file(position, texts),
                labels: label.into_iter().collect(),
            });
        }
    }
    std::iter::once(excerpt).chain(elsewhere).collect()
}

/// A race above with the same reason and the same help.
#[derive(Clone, Copy)]
pub(super) struct Alike<'a> {
    pub race: &'a Race,
    /// No other race above has the same first place.
    pub is_only_one_there: bool,
}

/// The first place of a race, as its excerpt has it.
pub(super) fn first_place(race: &Race) -> Option<String> {
    let [first, second] = race.accesses.each_ref().map(|it| &it.position);
    let is_second = first.file == second.file && second.range.start < first.range.start;
    let first = if is_second { second } else { first };
    phrases::place(first).or_else(|| phrases::place(second))
}

/// The sentences below the message: the reason, facts outside the excerpts, and the frequency.
fn remarks(race: &Race, schedules: usize, texts: &Texts, alike: Option<Alike<'_>>) -> Vec<String> {
    let mut lines = vec![match alike {
        Some(alike) => {
            let place = first_place(alike.race);
            let place = place.map_or_else(String::new, |it| format!(" at {it}"));
            let which = match alike.is_only_one_there {
                true => "race".to_owned(),
                false => format!("{} in kernel `{}`", alike.race.code, alike.race.kernel),
            };
            format!("same cause and same help as for the {which}{place} above")
        }
        None => race.reason.clone(),
    }];
    for (number, access) in (1..).zip(&race.accesses) {
        lines.extend(phrases::unplaced(number, access));
        if let Some(place) = undrawn(&access.position, texts) {
            lines.push(format!("({number}) {} at {place}", phrases::access(access)));
        }
    }
    lines.extend(phrases::sightings(race, schedules));
    lines
}

/// A known place in a file that is not available.
fn undrawn(position: &Position, texts: &Texts) -> Option<String> {
    match span(position, texts, String::new()) {
        Some(_) => None,
        None => phrases::place(position),
    }
}

/// A fault as a diagnostic.
pub(super) fn of_fault(fault: &Fault, schedules: usize, texts: &Texts) -> impl Diagnostic {
    let thread = phrases::thread(fault.block, fault.thread);
    let by = thread.unwrap_or_else(|| "here".to_owned());
    let mut lines = Vec::new();
    let drawn = span(&fault.position, texts, by.clone());
    if drawn.is_none() {
        let place = phrases::place(&fault.position).map_or_else(
            || "at a place that is not recorded".to_owned(),
            |it| format!("at {it}"),
        );
        lines.push(match fault.block {
            Some(_) => format!("{place}, by {by}"),
            None => place,
        });
    }
    let mut labels: Vec<_> = drawn.into_iter().collect();
    if let Some(other) = &fault.other {
        let others = phrases::others(fault);
        let label = span(other, texts, format!("{others} here"))
            .filter(|_| other.file == fault.position.file);
        match (label, phrases::place(other)) {
            (Some(label), _) => labels.push(label),
            (None, Some(place)) => {
                lines.push(format!("{others} at {place}"));
            }
            (None, None) => {}
        }
    }
    lines.extend(phrases::fault::course(fault, schedules));
    Excerpt {
        code: Some(fault.code.to_string()),
        message: phrases::fault(fault),
        severity: match fault.severity {
            FaultSeverity::Error => Severity::Error,
            FaultSeverity::Warning => Severity::Warning,
        },
        remarks: Remark::chain(lines),
        help: Some(fault.help.clone()),
        file: file(&fault.position, texts),
        labels,
    }
}

/// A failure as a diagnostic.
pub(super) fn of_failure(failure: &Failure, texts: &Texts) -> impl Diagnostic {
    let position = failure.position.clone().unwrap_or_default();
    let thread = phrases::thread(failure.block, failure.thread);
    let by = thread.unwrap_or_else(|| "here".to_owned());
    let mut remarks = match (phrases::place(&position), failure.block) {
        (None, Some(_)) => vec![format!("by {by}")],
        (None, None) => Vec::new(),
        (Some(_), _) => (undrawn(&position, texts).into_iter())
            .map(|place| match failure.block {
                Some(_) => format!("at {place}, by {by}"),
                None => format!("at {place}"),
            })
            .collect(),
    };
    if let Some(seed) = failure.seed {
        remarks.push(format!("in the schedule of `--seed {seed}`"));
    }
    Excerpt {
        code: failure.code.as_ref().map(ToString::to_string),
        message: phrases::failure(failure),
        severity: Severity::Error,
        remarks: Remark::chain(remarks),
        help: failure.help.clone(),
        file: file(&position, texts),
        labels: span(&position, texts, by).into_iter().collect(),
    }
}

fn file(position: &Position, texts: &Texts) -> Option<NamedSource<Pieces>> {
    let file = position.file.as_ref()?;
    Some(NamedSource::new(file, Pieces(texts.get(file)?.clone())))
}

/// The bytes of a line in its file, without the white space around it.
fn line_range(source: &str, line: u32) -> Option<std::ops::Range<usize>> {
    let text = source.lines().nth((line as usize).checked_sub(1)?)?;
    let begin = text.as_ptr() as usize - source.as_ptr() as usize;
    let indent = text.len() - text.trim_start().len();
    Some(begin + indent..begin + text.len())
}

fn span(position: &Position, texts: &Texts, text: String) -> Option<LabeledSpan> {
    let source = texts.get(position.file.as_ref()?)?;
    let range = match position.line {
        // Only the line is known: use all of its text.
        Some(line) if position.range.is_empty() => line_range(source, line)?,
        _ => position.range.clone(),
    };
    let expression = source.get(range.clone())?;
    // The first line of an expression over several lines.
    let length = expression.find('\n').unwrap_or(expression.len());
    Some(LabeledSpan::new(
        Some(text),
        range.start,
        expression[..length].trim_end().len(),
    ))
}
