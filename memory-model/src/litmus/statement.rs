//! A cell of the table, split into opcode and operands; names have no meaning yet.

use hirace_model::error::{Error, Result};

use super::ast::{Span, Type, Value};
use super::cursor::Cursor;
use super::instructions::{self, Form};
use super::lexer::Kind;
use super::source::Source;

/// An instruction with its guard.
pub(super) struct Statement<'s> {
    source: &'s Source<'s>,
    /// The register of `@p` or `@!p`, its position, and whether it is negated.
    pub(super) guard: Option<(&'s str, Span, bool)>,
    /// The first word of the opcode, in lower case.
    pub(super) opcode: String,
    /// The position of that word.
    pub(super) opcode_span: Span,
    /// What follows its dots.
    pub(super) modifiers: Vec<Modifier>,
    pub(super) operands: Vec<Raw<'s>>,
    pub(super) span: Span,
}

/// A modifier, such as `gpu`, and its position with the dot.
pub(super) struct Modifier {
    /// In lower case.
    pub(super) word: String,
    pub(super) span: Span,
}

/// An operand and its position.
pub(super) struct Raw<'s> {
    pub(super) kind: RawKind<'s>,
    pub(super) span: Span,
}

/// What an operand looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RawKind<'s> {
    /// `r0`, `x` or a label.
    Name(&'s str),
    /// `[r0]` or `[x]`.
    Bracketed(&'s str),
    /// A number.
    Number(Value),
}

/// Reads a label, with its colon, at the start of a cell.
pub(super) fn label<'s>(cursor: &mut Cursor<'s>) -> Result<Option<(&'s str, Span)>> {
    if !cursor.starts_with(&["", ":"]) {
        return Ok(None);
    }
    let label = cursor.name("a label, which starts with a letter")?;
    cursor.expect(":")?;
    Ok(Some(label))
}

/// Reads the instruction of a cell.
pub(super) fn parse<'s>(cursor: &mut Cursor<'s>) -> Result<Statement<'s>> {
    let start = cursor.here().start;
    let guard = guard(cursor)?;
    let mut modifiers = Vec::new();
    let (opcode, opcode_span) = opcode(cursor, &mut modifiers)?;
    while let Some(Kind::Word(word)) = cursor.peek() {
        if !word.starts_with('.') {
            break;
        }
        let at = cursor.here().start;
        cursor.advance();
        split(cursor.source, word, at, &mut modifiers)?;
    }
    let mut operands = Vec::new();
    if !cursor.rest().is_empty() {
        operands.push(operand(cursor)?);
        while cursor.eat(",") {
            operands.push(operand(cursor)?);
        }
    }
    if !cursor.rest().is_empty() {
        return Err(rest(cursor));
    }
    Ok(Statement {
        source: cursor.source,
        guard,
        opcode,
        opcode_span,
        modifiers,
        operands,
        span: start..cursor.last_end(),
    })
}

fn guard<'s>(cursor: &mut Cursor<'s>) -> Result<Option<(&'s str, Span, bool)>> {
    if !cursor.eat("@") {
        return Ok(None);
    }
    let negated = cursor.eat("!");
    let (register, span) = cursor.name("the register of the guard")?;
    Ok(Some((register, span, negated)))
}

/// The first word of the opcode; finds the modifiers that follow without a blank.
fn opcode(cursor: &mut Cursor<'_>, modifiers: &mut Vec<Modifier>) -> Result<(String, Span)> {
    let start = cursor.here().start;
    let word = match cursor.peek() {
        Some(Kind::Word(word)) if !word.starts_with('.') => word,
        _ => return Err(cursor.unexpected("an instruction")),
    };
    cursor.advance();
    let length = word.find('.').unwrap_or(word.len());
    split(cursor.source, &word[length..], start + length, modifiers)?;
    Ok((word[..length].to_ascii_lowercase(), start..start + length))
}

/// Splits `.gpu.u32`, which starts at `at`.
fn split(
    source: &Source<'_>,
    word: &str,
    mut at: usize,
    modifiers: &mut Vec<Modifier>,
) -> Result<()> {
    for part in word.split('.').skip(1) {
        let span = at..at + 1 + part.len();
        if part.is_empty() {
            return Err(source.error(span, "expected a modifier after `.`"));
        }
        at = span.end;
        modifiers.push(Modifier {
            word: part.to_ascii_lowercase(),
            span,
        });
    }
    Ok(())
}

fn operand<'s>(cursor: &mut Cursor<'s>) -> Result<Raw<'s>> {
    const EXPECTED: &str = "an operand: a register, a location or a number";
    let start = cursor.here().start;
    let kind = if cursor.eat("[") {
        let (name, _) = cursor.name("a location or a register")?;
        if let Some(Kind::Number(_)) = cursor.peek() {
            let message = "offsets of addresses are not supported";
            return Err(cursor.source.error(cursor.here(), message));
        }
        cursor.expect("]")?;
        RawKind::Bracketed(name)
    } else if let Some(Kind::Number(number)) = cursor.peek() {
        cursor.advance();
        RawKind::Number(number)
    } else {
        RawKind::Name(cursor.name(EXPECTED)?.0)
    };
    Ok(Raw {
        kind,
        span: start..cursor.last_end(),
    })
}

/// The cell continues after its instruction.
fn rest(cursor: &Cursor<'_>) -> Error {
    let here = cursor.here();
    let end = cursor.last_end();
    if cursor.source.has_line_break(end..here.start) {
        return missing_semicolon(cursor.source, end);
    }
    cursor.unexpected("`,`, `|` or `;` after the operand")
}

/// A row that should have ended at `end`.
pub(super) fn missing_semicolon(source: &Source<'_>, end: usize) -> Error {
    let help = "each row of the table ends in `;`";
    // The last character of the row shows more than an empty span; it is a token's, thus ASCII.
    source.error_with_help(end.saturating_sub(1)..end, "missing `;` after this", help)
}

impl<'s> Statement<'s> {
    /// The operands, which must be `N`; `what` lists them.
    pub(super) fn operands<const N: usize>(&self, what: &str) -> Result<[&Raw<'s>; N]> {
        let all: Vec<_> = self.operands.iter().collect();
        <[&Raw<'s>; N]>::try_from(all).map_err(|_| self.wrong_count(N, what))
    }

    /// The instruction does not have the `expected` number of operands.
    pub(super) fn wrong_count(&self, expected: usize, what: &str) -> Error {
        let surplus = self.operands.get(expected);
        let span = surplus.map_or(&self.span, |operand| &operand.span);
        let plural = if expected == 1 { "" } else { "s" };
        let (opcode, found) = (&self.opcode, self.operands.len());
        let message =
            format!("`{opcode}` takes {expected} operand{plural} ({what}), found {found}");
        self.source.error(span.clone(), message)
    }

    /// The instruction cannot have this modifier.
    pub(super) fn unknown(&self, modifier: &Modifier, help: &str) -> Error {
        let Modifier { word, span } = modifier;
        if Type::is_unsupported(word) {
            let message = format!("the type `.{word}` is not supported");
            let help = "values are integers: the types are .b, .s and .u with 8, 16, 32 or 64 bits";
            return self.source.error_with_help(span.clone(), message, help);
        }
        let message = format!("unknown modifier `.{word}` of `{}`", self.opcode);
        self.source.error_with_help(span.clone(), message, help)
    }

    /// A modifier that cannot follow those in front of it.
    pub(super) fn repeated(&self, Modifier { word, span }: &Modifier) -> Error {
        let message = format!("`.{word}` repeats or contradicts an earlier modifier");
        self.source.error(span.clone(), message)
    }

    /// A modifier is missing.
    pub(super) fn incomplete(&self, message: impl Into<String>, help: &str) -> Error {
        let end = self
            .modifiers
            .last()
            .map_or(&self.opcode_span, |it| &it.span);
        let span = self.opcode_span.start..end.end;
        self.source.error_with_help(span, message, help)
    }

    /// The first operand receives the instruction's result.
    pub(super) fn has_target(&self) -> bool {
        match instructions::named(&self.opcode).map(|it| &it.form) {
            // A reduction of a barrier: result, barrier, perhaps a count, predicate.
            Some(Form::Barrier) => {
                self.operands.len() >= 3 && self.modifiers.iter().any(|it| it.word == "red")
            }
            Some(
                Form::Load(_)
                | Form::Atomic { returns: true, .. }
                | Form::Mov
                | Form::Arithmetic(_)
                | Form::Compare,
            ) => true,
            _ => false,
        }
    }
}
