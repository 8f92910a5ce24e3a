//! The parts of a test, in their order.

use hirace_model::error::{Error, Result};

use super::ast::{Condition, Placement, Quantifier, Question, Span, Term, Test};
use super::condition::{self, Names};
use super::cursor::Cursor;
use super::declarations;
use super::legacy;
use super::lexer;
use super::names::Locations;
use super::program::{self, Program};
use super::source::Source;
use super::table::{self, Column};

/// The first line.
struct Title<'s> {
    /// It is `GPU_PTX`, the dialect that has a scope tree.
    legacy: bool,
    name: &'s str,
    end: usize,
}

/// The parts after the table.
#[derive(Default)]
struct Rest {
    scope_tree: Option<(Vec<Placement>, Span)>,
    shown: Vec<Term>,
    filter: Option<Condition>,
    question: Option<Question>,
}

/// Reads the test `text` from a file called `name`.
///
/// # Errors
/// A mistake in the text, with its position.
pub fn parse(name: &str, text: &str) -> Result<Test> {
    let source = Source::new(name, text)?;
    let title = title(&source)?;
    let tokens = lexer::tokens(&source, title.end)?;
    let mut cursor = Cursor::new(&source, &tokens);
    let (mut locations, registers) = declarations::parse(&mut cursor)?;
    let columns = table::parse(&mut cursor)?;
    let mut program = program::translate(&source, &columns, &registers, &mut locations)?;
    locations.set_types_of_addresses(&program.threads);
    locations.fit_initial_values(&source)?;
    let rest = rest(&mut cursor, &mut locations, &program)?;
    let placements = place(&source, title.legacy, &columns, rest.scope_tree)?;
    for (thread, placement) in program.threads.iter_mut().zip(placements) {
        thread.placement = placement;
    }
    program::check_shared(&source, &program.threads, &locations)?;
    let question = rest.question.ok_or_else(|| {
        cursor.unexpected("the question: `exists`, `~exists` or `forall`, then a condition")
    })?;
    Ok(Test {
        name: title.name.to_owned(),
        comments: source.comments.clone(),
        locations: locations.list,
        registers: program.initial,
        threads: program.threads,
        shown: rest.shown,
        filter: rest.filter,
        question,
    })
}

fn title<'s>(source: &'s Source<'_>) -> Result<Title<'s>> {
    let code = source.code();
    let start = code.len() - code.trim_start().len();
    let length = code[start..]
        .find(['\n', '{'])
        .unwrap_or(code.len() - start);
    let line = code[start..start + length].trim_end();
    let word = line.split_whitespace().next().unwrap_or_default();
    let span = start..start + word.len().max(1);
    let legacy = match word.to_ascii_uppercase().as_str() {
        "PTX" => false,
        "GPU_PTX" => true,
        _ => {
            let help = "a test starts with a line such as `PTX MP`";
            let message = "expected `PTX` or `GPU_PTX`";
            return Err(source.error_with_help(first_char(source, span), message, help));
        }
    };
    let name = line[word.len()..].trim();
    if name.is_empty() {
        let message = format!("expected the name of the test after `{word}`");
        return Err(source.error(span, message));
    }
    Ok(Title {
        legacy,
        name,
        end: start + length,
    })
}

/// The span, lengthened to the end of its first character if it splits it.
fn first_char(source: &Source<'_>, span: Span) -> Span {
    let end = (span.end..=source.code().len()).find(|end| source.code().is_char_boundary(*end));
    span.start..end.unwrap_or(span.end)
}

fn rest(cursor: &mut Cursor<'_>, locations: &mut Locations, program: &Program) -> Result<Rest> {
    let threads = program.thread_names();
    let mut rest = Rest::default();
    while cursor.peek().is_some() {
        let span = cursor.here();
        let keyword = cursor.peek_keyword().unwrap_or_default();
        if keyword == "scopetree" {
            if rest.scope_tree.is_some() {
                return Err(second(cursor, "scope tree"));
            }
            rest.scope_tree = Some((legacy::scope_tree(cursor, &threads)?, span));
            continue;
        }
        if cursor.starts_with(&["", ":"]) {
            legacy::memory_map_entry(cursor, locations)?;
            continue;
        }
        let names = Names {
            locations,
            threads: &threads,
            registers: &program.registers,
        };
        if keyword == "locations" {
            cursor.advance();
            rest.shown.extend(condition::locations(cursor, &names)?);
            continue;
        }
        if keyword == "filter" {
            if rest.filter.is_some() {
                return Err(second(cursor, "filter"));
            }
            cursor.advance();
            rest.filter = Some(condition::parse(cursor, &names)?);
            continue;
        }
        if rest.question.is_some() {
            return Err(cursor.unexpected("`/\\`, `\\/` or the end of the test"));
        }
        rest.question = Some(question(cursor, &names)?);
    }
    Ok(rest)
}

fn second(cursor: &Cursor<'_>, what: &str) -> Error {
    cursor
        .source
        .error(cursor.here(), format!("the test has a second {what}"))
}

fn question(cursor: &mut Cursor<'_>, names: &Names<'_>) -> Result<Question> {
    let start = cursor.here().start;
    let negated = cursor.eat("~") || cursor.eat_keyword("not");
    let quantifier = if cursor.eat_keyword("exists") {
        match negated {
            true => Quantifier::NotExists,
            false => Quantifier::Exists,
        }
    } else if negated {
        return Err(cursor.unexpected("`exists`"));
    } else if cursor.eat_keyword("forall") {
        Quantifier::ForAll
    } else {
        return Err(cursor.unexpected("`exists`, `~exists`, `forall` or `filter`"));
    };
    let condition = condition::parse(cursor, names)?;
    Ok(Question {
        quantifier,
        condition,
        text: cursor.source.folded(start..cursor.last_end()),
    })
}

/// The placement of each thread, from the scope tree or from the threads' heads.
fn place(
    source: &Source<'_>,
    legacy: bool,
    columns: &[Column<'_>],
    scope_tree: Option<(Vec<Placement>, Span)>,
) -> Result<Vec<Placement>> {
    let placed = columns
        .iter()
        .find(|column| column.head.placement.is_some());
    if let Some((placements, span)) = scope_tree {
        let Some(column) = placed else {
            return Ok(placements);
        };
        let message = format!(
            "the head of `{}` and this tree both place it",
            column.head.name
        );
        return Err(source.error(span, message));
    }
    check_clusters(source, columns)?;
    let mut own = 0;
    let mut placements = Vec::new();
    for column in columns {
        let head = &column.head;
        if let Some(placement) = head.placement {
            placements.push(placement);
            continue;
        }
        if legacy || head.name.starts_with('T') {
            let message = format!("thread `{}` has no placement", head.name);
            let help = "add a line such as `ScopeTree(grid (cta (warp T0)) (cta (warp T1)))`";
            return Err(source.error_with_help(head.span.clone(), message, help));
        }
        let taken = |cta: &u32| {
            let mut given = columns.iter().filter_map(|it| it.head.placement);
            given.any(|other| other.gpu == 0 && other.cta == *cta)
        };
        let cta = (own..).find(|cta| !taken(cta)).unwrap_or(own);
        own = cta.saturating_add(1);
        placements.push(Placement {
            cta,
            ..Placement::default()
        });
    }
    Ok(placements)
}

/// A block is in one cluster.
fn check_clusters(source: &Source<'_>, columns: &[Column<'_>]) -> Result<()> {
    let heads = columns.iter().map(|column| &column.head);
    let placed: Vec<_> = heads
        .filter_map(|head| Some((head, head.placement?)))
        .collect();
    for (at, (head, placement)) in placed.iter().enumerate() {
        let other = placed[..at]
            .iter()
            .find(|(_, other)| other.same_block(placement) && other.cluster != placement.cluster);
        if let Some((other, _)) = other {
            let message = format!(
                "`{}` is in the block of `{}`, but not in its cluster",
                head.name, other.name
            );
            let help = "a block is in one cluster; give the blocks of a GPU different numbers";
            return Err(source.error_with_help(head.span.clone(), message, help));
        }
    }
    Ok(())
}
