//! The calls that lead from kernels to the accesses of a race, as the report and the source show them.

use hirace_report::{Access, Race};
use hirace_syntax::tree::{Kind, Node};

use crate::calls::AccessPlaces;
use crate::insert;
use crate::syntax::{Sources, Syntax};

/// The longest chain of calls from a kernel to an access.
const MAX_CALLS: usize = 4;

/// The innermost function that contains both accesses, or the calls that lead to them, and whether it
/// contains the accesses themselves. A run of a kernel passes it once.
pub(super) fn in_one_function<'t>(
    race: &Race,
    sources: &'t Sources<'_>,
) -> Option<(AccessPlaces<'t>, bool)> {
    let [priors, currents] = chains(race, sources);
    let paths = race.accesses.each_ref().map(call_path);
    for (depth, (syntax, prior)) in priors.iter().enumerate() {
        let function = prior.enclosing_function();
        // Two calls of a function are no place between the two.
        let is_one_call = |index: usize| match &paths {
            [Some(prior), Some(current)] => prior.get(depth..) == current.get(index..),
            _ => true,
        };
        let same = |(index, (other, current)): &(usize, &(&Syntax<'_>, Node<'_>))| {
            std::ptr::eq(*other, *syntax)
                && function.is_some()
                && current.enclosing_function() == function
                && is_one_call(*index)
        };
        let Some((index, (_, current))) = currents.iter().enumerate().find(same) else {
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
        if !has_labels && runs_once(sources, syntax, function, MAX_CALLS) {
            return Some((places, (depth, index) == (0, 0)));
        }
        // Around a function that is called several times, such as a lambda, may be a loop that is passed once.
    }
    None
}

/// The files and lines of the calls that lead to an access, innermost first, if they are known.
fn call_path(access: &Access) -> Option<Vec<(&str, u32)>> {
    let calls = &access.position.calls;
    let is_known = calls.iter().all(|it| it.alternatives.is_empty());
    let path = calls.iter().map(|it| (it.file.as_str(), it.line));
    is_known.then(|| path.collect())
}

/// A place in the source.
type Place<'t> = (&'t Syntax<'t>, Node<'t>);

/// Each access, the call of its function that was made or is the only one, the same for the function around that, and so
/// on up to a kernel.
pub(super) fn chains<'t>(race: &Race, sources: &'t Sources<'_>) -> [Vec<Place<'t>>; 2] {
    let memory = race.element.as_ref().and_then(|it| it.variable.as_deref());
    race.accesses
        .each_ref()
        .map(|it| callers(it, memory, sources))
}

fn callers<'t>(access: &Access, memory: Option<&str>, sources: &'t Sources<'_>) -> Vec<Place<'t>> {
    let position = &access.position;
    let mut found: Vec<Place<'t>> = Vec::new();
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
    // The text of a macro is in no function.
    let mut name = position.function.as_deref();
    for made in position.calls.iter().take_while(|it| it.is_use) {
        let user = sources.all().find(|it| it.file == made.file);
        let used = user.and_then(|it| Some((it, it.used_on(made.line as usize, name?)?)));
        let Some(used) = used.filter(|_| made.alternatives.is_empty()) else {
            break;
        };
        found.push(used);
        name = Some(&made.function);
    }
    while let Some((syntax, node)) = found.last()
        && found.len() <= MAX_CALLS
        && let Some(function) = node.enclosing_function()
        && !syntax.is_kernel(function)
    {
        if function.is(Kind::LambdaExpression) {
            // It runs in the call that it is passed to.
            let outside = function.parent().filter(|it| it.is(Kind::ArgumentList));
            match outside.and_then(Node::parent) {
                Some(call) if call.is(Kind::CallExpression) => found.push((syntax, call)),
                _ => break,
            }
            continue;
        }
        let Some(name) = syntax.name(function) else {
            break;
        };
        let mut calls = sources.calls(name);
        let made = position.calls.get(found.len() - 1);
        if let Some(made) = made.filter(|it| it.alternatives.is_empty()) {
            calls.retain(|(syntax, call)| {
                let line = syntax.lines.number(call.start());
                syntax.file == made.file && line == made.line as usize
            });
        } else if let (true, Some(memory)) = (found.len() == 1, memory) {
            let variable = position.variable.as_deref();
            let parameter = variable.and_then(|it| syntax.parameter(function, it));
            if let Some((_, index)) = parameter {
                calls = passing(calls, index, memory);
            }
        }
        // Several in one statement, such as `tile.at(i) * tile.at(j)`, are at one place.
        let Some(&(syntax, first)) = calls.first() else {
            break;
        };
        let statement = insert::statement_of(first);
        let is_there = |(other, call): &(&Syntax<'_>, Node<'_>)| {
            std::ptr::eq(*other, syntax) && insert::statement_of(*call) == statement
        };
        if !calls.iter().all(is_there) {
            break;
        }
        found.push((syntax, first));
    }
    found
}

/// Of calls in kernels, those whose argument at a position leads to the memory with a name. All of them if some argument
/// is no name that keeps its value.
fn passing<'t>(calls: Vec<Place<'t>>, index: usize, memory: &str) -> Vec<Place<'t>> {
    let argument = |&(syntax, call): &Place<'t>| {
        let caller = call
            .enclosing_function()
            .filter(|it| syntax.is_kernel(*it))?;
        let node = call.arguments().nth(index)?.without_parentheses();
        let is_changed = || {
            let mut targets = caller.descendants().filter_map(Node::assigned);
            targets.any(|it| syntax.node_text(it) == syntax.node_text(node))
        };
        let name = syntax.node_text(node);
        let is_shared = || {
            let mut declarations = syntax.declarations(caller, name);
            declarations.any(|it| syntax.is_in_shared(it))
        };
        let is_known = || syntax.parameter(caller, name).is_some() || is_shared();
        let is_kept = node.is(Kind::Identifier) && is_known() && !is_changed();
        is_kept.then_some(name)
    };
    let arguments: Option<Vec<&str>> = calls.iter().map(argument).collect();
    match arguments {
        Some(arguments) if arguments.contains(&memory) => {
            let both = calls.into_iter().zip(arguments);
            both.filter(|it| it.1 == memory).map(|it| it.0).collect()
        }
        _ => calls,
    }
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
