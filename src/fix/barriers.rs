//! Where a barrier may order the two accesses of a race.
//!
//! Between them in the text, in the innermost block that holds both; or, where they race
//! around a loop, at the end of its body. Which of the places does it, and whether all
//! threads come by there, is found by trying.

use crate::parse::tree::{Field, Kind, Node};
use crate::report::{Access, Race, Relation};

use super::edit::Edit;
use super::syntax::{Syntax, around, function_around, is_loop};
use super::{Candidate, Sources};

/// A statement of a block, and the block.
struct Step<'t> {
    block: Node<'t>,
    statement: Node<'t>,
}

pub(super) fn candidates(race: &Race, sources: &Sources<'_>) -> Vec<Candidate> {
    let barriers: &[&str] = match race.relation {
        Relation::Warp => &["__syncwarp()", "__syncthreads()"],
        Relation::Block => &["__syncthreads()"],
        // Nothing in a kernel orders blocks but a barrier of the whole grid, which needs
        // another launch.
        Relation::Grid => return Vec::new(),
    };
    let mut found = Vec::new();
    for barrier in barriers {
        for (syntax, prior, current) in ends(race, sources) {
            let between = between(syntax, prior, current, barrier);
            let around = around_loops(syntax, prior, current, barrier);
            // The later access stands first where a thread is in its next turn of a loop.
            if prior.start() < current.start() {
                found.extend(between.into_iter().chain(around));
            } else {
                found.extend(around.into_iter().chain(between));
            }
        }
    }
    found
}

/// The accesses, or the calls that lead to them, in each function that may order them.
fn ends<'t>(race: &Race, sources: &'t Sources<'_>) -> Vec<(&'t Syntax<'t>, Node<'t>, Node<'t>)> {
    let [prior, current] = &race.accesses;
    let accessing = [current, prior].map(|it| it.position.function.as_deref());
    let mut functions: Vec<&str> = Vec::new();
    for name in accessing
        .into_iter()
        .flatten()
        .chain([race.kernel.as_str()])
    {
        if !functions.contains(&name) {
            functions.push(name);
        }
    }
    let in_function = |name: &str| {
        sources.all().find_map(|syntax| {
            let function = syntax.function(name)?;
            let end = |access: &Access| {
                let position = &access.position;
                if position.function.as_deref()? != name {
                    return syntax.call(function, position.function.as_deref()?);
                }
                (position.file.as_deref() == Some(syntax.file)).then(|| syntax.at(&position.range))
            };
            Some((syntax, end(prior)?, end(current)?))
        })
    };
    functions.into_iter().filter_map(in_function).collect()
}

/// The blocks around a node up to its function's, the innermost first, with the statement of
/// each that holds it.
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

fn between(syntax: &Syntax<'_>, a: Node<'_>, b: Node<'_>, barrier: &str) -> Vec<Candidate> {
    let (first, second) = if a.start() <= b.start() {
        (a, b)
    } else {
        (b, a)
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
    let mut found = vec![before_statement(syntax, after, barrier)];
    // Where other statements stand between, one of them may be the end of a loop or the
    // begin of a branch.
    if before
        .next_sibling()
        .is_some_and(|it| it.range() != after.range())
    {
        found.push(after_statement(syntax, before, barrier));
    }
    found
}

fn around_loops(syntax: &Syntax<'_>, a: Node<'_>, b: Node<'_>, barrier: &str) -> Vec<Candidate> {
    let function = function_around(a).map(Node::range);
    around(a)
        .take_while(|it| Some(it.range()) != function)
        .filter(|it| is_loop(*it) && it.start() <= b.start() && b.end() <= it.end())
        .filter_map(|it| it.child(Field::Body))
        .map(|body| end_of_body(syntax, body, barrier))
        .collect()
}

fn candidate(syntax: &Syntax<'_>, what: String, edits: Vec<(usize, String)>) -> Candidate {
    Candidate {
        what,
        edits: edits
            .into_iter()
            .map(|(at, text)| Edit::insertion(syntax.file, at, text))
            .collect(),
    }
}

fn before_statement(syntax: &Syntax<'_>, statement: Node<'_>, barrier: &str) -> Candidate {
    let at = statement.start();
    let what = format!("`{barrier}` before line {}", syntax.line(at));
    let text = match syntax.begins_line(at) {
        true => format!("{barrier};\n{}", syntax.indentation(at)),
        false => format!("{barrier}; "),
    };
    candidate(syntax, what, vec![(at, text)])
}

fn after_statement(syntax: &Syntax<'_>, statement: Node<'_>, barrier: &str) -> Candidate {
    let at = statement.end();
    let what = format!("`{barrier}` after line {}", syntax.line(at));
    let text = match syntax.begins_line(statement.start()) {
        true => format!("\n{}{barrier};", syntax.indentation(statement.start())),
        false => format!(" {barrier};"),
    };
    candidate(syntax, what, vec![(at, text)])
}

fn end_of_body(syntax: &Syntax<'_>, body: Node<'_>, barrier: &str) -> Candidate {
    let head = body.parent().map_or(body.start(), Node::start);
    let what = format!(
        "`{barrier}` at the end of the loop of line {}",
        syntax.line(head)
    );
    let indentation = syntax.indentation(head);
    if !body.is(Kind::CompoundStatement) {
        let inner = format!("{indentation}    ");
        // Behind the head, because a comment may end its line.
        let head_end = body.parent().and_then(|it| {
            let before = it.children().take_while(|it| it.start() < body.start());
            before.last().map(Node::end)
        });
        let open = match head_end {
            Some(end) if syntax.begins_line(body.start()) => (end, " {".to_owned()),
            _ => (body.start(), format!("{{\n{inner}")),
        };
        let close = format!("\n{inner}{barrier};\n{indentation}}}");
        return candidate(syntax, what, vec![open, (body.end(), close)]);
    }
    let brace = body.end() - 1;
    if !syntax.begins_line(brace) {
        return candidate(syntax, what, vec![(brace, format!("{barrier}; "))]);
    }
    let last = body.named_children().last();
    let inner = match last.filter(|it| syntax.begins_line(it.start())) {
        Some(last) => syntax.indentation(last.start()).to_owned(),
        None => format!("{indentation}    "),
    };
    let line = syntax.line_start(brace);
    candidate(syntax, what, vec![(line, format!("{inner}{barrier};\n"))])
}
