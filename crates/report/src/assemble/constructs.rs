//! Constructs that the checker does not model: those in the source, and those found only by
//! running.

use crate::model::{NotModelledEntry, Position};
use crate::records::Kernel;
use crate::run::{Run, position};
use hirace_model::wire::numbers::{NotModelled, RecordType};

/// A construct without a known place, such as a barrier in a library's template.
fn unplaced_construct(constructs: NotModelled, kernel: Option<&Kernel>) -> String {
    let what = if constructs.has(NotModelled::PARTIAL_WARP_BARRIER) {
        "a barrier for some lanes of a warp only"
    } else if constructs.has(NotModelled::MEMORY_FENCE) {
        "a memory fence"
    } else if constructs.has(NotModelled::FLAG_OF_HOST) {
        "a location by which the host and the kernel communicate"
    } else {
        "a construct"
    };
    let kernel = kernel.map_or("(unknown)", |kernel| &kernel.name);
    format!("{what} in kernel `{kernel}`, at an unknown place")
}

/// The constructs that are not modelled, and whether this run executed them.
pub(super) fn find(run: &Run<'_>) -> Vec<NotModelledEntry> {
    let mut executed: Vec<(Position, NotModelled)> = Vec::new();
    let mut list = Vec::new();
    let entries = run.records.entries.iter();
    for entry in entries.filter(|entry| entry.kind == RecordType::NotModelled) {
        let constructs = entry.not_modelled;
        match position(run.tables, entry.current.site) {
            Some(position) => executed.push((position, constructs)),
            None => list.push(NotModelledEntry {
                file: String::new(),
                line: 0,
                construct: unplaced_construct(
                    constructs,
                    run.records.kernels.get(entry.kernel as usize),
                ),
                executed: true,
            }),
        }
    }
    let places = run.tables.iter();
    list.extend(
        places
            .flat_map(|table| &table.notes.not_modelled)
            .map(|place| {
                let here = |p: &Position| {
                    p.line == Some(place.line) && p.file.as_ref() == Some(&place.file)
                };
                let found = executed.iter().any(|(position, _)| here(position));
                executed.retain(|(position, _)| !here(position));
                NotModelledEntry {
                    file: place.file.clone(),
                    line: place.line,
                    construct: place.construct.clone(),
                    executed: found,
                }
            }),
    );
    // Found at run time only, such as a barrier whose mask was partial, or the memory order of an
    // atomic access.
    list.extend(
        executed
            .into_iter()
            .map(|(position, constructs)| NotModelledEntry {
                file: position.file.unwrap_or_default(),
                line: position.line.unwrap_or_default(),
                construct: match position.text.unwrap_or_default() {
                    text if constructs.has(NotModelled::PARTIAL_WARP_BARRIER) => {
                        format!("`{text}` for some lanes of the warp only")
                    }
                    text if constructs.has(NotModelled::MEMORY_FENCE)
                        && !text.contains("fence") =>
                    {
                        format!("atomic access to `{text}` that is not relaxed")
                    }
                    text if constructs.has(NotModelled::FLAG_OF_HOST) => {
                        format!("`{text}`, by which the kernel and the host communicate")
                    }
                    text => format!("`{text}`"),
                },
                executed: true,
            }),
    );
    list.sort_by(|a, b| (&a.file, a.line, &a.construct).cmp(&(&b.file, b.line, &b.construct)));
    list.dedup();
    list
}
