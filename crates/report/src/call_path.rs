//! The calls by which a kernel reaches the function of an access: as they were seen, or as the source shows them.

use std::collections::{BTreeSet, HashSet};

use hirace_model::table::{Call, Tables};

use super::model::{CallSite, OtherCall, Position};
use super::records::{Entry, Frame, Records};

/// A path of more calls is not followed.
const MAX_CALLS: usize = 16;

/// Macros that use one another more deeply are not followed.
const MAX_MACROS: usize = 4;

/// Sets the calls between a kernel and the function of a place. `seen`: those of an access, from the innermost
/// function on; it is empty if they are not known.
///
/// `is_whole`: the functions that were seen are all there were.
pub(super) fn follow(
    place: &mut Position,
    kernel: &str,
    (seen, is_whole): (&[&Frame], bool),
    tables: &Tables,
) {
    let Some(function) = place.function.clone() else {
        return;
    };
    if let Some(lambda) = lambda(place, &function, seen) {
        place.instance = Some(lambda);
        place.calls = made(seen).collect();
        return;
    }
    let all = tables.calls();
    if let Some(user) = user_of_macro(place, &function, seen, &all) {
        let callers = confirmed(&user.function, seen, is_whole, &all);
        let callers = callers.into_iter().flatten();
        let mut at = call_in(user);
        at.is_use = true;
        place.calls = std::iter::once(at).chain(callers).collect();
        return;
    }
    place.instance = instance(&function, seen);
    if function == kernel {
        return;
    }
    if let Some(calls) = confirmed(&function, seen, is_whole, &all) {
        place.calls = calls;
        return;
    }
    let reached = reached_from(kernel, tables, &all);
    let mut calls: Vec<CallSite> = Vec::new();
    let mut callee = plain(&function);
    while callee != kernel && calls.len() < MAX_CALLS {
        let sites = all.iter().filter(|(_, it)| it.callee == callee);
        let mut sites = sites.filter(|(_, it)| reached.contains(it.caller.as_str()));
        let Some((file, call)) = sites.next() else {
            break;
        };
        let mut alternatives: Vec<_> = sites.map(|(file, call)| other_call(file, call)).collect();
        alternatives.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        let is_one_caller = alternatives.iter().all(|it| it.function == call.caller);
        calls.push(CallSite {
            function: call.caller.clone(),
            file: (*file).to_owned(),
            line: call.line,
            alternatives,
            is_use: call.is_macro,
        });
        if !is_one_caller {
            break;
        }
        callee = &call.caller;
    }
    // Not those of a function that calls itself. One that nothing calls by its name is a lambda, or one that a
    // pointer or an object reaches.
    let is_called = |function: &str| all.iter().any(|(_, it)| it.callee == function);
    let is_known = calls.last().is_some_and(|it| {
        let is_end = it.function == kernel || !is_called(&it.function);
        !it.alternatives.is_empty() || is_end
    });
    place.calls = if is_known { calls } else { Vec::new() };
}

/// Sets the function of a place that is only known by its line, from the calls that were seen.
pub(super) fn find_function(place: &mut Position, seen: &[&Frame]) {
    let at = seen.first().filter(|it| {
        place.function.is_none()
            && place.file.as_deref() == Some(&it.file)
            && place.line == Some(it.line)
    });
    if let Some(frame) = at {
        place.function = Some(plain(&frame.function).to_owned());
    }
}

/// The name of the lambda that a place is in, whose function is the one around it.
fn lambda(place: &Position, function: &str, seen: &[&Frame]) -> Option<String> {
    let first = seen.first().filter(|_| seen.len() > 1)?;
    let is_there = place.file.as_deref() == Some(&first.file) && place.line == Some(first.line);
    let is_lambda = plain(&first.function) == OPERATOR && plain(function) != OPERATOR;
    (is_there && is_lambda).then(|| OPERATOR.to_owned())
}

/// The function that uses the macro whose text a place is in, if there is one: such a place has the macro's name for a
/// function, and those that were seen begin where the macro is used.
///
/// A function that is called by its name is none: debug information may lack one that was inlined.
fn user_of_macro<'f>(
    place: &Position,
    function: &str,
    seen: &[&'f Frame],
    all: &BTreeSet<(&str, &Call)>,
) -> Option<&'f Frame> {
    let first = *seen.first()?;
    let is_there = place.file.as_deref() == Some(&first.file) && place.line == Some(first.line);
    let is_called = all
        .iter()
        .any(|(_, it)| it.callee == function && !it.is_macro);
    let is_function = is_called || seen.iter().any(|it| plain(&it.function) == function);
    (!is_there && !is_function).then_some(first)
}

/// The same of the current access of a record.
pub(super) fn seen_by<'a>(entry: &Entry, kernel: &str, records: &'a Records) -> Vec<&'a Frame> {
    let place = &entry.whereabouts;
    seen((place.process, &place.calls), kernel, records)
}

/// The name of the function that a lambda is.
pub(super) const OPERATOR: &str = "operator()";

/// The calls that were seen.
fn made(seen: &[&Frame]) -> impl Iterator<Item = CallSite> {
    seen.iter()
        .skip(1)
        .take(MAX_CALLS)
        .map(|caller| call_in(caller))
}

fn other_call(file: &str, call: &Call) -> OtherCall {
    OtherCall {
        function: call.caller.clone(),
        file: file.to_owned(),
        line: call.line,
    }
}

/// The call in a function that was seen.
fn call_in(caller: &Frame) -> CallSite {
    CallSite {
        function: caller.function.clone(),
        file: caller.file.clone(),
        line: caller.line,
        alternatives: Vec::new(),
        is_use: false,
    }
}

/// The function of a place with its template arguments.
fn instance(function: &str, seen: &[&Frame]) -> Option<String> {
    let first = &seen.first()?.function;
    (first.contains('<') && plain(first) == plain(function)).then(|| first.clone())
}

/// The functions around an access of a process, from the innermost on to the kernel. `calls`: the instructions that
/// called them.
pub(super) fn seen<'a>(
    (process, calls): (u32, &[u64]),
    kernel: &str,
    records: &'a Records,
) -> Vec<&'a Frame> {
    let calls = calls.iter().take_while(|it| **it != 0);
    let frames = calls.filter_map(|call| records.frames.get(&(process, *call)));
    let mut frames: Vec<&Frame> = frames.flatten().collect();
    // The kernel is called by the executor, through a function of the launch.
    let last = frames.iter().position(|it| plain(&it.function) == kernel);
    frames.truncate(last.map_or(0, |it| it + 1));
    frames
}

/// The calls that were seen, if they begin with the function of the access and the source does not contradict them.
/// Debug information may lack functions that were inlined.
fn confirmed(
    function: &str,
    seen: &[&Frame],
    is_whole: bool,
    all: &BTreeSet<(&str, &Call)>,
) -> Option<Vec<CallSite>> {
    let first = seen.first()?;
    if plain(&first.function) != plain(function) || seen.len() < 2 {
        return None;
    }
    let mut calls = Vec::new();
    for pair in seen.windows(2).take(MAX_CALLS) {
        let [callee, caller] = [pair[0], pair[1]];
        let mut known = all
            .iter()
            .filter(|(_, it)| it.callee == plain(&callee.function))
            .peekable();
        let is_there = |it: &(&str, &Call)| is_made_at(it, caller, all, MAX_MACROS);
        // The compiler has made a function of a part of one, or the function calls itself.
        let own = plain(&caller.function);
        let is_recursive =
            |it: &(&str, &Call)| (it.1.is_macro || plain(&it.1.caller) == own) && is_there(it);
        if plain(&callee.function) == own && !known.clone().any(is_recursive) {
            continue;
        }
        if !is_whole && known.peek().is_some() && !known.any(is_there) {
            return None;
        }
        calls.push(call_in(caller));
    }
    // Debug information tells the depth of a recursion only if no part of it was inlined.
    calls.dedup();
    Some(calls)
}

/// Whether a call is on the line of a function that was seen, or in a macro that is used there.
fn is_made_at(
    (file, call): &(&str, &Call),
    at: &Frame,
    all: &BTreeSet<(&str, &Call)>,
    depth: usize,
) -> bool {
    if *file == at.file && call.line == at.line {
        return true;
    }
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let mut uses = all
        .iter()
        .filter(|(_, it)| it.is_macro && it.callee == call.caller);
    uses.any(|it| is_made_at(it, at, all, depth))
}

/// The last part of a function's name, without template arguments: `run` of `Tree<int, 8>::run<Plus>`.
pub(super) fn plain(function: &str) -> &str {
    let (mut depth, mut begin, mut end) = (0_usize, 0, None);
    for (at, letter) in function.char_indices() {
        match letter {
            '<' | '>' | '(' | ')' if depth == 0 && is_operator(&function[begin..at], letter) => {}
            '<' | '(' => {
                if depth == 0 {
                    end = end.or(Some(at));
                }
                depth += 1;
            }
            '>' | ')' => depth = depth.saturating_sub(1),
            ':' if depth == 0 && function[at..].starts_with("::") => (begin, end) = (at + 2, None),
            _ => {}
        }
    }
    function[begin..end.unwrap_or(function.len())].trim_end()
}

/// Whether a bracket after `name` is a part of an operator's name.
fn is_operator(name: &str, bracket: char) -> bool {
    name.strip_prefix("operator").is_some_and(|operator| {
        matches!(
            (operator, bracket),
            ("", _) | ("(", ')') | ("<", '<') | (">", '>') | ("-", '>') | ("<=", '>')
        )
    })
}

/// The functions that a kernel may call, directly or not, and itself. A function that nothing calls by its name may be
/// one that it has a pointer or an object for.
fn reached_from<'a>(
    kernel: &'a str,
    tables: &'a Tables,
    calls: &BTreeSet<(&str, &'a Call)>,
) -> HashSet<&'a str> {
    let mut kernels = tables.iter().flat_map(|it| &it.notes.kernels);
    let other_kernels: HashSet<&str> = kernels.by_ref().map(String::as_str).collect();
    let called: HashSet<&str> = calls.iter().map(|(_, it)| it.callee.as_str()).collect();
    let callers = calls.iter().map(|(_, it)| it.caller.as_str());
    let mut waiting: Vec<&str> = callers
        .filter(|it| !called.contains(plain(it)) && !other_kernels.contains(it))
        .collect();
    waiting.push(kernel);
    let mut reached: HashSet<&str> = waiting.iter().copied().collect();
    while let Some(caller) = waiting.pop() {
        for (_, call) in calls.iter().filter(|(_, it)| it.caller == caller) {
            if reached.insert(call.callee.as_str()) {
                waiting.push(&call.callee);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn last_parts_of_names() {
        for (name, expected) in [
            ("update", "update"),
            ("store<int, 8>", "store"),
            ("Tree<int, 8>::run<Plus>", "run"),
            ("a::Tree<b::C>::operator()<d::E<int> >", "operator()"),
            ("Tree::operator()", "operator()"),
            ("operator< <int>", "operator<"),
            ("A<int>::operator<<", "operator<<"),
            ("A<(1>0)>::operator-><int>", "operator->"),
            ("operator+<int>", "operator+"),
            ("a lambda in k", "a lambda in k"),
        ] {
            assert_eq!(plain(name), expected, "{name}");
        }
    }
}
