//! Places of missing barriers for a report, from the source alone.
//!
//! They are those that `hirace fix` tries first, and like it this module names only places that all
//! threads reach ([`super::uniform`]). Nothing is run, so what a barrier there orders must follow from
//! the text: which of the two accesses are in one iteration of a loop, and that the kernel calls the
//! functions around them once. Otherwise no place is named.

use hirace_instrument::rewrite::{Facts, Source};
use hirace_model::table::Texts;
use hirace_report::{Access, BarrierAt, BarrierPlace, Race, Relation, Report};
use hirace_syntax::Defines;
use hirace_syntax::tree::{Field, Kind, Node};

use super::barriers::{Barrier, are_of_one_warp, end_of_loop, fixed_call, is_barrier, statements};
use super::calls::AccessPlaces;
use super::insert;
use super::syntax::{Sources, Syntax};
use super::uniform::Group;

#[cfg(test)]
mod tests;

/// The longest chain of calls from a kernel to an access.
const MAX_CALLS: usize = 4;

/// Names places in the help of races that lack a barrier of the block or the warp. `texts` are those of
/// the whole program; `compiler_arguments` may define macros.
pub fn name_barriers(report: &mut Report, texts: &Texts, compiler_arguments: &[String]) {
    if !report.races.iter().any(Race::lacks_barrier_place) {
        return;
    }
    let mut files: Vec<Source<'_>> = texts
        .iter()
        .map(|(path, text)| Source { path, text })
        .collect();
    files.sort_by_key(|it| it.path);
    let defines = Defines::from_arguments(compiler_arguments);
    let facts = Facts::collect(&files, &defines);
    let parsed = files
        .iter()
        .map(|it| Syntax::of(it.path, it.text, &defines, &facts));
    let sources = Sources(parsed.collect());
    for race in &mut report.races {
        if race.lacks_barrier_place()
            && let Some(place) = place(race, &sources)
        {
            race.name_barrier(&place);
        }
    }
}

/// The place of a barrier that orders the accesses of a race.
pub(super) fn place(race: &Race, sources: &Sources<'_>) -> Option<BarrierPlace> {
    let groups: &[Group] = match race.relation {
        Relation::Warp => &[Group::Warp, Group::Block],
        Relation::Block => &[Group::Block],
        Relation::Grid | Relation::Launch | Relation::Host => return None,
    };
    let (accesses, is_direct) = in_one_function(race, sources)?;
    let of_warp = are_of_one_warp(&accesses, sources);
    groups.iter().find_map(|&group| {
        let call = fixed_call(group)?;
        let barrier = Barrier {
            call: call.to_owned(),
            group,
            sources,
            of_warp,
        };
        let at = at(&accesses, is_direct, &barrier)?;
        let path = accesses.syntax.file;
        let [first, second] = race
            .accesses
            .each_ref()
            .map(|it| it.position.file.as_deref());
        Some(BarrierPlace {
            call: call.trim_end_matches(';'),
            at: match [first, second] == [Some(path); 2] {
                true => at,
                false => at.in_file(path),
            },
        })
    })
}

/// The innermost function that contains both accesses, or the calls that lead to them, and whether it
/// contains the accesses themselves. A run of a kernel passes it once.
fn in_one_function<'t>(race: &Race, sources: &'t Sources<'_>) -> Option<(AccessPlaces<'t>, bool)> {
    let [priors, currents] = race.accesses.each_ref().map(|it| callers(it, sources));
    for (depth, (syntax, prior)) in priors.iter().enumerate() {
        let function = prior.enclosing_function();
        let same = |(other, current): &&(&Syntax<'_>, Node<'_>)| {
            std::ptr::eq(*other, *syntax) && current.enclosing_function() == function
        };
        let Some((index, (_, current))) = currents.iter().enumerate().find(|(_, it)| same(it))
        else {
            continue;
        };
        let function = function?;
        // A jump backwards is a loop, too.
        let has_labels = function
            .descendants_of(Kind::LabeledStatement)
            .next()
            .is_some();
        let places = AccessPlaces {
            syntax,
            prior: *prior,
            current: *current,
        };
        let is_sound = !has_labels && runs_once(sources, syntax, function, MAX_CALLS);
        return is_sound.then_some((places, (depth, index) == (0, 0)));
    }
    None
}

/// The access, the only call of its function, the only call of the function around that, and so on up
/// to a kernel.
fn callers<'t>(access: &Access, sources: &'t Sources<'_>) -> Vec<(&'t Syntax<'t>, Node<'t>)> {
    let position = &access.position;
    let mut found: Vec<(&Syntax<'_>, Node<'_>)> = Vec::new();
    let Some(syntax) = sources.of(access) else {
        return found;
    };
    // The text may be another one, and a report that was read back has no range.
    if position.line.map(|it| it as usize) != Some(syntax.lines.number(position.range.start))
        || position.range.is_empty()
    {
        return found;
    }
    found.push((syntax, syntax.at(&position.range)));
    while let Some((syntax, node)) = found.last()
        && found.len() <= MAX_CALLS
        && let Some(function) = node.enclosing_function()
        && !syntax.is_kernel(function)
        && let Some(name) = syntax.name(function)
        && let [call] = sources.calls(name).as_slice()
    {
        found.push(*call);
    }
    found
}

/// Whether a kernel runs a function at most once, as far as its calls show.
fn runs_once(sources: &Sources<'_>, syntax: &Syntax<'_>, function: Node<'_>, depth: usize) -> bool {
    if !function.is(Kind::FunctionDefinition) {
        return false;
    }
    if syntax.is_kernel(function) {
        return true;
    }
    let (Some(name), Some(depth)) = (syntax.name(function), depth.checked_sub(1)) else {
        return false;
    };
    let [(caller_syntax, call)] = sources.calls(name)[..] else {
        return false;
    };
    call.enclosing_function().is_some_and(|caller| {
        !call.ancestors_within(caller).any(Node::is_loop)
            && caller
                .descendants_of(Kind::LabeledStatement)
                .next()
                .is_none()
            && runs_once(sources, caller_syntax, caller, depth)
    })
}

/// Where the barrier orders the two.
fn at(accesses: &AccessPlaces<'_>, is_direct: bool, barrier: &Barrier<'_>) -> Option<BarrierAt> {
    let syntax = accesses.syntax;
    let statements = statements(accesses);
    let between = statements.and_then(|(before, after)| {
        // No line is between two statements of one line, and nothing before the label of a case runs.
        let is_named = syntax.lines.number(before.end()) != syntax.lines.number(after.start())
            && !after.is(Kind::CaseStatement);
        let (place, _) = insert::before(syntax, after, "");
        (is_named && barrier.passed(syntax, after)).then_some(place)
    });
    let function = accesses.prior.enclosing_function()?;
    let mut around = accesses.prior.ancestors_within(function);
    let Some(innermost) = around.find(|it| it.is_loop() && it.encloses(accesses.current)) else {
        let is_ordered = statements.is_some_and(|it| has_barrier_between(barrier, syntax, it));
        return between.filter(|_| !is_ordered).map(BarrierAt::Between);
    };
    let body = innermost.child(Field::Body)?;
    let continues = |it: Node<'_>| it.ancestors().find(|it| it.is_loop()) == Some(innermost);
    if body.descendants_of(Kind::ContinueStatement).any(continues) || !barrier.passed(syntax, body)
    {
        return None;
    }
    let end = end_of_loop(syntax, body);
    match (statements, between) {
        (Some(both), _) if has_barrier_between(barrier, syntax, both) => Some(BarrierAt::End(end)),
        (_, Some(between)) => Some(BarrierAt::BetweenAndEnd(between, end)),
        // Of two calls, nothing is known to be in a local variable.
        _ => is_direct.then_some(BarrierAt::EndAtLeast(end)),
    }
}

/// Whether a barrier of the group is a statement between two statements of one block.
fn has_barrier_between(
    barrier: &Barrier<'_>,
    syntax: &Syntax<'_>,
    (before, after): (Node<'_>, Node<'_>),
) -> bool {
    let following = std::iter::successors(before.next_sibling(), |it| it.next_sibling());
    let mut between = following.take_while(|it| *it != after);
    between.any(|it| is_barrier(barrier.sources, syntax, it, barrier.group))
}
