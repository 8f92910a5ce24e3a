//! Statements that are inserted before or after others.

use hirace_syntax::tree::{Field, Kind, Node};

use super::edit::Edit;
use super::syntax::Syntax;

/// The insertion of `code` before a statement, and where that is, as a fragment in Markdown.
pub(super) fn before(syntax: &Syntax<'_>, statement: Node<'_>, code: &str) -> (String, Edit) {
    let (at, begin) = (
        syntax.start_with_pragmas(statement),
        syntax.start(statement),
    );
    let lines = syntax.lines;
    let line_break = lines.line_break();
    let edit = match lines.is_first(at) {
        // Directives often begin at the margin.
        true if lines.is_first(begin) => {
            let line = [lines.indentation(begin), code, line_break];
            Edit::statement(syntax.file, lines.start(at), line)
        }
        true => {
            let after = format!("{line_break}{}", lines.indentation(at));
            Edit::statement(syntax.file, at, ["", code, &after])
        }
        false => Edit::statement(syntax.file, at, ["", code, " "]),
    };
    (format!("before {}", syntax.place(at)), edit)
}

/// The same after a statement.
pub(super) fn after(syntax: &Syntax<'_>, statement: Node<'_>, code: &str) -> (String, Edit) {
    let (begin, end) = (syntax.start(statement), statement.end());
    let lines = syntax.lines;
    // A comment after the statement stays on its line.
    let (at, before) = match lines.is_first(begin) && lines.is_last(end) {
        true => (
            lines.end(end),
            format!("{}{}", lines.line_break(), lines.indentation(begin)),
        ),
        false => (end, " ".to_owned()),
    };
    let edit = Edit::statement(syntax.file, at, [&before, code, ""]);
    (format!("after {}", syntax.place(end)), edit)
}

/// The same as the first statement of a block.
pub(super) fn first_in(syntax: &Syntax<'_>, block: Node<'_>, code: &str) -> Option<(String, Edit)> {
    let first = block.named_children().next()?;
    Some(before(syntax, first, code))
}

/// The statement of a block that contains a node: the innermost one in braces or in a case.
pub(super) fn statement_of(node: Node<'_>) -> Option<Node<'_>> {
    let function = node.enclosing_function();
    let inside = node.ancestors().take_while(|it| Some(*it) != function);
    inside.into_iter().find(|it| is_in_block(*it))
}

/// Whether other statements can stand beside a node: in braces, or after the label of a case.
pub(super) fn is_in_block(node: Node<'_>) -> bool {
    node.parent().is_some_and(|it| match it.kind() {
        Kind::CompoundStatement => true,
        Kind::CaseStatement => node.field() != Field::Value,
        _ => false,
    })
}
