//! The calls that lead to the accesses of a race.

use hirace_model::table::Tables;

use crate::call_path;
use crate::model::{Access, CallSite, Position, Relation};
use crate::records::{Entry, Frame, Records};
use crate::run::Run;

/// Sets the calls that lead to the two accesses of the entry that represents `group`.
pub(super) fn follow(group: &[&Entry], entry: &Entry, accesses: [&mut Access; 2], run: &Run<'_>) {
    let (records, tables) = (run.records, run.tables);
    // Only a race between launches names the kernel of its first access.
    let is_in_launch = entry.relation.is_none_or(|it| it < Relation::Launch);
    let prior_kernel = [entry.prior_kernel, entry.kernel][usize::from(is_in_launch)];
    let kernels = [prior_kernel, entry.kernel].map(|it| kernel_name(records, it));
    let seen =
        |entry: &Entry| call_path::seen_by(entry, &kernel_name(records, entry.kernel), records);
    let [prior, current] = accesses.map(|it| &mut it.position);
    let follow = |position: &mut Position, kernel: &str, path: &[&Frame]| {
        call_path::follow(position, kernel, (path, records.lists_inlined), tables);
    };
    let at = prior.clone();
    follow(prior, &kernels[0], &[]);
    let path = seen(entry);
    follow(current, &kernels[1], &path);
    if !is_in_launch {
        return;
    }
    // Only the calls of a current access were seen: those of the other access, or in another record that has the two in
    // the other sequence.
    let is_turned = |it: &&&Entry| {
        let prior = entry.prior.map(|it| it.site);
        prior == Some(it.current.site) && entry.current.site != it.current.site
    };
    let turned = group.iter().find(is_turned).map(|it| seen(it));
    let own = (at.function == current.function).then(|| path.clone());
    let outermost = path.last().map(|it| it.function.clone());
    for path in turned.into_iter().chain(own) {
        let mut told = at.clone();
        follow(&mut told, &kernels[0], &path);
        if prior.instance.is_none() && is_confirmed(prior, &told, &kernels[0]) {
            *prior = told;
        }
    }
    // Both accesses are of one launch.
    if let Some(outermost) = &outermost {
        let of_kernel = |it: &&mut CallSite| it.function == kernels[0];
        let calls = prior.calls.iter_mut().filter(of_kernel);
        calls.for_each(|it| it.function.clone_from(outermost));
    }
    if prior.instance.is_none() {
        prior.instance = only_instance(entry, &at, outermost.as_deref(), &kernels[0], records);
    }
}

/// The function of the first access with its template arguments, if the kernel that ran can reach only one instance.
fn only_instance(
    entry: &Entry,
    place: &Position,
    outermost: Option<&str>,
    kernel: &str,
    records: &Records,
) -> Option<String> {
    let function = place.function.as_deref()?;
    if function == kernel {
        return outermost.filter(|it| it.contains('<')).map(str::to_owned);
    }
    let site = entry.prior?.site;
    let stacks = records.stacks.get(&(entry.whereabouts.process, site))?;
    let is_reached = |stack: &&Vec<Frame>| {
        let last = stack.last().map(|it| it.function.as_str());
        let is_kernel = last.is_some_and(|it| call_path::plain(it) == kernel);
        !is_kernel || outermost.is_none_or(|it| Some(it) == last)
    };
    let mut names = stacks
        .iter()
        .filter(is_reached)
        .map(|stack| &stack[0].function);
    let first = names.next().filter(|it| it.contains('<'))?;
    let is_only =
        call_path::plain(first) == call_path::plain(function) && names.all(|it| it == first);
    is_only.then(|| first.clone())
}

/// Whether the source shows that an access was called as another one was, whose template arguments are known: there is
/// only one way. The lambda of a call is unknown.
fn is_confirmed(shown: &Position, told: &Position, kernel: &str) -> bool {
    let places = |it: &Position| {
        let calls = it.calls.iter().map(|it| (it.file.clone(), it.line));
        calls.collect::<Vec<_>>()
    };
    let is_reached = !shown.calls.is_empty() || shown.function.as_deref() == Some(kernel);
    let is_only = shown.calls.iter().all(|it| it.alternatives.is_empty());
    let is_lambda = told.instance.as_deref() == Some(call_path::OPERATOR);
    is_reached && is_only && !is_lambda && told.instance.is_some() && places(shown) == places(told)
}

/// Whether a place, or a call that leads to it, is behind another one in the text of the same function.
pub(super) fn comes_after(
    mut place: Position,
    other: &Position,
    kernel: &str,
    tables: &Tables,
) -> bool {
    call_path::follow(&mut place, kernel, (&[], false), tables);
    let in_same_function = place.function == other.function && place.file == other.file;
    let own = place.line.filter(|_| in_same_function);
    let is_around = |it: &&CallSite| {
        Some(&it.function) == other.function.as_ref() && Some(&it.file) == other.file.as_ref()
    };
    let call = place.calls.iter().find(is_around).map(|it| it.line);
    own.or(call) > other.line && other.line.is_some()
}

/// The name of a kernel, by its index.
pub(super) fn kernel_name(records: &Records, index: u32) -> String {
    let kernel = records.kernels.get(index as usize);
    kernel.map_or_else(|| "(unknown)".to_owned(), |it| it.name.clone())
}
