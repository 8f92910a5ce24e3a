//! Places of missing barriers for the help of a race, from the source alone.
//!
//! They are those that `hirace fix` tries first, and like it this module names only places that all
//! threads reach ([`super::uniform`]). Nothing is run, so what a barrier there orders must follow from
//! the text: which of the two accesses are in one iteration of a loop, and that the kernel calls the
//! functions around them once. Otherwise no place is named.

use hirace_report::{BarrierAt, BarrierGroup, BarrierPlace, Race, Relation, Space};
use hirace_syntax::tree::{Field, Kind, Node};

use super::barriers::{
    self, Barrier, are_of_one, call, end_of_loop, fixed_call, is_barrier, object_of, statements,
};
use super::calls::AccessPlaces;
use super::insert;
use super::syntax::{Sources, Syntax};
use super::uniform::{Group, is_uniform};
use call_chains::{chains, in_one_function};

mod call_chains;
#[cfg(test)]
mod tests;

/// A barrier to look for a place for, and its threads as reports name them.
struct Wanted<'s> {
    barrier: Barrier<'s>,
    threads: BarrierGroup,
}

/// The place of a barrier that orders the accesses of a race.
pub(super) fn place(race: &Race, sources: &Sources<'_>) -> Option<BarrierPlace> {
    if sources.all().any(|it| it.may_end_threads) {
        return None;
    }
    let Some((accesses, is_direct)) = in_one_function(race, sources) else {
        return between_calls(race, sources)
            .or_else(|| in_repeated_function(race, sources))
            .or_else(|| in_lambdas(race, sources));
    };
    let wanted = wanted(race, &accesses, sources);
    let found = |it: &Wanted<'_>, at| named(race, &accesses, it, at);
    let mut places = wanted
        .iter()
        .filter_map(|it| Some(found(it, at(&accesses, is_direct, &it.barrier)?)));
    places.next().or_else(|| {
        let likeliest = wanted.first()?;
        let inside = is_direct.then(|| within(&accesses, &likeliest.barrier));
        let repeated = || in_a_loop(&accesses, &likeliest.barrier);
        // At least the name of the barrier, if it is not the usual one.
        let only_name = || {
            let usual = fixed_call(likeliest.barrier.group);
            let is_usual = usual.is_none_or(|it| it == likeliest.barrier.call);
            (!is_usual).then_some(BarrierAt::Unknown)
        };
        let at = inside.flatten().or_else(repeated).or_else(only_name)?;
        Some(found(likeliest, at))
    })
}

/// A place in the function around the accesses, with its file if that is not the file of both.
fn named(
    race: &Race,
    accesses: &AccessPlaces<'_>,
    wanted: &Wanted<'_>,
    at: BarrierAt,
) -> BarrierPlace {
    let path = accesses.syntax.file;
    let files = race
        .accesses
        .each_ref()
        .map(|it| it.position.file.as_deref());
    BarrierPlace {
        call: wanted.barrier.call.trim_end_matches(';').to_owned(),
        group: wanted.threads.clone(),
        at: match files == [Some(path); 2] {
            true => at,
            false => at.in_file(path),
        },
    }
}

/// The accesses themselves, by their chains of calls, if they are in one function.
fn together<'t>(
    [priors, currents]: [&Vec<(&'t Syntax<'t>, Node<'t>)>; 2],
) -> Option<AccessPlaces<'t>> {
    let (&(syntax, prior), &(other, current)) = (priors.first()?, currents.first()?);
    let is_one = prior.enclosing_function()? == current.enclosing_function()?;
    (is_one && std::ptr::eq(syntax, other)).then_some(AccessPlaces {
        syntax,
        prior,
        current,
    })
}

/// The places in a loop of a function that a kernel calls several times.
fn in_repeated_function(race: &Race, sources: &Sources<'_>) -> Option<BarrierPlace> {
    let accesses = together(chains(race, sources).each_ref())?;
    let wanted = wanted(race, &accesses, sources);
    let likeliest = wanted.first()?;
    let at = in_a_loop(&accesses, &likeliest.barrier)?;
    Some(named(race, &accesses, likeliest, at))
}

/// The barrier between two accesses of which at least one is in a lambda: where it is defined says nothing of when it
/// runs.
fn in_lambdas(race: &Race, sources: &Sources<'_>) -> Option<BarrierPlace> {
    let [priors, currents] = chains(race, sources);
    let functions = [priors.first()?, currents.first()?].map(|it| it.1.enclosing_function());
    let is_lambda = |it: &Option<Node<'_>>| it.is_some_and(|it| it.is(Kind::LambdaExpression));
    if functions[0] == functions[1] || !functions.iter().any(is_lambda) {
        return None;
    }
    let (group, threads) = match race.relation {
        Relation::Warp => (Group::Warp, BarrierGroup::Warp),
        Relation::Block => (Group::Block, BarrierGroup::Block),
        _ => return None,
    };
    let call = fixed_call(group)?.trim_end_matches(';').to_owned();
    Some(BarrierPlace {
        call,
        group: threads,
        at: BarrierAt::Somewhere,
    })
}

/// The place between two calls of a function whose beginning races with its end: a barrier in it orders the two
/// within one call.
fn between_calls(race: &Race, sources: &Sources<'_>) -> Option<BarrierPlace> {
    let [priors, currents] = chains(race, sources);
    let accesses = together([&priors, &currents])?;
    let (syntax, prior, current) = (accesses.syntax, accesses.prior, accesses.current);
    let function = prior.enclosing_function()?;
    // The access that is first in the text belongs to the later call, whichever of the two ran first.
    let later = match prior.start() <= current.start() {
        true => &priors,
        false => &currents,
    };
    let (before, after) = statements(&accesses)?;
    let is_in_loop = before.ancestors_within(function).any(Node::is_loop);
    let (caller, call) = match later.get(1) {
        Some(&(caller, call)) => (caller, Some(call)),
        // Which call it is remains unknown; the beginning of the function is between any two.
        None if !is_in_loop => (syntax, None),
        None => return None,
    };
    let place = |it: &Wanted<'_>| {
        let is_ordered = has_barrier_between(&it.barrier, syntax, (before, after));
        let (statement, passed) = match call {
            Some(call) => {
                let statement = insert::statement_of(call)?;
                (statement, it.barrier.passed(caller, statement))
            }
            // Whoever passes the barrier between the two comes here, too.
            None => (before, true),
        };
        (is_ordered && passed).then(|| insert::before(caller, statement, "").0)
    };
    let wanted = wanted(race, &accesses, sources);
    let (found, at) = wanted.iter().find_map(|it| Some((it, place(it)?)))?;
    let at = BarrierAt::BetweenCalls(at, syntax.name(function)?.to_owned());
    Some(BarrierPlace {
        call: found.barrier.call.trim_end_matches(';').to_owned(),
        group: found.threads.clone(),
        at: match caller.file == syntax.file {
            true => at,
            false => at.in_file(caller.file),
        },
    })
}

/// The barriers that may order the accesses, the likeliest first.
fn wanted<'s>(
    race: &Race,
    accesses: &AccessPlaces<'_>,
    sources: &'s Sources<'s>,
) -> Vec<Wanted<'s>> {
    let new = |group, threads, call: String, of_one| Wanted {
        threads,
        barrier: Barrier {
            call,
            group,
            sources,
            of_one,
        },
    };
    let of_parameter = barriers::of_parameter(race, accesses, sources);
    let of_parameter = of_parameter.map(|barrier| Wanted {
        threads: BarrierGroup::Named(object_of(&barrier.call).to_owned()),
        barrier,
    });
    let places = std::slice::from_ref(accesses);
    let suited = barriers::suited(race, places, sources).into_iter();
    // No run shows that the two blocks are always of one cluster.
    let suited = suited.filter(|it| *it != Group::Cluster || race.space == Space::Shared);
    let others = suited.filter_map(|group| {
        let call = call(group, accesses, sources)?;
        let threads = match group {
            Group::Tile(_) => BarrierGroup::Named(object_of(&call).to_owned()),
            Group::Warp => BarrierGroup::Warp,
            Group::Block => BarrierGroup::Block,
            Group::Cluster => BarrierGroup::Cluster,
            Group::Grid => BarrierGroup::Grid,
        };
        let of_one = are_of_one(accesses, sources, group);
        Some(new(group, threads, call, of_one))
    });
    of_parameter.into_iter().chain(others).collect()
}

/// What orders two accesses for which no place of a barrier is between them: in one statement, or in a branch.
fn within(accesses: &AccessPlaces<'_>, barrier: &Barrier<'_>) -> Option<BarrierAt> {
    let (syntax, prior, current) = (accesses.syntax, accesses.prior, accesses.current);
    let function = prior.enclosing_function()?;
    let common = prior.ancestors().find(|it| it.encloses(current))?;
    let is_branch = |it: &Node<'_>| it.is(Kind::IfStatement) || it.is(Kind::SwitchStatement);
    let mut around = common.ancestors_within(function);
    // The arms of a branch are no statements that follow one another.
    if around.any(Node::is_loop) || is_branch(&common) {
        return None;
    }
    let line = |node: Node<'_>| syntax.lines.number(node.start());
    // Whether or not the two are always of one warp.
    let barrier = Barrier {
        of_one: true,
        ..barrier.clone()
    };
    let is_one_statement = statements(accesses).is_none() && line(prior) == line(current);
    if is_one_statement && barrier.passed(syntax, common) {
        return Some(BarrierAt::Statement);
    }
    let branch = common.ancestors_within(function).find(is_branch)?;
    let is_inner = barrier.passed(syntax, branch) && !barrier.passed(syntax, common);
    let word = if branch.is(Kind::IfStatement) {
        "if"
    } else {
        "switch"
    };
    let named = format!("the `{word}` of line {}", syntax.line(branch.start()));
    is_inner.then_some(BarrierAt::Branch(named, is_one_statement))
}

/// The places in a loop around two statements, although the text does not show that all threads reach them.
fn in_a_loop(accesses: &AccessPlaces<'_>, barrier: &Barrier<'_>) -> Option<BarrierAt> {
    let syntax = accesses.syntax;
    let both = statements(accesses)?;
    let function = accesses.prior.enclosing_function()?;
    let mut around = accesses.prior.ancestors_within(function);
    let innermost = around.find(|it| it.is_loop() && it.encloses(accesses.current))?;
    let end = end_of_loop(syntax, innermost.child(Field::Body)?);
    let between =
        (!has_barrier_between(barrier, syntax, both)).then(|| insert::before(syntax, both.1, "").0);
    Some(BarrierAt::InLoop(between, end))
}

/// Where the barrier orders the two.
fn at(accesses: &AccessPlaces<'_>, is_direct: bool, barrier: &Barrier<'_>) -> Option<BarrierAt> {
    let syntax = accesses.syntax;
    let statements = statements(accesses);
    let between = |barrier: &Barrier<'_>| {
        let (before, after) = statements?;
        // No line is between two statements of one line.
        let is_one_line = syntax.lines.number(before.end()) == syntax.lines.number(after.start());
        let place = match is_one_line {
            true => format!(
                "between the two statements of {}",
                syntax.place(after.start())
            ),
            false => insert::before(syntax, after, "").0,
        };
        // Nothing before the label of a case runs.
        let is_statement = !after.is(Kind::CaseStatement);
        (is_statement && barrier.passed(syntax, after)).then_some(place)
    };
    let function = accesses.prior.enclosing_function()?;
    let mut around = accesses.prior.ancestors_within(function);
    let Some(innermost) = around.find(|it| it.is_loop() && it.encloses(accesses.current)) else {
        let is_ordered = statements.is_some_and(|it| has_barrier_between(barrier, syntax, it));
        let between = between(barrier).filter(|_| !is_ordered);
        return between.map(BarrierAt::Between);
    };
    let body = innermost.child(Field::Body)?;
    let continues = |it: Node<'_>| it.ancestors().find(|it| it.is_loop()) == Some(innermost);
    // A barrier that stands there already takes all threads to pass the body.
    let is_own = |it: &Node<'_>| barrier.is_at(syntax, *it);
    let own: Vec<Node<'_>> = body.named_children().filter(is_own).collect();
    let of_block = |it: &Node<'_>| is_barrier(barrier.sources, syntax, *it, Group::Block);
    let passed = match own.is_empty() {
        true => barrier.passed(syntax, body),
        false => barrier.suits(|| own.iter().any(of_block)),
    };
    if body.descendants_of(Kind::ContinueStatement).any(continues) || !passed {
        return None;
    }
    let end = end_of_loop(syntax, body);
    // Those who wait there wait here, too, and the race is one of them.
    let alike = Barrier {
        of_one: barrier.of_one || !own.is_empty(),
        ..barrier.clone()
    };
    let between = between(&alike);
    if is_direct && alternate(accesses, barrier) {
        return Some(BarrierAt::End(end));
    }
    match (statements, between) {
        (Some(both), _) if has_barrier_between(barrier, syntax, both) => Some(BarrierAt::End(end)),
        // One before or after both orders different iterations.
        (_, Some(between)) if !own.is_empty() => Some(BarrierAt::Between(between)),
        (_, Some(between)) => Some(BarrierAt::BetweenAndEnd(between, end)),
        // Of two calls, nothing is known to be in a local variable.
        _ => {
            let is_one = accesses.prior == accesses.current;
            (is_direct || is_one).then_some(BarrierAt::EndAtLeast(end))
        }
    }
}

/// Whether the two access different halves of a double buffer as long as the number of the half does not change:
/// `a[now][i]` and `a[1 - now][i]`. All threads have the same number.
fn alternate(accesses: &AccessPlaces<'_>, barrier: &Barrier<'_>) -> bool {
    let syntax = accesses.syntax;
    let halves = [accesses.prior, accesses.current].map(|it| {
        let (array, rest) = syntax.node_text(it).split_once('[')?;
        Some((array.trim(), rest.split_once(']')?.0.replace(' ', "")))
    });
    let [Some((one, half)), Some((other, other_half))] = halves else {
        return false;
    };
    let is_other = |now: &str, then: &str| {
        let forms = [
            format!("1-{now}"),
            format!("{now}^1"),
            format!("1^{now}"),
            format!("!{now}"),
            format!("({now}+1)%2"),
            format!("({now}+1)&1"),
        ];
        let is_name = now.chars().all(|it| it.is_alphanumeric() || it == '_');
        is_name && forms.iter().any(|it| it == then)
    };
    let now = match (is_other(&half, &other_half), is_other(&other_half, &half)) {
        (true, _) => half,
        (_, true) => other_half,
        _ => return false,
    };
    let ends = [accesses.prior, accesses.current].map(Node::end);
    let (from, to) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    let function = accesses.prior.enclosing_function();
    let mut between = function.into_iter().flat_map(Node::descendants);
    let changes = |it: Node<'_>| {
        let target = it
            .assigned()
            .filter(|_| from <= it.start() && it.start() <= to);
        target.is_some_and(|it| syntax.node_text(it) == now)
    };
    let is_now = |it: &Node<'_>| syntax.node_text(*it) == now;
    let number = accesses.prior.descendants().find(is_now);
    let number = number.or_else(|| accesses.current.descendants().find(is_now));
    let is_shared = |it| is_uniform(barrier.sources, syntax, it, barrier.group);
    one == other && number.is_some_and(is_shared) && !between.any(changes)
}

/// Whether a barrier of the group is a statement between two statements of one block.
fn has_barrier_between(
    barrier: &Barrier<'_>,
    syntax: &Syntax<'_>,
    (before, after): (Node<'_>, Node<'_>),
) -> bool {
    let following = std::iter::successors(before.next_sibling(), |it| it.next_sibling());
    let mut between = following.take_while(|it| *it != after);
    between.any(|it| barrier.is_at(syntax, it))
}
