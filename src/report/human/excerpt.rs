//! Races and failures as miette diagnostics.

use std::error::Error;
use std::fmt::{self, Display};

use miette::{Diagnostic, LabeledSpan, NamedSource, Severity, SourceCode};

use super::super::model::Severity as FaultSeverity;
use super::super::model::{
    Access, AccessKind, Certainty, Failure, Fault, Position, Race, Relation, Role, Space,
};
use super::count;
use crate::table::Texts;

/// A line below the message, and the ones after it. miette draws an error's chain of
/// sources this way.
#[derive(Debug)]
struct Remark {
    text: String,
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

impl Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Error for Remark {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.next
            .as_deref()
            .map(|next| next as &(dyn Error + 'static))
    }
}

/// A message with labels in one file.
#[derive(Debug)]
struct Excerpt {
    code: Option<String>,
    message: String,
    severity: Severity,
    remarks: Option<Box<Remark>>,
    help: Option<String>,
    source: Option<NamedSource<String>>,
    labels: Vec<LabeledSpan>,
}

impl Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Excerpt {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.remarks
            .as_deref()
            .map(|remark| remark as &(dyn Error + 'static))
    }
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
        self.source.as_ref().map(|source| source as _)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}

/// A race as a diagnostic, and another one for its second end where that lies in another file.
/// `schedules` is how many were run.
pub(super) fn of_race(race: &Race, schedules: usize, texts: &Texts) -> Vec<impl Diagnostic> {
    let [prior, current] = &race.accesses;
    let (severity, what) = match race.certainty {
        Certainty::Definite => (Severity::Error, "data race"),
        Certainty::Possible => (Severity::Warning, "possible data race"),
    };
    // The first of the two whose place is known; the other may be in another file.
    let home = match prior.position.file {
        Some(_) => &prior.position,
        None => &current.position,
    };
    let mut excerpt = Excerpt {
        code: Some(race.code.to_owned()),
        message: format!(
            "{what} on {} `{}` in kernel `{}`: {}",
            space(race.space),
            race.variable,
            race.kernel,
            race.title
        ),
        severity,
        remarks: Remark::chain(remarks(race, schedules)),
        help: Some(race.help.clone()),
        source: source(home, texts),
        labels: Vec::new(),
    };
    let numbered = [(1, prior), (2, current)].map(|(n, access)| (n, access, label(n, access)));
    if prior.position == current.position {
        let text = format!("(1) {}\n(2) {}", &numbered[0].2[4..], &numbered[1].2[4..]);
        excerpt.labels.extend(span(&current.position, texts, text));
        return vec![excerpt];
    }
    let mut elsewhere = None;
    for (number, access, text) in numbered {
        let position = &access.position;
        if position.file == home.file {
            excerpt.labels.extend(span(position, texts, text));
        } else if position.file.is_some() {
            elsewhere = Some(Excerpt {
                code: None,
                message: format!("({number}) lies in another file"),
                severity: Severity::Advice,
                remarks: None,
                // Below the last of the pictures.
                help: excerpt.help.take(),
                source: source(position, texts),
                labels: span(position, texts, text).into_iter().collect(),
            });
        }
    }
    std::iter::once(excerpt).chain(elsewhere).collect()
}

fn space(space: Space) -> &'static str {
    match space {
        Space::Shared => "shared",
        Space::Global => "global",
    }
}

fn remarks(race: &Race, schedules: usize) -> Vec<String> {
    let mut lines = vec![race.reason.clone()];
    for (number, access) in [1, 2].into_iter().zip(&race.accesses) {
        if let Some(text) = unplaced(number, access) {
            lines.push(text);
        }
    }
    if race.certainty == Certainty::Possible {
        lines.push(
            "the kernel ran a construct that is not modelled (listed below) and may order the two"
                .to_owned(),
        );
    }
    let pairs = match race.relation {
        Relation::Warp => "within a warp",
        Relation::Block => "within a block",
        Relation::Grid => "across blocks",
    };
    lines.push(format!("seen {}, {pairs}", count(race.occurrences, "time")));
    lines.extend(shown_by(&race.seeds, schedules));
    lines
}

/// Which of the schedules showed something, where there were several.
fn shown_by(seeds: &[u32], schedules: usize) -> Option<String> {
    let seed = seeds.first().filter(|_| schedules > 1)?;
    Some(format!(
        "shown by {} of {schedules} schedules; `--seed {seed}` shows it as it is here",
        seeds.len()
    ))
}

/// What to say of an access whose place is not known for certain.
fn unplaced(number: u32, access: &Access) -> Option<String> {
    let who = match access.role {
        Role::Prior => "another thread",
        Role::Current => "a thread",
    };
    let position = &access.position;
    if position.file.is_some() {
        return None;
    }
    let what = format!("({number}), a {} by {who},", verb(access.access));
    Some(match position.one_of.as_slice() {
        [] => format!("{what} was not recorded with its place"),
        places => format!(
            "{what} is one of {}: files that were compiled separately have the same site number",
            places.join(" and ")
        ),
    })
}

fn label(number: u32, access: &Access) -> String {
    let by = match (access.block, access.thread) {
        (Some(block), Some(thread)) => {
            format!("thread {} of block {}", triple(thread), triple(block))
        }
        _ => match access.role {
            Role::Prior => "another thread".to_owned(),
            Role::Current => "a thread".to_owned(),
        },
    };
    format!("({number}) {} by {by}", verb(access.access))
}

fn verb(access: AccessKind) -> &'static str {
    match access {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
        AccessKind::Update => "read and write",
        AccessKind::BlockAtomic => "block-scope atomic",
        AccessKind::DeviceAtomic => "atomic",
        AccessKind::VolatileRead => "volatile read",
        AccessKind::VolatileWrite => "volatile write",
    }
}

fn triple([x, y, z]: [u32; 3]) -> String {
    format!("({x},{y},{z})")
}

/// A fault as a diagnostic.
pub(super) fn of_fault(fault: &Fault, schedules: usize, texts: &Texts) -> impl Diagnostic {
    let by = match (fault.block, fault.thread) {
        (Some(block), Some(thread)) => {
            format!("thread {} of block {}", triple(thread), triple(block))
        }
        _ => "here".to_owned(),
    };
    // Others say nothing to a reader.
    let address = fault.address.as_ref().filter(|_| fault.code == "HF003");
    let at = address.map_or_else(String::new, |address| format!(" at {address}"));
    let kernel = fault.kernel.as_ref();
    let kernel = kernel.map_or_else(String::new, |kernel| format!(" in kernel `{kernel}`"));
    let mut lines = Vec::new();
    let drawn = span(&fault.position, texts, by.clone());
    if drawn.is_none() {
        let place = match (&fault.position.file, fault.position.line) {
            (Some(file), Some(line)) => format!("at {file}:{line}"),
            _ => "its place is not known".to_owned(),
        };
        lines.push(match fault.block {
            Some(_) => format!("{place}, by {by}"),
            None => place,
        });
    }
    let mut labels: Vec<_> = drawn.into_iter().collect();
    if let Some(other) = &fault.other {
        let text = "other threads of the block wait here".to_owned();
        if other.file == fault.position.file {
            labels.extend(span(other, texts, text));
        } else if let (Some(file), Some(line)) = (&other.file, other.line) {
            lines.push(format!("other threads of the block wait at {file}:{line}"));
        }
    }
    if fault.code == "HF019" {
        let (threads, go) = match fault.occurrences {
            1 => ("one thread".to_owned(), "goes"),
            more => (format!("{more} threads"), "go"),
        };
        lines.push(format!(
            "{threads} {go} round here, and nobody can change that"
        ));
    }
    if fault.ended {
        lines.push("the run ended there".to_owned());
    } else {
        lines.push(format!("seen {}", count(fault.occurrences, "time")));
    }
    lines.extend(shown_by(&fault.seeds, schedules));
    Excerpt {
        code: Some(fault.code.to_owned()),
        message: format!("{}{at}{kernel}", fault.title),
        severity: match fault.severity {
            FaultSeverity::Error => Severity::Error,
            FaultSeverity::Warning => Severity::Warning,
        },
        remarks: Remark::chain(lines),
        help: Some(fault.help.clone()),
        source: source(&fault.position, texts),
        labels,
    }
}

/// A failure as a diagnostic.
pub(super) fn of_failure(failure: &Failure, texts: &Texts) -> impl Diagnostic {
    let position = failure.position.clone().unwrap_or_default();
    let by = match (failure.block, failure.thread) {
        (Some(block), Some(thread)) => {
            format!("thread {} of block {}", triple(thread), triple(block))
        }
        _ => "here".to_owned(),
    };
    let kernel = failure
        .kernel
        .as_ref()
        .map_or_else(String::new, |kernel| format!(" in kernel `{kernel}`"));
    let mut remarks = match (&position.file, position.line) {
        (None, _) | (_, None) if failure.block.is_some() => vec![format!("by {by}")],
        _ => Vec::new(),
    };
    if let Some(seed) = failure.seed {
        remarks.push(format!("in the schedule of `--seed {seed}`"));
    }
    Excerpt {
        code: failure.code.map(str::to_owned),
        message: format!("could not check: {}{kernel}", failure.message),
        severity: Severity::Error,
        remarks: Remark::chain(remarks),
        help: failure.help.clone(),
        source: source(&position, texts),
        labels: span(&position, texts, by).into_iter().collect(),
    }
}

fn source(position: &Position, texts: &Texts) -> Option<NamedSource<String>> {
    let file = position.file.as_ref()?;
    Some(NamedSource::new(file, texts.get(file)?.clone()))
}

/// Where a line stands in its file, without the space around it.
fn line_range(source: &str, line: u32) -> Option<std::ops::Range<usize>> {
    let text = source.lines().nth((line as usize).checked_sub(1)?)?;
    let begin = text.as_ptr() as usize - source.as_ptr() as usize;
    let indent = text.len() - text.trim_start().len();
    Some(begin + indent..begin + text.len())
}

fn span(position: &Position, texts: &Texts, text: String) -> Option<LabeledSpan> {
    let source = texts.get(position.file.as_ref()?)?;
    let range = match position.line {
        // Only the line is known: all that stands on it.
        Some(line) if position.range.is_empty() => line_range(source, line)?,
        _ => position.range.clone(),
    };
    let expression = source.get(range.clone())?;
    // Of an expression over several lines, the first.
    let length = expression.find('\n').unwrap_or(expression.len());
    Some(LabeledSpan::new(
        Some(text),
        range.start,
        expression[..length].trim_end().len(),
    ))
}
