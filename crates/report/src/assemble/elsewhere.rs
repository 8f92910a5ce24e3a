//! Where else a race was seen: in other memory, or by another instance of its kernel.

use std::collections::HashSet;

use hirace_model::wire::records::Elsewhere;

use super::calls::kernel_name;
use crate::call_path;
use crate::model::{Memory, Sighting};
use crate::records::{Entry, Line};
use crate::run::{Run, call_at, position};

/// A place of a race: where its record was made, or a further one that the record names.
struct Seen<'a> {
    entry: &'a Entry,
    place: Elsewhere,
}

impl<'a> Seen<'a> {
    /// The place of a record, and the further ones.
    fn all(entry: &'a Entry) -> impl Iterator<Item = Self> {
        let it = &entry.whereabouts;
        let first = Elsewhere {
            origin: it.origin,
            allocated_by: it.allocated_by,
            parameter: it.parameter,
            object_bytes: it.object_bytes,
            launch_code: it.launch_code,
            launch: it.launch,
            launch_site: it.launch_site,
            calls: it.calls,
        };
        let further = it.elsewhere.iter().filter(|it| it.origin != 0).cloned();
        let places = std::iter::once(first).chain(further);
        places.map(move |place| Self { entry, place })
    }

    fn memory(&self, run: &Run<'_>) -> Option<Memory> {
        let line = run.records.line(self.entry, self.place.allocated_by)?;
        Some(Memory {
            bytes: self.place.object_bytes,
            file: line.file.clone(),
            line: line.line,
        })
    }

    /// What a report says of it, beside `shown`.
    fn sighting(&self, shown: &Entry, run: &Run<'_>) -> Sighting {
        let (records, tables) = (run.records, run.tables);
        let process = self.entry.whereabouts.process;
        let kernel = kernel_name(records, self.entry.kernel);
        let path = call_path::seen((process, &self.place.calls), &kernel, records);
        let outermost = path.last().map(|it| it.function.clone());
        let is_same_access = self.entry.current.site == shown.current.site;
        let place = position(tables, shown.current.site).filter(|_| is_same_access);
        let mut place = place.unwrap_or_default();
        call_path::follow(&mut place, &kernel, (&path, records.lists_inlined), tables);
        let used: Option<&Line> = records.line(self.entry, self.place.launch_code);
        Sighting {
            instance: outermost.filter(|it| it.contains('<')),
            parameter: tables
                .variable(self.place.parameter)
                .map(|it| it.name.clone()),
            memory: self.memory(run),
            launch: call_at(self.place.launch, self.place.launch_site, used, tables),
            calls: place.calls,
        }
    }
}

/// What the records of a race say beside the one that is shown: once for each instance of the kernel, each line that
/// allocates the memory, and each way of calls to the second access.
pub(super) fn others(group: &[&Entry], shown: &Entry, run: &Run<'_>) -> Vec<Sighting> {
    let sightings = |entry| Seen::all(entry).map(|it| it.sighting(shown, run));
    let first: Vec<Sighting> = sightings(shown).take(1).collect();
    let mut all: Vec<Sighting> = group.iter().flat_map(|it| sightings(it)).collect();
    // The calls are unknown where the two accesses came in the other sequence.
    all.sort_by_cached_key(|it| {
        let number = it.launch.as_ref().map(|it| it.number);
        (it.calls.is_empty(), number, it.key(), it.calls.clone())
    });
    let mut known: HashSet<_> = first.iter().map(Sighting::key).collect();
    let mut calls: HashSet<_> = first
        .iter()
        .map(|it| (it.key(), it.calls.clone()))
        .collect();
    all.retain(|it| {
        let is_new = known.insert(it.key());
        let is_new_call = !it.calls.is_empty() && calls.insert((it.key(), it.calls.clone()));
        is_new || is_new_call
    });
    all
}
