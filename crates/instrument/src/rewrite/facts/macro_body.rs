//! Macro bodies as syntax: an expression, statements or declarations.

use super::Facts;
use crate::rewrite::stack::ORDINARY_DEPTH;
use hirace_syntax::alias::Aliases;
use hirace_syntax::directives::MacroDefinition;
use hirace_syntax::prepass::Prepass;
use hirace_syntax::tree::{Kind, Node, Tree};
use hirace_syntax::words::Words;

/// Longest body to parse.
const BODY_LIMIT: usize = 64 << 10;

/// Keywords that begin statements.
const STATEMENT_WORDS: Words = Words::of(
    "if for while do switch return goto break continue case default else try typedef using",
);

/// A body's syntax.
pub(crate) enum Parsed {
    Expression(Tree),
    Statements(Tree),
}

/// Reads a masked body that starts at `start` in its file.
pub(crate) fn parse(text: &[u8], start: usize) -> Option<Parsed> {
    if text.len() > BODY_LIMIT || text.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    let tree = Tree::fragment("void f(){(", text, ");}", start);
    if !starts_statement(text)
        && !tree.root().has_error()
        && expression(&tree, start, text.len()).is_some()
    {
        return Some(Parsed::Expression(tree));
    }
    let tree = Tree::fragment("void f(){", text, "\n;}", start);
    let whole = tree.depth() < ORDINARY_DEPTH;
    (whole && !tree.root().has_error()).then_some(Parsed::Statements(tree))
}

/// Whether a body starts with a statement's keyword, which the grammar takes for a function's name
/// where it expects an expression.
fn starts_statement(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let mut words = text
        .trim_start()
        .split(|c: char| !(c.is_alphanumeric() || c == '_'));
    STATEMENT_WORDS.has(words.next().unwrap_or(""))
}

/// The expression that makes up a whole body.
pub(crate) fn expression(tree: &Tree, start: usize, len: usize) -> Option<Node<'_>> {
    if tree.depth() >= ORDINARY_DEPTH {
        return None;
    }
    let outer = tree
        .root()
        .descendants()
        .find(|it| it.is(Kind::ParenthesizedExpression) && it.end() == start + len + 1)?;
    let inner = outer.first_named()?;
    (inner.start() >= start && inner.end() <= start + len && !inner.is(Kind::CompoundStatement))
        .then_some(inner)
}

/// The statements of a body.
pub(crate) fn statements(tree: &Tree) -> Option<Node<'_>> {
    tree.root().descendants_of(Kind::CompoundStatement).next()
}

/// The macros that a file defines, as the grammar sees their bodies, with positions in the file;
/// none for macros that device code does not use.
pub(crate) fn bodies(source: &str, prepass: &Prepass, facts: &Facts) -> Vec<Option<Prepass>> {
    let wanted = |definition: &MacroDefinition, body: &str| {
        !facts.tested_macros.contains(&definition.name)
            && (body.contains("<<<")
                || body.contains('{')
                || facts.device_macros.contains(&definition.name))
    };
    let of = |definition: &MacroDefinition| {
        let body = source.get(definition.body.clone()).unwrap_or("");
        if !wanted(definition, body) {
            return None;
        }
        let mut prepass = masked(body, facts, &definition.name);
        facts.end_given_statements(&definition.name, body, &mut prepass);
        prepass.shift(definition.body.start);
        Some(prepass)
    };
    prepass.directives.macros.iter().map(of).collect()
}

/// The body of the macro `name` as the grammar sees it.
pub(crate) fn masked(body: &str, facts: &Facts, name: &str) -> Prepass {
    match facts.operators.get(name) {
        None => masked_with(body, &facts.aliases),
        Some(operators) => masked_with(body, &facts.aliases.with_operators(operators)),
    }
}

fn masked_with(body: &str, aliases: &Aliases) -> Prepass {
    let prepass = Prepass::of_macro(body, aliases);
    let understood =
        |it: &Prepass| declarations(&it.text, 0).is_some() || parse(&it.text, 0).is_some();
    if !holds_device_code(&prepass, body) || understood(&prepass) {
        return prepass;
    }
    // Heads of functions are repaired only where declarations are expected.
    let declaring = Prepass::of_declaring_macro(body, aliases);
    if understood(&declaring) {
        declaring
    } else {
        prepass
    }
}

/// Parses a masked body, which starts at `start` in its file, as declarations of a namespace or, if
/// that yields statements too, of a class.
pub(crate) fn declarations(text: &[u8], start: usize) -> Option<Tree> {
    let read = |before, after| {
        let tree = Tree::fragment(before, text, after, start);
        let whole = !tree.root().has_error() && tree.depth() < ORDINARY_DEPTH;
        whole.then_some(tree)
    };
    read("", "\n").or_else(|| {
        let code = parse(text, start).is_some();
        let of_class = || read("", "\n;").or_else(|| read("struct {", "\n;};"));
        (!code).then(of_class).flatten()
    })
}

/// Whether a macro's body contains a device function or a device lambda.
pub(crate) fn holds_device_code(prepass: &Prepass, body: &str) -> bool {
    body.contains('{') && prepass.marks.iter().any(|it| it.qualifiers.on_device())
}

/// Whether a masked body that is read as statements has a function in it: in a class without a semicolon after it.
pub(crate) fn holds_function(text: &[u8]) -> bool {
    let Some(Parsed::Expression(tree) | Parsed::Statements(tree)) = parse(text, 0) else {
        return false;
    };
    let functions = tree.root().descendants_of(Kind::FunctionDefinition);
    // The one around the text is not part of it.
    functions.count() > 1
}

/// Whether `##` touches the parameter `name`.
pub(crate) fn is_pasted(body: &str, name: &str) -> bool {
    let tokens = hirace_syntax::lexer::lex_inline(body).tokens;
    tokens.iter().enumerate().any(|(index, token)| {
        let near = |at: Option<usize>| {
            at.and_then(|at| tokens.get(at))
                .is_some_and(|it| it.text(body) == "##")
        };
        token.text(body) == name && (near(index.checked_sub(1)) || near(Some(index + 1)))
    })
}
