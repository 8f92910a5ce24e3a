//! The calls that lead to the accesses of a race.

use crate::call_path;
use crate::model::{Access, Relation};
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
    for ((access, kernel), path) in accesses.into_iter().zip(&kernels).zip(&paths) {
        let seen = (path.as_slice(), records.lists_inlined);
        call_path::follow(&mut access.position, kernel, seen, tables);
    }
}

/// The name of a kernel, by its index.
pub(super) fn kernel_name(records: &Records, index: u32) -> String {
    let kernel = records.kernels.get(index as usize);
    kernel.map_or_else(|| "(unknown)".to_owned(), |it| it.name.clone())
}
