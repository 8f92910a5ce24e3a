//! The table of threads: columns are separated by `|`, and rows end in `;`.

use hirace_model::error::{Error, Result};

use crate::cat::near::nearest;

use super::ast::{Placement, Span};
use super::cursor::Cursor;
use super::lexer::{Kind, Token};
use super::statement::missing_semicolon;

/// The words that start a part after the table, as messages write them.
const KEYWORDS: [&str; 6] = [
    "exists",
    "forall",
    "filter",
    "not",
    "locations",
    "ScopeTree",
];

/// A cell of the table.
struct Cell<'s> {
    tokens: &'s [Token<'s>],
    /// Its separator.
    end: Span,
}

/// A thread's first cell.
pub(super) struct Head {
    pub(super) name: String,
    pub(super) span: Span,
    /// `None` if the cell has only the name.
    pub(super) placement: Option<Placement>,
}

/// A thread with its cells.
pub(super) struct Column<'s> {
    pub(super) head: Head,
    pub(super) cells: Vec<Cursor<'s>>,
}

/// Reads the table.
pub(super) fn parse<'s>(cursor: &mut Cursor<'s>) -> Result<Vec<Column<'s>>> {
    let mut columns: Vec<Column<'s>> = Vec::new();
    if ends_table(cursor) {
        return Err(cursor.unexpected("the threads, as in `P0 | P1 ;`"));
    }
    for cell in row(cursor)? {
        let head = head(&mut part(cursor, &cell))?;
        if columns.iter().any(|column| column.head.name == head.name) {
            let message = format!("there are two threads `{}`", head.name);
            return Err(cursor.source.error(head.span, message));
        }
        columns.push(Column {
            head,
            cells: Vec::new(),
        });
    }
    while !ends_table(cursor) {
        if cursor.starts_with(&["", "("])
            && let Some(error) = misspelt_keyword(cursor)
        {
            return Err(error);
        }
        let before = cursor.rest();
        let cells = row(cursor)?;
        if cells.len() != columns.len() {
            let tokens = &before[..before.len() - cursor.rest().len()];
            return Err(wrong_width(cursor, tokens, cells.len(), columns.len()));
        }
        for (column, cell) in columns.iter_mut().zip(&cells) {
            column.cells.push(part(cursor, cell));
        }
    }
    Ok(columns)
}

fn part<'s>(cursor: &Cursor<'s>, cell: &Cell<'s>) -> Cursor<'s> {
    cursor.part(cell.tokens, cell.end.clone())
}

/// Whether a part after the table starts here.
fn ends_table(cursor: &Cursor<'_>) -> bool {
    let negation = cursor.starts_with(&["~"]);
    let end = cursor.peek().is_none() || negation;
    end || cursor
        .peek_keyword()
        .is_some_and(|word| KEYWORDS.iter().any(|it| it.eq_ignore_ascii_case(&word)))
}

/// A part after the table starts here, but its first word is wrong. No row starts with a word and
/// a parenthesis.
fn misspelt_keyword(cursor: &Cursor<'_>) -> Option<Error> {
    let word = cursor.peek_keyword()?;
    let meant = nearest(&word, KEYWORDS);
    if meant.is_none() && !cursor.starts_with(&["", "("]) {
        return None;
    }
    let span = cursor.here();
    let message = format!(
        "`{}` is neither an instruction nor a question",
        cursor.source.folded(span.clone())
    );
    let help = match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => {
            "the table is followed by `exists`, `~exists` or `forall` and a condition".to_owned()
        }
    };
    Some(cursor.source.error_with_help(span, message, help))
}

/// Reads a row with its `;`.
fn row<'s>(cursor: &mut Cursor<'s>) -> Result<Vec<Cell<'s>>> {
    let mut cells = Vec::new();
    let first = cursor.clone();
    let mut start = cursor.rest();
    loop {
        let length = start.len() - cursor.rest().len();
        match cursor.peek() {
            Some(Kind::Sign(sign @ (";" | "|"))) => {
                cells.push(Cell {
                    tokens: &start[..length],
                    end: cursor.here(),
                });
                cursor.advance();
                if sign == ";" {
                    return Ok(cells);
                }
                start = cursor.rest();
            }
            _ if ends_table(cursor) => {
                let misspelt = misspelt_keyword(&first);
                let end = cursor.last_end();
                return Err(misspelt.unwrap_or_else(|| missing_semicolon(cursor.source, end)));
            }
            _ => {
                cursor.advance();
            }
        }
    }
}

/// A row with its tokens has another number of columns than there are threads.
fn wrong_width(cursor: &Cursor<'_>, tokens: &[Token<'_>], width: usize, threads: usize) -> Error {
    let source = cursor.source;
    let is_bar = |token: &&Token<'_>| token.kind == Kind::Sign("|");
    for (at, pair) in tokens.windows(2).enumerate() {
        if source.has_line_break(pair[0].span.end..pair[1].span.start) {
            // The first line could be a row of its own.
            if tokens[..=at].iter().filter(is_bar).count() + 1 == threads {
                return missing_semicolon(source, pair[0].span.end);
            }
            break;
        }
    }
    let surplus = tokens.iter().filter(is_bar).nth(threads.saturating_sub(1));
    let at = surplus.or(tokens.last());
    let span = at.map_or_else(|| cursor.here(), |token| token.span.clone());
    let columns = if width == 1 { "column" } else { "columns" };
    let there_are = match threads {
        1 => "is 1 thread".to_owned(),
        _ => format!("are {threads} threads"),
    };
    let message = format!("this row has {width} {columns}, but there {there_are}");
    source.error_with_help(
        span,
        message,
        "every row has one column for each thread; it may be empty",
    )
}

/// Reads `P0` or `P0 @ warp 0, cta 0, gpu 0`.
fn head(cursor: &mut Cursor<'_>) -> Result<Head> {
    let start = cursor.here().start;
    let (word, span) = cursor.name("a thread such as `P0`")?;
    let (letter, number) = word.split_at(1);
    let number = number
        .parse::<u32>()
        .ok()
        .filter(|parsed| parsed.to_string() == number);
    let (true, Some(number)) = (matches!(letter, "P" | "p" | "T" | "t"), number) else {
        let message = format!("expected a thread such as `P0`, found `{word}`");
        return Err(cursor.source.error(span, message));
    };
    let name = format!("{}{number}", letter.to_ascii_uppercase());
    let placement = match cursor.eat("@") {
        true => Some(placement(cursor, &name, &span)?),
        false => None,
    };
    if !cursor.rest().is_empty() {
        let end = cursor.last_end();
        if cursor.source.has_line_break(end..cursor.here().start) {
            return Err(missing_semicolon(cursor.source, end));
        }
        return Err(cursor.unexpected("`@`, `,`, `|` or `;`"));
    }
    Ok(Head {
        name,
        span: start..cursor.last_end(),
        placement,
    })
}

fn placement(cursor: &mut Cursor<'_>, name: &str, span: &Span) -> Result<Placement> {
    let (mut gpu, mut cluster, mut cta, mut warp) = (None, None, None, None);
    loop {
        let (level, at) = cursor.name("a placement such as `cta 0, gpu 0`")?;
        let slot = match level.to_ascii_lowercase().as_str() {
            "gpu" => &mut gpu,
            "cluster" => &mut cluster,
            "cta" => &mut cta,
            "warp" => &mut warp,
            _ => {
                let message = format!("unknown level `{level}` of a placement");
                let help = "the levels are `warp`, `cta`, `cluster` and `gpu`";
                return Err(cursor.source.error_with_help(at, message, help));
            }
        };
        let (number, number_at) = cursor.number("the number of the level")?;
        let number = u32::try_from(number).map_err(|_| {
            cursor
                .source
                .error(number_at, "expected a number from 0 to 4294967295")
        })?;
        if slot.replace(number).is_some() {
            return Err(cursor.source.error(at, format!("`{level}` is given twice")));
        }
        if !cursor.eat(",") {
            break;
        }
    }
    let Some(cta) = cta else {
        let message = format!("the placement of `{name}` has no `cta`");
        let help = format!("write for example `{name}@cta 0, gpu 0`");
        return Err(cursor.source.error_with_help(span.clone(), message, help));
    };
    let gpu = gpu.unwrap_or(0);
    Ok(Placement {
        gpu,
        cluster,
        cta,
        warp,
    })
}
