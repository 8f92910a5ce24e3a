//! Repairs of synchronisation that does not order the two accesses: fences around the accesses of a
//! flag, acquires and releases in place of relaxed operations, wider scopes, barriers for blocks whose
//! leaders use the flag, and waits for copies.
//!
//! They are derived from where the flag is written and read, or from the call that copies; trial
//! runs, which the order engine checks, show which of them suffice.

use hirace_report::{Position, Race, Relation};
use hirace_syntax::tree::{Field, Kind, Node};

use super::barriers;
use super::calls::AccessPlaces;
use super::edit::{Edit, Trial};
use super::help;
use super::insert;
use super::scopes;
use super::syntax::{Sources, Syntax};

mod volatile_flags;
mod waits;

pub(super) use waits::waits;

/// A change, as a fragment in Markdown, and its edits.
type Change = (String, Vec<Edit>);

pub(super) fn candidates(race: &Race, sources: &Sources<'_>) -> Vec<Change> {
    match race.code.as_ref() {
        "HR009" | "HR010" => flags(race, sources),
        "HR011" => scopes_of_flag(race, sources),
        "HR012" => waits(race, sources),
        "HR015" => barriers_at_flag(race, sources),
        "HR003" => [
            volatile_flags::candidates(race, sources),
            beside_fences(race, sources),
        ]
        .concat(),
        _ => Vec::new(),
    }
}

/// A release where the flag is written, an acquire where it is read, or both.
fn flags(race: &Race, sources: &Sources<'_>) -> Vec<Change> {
    let Some([written, read]) = &race.flag else {
        return Vec::new();
    };
    let fence = fence_for(race);
    let release = place(written, sources).and_then(|(syntax, node)| {
        let ordered = strengthened(syntax, node, "memory_order_release");
        ordered.or_else(|| {
            fenced(
                fence,
                insert::before(syntax, insert::statement_of(node)?, fence),
            )
        })
    });
    let acquire = place(read, sources).and_then(|(syntax, node)| {
        let ordered = strengthened(syntax, node, "memory_order_acquire");
        ordered.or_else(|| fenced(fence, after_read(syntax, node, fence)?))
    });
    let both = release.clone().zip(acquire.clone());
    let both = both.map(|((release, before), (acquire, after))| {
        (format!("{release} and {acquire}"), [before, after].concat())
    });
    let one = match race.code == "HR010" {
        true => release,
        false => acquire,
    };
    // A release without an acquire orders nothing.
    let needs_both = race.code == "HR010" && help::is_acquire(read, sources) == Some(false);
    let (first, second) = if needs_both { (both, one) } else { (one, both) };
    first.into_iter().chain(second).collect()
}

/// The fence of as many threads as a race needs.
fn fence_for(race: &Race) -> &'static str {
    match race.relation {
        Relation::Warp | Relation::Block => "__threadfence_block();",
        Relation::Grid | Relation::Launch | Relation::Host => "__threadfence();",
    }
}

/// The place of an access to a flag, if it is compiled for the device only.
fn place<'t>(position: &Position, sources: &'t Sources<'_>) -> Option<(&'t Syntax<'t>, Node<'t>)> {
    let syntax = sources.at(position)?;
    let node = syntax.at(&position.range);
    is_certain(syntax, node).then_some((syntax, node))
}

/// Whether a node is compiled, and for the device only.
fn is_certain(syntax: &Syntax<'_>, node: Node<'_>) -> bool {
    !syntax.is_uncertain(node.start()) && syntax.is_on_device_only(node)
}

fn fenced(fence: &str, (place, edit): (String, Edit)) -> Option<Change> {
    let what = format!("`{}` {place}", fence.trim_end_matches(';'));
    Some((what, vec![edit]))
}

/// After the read of a flag: after a loop that polls it, or where a branch on it is taken.
fn after_read(syntax: &Syntax<'_>, read: Node<'_>, fence: &str) -> Option<(String, Edit)> {
    let statement = insert::statement_of(read)?;
    let is_condition = |it: &Node<'_>| {
        let condition = it.child(Field::Condition);
        it.is(Kind::IfStatement) && condition.is_some_and(|it| it.encloses(read))
    };
    let branch = read.ancestors_within(statement).chain([statement]);
    if let Some(branch) = branch.into_iter().find(is_condition) {
        let taken = branch.child(Field::Consequence)?;
        return match taken.is(Kind::CompoundStatement) {
            true => insert::first_in(syntax, taken, fence),
            false => None,
        };
    }
    Some(insert::after(syntax, statement, fence))
}

/// The operation with an order instead of `memory_order_relaxed`.
fn strengthened(syntax: &Syntax<'_>, node: Node<'_>, order: &str) -> Option<Change> {
    const RELAXED: &str = "memory_order_relaxed";
    let statement = insert::statement_of(node)?;
    let calls = node.ancestors_within(statement);
    let call = calls.into_iter().find(|it| it.is(Kind::CallExpression))?;
    let mut leaves = call.descendants().filter(|it| it.is_leaf());
    let relaxed = leaves.find(|it| syntax.node_text(*it) == RELAXED)?;
    let line = syntax.place(relaxed.start());
    let edit = replacement(syntax, relaxed, order);
    Some((format!("`{order}` on {line}"), vec![edit]))
}

fn replacement(syntax: &Syntax<'_>, node: Node<'_>, text: &str) -> Edit {
    Edit {
        file: syntax.file.to_owned(),
        range: node.range(),
        text: text.to_owned(),
        trial: Trial::Alone,
    }
}

/// The scope of the device for the accesses of the flag, and for fences in the same functions; each
/// alone, and all of them.
fn scopes_of_flag(race: &Race, sources: &Sources<'_>) -> Vec<Change> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut add = |edit: Edit| {
        if !edits.contains(&edit) {
            edits.push(edit);
        }
    };
    for position in race.flag.iter().flatten() {
        let Some((syntax, node)) = place(position, sources) else {
            continue;
        };
        scopes::widened(sources, syntax, node)
            .into_iter()
            .for_each(&mut add);
        let Some(function) = node.enclosing_function() else {
            continue;
        };
        for leaf in function.descendants().filter(|it| it.is_leaf()) {
            let wide = match syntax.node_text(leaf) {
                "__threadfence_block" => "__threadfence",
                "thread_scope_block" => "thread_scope_device",
                _ => continue,
            };
            add(replacement(syntax, leaf, wide));
        }
        let assembly = function.descendants_of(Kind::GnuAsmExpression);
        assembly
            .filter_map(|it| wide_fence(syntax, it))
            .for_each(&mut add);
    }
    let what = |edit: &Edit| {
        let syntax = sources.all().find(|it| it.file == edit.file);
        let line = syntax.map_or_else(String::new, |it| it.place(edit.range.start));
        format!("`{}` on {line}", edit.text)
    };
    let mut changes: Vec<Change> = edits
        .iter()
        .map(|it| (what(it), vec![it.clone()]))
        .collect();
    if edits.len() > 1 {
        let all: Vec<_> = edits.iter().map(what).collect();
        changes.push((all.join(" and "), edits));
    }
    changes
}

/// The fence of an `asm` statement that consists of a fence of block scope, with device scope.
fn wide_fence(syntax: &Syntax<'_>, assembly: Node<'_>) -> Option<Edit> {
    const FENCES: [(&str, &str); 2] = [("membar.cta", "membar.gl"), (".cta", ".gpu")];
    let code = assembly.child(Field::AssemblyCode)?;
    let text = syntax.node_text(code);
    let opcode = text.trim_start_matches(['"', ' ']);
    if !opcode.starts_with("membar.") && !opcode.starts_with("fence.")
        || text.matches(';').count() > 1
    {
        return None;
    }
    FENCES.iter().find_map(|(narrow, wide)| {
        let at = code.start() + text.find(narrow)?;
        Some(Edit {
            file: syntax.file.to_owned(),
            range: at..at + narrow.len(),
            text: (*wide).to_owned(),
            trial: Trial::Alone,
        })
    })
}

/// A barrier of the block between an access and its release, or between the acquire and an access: the
/// threads that use the flag do so for their blocks.
fn barriers_at_flag(race: &Race, sources: &Sources<'_>) -> Vec<Change> {
    let [prior, current] = race
        .accesses
        .each_ref()
        .map(|it| place(&it.position, sources));
    let Some([written, read]) = &race.flag else {
        return Vec::new();
    };
    let pairs = [
        (prior, place(written, sources)),
        (place(read, sources), current),
    ];
    let mut found: Vec<Change> = Vec::new();
    for (first, second) in pairs {
        let Some(((syntax, prior), (other, current))) = first.zip(second) else {
            continue;
        };
        let is_one =
            syntax.file == other.file && prior.enclosing_function() == current.enclosing_function();
        if is_one {
            let accesses = AccessPlaces {
                syntax,
                prior,
                current,
            };
            found.extend(barriers::of_block(&accesses, sources));
        }
    }
    // Each access alone, too: it may be another flag that lacks a barrier.
    for (syntax, access) in [prior, current].into_iter().flatten() {
        found.extend(barriers::around(syntax, access, sources));
    }
    found
}

/// Barriers beside accesses of functions with fences. One thread may write or read a flag there for the others; if an
/// access came too early in this run, the race does not tell of the flag.
fn beside_fences(race: &Race, sources: &Sources<'_>) -> Vec<Change> {
    let places = race.accesses.each_ref();
    let places = places
        .into_iter()
        .filter_map(|it| place(&it.position, sources));
    let with_fences = places.filter(|(syntax, access)| {
        let function = access.enclosing_function();
        function.is_some_and(|it| syntax.node_text(it).contains("__threadfence"))
    });
    with_fences
        .flat_map(|(syntax, access)| barriers::around(syntax, access, sources))
        .collect()
}
