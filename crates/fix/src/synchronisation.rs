//! Repairs of synchronisation that does not order the two accesses: fences around the accesses of a
//! flag, acquires and releases in place of relaxed operations, wider scopes, barriers for blocks whose
//! leaders use the flag, and waits for copies.
//!
//! They are derived from where the flag is written and read, or from the call that copies; trial
//! runs, which the order engine checks, show which of them suffice.

use std::iter;

use hirace_report::{Position, Race, Relation};
use hirace_syntax::tree::{Field, Kind, Node};

use super::barriers;
use super::calls::{AccessPlaces, access_places};
use super::edit::{Edit, Trial};
use super::help;
use super::insert;
use super::scopes;
use super::syntax::{Sources, Syntax};
use super::uniform::{Group, passed_by_all};

mod volatile_flags;

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

/// A wait for the copy before the other access, or before a call that leads to it. The other one may have come first
/// because nothing waited.
pub(super) fn waits(race: &Race, sources: &Sources<'_>) -> Vec<Change> {
    let [prior, current] = race.accesses.each_ref().map(|it| &it.position);
    let Some((prior, current)) = place(prior, sources).zip(place(current, sources)) else {
        return Vec::new();
    };
    let waits = (Wait::of(prior.0, prior.1), Wait::of(current.0, current.1));
    let (wait, copy, access) = match waits {
        (Some(wait), _) => (wait, prior.1, current),
        (None, Some(wait)) => (wait, current.1, prior),
        (None, None) => return Vec::new(),
    };
    let calls = access_places(race, sources).into_iter();
    let calls = calls
        .map(|it| match copy == prior.1 {
            true => (it.prior, it.syntax, it.current),
            false => (it.current, it.syntax, it.prior),
        })
        .filter(|it| it.0 == copy || !wait.names_object)
        .map(|(_, syntax, it)| (syntax, it))
        .filter(|&(syntax, it)| it != access.1 && is_certain(syntax, it));
    let mut found: Vec<Change> = Vec::new();
    for (syntax, node) in iter::once(access).chain(calls) {
        let statement = insert::statement_of(node);
        let Some(statement) = statement.filter(|it| wait.is_visible(syntax, *it)) else {
            continue;
        };
        for change in waits_before(race, sources, syntax, statement, &wait) {
            // Calls in one statement have their waits at one place.
            if found.iter().all(|it| it.1 != change.1) {
                found.push(change);
            }
        }
    }
    found
}

/// A wait before a statement. If the thread waits for its own copies only, others need a barrier after that, too: one
/// that is there, or a new one.
fn waits_before(
    race: &Race,
    sources: &Sources<'_>,
    syntax: &Syntax<'_>,
    statement: Node<'_>,
    wait: &Wait<'_>,
) -> Vec<Change> {
    let (group, barrier) = match race.relation {
        Relation::Warp => (Group::Warp, "__syncwarp();"),
        _ => (Group::Block, "__syncthreads();"),
    };
    let [one, other] = race.accesses.each_ref().map(|it| (it.block, it.thread));
    let mut changes = Vec::new();
    if is_waited_for(syntax, statement, wait) && passed_by_all(sources, syntax, statement, group) {
        changes.push((statement, barrier.to_owned()));
    }
    if one == other || !wait.is_for_own {
        changes.push((statement, wait.code.clone()));
    }
    if let Some(existing) = barrier_before(sources, syntax, statement, group) {
        changes.push((existing, wait.code.clone()));
    }
    if passed_by_all(sources, syntax, statement, group) {
        changes.push((statement, format!("{} {barrier}", wait.code)));
    }
    changes.retain(|(place, _)| wait.may_precede(syntax, *place));
    let change = |(before, code): (Node<'_>, String)| {
        let (place, edit) = insert::before(syntax, before, &code);
        let calls: Vec<_> = code
            .split_terminator(';')
            .map(|it| format!("`{}`", it.trim()))
            .collect();
        (format!("{} {place}", calls.join(" and ")), vec![edit])
    };
    changes.into_iter().map(change).collect()
}

/// Whether a statement before one, in its block, is such a wait, which may leave later copies in flight.
fn is_waited_for(syntax: &Syntax<'_>, statement: Node<'_>, wait: &Wait<'_>) -> bool {
    let callee = wait.code.split('(').next().unwrap_or(&wait.code);
    let statements = statement
        .parent()
        .into_iter()
        .flat_map(Node::named_children);
    let mut earlier = statements.take_while(|it| it.end() <= statement.start());
    earlier.any(|it| syntax.node_text(it).starts_with(callee))
}

/// The last barrier of the group among the statements before one, in its block.
fn barrier_before<'t>(
    sources: &Sources<'_>,
    syntax: &Syntax<'_>,
    statement: Node<'t>,
    group: Group,
) -> Option<Node<'t>> {
    let block = statement.parent()?;
    let earlier = block
        .named_children()
        .take_while(|it| it.start() < statement.start());
    earlier
        .filter(|it| barriers::is_barrier(sources, syntax, *it, group))
        .last()
}

/// A statement that waits for a copy.
struct Wait<'t> {
    code: String,
    /// Whether it is for copies of the thread that waits only.
    is_for_own: bool,
    /// The pipeline that it waits for.
    pipeline: Option<&'t str>,
    /// Whether it names an object, which functions that are called may not know.
    names_object: bool,
}

impl<'t> Wait<'t> {
    /// The wait for the copy that the call around a node begins, of the thread that has issued it or of the group that takes part.
    fn of(syntax: &'t Syntax<'_>, copy: Node<'t>) -> Option<Self> {
        let call = copy.enclosing(Kind::CallExpression)?;
        let callee = syntax.node_text(call.child(Field::Function)?);
        let arguments: Vec<_> = call.child(Field::Arguments)?.named_children().collect();
        let text = |it: Option<&Node<'t>>| it.map(|it| syntax.node_text(*it));
        let last = text(arguments.last())?;
        let wait = |code, is_for_own, pipeline| {
            let names_object = callee != "__pipeline_memcpy_async";
            Some(Self {
                code,
                is_for_own,
                pipeline,
                names_object,
            })
        };
        match callee.rsplit("::").next()? {
            "__pipeline_memcpy_async" => wait("__pipeline_wait_prior(0);".to_owned(), true, None),
            // A pipeline, which other calls show to be one; waiting for a barrier takes a token.
            "memcpy_async" if syntax.text.contains(&format!("{last}.producer_commit")) => {
                let is_of_thread = is_pipeline_of_thread(syntax, call, last);
                wait(format!("{last}.consumer_wait();"), is_of_thread, Some(last))
            }
            "memcpy_async" if callee != "cuda::memcpy_async" => {
                let namespace = callee.strip_suffix("memcpy_async").unwrap_or("");
                let group = text(arguments.first())?;
                wait(format!("{namespace}wait({group});"), false, None)
            }
            _ => None,
        }
    }

    /// Whether the function around a statement knows the pipeline.
    fn is_visible(&self, syntax: &Syntax<'_>, statement: Node<'_>) -> bool {
        self.pipeline.is_none_or(|pipeline| {
            let function = statement.enclosing_function();
            let mut inside = function.into_iter().flat_map(Node::descendants);
            inside.any(|it| syntax.node_text(it) == pipeline)
        })
    }

    /// Whether it may come before a statement. A stage of a pipeline is acquired, committed, waited for and
    /// released in this order; between two of these, a wait would be for nothing, or for another stage.
    fn may_precede(&self, syntax: &Syntax<'_>, statement: Node<'_>) -> bool {
        let Some((pipeline, function)) = self.pipeline.zip(statement.enclosing_function()) else {
            return true;
        };
        let calls = function.descendants_of(Kind::CallExpression);
        let before = calls.filter(|it| it.end() <= statement.start());
        let methods = before.filter_map(|it| {
            let callee = it.child_text(Field::Function, syntax.text);
            callee.strip_prefix(pipeline)?.strip_prefix('.')
        });
        !matches!(methods.last(), Some("producer_acquire" | "consumer_wait"))
    }
}

/// Whether a pipeline is one of a single thread.
fn is_pipeline_of_thread(syntax: &Syntax<'_>, call: Node<'_>, name: &str) -> bool {
    let function = call.enclosing_function();
    let mut declarations = function.into_iter().flat_map(Node::descendants);
    declarations.any(|it| {
        let text = syntax.node_text(it);
        matches!(it.kind(), Kind::Declaration | Kind::ParameterDeclaration)
            && syntax.declares(it, name)
            && (text.contains("make_pipeline()") || text.contains("thread_scope_thread"))
    })
}
