//! Repairs that widen atomics from block scope to device scope.

use hirace_report::{Access, Race};
use hirace_syntax::tree::{Field, Kind, Node};

use super::edit::{Edit, Trial};
use super::syntax::{Sources, Syntax, around};

const NARROW: &str = "thread_scope_block";
const WIDE: &str = "thread_scope_device";

pub(super) fn candidates(race: &Race, sources: &Sources<'_>) -> Vec<(String, Vec<Edit>)> {
    let mut edits: Vec<Edit> = Vec::new();
    for access in &race.accesses {
        let widened = sources.of(access).and_then(|it| widened(it, access));
        if let Some(edit) = widened.filter(|it| !edits.contains(it)) {
            edits.push(edit);
        }
    }
    if edits.is_empty() {
        return Vec::new();
    }
    let shown: Vec<_> = edits.iter().map(|it| format!("`{}`", it.text)).collect();
    vec![(shown.join(" and "), edits)]
}

fn widened(syntax: &Syntax<'_>, access: &Access) -> Option<Edit> {
    let node = syntax.at(&access.position.range);
    function(syntax, node)
        .or_else(|| instruction(syntax, node))
        .or_else(|| object(syntax, node))
}

fn edit(syntax: &Syntax<'_>, range: std::ops::Range<usize>, text: &str) -> Edit {
    Edit {
        file: syntax.file.to_owned(),
        range,
        text: text.to_owned(),
        trial: Trial::Alone,
    }
}

/// `atomicAdd_block`
fn function(syntax: &Syntax<'_>, node: Node<'_>) -> Option<Edit> {
    let callee = around(node)
        .filter(|it| it.is(Kind::CallExpression))
        .filter_map(|it| it.child(Field::Function))
        .find(|it| syntax.node_text(*it).ends_with("_block"))?;
    let name = syntax.node_text(callee).strip_suffix("_block")?;
    Some(edit(syntax, callee.range(), name))
}

/// `atom.cta.add` in inline assembly of one instruction that has a scope.
fn instruction(syntax: &Syntax<'_>, node: Node<'_>) -> Option<Edit> {
    let assembly = around(node).find(|it| it.is(Kind::GnuAsmExpression))?;
    let code = assembly.child(Field::AssemblyCode)?;
    let mut scopes = syntax.node_text(code).match_indices(".cta");
    let (at, scope) = scopes.next()?;
    let at = code.start() + at;
    scopes
        .next()
        .is_none()
        .then(|| edit(syntax, at..at + scope.len(), ".gpu"))
}

/// The scope among the template arguments of an object, where it is constructed or declared.
fn object(syntax: &Syntax<'_>, node: Node<'_>) -> Option<Edit> {
    let narrow = |it: Node<'_>| {
        it.descendants()
            .find(|it| it.first_named().is_none() && syntax.node_text(*it) == NARROW)
            .map(|it| edit(syntax, it.range(), WIDE))
    };
    let name = syntax.node_text(node);
    let made_here = around(node)
        .take_while(|it| !it.is(Kind::CompoundStatement))
        .find_map(narrow);
    made_here.or_else(|| {
        let declarations = around(node).flat_map(Node::children);
        let mut declarations = declarations.filter(|it| {
            matches!(it.kind(), Kind::Declaration | Kind::ParameterDeclaration)
                && syntax.declares(*it, name)
        });
        narrow(declarations.next()?)
    })
}
