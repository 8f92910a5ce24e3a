//! Places where a barrier may order the two accesses of a race.
//!
//! These are between them in the text, in the innermost block that contains both, and at the end of
//! the body of a loop around them. If no function contains both accesses or calls that lead to
//! them, any statement of the kernel is a place. All threads must reach the place
//! ([`super::uniform`]); trial runs show which of the places works.

use hirace_report::{Race, Relation};
use hirace_syntax::tree::{Field, Kind, Node};

use super::calls::{Ends, ends};
use super::edit::Edit;
use super::syntax::{Sources, Syntax, around, function_around, is_loop};
use super::uniform::{Group, is_of_one_warp, passed_by_all};

/// How many statements of a kernel to try if there are no better places.
const MOST_STATEMENTS: usize = 16;

/// A statement of a block, and the block.
struct Step<'t> {
    block: Node<'t>,
    statement: Node<'t>,
}

/// A barrier to insert.
#[derive(Clone, Copy)]
struct Barrier<'s> {
    call: &'static str,
    group: Group,
    sources: &'s Sources<'s>,
    /// Whether the text shows that the accesses are those of one warp. A run does not show it: its
    /// blocks may have been small.
    of_warp: bool,
}

pub(super) fn candidates(race: &Race, sources: &Sources<'_>) -> Vec<(String, Vec<Edit>)> {
    let ends = ends(race, sources);
    let of_warp = ends.iter().any(|it| {
        let of_one = |place| is_of_one_warp(sources, it.syntax, place);
        of_one(it.prior) && of_one(it.current)
    });
    let barrier = |call, group| Barrier {
        call,
        group,
        sources,
        of_warp,
    };
    let of_block = barrier("__syncthreads();", Group::Block);
    let barriers = match race.relation {
        Relation::Warp => vec![barrier("__syncwarp();", Group::Warp), of_block],
        Relation::Block => vec![of_block],
        // Within a kernel, only a barrier of the whole grid orders blocks, and that needs another
        // kind of launch.
        Relation::Grid | Relation::Launch => return Vec::new(),
    };
    let mut found = Vec::new();
    for barrier in &barriers {
        for ends in &ends {
            let between = between(ends, barrier);
            let around = around_loops(ends, barrier);
            // If the later access comes first in the text, its thread is in a later iteration.
            if ends.prior.start() < ends.current.start() {
                found.extend(between.into_iter().chain(around));
            } else {
                found.extend(around.into_iter().chain(between));
            }
        }
        if ends.is_empty() {
            found.extend(anywhere(&race.kernel, barrier));
        }
    }
    found
}

/// Before the statements of a kernel, the last one first.
fn anywhere(kernel: &str, barrier: &Barrier<'_>) -> Vec<(String, Vec<Edit>)> {
    let definition = barrier.sources.all().find_map(|syntax| {
        let mut functions = syntax.functions();
        Some((
            syntax,
            functions.find(|it| syntax.name(*it) == Some(kernel))?,
        ))
    });
    let Some((syntax, definition)) = definition else {
        return Vec::new();
    };
    let is_statement = |it: &Node<'_>| {
        it.is_named() && it.parent().is_some_and(|it| it.is(Kind::CompoundStatement))
    };
    let mut statements: Vec<_> = definition.descendants().filter(is_statement).collect();
    statements.reverse();
    statements
        .into_iter()
        .filter_map(|it| before_statement(syntax, it, barrier))
        .take(MOST_STATEMENTS)
        .collect()
}

/// The blocks around a node within its function, the innermost first, each with its statement that
/// contains the node.
fn steps(node: Node<'_>) -> Vec<Step<'_>> {
    let function = function_around(node);
    let mut found = Vec::new();
    for statement in around(node) {
        if Some(statement.range()) == function.map(Node::range) {
            break;
        }
        if let Some(block) = statement.parent()
            && block.is(Kind::CompoundStatement)
        {
            found.push(Step { block, statement });
        }
    }
    found
}

fn between(ends: &Ends<'_>, barrier: &Barrier<'_>) -> Vec<(String, Vec<Edit>)> {
    let (first, second) = match ends.prior.start() <= ends.current.start() {
        true => (ends.prior, ends.current),
        false => (ends.current, ends.prior),
    };
    let inner = steps(first);
    let outer = steps(second);
    let shared = inner.iter().find_map(|step| {
        let other = outer
            .iter()
            .find(|it| it.block.range() == step.block.range())?;
        (step.statement.range() != other.statement.range())
            .then_some((step.statement, other.statement))
    });
    let Some((before, after)) = shared else {
        return Vec::new();
    };
    let mut found: Vec<_> = before_statement(ends.syntax, after, barrier)
        .into_iter()
        .collect();
    // With statements in between, the two places differ: one of these may be a loop or a branch.
    if before
        .next_sibling()
        .is_some_and(|it| it.range() != after.range())
    {
        found.extend(after_statement(ends.syntax, before, barrier));
    }
    found
}

fn around_loops(ends: &Ends<'_>, barrier: &Barrier<'_>) -> Vec<(String, Vec<Edit>)> {
    let (a, b) = (ends.prior, ends.current);
    let function = function_around(a).map(Node::range);
    around(a)
        .take_while(|it| Some(it.range()) != function)
        .filter(|it| is_loop(*it) && it.start() <= b.start() && b.end() <= it.end())
        .filter_map(|it| it.child(Field::Body))
        .filter_map(|body| end_of_body(ends.syntax, body, barrier))
        .collect()
}

fn before_statement(
    syntax: &Syntax<'_>,
    statement: Node<'_>,
    barrier: &Barrier<'_>,
) -> Option<(String, Vec<Edit>)> {
    if !barrier.passed(syntax, statement) {
        return None;
    }
    let at = syntax.start(statement);
    let after = match syntax.begins_line(at) {
        true => format!("{}{}", syntax.line_break(), syntax.indentation(at)),
        false => " ".to_owned(),
    };
    let edit = Edit::statement(syntax.file, at, ["", barrier.call, &after]);
    Some((
        barrier.at(&format!("before line {}", syntax.line(at))),
        vec![edit],
    ))
}

fn after_statement(
    syntax: &Syntax<'_>,
    statement: Node<'_>,
    barrier: &Barrier<'_>,
) -> Option<(String, Vec<Edit>)> {
    if !barrier.passed(syntax, statement) {
        return None;
    }
    let at = statement.end();
    let begin = syntax.start(statement);
    // A comment after the statement stays on its line.
    let (at, before) = match syntax.begins_line(begin) && syntax.ends_line(at) {
        true => (
            syntax.line_end(at),
            format!("{}{}", syntax.line_break(), syntax.indentation(begin)),
        ),
        false => (at, " ".to_owned()),
    };
    let edit = Edit::statement(syntax.file, at, [&before, barrier.call, ""]);
    let line = syntax.line(statement.end());
    Some((barrier.at(&format!("after line {line}")), vec![edit]))
}

fn end_of_body(
    syntax: &Syntax<'_>,
    body: Node<'_>,
    barrier: &Barrier<'_>,
) -> Option<(String, Vec<Edit>)> {
    let (file, call) = (syntax.file, barrier.call);
    if !barrier.passed(syntax, body) {
        return None;
    }
    let head = body.parent().map_or(body.start(), Node::start);
    let what = barrier.at(&format!(
        "at the end of the loop of line {}",
        syntax.line(head)
    ));
    let indentation = syntax.indentation(head);
    let line_break = syntax.line_break();
    if !body.is(Kind::CompoundStatement) {
        let starts_line = syntax.begins_line(body.start());
        let inner = match starts_line {
            true => syntax.indentation(body.start()).to_owned(),
            false => format!("{indentation}{}", syntax.indentation_step()),
        };
        // Right after the head, because a comment may end its line.
        let head_end = body.parent().and_then(|it| {
            let before = it.children().take_while(|it| it.start() < body.start());
            before.last().map(Node::end)
        });
        let open = match head_end {
            Some(end) if starts_line => Edit::frame(file, end, " {".to_owned()),
            _ => Edit::frame(file, body.start(), format!("{{{line_break}{inner}")),
        };
        let before = format!("{line_break}{inner}");
        let after = format!("{line_break}{indentation}}}");
        let end = match syntax.ends_line(body.end()) {
            true => syntax.line_end(body.end()),
            false => body.end(),
        };
        let close = Edit::statement(file, end, [&before, call, &after]);
        return Some((what, vec![open, close]));
    }
    let brace = body.end() - 1;
    if !syntax.begins_line(brace) {
        return Some((what, vec![Edit::statement(file, brace, ["", call, " "])]));
    }
    let last = body.named_children().last();
    let inner = match last.filter(|it| syntax.begins_line(it.start())) {
        Some(last) => syntax.indentation(last.start()).to_owned(),
        None => format!("{indentation}{}", syntax.indentation_step()),
    };
    let line = syntax.line_start(brace);
    Some((
        what,
        vec![Edit::statement(file, line, [&inner, call, line_break])],
    ))
}

impl Barrier<'_> {
    fn passed(&self, syntax: &Syntax<'_>, node: Node<'_>) -> bool {
        !syntax.is_uncertain(node.start())
            && syntax.is_on_device_only(node)
            && passed_by_all(self.sources, syntax, node, self.group)
            && match self.group {
                Group::Block => true,
                Group::Warp => {
                    self.of_warp || !passed_by_all(self.sources, syntax, node, Group::Block)
                }
            }
    }

    fn at(&self, place: &str) -> String {
        format!("`{}` {place}", self.call.trim_end_matches(';'))
    }
}
