//! Waits for asynchronous copies.

use std::iter;

use hirace_report::{Race, Relation};
use hirace_syntax::tree::{Field, Kind, Node};

use super::{Change, is_certain, place};
use crate::barriers;
use crate::calls::access_places;
use crate::insert;
use crate::syntax::{Sources, Syntax};
use crate::uniform::{Group, passed_by_all};

/// A wait for the copy before the other access, or before a call that leads to it. The other one may have come first
/// because nothing waited.
pub(crate) fn waits(race: &Race, sources: &Sources<'_>) -> Vec<Change> {
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
