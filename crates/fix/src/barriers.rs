//! Places where a barrier may order the two accesses of a race.
//!
//! These are between them in the text, in the innermost block that contains both, and at the end of
//! the body of a loop around them. If there is no such place, any statement of the kernel is one. All
//! threads must reach the place ([`super::uniform`]); trial runs show which of the places works.

use hirace_report::Race;
use hirace_syntax::tree::{Field, Kind, Node};

use super::calls::{AccessPlaces, access_places};
use super::edit::Edit;
use super::insert;
use super::syntax::{Sources, Syntax};
pub(super) use super::uniform::is_barrier;
use super::uniform::{Group, is_of_one, object_for, passed_by_all};

mod groups;

pub(super) use groups::{are_of_one, of_parameter, suited};

/// The maximum number of statements of a kernel to try if there are no better places.
const MAX_STATEMENTS: usize = 16;

/// A change, as a fragment in Markdown, and its edits.
type Change = (String, Vec<Edit>);

/// A barrier to insert.
#[derive(Clone)]
pub(super) struct Barrier<'s> {
    pub call: String,
    pub group: Group,
    pub sources: &'s Sources<'s>,
    /// Whether the text shows that the accesses are those of one warp or tile. A run does not show it:
    /// its blocks may have been small.
    pub of_one: bool,
}

pub(super) fn candidates(race: &Race, sources: &Sources<'_>) -> Vec<Change> {
    let places = access_places(race, sources);
    let of_parameters = places.iter().filter_map(|accesses| {
        let barrier = of_parameter(race, accesses, sources)?;
        Some(beside(accesses, &barrier))
    });
    let mut found: Vec<Change> = of_parameters.flatten().collect();
    for group in groups::groups(race, &places, sources) {
        let of_one = places.iter().any(|it| are_of_one(it, sources, group));
        let barrier = |call| Barrier {
            call,
            group,
            sources,
            of_one,
        };
        let mut of_group = Vec::new();
        for accesses in &places {
            let call = call(group, accesses, sources);
            of_group.extend(call.map(barrier).iter().flat_map(|it| beside(accesses, it)));
        }
        // The accesses may be in operators, or in lambdas that other functions call.
        if of_group.is_empty() {
            of_group = anywhere(&race.kernel, sources, |syntax, statement| {
                call_at(group, syntax, statement, sources).map(barrier)
            });
        }
        found.extend(of_group);
    }
    found
}

/// Barriers of the block between two places of a function.
pub(super) fn of_block(accesses: &AccessPlaces<'_>, sources: &Sources<'_>) -> Vec<Change> {
    let barrier = fixed_call(Group::Block).map(|call| Barrier {
        call: call.to_owned(),
        group: Group::Block,
        sources,
        of_one: false,
    });
    barrier
        .iter()
        .flat_map(|it| between(accesses, it))
        .collect()
}

/// Barriers of the warp and of the block right before and after the statement of an access.
pub(super) fn around(syntax: &Syntax<'_>, access: Node<'_>, sources: &Sources<'_>) -> Vec<Change> {
    let Some(statement) = insert::statement_of(access) else {
        return Vec::new();
    };
    let groups = [Group::Warp, Group::Block].into_iter();
    let barriers = groups.filter_map(|group| {
        Some(Barrier {
            call: call_at(group, syntax, access, sources)?,
            group,
            sources,
            of_one: is_of_one(sources, syntax, access, group),
        })
    });
    barriers
        .flat_map(|it| {
            let before = before_statement(syntax, statement, &it);
            before
                .into_iter()
                .chain(after_statement(syntax, statement, &it))
        })
        .collect()
}

/// Between the accesses, and at the ends of loops around them.
fn beside(accesses: &AccessPlaces<'_>, barrier: &Barrier<'_>) -> Vec<Change> {
    let between = between(accesses, barrier);
    let around = around_loops(accesses, barrier);
    // If the later access comes first in the text, its thread is in a later iteration.
    match accesses.prior.start() < accesses.current.start() {
        true => [between, around].concat(),
        false => [around, between].concat(),
    }
}

/// The barrier of a group for which there is a function.
pub(super) fn fixed_call(group: Group) -> Option<&'static str> {
    match group {
        Group::Warp => Some("__syncwarp();"),
        Group::Block => Some("__syncthreads();"),
        Group::Tile(_) | Group::Cluster | Group::Grid => None,
    }
}

/// The barrier of a group, between two places. That of a grid needs an object, as a cooperative launch does: a
/// variable that is declared before the places. For a tile or a warp, one that is at hand says better who
/// takes part, and so it does for a block in a function that takes any group.
pub(super) fn call(
    group: Group,
    accesses: &AccessPlaces<'_>,
    sources: &Sources<'_>,
) -> Option<String> {
    call_at(group, accesses.syntax, accesses.first(), sources)
}

/// The same after a place.
fn call_at(
    group: Group,
    syntax: &Syntax<'_>,
    place: Node<'_>,
    sources: &Sources<'_>,
) -> Option<String> {
    let is_in_kernel = || {
        place
            .enclosing_function()
            .is_some_and(|it| syntax.is_kernel(it))
    };
    let object = match group {
        Group::Block if is_in_kernel() => None,
        _ => object_for(sources, syntax, place, group),
    };
    let by_object = object.map(|it| format!("{it}.sync();"));
    by_object.or_else(|| fixed_call(group).map(str::to_owned))
}

/// Before the statements of a kernel, the last one first.
fn anywhere<'s>(
    kernel: &str,
    sources: &'s Sources<'s>,
    barrier: impl Fn(&Syntax<'_>, Node<'_>) -> Option<Barrier<'s>>,
) -> Vec<Change> {
    let mut named = sources.definitions(kernel);
    let Some((syntax, definition)) = named.find(|(syntax, it)| syntax.is_kernel(*it)) else {
        return Vec::new();
    };
    let is_statement = |it: &Node<'_>| {
        // Nothing before a label of a `switch` would run.
        it.is_named() && insert::is_in_block(*it) && !it.is(Kind::CaseStatement)
    };
    let mut statements: Vec<_> = definition.descendants().filter(is_statement).collect();
    statements.reverse();
    statements
        .into_iter()
        .filter_map(|it| before_statement(syntax, it, &barrier(syntax, it)?))
        .take(MAX_STATEMENTS)
        .collect()
}

/// The blocks around a node within its function, the innermost first, each with its statement that
/// contains the node.
fn enclosing_blocks<'t>(node: Node<'t>) -> Vec<(Node<'t>, Node<'t>)> {
    let function = node.enclosing_function();
    let statements = node.ancestors().take_while(|it| Some(*it) != function);
    let in_blocks = statements.filter(|it| insert::is_in_block(*it));
    in_blocks
        .filter_map(|it| Some((it.parent()?, it)))
        .collect()
}

/// The two statements of the innermost block around both accesses that contain them, in the order of
/// the text.
pub(super) fn statements<'t>(accesses: &AccessPlaces<'t>) -> Option<(Node<'t>, Node<'t>)> {
    let (first, second) = match accesses.prior.start() <= accesses.current.start() {
        true => (accesses.prior, accesses.current),
        false => (accesses.current, accesses.prior),
    };
    let around_second = enclosing_blocks(second);
    enclosing_blocks(first)
        .into_iter()
        .find_map(|(block, before)| {
            let (_, after) = around_second.iter().find(|(other, _)| *other == block)?;
            (before != *after).then_some((before, *after))
        })
}

fn between(accesses: &AccessPlaces<'_>, barrier: &Barrier<'_>) -> Vec<Change> {
    let Some((before, after)) = statements(accesses) else {
        return Vec::new();
    };
    let mut found = Vec::from_iter(before_statement(accesses.syntax, after, barrier));
    // With statements in between, the two places differ: one of these may be a loop or a branch.
    if before.next_sibling().is_some_and(|it| it != after) {
        found.extend(after_statement(accesses.syntax, before, barrier));
    }
    found
}

fn around_loops(accesses: &AccessPlaces<'_>, barrier: &Barrier<'_>) -> Vec<Change> {
    let (prior, current) = (accesses.prior, accesses.current);
    let function = prior.enclosing_function();
    prior
        .ancestors()
        .take_while(|it| Some(*it) != function)
        .filter(|it| it.is_loop() && it.encloses(current))
        .filter_map(|it| it.child(Field::Body))
        .filter_map(|body| end_of_body(accesses.syntax, body, barrier))
        .collect()
}

fn before_statement(
    syntax: &Syntax<'_>,
    statement: Node<'_>,
    barrier: &Barrier<'_>,
) -> Option<Change> {
    let (place, edit) = insert::before(syntax, statement, &barrier.call);
    barrier.change(syntax, statement, &place, vec![edit])
}

fn after_statement(
    syntax: &Syntax<'_>,
    statement: Node<'_>,
    barrier: &Barrier<'_>,
) -> Option<Change> {
    let (place, edit) = insert::after(syntax, statement, &barrier.call);
    barrier.change(syntax, statement, &place, vec![edit])
}

/// The end of the body of a loop, as a fragment.
pub(super) fn end_of_loop(syntax: &Syntax<'_>, body: Node<'_>) -> String {
    let head = body.parent().map_or(body.start(), Node::start);
    format!("at the end of the loop of {}", syntax.place(head))
}

fn end_of_body(syntax: &Syntax<'_>, body: Node<'_>, barrier: &Barrier<'_>) -> Option<Change> {
    let (file, call, lines) = (syntax.file, barrier.call.as_str(), syntax.lines);
    let head = body.parent().map_or(body.start(), Node::start);
    let place = end_of_loop(syntax, body);
    let indentation = lines.indentation(head);
    let line_break = lines.line_break();
    // Where a statement of the body begins its line, the new one gets the same indentation.
    let indentation_of = |statement: Option<Node<'_>>| match statement {
        Some(it) if lines.is_first(it.start()) => lines.indentation(it.start()).to_owned(),
        _ => format!("{indentation}{}", lines.indentation_step()),
    };
    if !body.is(Kind::CompoundStatement) {
        let inner = indentation_of(Some(body));
        // Right after the head, because a comment may end its line.
        let head_end = body.parent().and_then(|it| {
            let before = it.children().take_while(|it| it.start() < body.start());
            before.last().map(Node::end)
        });
        let begin = syntax.start_with_pragmas(body);
        let open = match head_end {
            Some(end) if lines.is_first(begin) => Edit::frame(file, end, " {".to_owned()),
            _ => Edit::frame(file, begin, format!("{{{line_break}{inner}")),
        };
        let before = format!("{line_break}{inner}");
        let after = format!("{line_break}{indentation}}}");
        let end = match lines.is_last(body.end()) {
            true => lines.end(body.end()),
            false => body.end(),
        };
        let close = Edit::statement(file, end, [&before, call, &after]);
        return barrier.change(syntax, body, &place, vec![open, close]);
    }
    let brace = body.end() - 1;
    let edit = match lines.is_first(brace) {
        true => {
            let inner = indentation_of(body.named_children().last());
            Edit::statement(file, lines.start(brace), [&inner, call, line_break])
        }
        false => Edit::statement(file, brace, ["", call, " "]),
    };
    barrier.change(syntax, body, &place, vec![edit])
}

/// The object whose method a call is.
pub(super) fn object_of(call: &str) -> &str {
    call.trim_end_matches(".sync();")
}

impl Barrier<'_> {
    /// Whether a statement is this barrier already, or one of more threads.
    pub(super) fn is_at(&self, syntax: &Syntax<'_>, statement: Node<'_>) -> bool {
        let is_same = syntax.node_text(statement) == self.call;
        is_same && !syntax.is_uncertain(statement.start())
            || is_barrier(self.sources, syntax, statement, self.group)
    }

    /// The change that adds the barrier by these edits, if all threads pass `node`.
    fn change(
        &self,
        syntax: &Syntax<'_>,
        node: Node<'_>,
        place: &str,
        edits: Vec<Edit>,
    ) -> Option<Change> {
        let what = format!("`{}` {place}", self.call.trim_end_matches(';'));
        self.passed(syntax, node).then_some((what, edits))
    }

    /// Whether all threads of the group pass `node`.
    pub(super) fn passed(&self, syntax: &Syntax<'_>, node: Node<'_>) -> bool {
        !syntax.is_uncertain(node.start())
            && syntax.is_on_device_only(node)
            && passed_by_all(self.sources, syntax, node, self.group)
            && self.suits(|| passed_by_all(self.sources, syntax, node, Group::Block))
    }

    /// Whether the barrier has enough threads, where all of the group pass, and perhaps all of the block.
    pub(super) fn suits(&self, is_passed_by_block: impl FnOnce() -> bool) -> bool {
        match self.group {
            Group::Block | Group::Cluster | Group::Grid => true,
            Group::Tile(_) => self.of_one,
            Group::Warp => self.of_one || !is_passed_by_block(),
        }
    }
}
