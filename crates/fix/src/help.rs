//! The help of races in a report, as far as the source tells more than the places of the accesses: where a
//! barrier belongs ([`super::places`]), which atomic operation an update is, and whether the read of a
//! flag is an acquire. Nothing is run.

use hirace_instrument::rewrite::Source;
use hirace_model::table::Texts;
use hirace_report::{ATOMIC_UPDATE, Access, Position, Race, Relation, Report};
use hirace_syntax::tree::{Kind, Node};

use super::edit::Edit;
use super::syntax::{Sources, Syntax, read_facts};
use super::{atomics, exchange, places};

#[cfg(test)]
mod tests;

/// Completes the help of races. `texts` are those of the whole program; `compiler_arguments`, if they are known, may
/// define macros.
pub fn complete_help(report: &mut Report, texts: &Texts, compiler_arguments: Option<&[String]>) {
    if !report.races.iter().any(is_incomplete) {
        return;
    }
    let mut files: Vec<Source<'_>> = texts
        .iter()
        .map(|(path, text)| Source { path, text })
        .collect();
    files.sort_by_key(|it| it.path);
    let (defines, facts) = read_facts(&files, compiler_arguments);
    let parsed = files
        .iter()
        .map(|it| Syntax::of(it.path, it.text, &defines, &facts));
    let sources = Sources(parsed.collect());
    for race in &mut report.races {
        complete(race, &sources);
    }
}

fn complete(race: &mut Race, sources: &Sources<'_>) {
    let update = atomic_update(race, sources).or_else(|| conditional_update(race, sources));
    if let Some(help) = update {
        race.say_that_updates();
        race.help = match race.code.as_ref() {
            // It may be meant as a part of what a release publishes, or the two may belong to different iterations, which
            // a barrier can order.
            "HR013" | "HR015" => format!("{help}; or {}", race.help),
            _ => help,
        };
    } else if race.lacks_barrier_place()
        && let Some(place) = places::place(race, sources)
    {
        race.name_barrier(&place);
    }
    if let Some(hint) = order_of_arguments(race, sources) {
        race.help += hint;
    }
    let is_acquire = flag_is_acquired(race, sources);
    if let Some(is_acquire) = is_acquire {
        race.say_whether_acquired(is_acquire);
    }
    if is_acquire == Some(true) && flag_is_relaxed(race, sources) {
        race.say_that_relaxed();
    }
}

fn is_incomplete(race: &Race) -> bool {
    let is_of_host = race.relation == Relation::Host;
    race.lacks_barrier_place() || race.lacks_acquire() || is_of_one_place(race) || is_of_host
}

/// A hint for an access of the host whose line waits for the work: as in `f(cudaDeviceSynchronize(), y[0])`.
fn order_of_arguments(race: &Race, sources: &Sources<'_>) -> Option<&'static str> {
    let position = &race.accesses[1].position;
    let syntax = sources
        .at(position)
        .filter(|_| race.relation == Relation::Host)?;
    let index = (position.line? as usize).checked_sub(1)?;
    let line = syntax.text.lines().nth(index)?;
    line.contains("Synchronize(").then_some(
        "; the wait on the same line may come after the access: C++ does not say in which order the \
         arguments of a call are evaluated",
    )
}

/// Whether the two accesses may be halves of one update, such as `x = x + 1`.
fn may_be_update(race: &Race) -> bool {
    let [one, other] = race.accesses.each_ref().map(|it| &it.position);
    one.line == other.line && is_of_one_place(race)
}

/// Whether the two accesses are of one expression, and something may make one operation of them.
fn is_of_one_place(race: &Race) -> bool {
    let [one, other] = race.accesses.each_ref().map(|it| &it.position);
    let is_same = one.text.is_some() && one.text == other.text;
    let codes = ["HR001", "HR002", "HR003", "HR006", "HR013", "HR015"];
    is_same && codes.contains(&race.code.as_ref())
}

/// The help for accesses of one update, such as `x += v` and `x = x + v`: its atomic form, if there is one.
fn atomic_update(race: &Race, sources: &Sources<'_>) -> Option<String> {
    if !may_be_update(race) {
        return None;
    }
    let access = &race.accesses[0];
    let syntax = sources.of(access)?;
    let place = access.position.text.as_deref()?;
    let node = syntax.at(&access.position.range);
    let contains = |around: Node<'_>| {
        race.accesses.iter().all(|it| {
            let range = &it.position.range;
            around.start() <= range.start && range.end <= around.end()
        })
    };
    let (change, target) = node.ancestors().find_map(|it| Some((it, it.assigned()?)))?;
    let is_its_place = syntax.node_text(target.without_parentheses()) == place;
    let operator = syntax.operator(change);
    let is_update = match operator {
        // The value that is stored is computed from that which was there.
        "=" => syntax.node_text(change).matches(place).count() > 1,
        _ => true,
    };
    if !is_its_place || !is_update || !contains(change) {
        return None;
    }
    let supported = |it: (String, Vec<Edit>)| is_supported(&it, access, syntax).then_some(it.0);
    let candidates = atomics::candidates(race, sources);
    let has_function = !candidates.is_empty();
    // Where the value is used, the text that replaces the update.
    let in_expression = || {
        let (_, edits) = exchange::counted(syntax, node, place)?;
        let text = format!("`{}`", edits.first()?.text);
        supported((text, edits))
    };
    let call = candidates.into_iter().find_map(supported);
    let call = call.or_else(in_expression);
    match call {
        Some(call) => Some(format!("{ATOMIC_UPDATE}: {call}")),
        None if has_function || is_unlike_atomics(operator) => Some(has_no_function(place)),
        None => None,
    }
}

/// The help for the test and the store of `if (v > x) x = v;`, or of `if (x == v) { x = w; … }`.
fn conditional_update(race: &Race, sources: &Sources<'_>) -> Option<String> {
    if !is_of_one_place(race) {
        return None;
    }
    let access = &race.accesses[0];
    let syntax = sources.of(access)?;
    let place = access.position.text.as_deref()?;
    let branch = syntax
        .at(&access.position.range)
        .enclosing(Kind::IfStatement)?;
    let has_both = race.accesses.iter().all(|it| {
        let range = &it.position.range;
        it.position.file == access.position.file && branch.range().contains(&range.start)
    });
    if !has_both {
        return None;
    }
    let is_of_branch = |(_, edits): &(String, Vec<Edit>)| match edits.as_slice() {
        [edit] => edit.range == branch.range(),
        _ => false,
    };
    if let Some(found) = atomics::candidates(race, sources)
        .into_iter()
        .find(is_of_branch)
    {
        return Some(match is_supported(&found, access, syntax) {
            true => format!("{ATOMIC_UPDATE}: {}", found.0),
            false => has_no_function(place),
        });
    }
    let (_, edits) = exchange::candidates(race, sources).into_iter().next()?;
    let condition = edits.first()?;
    let is_condition =
        condition.text.starts_with("atomicCAS(") && branch.range().contains(&condition.range.start);
    let test = is_condition.then_some(&condition.text)?;
    Some(format!(
        "{ATOMIC_UPDATE}: `if ({test})`, without the write of `{place}` after it"
    ))
}

/// Whether CUDA has the atomic function of a candidate for the type of an access.
fn is_supported((_, edits): &(String, Vec<Edit>), access: &Access, syntax: &Syntax<'_>) -> bool {
    let node = syntax.at(&access.position.range);
    let (place, [edit]) = (access.position.text.as_deref(), edits.as_slice()) else {
        return false;
    };
    place.is_some_and(|it| atomics::is_supported(&edit.text, access.size, syntax, node, it))
}

fn has_no_function(place: &str) -> String {
    format!(
        "no atomic function does this to `{place}`: make it a loop around `atomicCAS`, or give each thread an \
         element of its own and combine these later"
    )
}

/// Whether no atomic function performs an operator, whatever the type.
fn is_unlike_atomics(operator: &str) -> bool {
    ["*=", "/=", "%=", "<<=", ">>="].contains(&operator)
}

/// Whether the read of a flag that was written without a release is an acquire, or a fence after it makes it
/// one; `None` if that cannot be told.
fn flag_is_acquired(race: &Race, sources: &Sources<'_>) -> Option<bool> {
    let [_, read] = race.flag.as_ref().filter(|_| race.lacks_acquire())?;
    is_acquire(read, sources)
}

/// Whether the read of a flag is an acquire, or a fence after it makes it one; `None` if that cannot be told.
pub(super) fn is_acquire(read: &Position, sources: &Sources<'_>) -> Option<bool> {
    let (syntax, node) = of_flag(read, sources)?;
    if let Some(assembly) = node.enclosing(Kind::GnuAsmExpression) {
        // Macros may supply other parts of it.
        let text = syntax.node_text(assembly);
        return text.contains(".acq").then_some(true);
    }
    let function = node.enclosing_function()?;
    let call = call_around(node);
    let text = call.map_or("", |it| syntax.node_text(it));
    let has = |names: &[&str]| names.iter().any(|it| text.contains(it));
    if has(&["acq", "seq_cst"]) || has_fence_after(syntax, function, node)? {
        return Some(true);
    }
    let is_library_call = has(&[
        ".load(",
        ".wait(",
        ".exchange(",
        ".fetch_",
        ".compare_exchange",
        ".test",
    ]);
    match (is_library_call, has(&["relaxed", "release"])) {
        // Without an order, operations of the library are sequentially consistent.
        (true, false) => Some(true),
        (true, true) => Some(false),
        // Only CUDA's own functions and plain accesses are known; `asm` and other functions are not.
        (false, _) => (call.is_none() || text.starts_with("atomic")).then_some(false),
    }
}

/// Whether the write of a flag is an operation of the library that names the order `memory_order_relaxed`.
fn flag_is_relaxed(race: &Race, sources: &Sources<'_>) -> bool {
    let flag = race.flag.as_ref();
    let written = flag.and_then(|[written, _]| of_flag(written, sources));
    written.is_some_and(|(syntax, node)| {
        let text = call_around(node).map_or("", |it| syntax.node_text(it));
        text.contains("memory_order_relaxed")
    })
}

/// The access of a flag.
fn of_flag<'t>(
    position: &Position,
    sources: &'t Sources<'_>,
) -> Option<(&'t Syntax<'t>, Node<'t>)> {
    let syntax = sources
        .at(position)
        .filter(|_| !position.range.is_empty())?;
    Some((syntax, syntax.at(&position.range)))
}

/// The call that an access is in.
fn call_around(node: Node<'_>) -> Option<Node<'_>> {
    let mut around = node.ancestors_within(node.enclosing_function()?);
    around.find(|it| it.is(Kind::CallExpression))
}

/// Whether a fence comes after a place in the text of its function; `None` if it may not be compiled.
fn has_fence_after(syntax: &Syntax<'_>, function: Node<'_>, place: Node<'_>) -> Option<bool> {
    const FENCES: [&str; 3] = ["__threadfence", "atomic_thread_fence", "fence."];
    let rest = syntax.text.get(place.end()..function.end())?;
    let (mut depth, mut is_conditional) = (0, false);
    for line in rest.lines() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        match directive {
            Some(it) if it.starts_with("if") => depth += 1,
            Some(it) if it.starts_with("endif") => depth -= 1,
            Some(_) => {}
            None if !FENCES.iter().any(|it| line.contains(it)) => {}
            None if depth > 0 => is_conditional = true,
            None => return Some(true),
        }
    }
    (!is_conditional).then_some(false)
}
