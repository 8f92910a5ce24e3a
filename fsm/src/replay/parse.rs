//! Parses histories written by hand.

use std::fmt;
use std::ops::Range;

use crate::alphabet::{Access, State};
use crate::check::{Shape, Step};

/// One event of a written history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The event.
    pub step: Step,
    /// The state that the text expects after it.
    pub expected: Option<State>,
    /// Its position in the text, in bytes.
    pub at: Range<usize>,
}

/// Why a text is not a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The position, in bytes.
    pub at: Range<usize>,
    /// The mistake.
    pub kind: ParseErrorKind,
}

/// The mistakes in a written history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseErrorKind {
    /// There is no event.
    Empty,
    /// It is neither an access nor a barrier.
    UnknownEvent,
    /// A thread, warp or block that is not in the grid.
    NotInGrid {
        /// `t`, `w` or `b`.
        prefix: char,
        /// How many the grid has.
        count: usize,
        /// The grid.
        shape: Shape,
    },
    /// Not one of the four accesses.
    UnknownAccess,
    /// Not one of the 25 states.
    UnknownState,
}

impl fmt::Display for ParseErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => formatter.write_str("a history needs at least one event"),
            Self::UnknownEvent => formatter.write_str("this is no event"),
            Self::NotInGrid {
                prefix,
                count: 1,
                shape,
            } => write!(formatter, "a {shape} grid has only {prefix}0"),
            Self::NotInGrid {
                prefix,
                count,
                shape,
            } => {
                let last = count - 1;
                write!(formatter, "a {shape} grid has {prefix}0 to {prefix}{last}")
            }
            Self::UnknownAccess => formatter.write_str("this is no access"),
            Self::UnknownState => formatter.write_str("this is no state"),
        }
    }
}

/// Parses a history: events separated by commas, such as
/// `t0:R, syncthreads b0, t0:GA [BSYNC_ATOM]`.
///
/// A state in brackets is the state that the writer expects; a
/// [`Counterexample`](crate::check::Counterexample) is printed in this form.
///
/// # Errors
/// The first mistake.
pub fn parse(text: &str, shape: Shape) -> Result<Vec<Written>, ParseError> {
    let mut events = Vec::new();
    let mut start = 0;
    for part in text.split(',') {
        let at = trimmed(text, start..start + part.len());
        start += part.len() + 1;
        if at.is_empty() && text.trim().is_empty() {
            let kind = ParseErrorKind::Empty;
            return Err(ParseError {
                at: 0..text.len(),
                kind,
            });
        }
        events.push(event(text, at, shape)?);
    }
    Ok(events)
}

fn trimmed(text: &str, at: Range<usize>) -> Range<usize> {
    let part = &text[at.clone()];
    let start = at.start + part.len() - part.trim_start().len();
    start..start + part.trim().len()
}

fn event(text: &str, at: Range<usize>, shape: Shape) -> Result<Written, ParseError> {
    let (event, expected) = match text[at.clone()].find('[') {
        None => (at.clone(), None),
        Some(bracket) => {
            let name = trimmed(
                text,
                at.start + bracket + 1..at.end.max(at.start + bracket + 1),
            );
            let closed = text[name.clone()].strip_suffix(']').map(str::trim_end);
            let state = closed.and_then(State::from_name).ok_or(ParseError {
                at: at.start + bracket..at.end,
                kind: ParseErrorKind::UnknownState,
            })?;
            (trimmed(text, at.start..at.start + bracket), Some(state))
        }
    };
    let step = step(text, event, shape)?;
    Ok(Written { step, expected, at })
}

fn step(text: &str, at: Range<usize>, shape: Shape) -> Result<Step, ParseError> {
    let event = &text[at.clone()];
    if let Some(colon) = event.find(':') {
        let thread = trimmed(text, at.start..at.start + colon);
        let thread = member(text, thread, 't', shape.threads(), shape)?;
        let access = trimmed(text, at.start + colon + 1..at.end);
        let access = Access::from_name(&text[access.clone()]).ok_or(ParseError {
            at: if access.is_empty() { at } else { access },
            kind: ParseErrorKind::UnknownAccess,
        })?;
        return Ok(Step::Access { thread, access });
    }
    let group = |name| {
        let rest: &str = event.strip_prefix(name)?;
        rest.starts_with(' ')
            .then(|| trimmed(text, at.end - rest.len()..at.end))
    };
    if let Some(warp) = group("syncwarp") {
        return member(text, warp, 'w', shape.warps(), shape).map(Step::SyncWarp);
    }
    if let Some(block) = group("syncthreads") {
        return member(text, block, 'b', shape.blocks(), shape).map(Step::SyncThreads);
    }
    let kind = ParseErrorKind::UnknownEvent;
    Err(ParseError { at, kind })
}

/// Reads `t0`, `w0` or `b0`.
fn member(
    text: &str,
    at: Range<usize>,
    prefix: char,
    count: usize,
    shape: Shape,
) -> Result<usize, ParseError> {
    let number = text[at.clone()].strip_prefix(prefix);
    // The standard library accepts `+1` as a number.
    let number = number.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    match number.and_then(|digits| digits.parse().ok()) {
        Some(number) if number < count => Ok(number),
        _ => Err(ParseError {
            at,
            kind: ParseErrorKind::NotInGrid {
                prefix,
                count,
                shape,
            },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape() -> Shape {
        Shape::new(2, 2, 2).unwrap()
    }

    #[track_caller]
    fn check_error(text: &str, at: Range<usize>, message: &str) {
        let error = parse(text, shape()).unwrap_err();
        assert_eq!((error.at, error.kind.to_string().as_str()), (at, message));
    }

    #[test]
    fn reads_what_counterexamples_print() {
        let text = "t0:R [READ], syncwarp w0,syncthreads  b1 , t7 : GA";
        let events = parse(text, shape()).unwrap();
        let printed: Vec<_> = events.iter().map(|event| event.step.to_string()).collect();
        assert_eq!(printed, ["t0:R", "syncwarp w0", "syncthreads b1", "t7:GA"]);
        assert_eq!(events[0].expected, Some(State::Read));
        assert_eq!(&text[events[2].at.clone()], "syncthreads  b1");
    }

    #[test]
    fn errors_have_a_place() {
        check_error("", 0..0, "a history needs at least one event");
        check_error("  ", 0..2, "a history needs at least one event");
        check_error("t0:R,", 5..5, "this is no event");
        check_error("t0:R, t8:W", 6..8, "a 2x2x2 grid has t0 to t7");
        check_error("t0:R, t+1:W", 6..9, "a 2x2x2 grid has t0 to t7");
        check_error("t0:R, x0:W", 6..8, "a 2x2x2 grid has t0 to t7");
        check_error("t0:RW", 3..5, "this is no access");
        check_error("t0:", 0..3, "this is no access");
        check_error("syncwarp w4", 9..11, "a 2x2x2 grid has w0 to w3");
        check_error("syncthreads", 0..11, "this is no event");
        check_error("t0:R, fence", 6..11, "this is no event");
        check_error("t0:R [NONE]", 5..11, "this is no state");
        check_error("t0:R [READ", 5..10, "this is no state");
    }
}
