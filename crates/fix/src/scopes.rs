//! Repairs that widen atomics from block scope to device scope.

use std::collections::BTreeSet;

use hirace_report::Race;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::called_name;

use super::edit::{Edit, Trial};
use super::syntax::{Sources, Syntax};

/// Names of the block's scope, and of the device's.
const SCOPES: [(&str, &str); 2] = [
    ("thread_scope_block", "thread_scope_device"),
    ("__NV_THREAD_SCOPE_BLOCK", "__NV_THREAD_SCOPE_DEVICE"),
];

pub(super) fn candidates(race: &Race, sources: &Sources<'_>) -> Vec<(String, Vec<Edit>)> {
    let mut edits: Vec<Edit> = Vec::new();
    for access in &race.accesses {
        let widened = sources
            .of(access)
            .and_then(|it| widened(sources, it, it.at(&access.position.range)));
        if let Some(edit) = widened.filter(|it| !edits.contains(it)) {
            edits.push(edit);
        }
    }
    if edits.is_empty() {
        return Vec::new();
    }
    let quoted: Vec<_> = edits.iter().map(|it| sources.quoted(it)).collect();
    let what = quoted.join(" and ");
    let mut everywhere: Vec<Edit> = Vec::new();
    for edit in edits.iter().flat_map(|it| in_same_types(it, sources)) {
        // Both accesses may be through parameters of one type.
        if !everywhere.contains(&edit) {
            everywhere.push(edit);
        }
    }
    vec![(what, everywhere)]
}

/// The same edit of all types that are written as the one that it changes: an argument has the type of its parameter.
fn in_same_types(edit: &Edit, sources: &Sources<'_>) -> Vec<Edit> {
    let alone = || vec![edit.clone()];
    let Some(syntax) = sources.all().find(|it| it.file == edit.file) else {
        return alone();
    };
    let around = syntax.at(&edit.range).enclosing(Kind::TemplateType);
    let Some(changed) = around.filter(|it| it.enclosing(Kind::ParameterDeclaration).is_some())
    else {
        return alone();
    };
    let offset = edit.range.start - changed.start();
    let written = syntax.node_text(changed);
    let in_file = |syntax: &Syntax<'_>| -> Vec<Edit> {
        let types = syntax
            .functions()
            .flat_map(|it| it.descendants_of(Kind::TemplateType));
        let same = types.filter(|it| syntax.node_text(*it) == written);
        // A function may be in another one.
        let begins: BTreeSet<usize> = same.map(|it| it.start() + offset).collect();
        let edits = begins
            .into_iter()
            .map(|at| self::edit(syntax, at..at + edit.range.len(), &edit.text));
        edits.collect()
    };
    sources.all().flat_map(in_file).collect()
}

/// The edit that widens the scope of an atomic operation.
pub(super) fn widened(sources: &Sources<'_>, syntax: &Syntax<'_>, node: Node<'_>) -> Option<Edit> {
    function(syntax, node)
        .or_else(|| instruction(syntax, node))
        .or_else(|| object(syntax, node))
        .or_else(|| member(sources, syntax, node))
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
    let mut callees = node.ancestors().filter_map(|it| it.child(Field::Function));
    let callee = callees.find(|it| syntax.node_text(*it).ends_with("_block"))?;
    let name = syntax.node_text(callee).strip_suffix("_block")?;
    Some(edit(syntax, callee.range(), name))
}

/// `atom.cta.add` in inline assembly of one instruction that has a scope.
fn instruction(syntax: &Syntax<'_>, node: Node<'_>) -> Option<Edit> {
    let assembly = node.enclosing(Kind::GnuAsmExpression)?;
    let code = assembly.child(Field::AssemblyCode)?;
    let mut scopes = syntax.node_text(code).match_indices(".cta");
    let (at, scope) = scopes.next()?;
    let at = code.start() + at;
    let is_only = scopes.next().is_none();
    is_only.then(|| edit(syntax, at..at + scope.len(), ".gpu"))
}

/// The scope among the template arguments of an object, where it is constructed or declared, or among the
/// arguments of a function.
fn object(syntax: &Syntax<'_>, node: Node<'_>) -> Option<Edit> {
    let narrow = |outer: Node<'_>| narrow(syntax, outer);
    let name = syntax.node_text(node);
    let made_here = node
        .ancestors()
        .take_while(|it| !it.is(Kind::CompoundStatement))
        .find_map(narrow);
    let declarations = node.ancestors().flat_map(Node::children);
    let parameters = node
        .enclosing_function()
        .and_then(|it| it.child(Field::Declarator));
    let parameters = parameters.into_iter().flat_map(Node::descendants);
    let mut declarations = declarations.chain(parameters).filter(|it| {
        matches!(it.kind(), Kind::Declaration | Kind::ParameterDeclaration)
            && syntax.declares(*it, name)
    });
    let declaration = declarations.next();
    let alias = |outer: Node<'_>| of_alias(syntax, outer);
    // As in `using Flag = cuda::atomic<int, cuda::thread_scope_block>`.
    let around = node
        .ancestors()
        .take_while(|it| !it.is(Kind::CompoundStatement));
    made_here
        .or_else(|| declaration.and_then(narrow))
        .or_else(|| around.into_iter().find_map(alias))
        .or_else(|| declaration.and_then(alias))
}

/// The scope of the block in a type or an expression, made that of the device.
fn narrow(syntax: &Syntax<'_>, outer: Node<'_>) -> Option<Edit> {
    let mut leaves = outer.descendants().filter(|it| it.is_leaf());
    leaves.find_map(|scope| {
        let named = |it: &&(&str, &str)| it.0 == syntax.node_text(scope);
        let (_, wide) = SCOPES.iter().find(named)?;
        Some(edit(syntax, scope.range(), wide))
    })
}

/// The same where a `using` defines one of the names in it.
fn of_alias(syntax: &Syntax<'_>, outer: Node<'_>) -> Option<Edit> {
    let is_name = |it: &Node<'_>| it.is(Kind::TypeIdentifier) || it.is(Kind::Identifier);
    let mut names = outer.descendants().filter(is_name);
    names.find_map(|it| narrow(syntax, syntax.alias(syntax.node_text(it))?))
}

/// The scope in the declaration of a member: in the class around the access, or else in the only class that
/// has a member of that name.
fn member(sources: &Sources<'_>, syntax: &Syntax<'_>, node: Node<'_>) -> Option<Edit> {
    let mut object = node;
    while object.is(Kind::SubscriptExpression) {
        object = object.child(Field::Argument)?;
    }
    let name = syntax.node_text(called_name(object).0);
    let declares = |syntax: &Syntax<'_>, it: &Node<'_>| {
        it.is(Kind::FieldDeclaration) && syntax.declares(*it, name)
    };
    let widened = |syntax, it| narrow(syntax, it).or_else(|| of_alias(syntax, it));
    let mut classes = node.ancestors().filter(|it| it.is_class());
    let own = classes.find_map(|class| class.descendants().find(|it| declares(syntax, it)));
    if let Some(declaration) = own {
        return widened(syntax, declaration);
    }
    let mut all = sources.all().flat_map(|syntax| {
        let members = syntax.members().filter(move |it| declares(syntax, it));
        members.map(move |it| (syntax, it))
    });
    let (declaring, declaration) = all.next()?;
    all.next()
        .is_none()
        .then(|| widened(declaring, declaration))?
}
