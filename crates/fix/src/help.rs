//! The help of races in a report, as far as the source tells more than the places of the accesses: where a
//! barrier belongs ([`super::places`]), which atomic operation an update is, and whether the read of a
//! flag is an acquire. Nothing is run.

use hirace_instrument::rewrite::{Facts, Source};
use hirace_model::table::Texts;
use hirace_report::{Access, Race, Relation, Report};
use hirace_syntax::Defines;
use hirace_syntax::tree::{Kind, Node};

use super::syntax::{Sources, Syntax};
use super::{atomics, places};

#[cfg(test)]
mod tests;

/// Completes the help of races. `texts` are those of the whole program; `compiler_arguments` may define macros.
pub fn complete_help(report: &mut Report, texts: &Texts, compiler_arguments: &[String]) {
    if !report.races.iter().any(is_incomplete) {
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
        complete(race, &sources);
    }
}

fn complete(race: &mut Race, sources: &Sources<'_>) {
    if let Some(help) = atomic_update(race, sources) {
        race.help = help;
    } else if race.lacks_barrier_place()
        && let Some(place) = places::place(race, sources)
    {
        race.name_barrier(&place);
    }
    if let Some(hint) = order_of_arguments(race, sources) {
        race.help += hint;
    }
    if let Some(is_acquire) = flag_is_acquired(race, sources) {
        race.say_whether_acquired(is_acquire);
    }
}

fn is_incomplete(race: &Race) -> bool {
    let is_of_host = race.relation == Relation::Host;
    race.lacks_barrier_place() || race.lacks_acquire() || may_be_update(race) || is_of_host
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
    let is_same = one.text.is_some() && one.text == other.text && one.line == other.line;
    is_same && matches!(race.code.as_ref(), "HR001" | "HR002" | "HR003" | "HR006")
}

/// The help for accesses that are halves of one update by `=`: its atomic form.
fn atomic_update(race: &Race, sources: &Sources<'_>) -> Option<String> {
    if !may_be_update(race) {
        return None;
    }
    let (call, edits) = atomics::candidates(race, sources).into_iter().next()?;
    let [edit] = edits.as_slice() else {
        return None;
    };
    let syntax = sources.of(&race.accesses[0])?;
    let place = race.accesses[0].position.text.as_deref()?;
    let statement = syntax.text.get(edit.range.clone())?;
    let contains = |it: &Access| {
        let range = &it.position.range;
        edit.range.start <= range.start && range.end <= edit.range.end
    };
    // The value that is stored is computed from that which was there.
    let is_update = race.accesses.iter().all(contains) && statement.matches(place).count() > 1;
    is_update.then(|| format!("make the update one atomic operation: {call}"))
}

/// Whether the read of a flag that was written without a release is an acquire, or a fence after it makes it
/// one; `None` if that cannot be told.
fn flag_is_acquired(race: &Race, sources: &Sources<'_>) -> Option<bool> {
    let [_, read] = race.flag.as_ref().filter(|_| race.lacks_acquire())?;
    let syntax = sources.at(read).filter(|_| !read.range.is_empty())?;
    let node = syntax.at(&read.range);
    let function = node.enclosing_function()?;
    let mut around = node.ancestors_within(function);
    let call = around.find(|it| it.is(Kind::CallExpression));
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
