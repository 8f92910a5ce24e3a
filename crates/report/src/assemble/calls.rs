//! The calls that lead to the accesses of a race.

use hirace_model::table::Tables;

use crate::call_path;
use crate::model::{Access, CallSite, Position, Relation};
use crate::records::{Entry, Records};
use crate::run::Run;

/// Sets the calls that lead to the two accesses of the entry that represents `group`.
pub(super) fn follow(group: &[&Entry], entry: &Entry, accesses: [&mut Access; 2], run: &Run<'_>) {
    let (records, tables) = (run.records, run.tables);
    // Only a race between launches names the kernel of its first access.
    let is_in_launch = entry.relation.is_none_or(|it| it < Relation::Launch);
    let prior_kernel = [entry.prior_kernel, entry.kernel][usize::from(is_in_launch)];
    // The calls of the current access are known. Another record may have the two in the other sequence.
    let is_turned = |it: &&&Entry| {
        let prior = entry.prior.map(|it| it.site);
        prior == Some(it.current.site) && entry.current.site != it.current.site
    };
    let turned = group.iter().find(is_turned);
    let seen = |entry: &Entry| {
        let kernel = kernel_name(records, entry.kernel);
        call_path::seen(entry, &kernel, records)
    };
    let paths = [turned.map(|it| seen(it)).unwrap_or_default(), seen(entry)];
    let kernels = [prior_kernel, entry.kernel].map(|it| kernel_name(records, it));
    let [prior, current] = accesses;
    for ((access, kernel), path) in [&mut *prior, &mut *current]
        .into_iter()
        .zip(&kernels)
        .zip(&paths)
    {
        let seen = (path.as_slice(), records.lists_inlined);
        call_path::follow(&mut access.position, kernel, seen, tables);
    }
    if kernels[0] == kernels[1] {
        complete(&mut prior.position, &current.position);
    }
}

/// What the source shows of the calls of the first access may be the same as what was seen of those of the second: then
/// they have the same template arguments. Those of one line in a lambda are in one lambda.
fn complete(prior: &mut Position, current: &Position) {
    let places = |it: &Position| {
        let calls = it
            .calls
            .iter()
            .map(|it| (it.file.clone(), it.line, it.others));
        calls.collect::<Vec<_>>()
    };
    let is_one_function = prior.function == current.function && prior.file == current.file;
    let is_lambda = current.instance.as_deref() == Some(call_path::OPERATOR)
        && prior.calls.is_empty()
        && prior.line == current.line;
    if is_one_function
        && prior.instance.is_none()
        && current.instance.is_some()
        && (is_lambda || places(prior) == places(current))
    {
        prior.instance.clone_from(&current.instance);
        prior.calls.clone_from(&current.calls);
    }
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
