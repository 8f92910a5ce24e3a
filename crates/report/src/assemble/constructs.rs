//! Constructs that the checker does not model: those in the source, and those that only the run
//! could tell.

use crate::model::{NotModelledEntry, Position};
use crate::records::{EntryType, Kernel};
use crate::run::{Run, position};

/// Bits of the constructs that are not modelled, as in `device/hirace/records/record.h`.
const MEMORY_FENCE: u32 = 1;
const PARTIAL_WARP_BARRIER: u32 = 2;

/// A construct whose place is not known, such as a barrier that a template of a library calls.
fn unplaced_construct(bits: u32, kernel: Option<&Kernel>) -> String {
    let what = if bits & PARTIAL_WARP_BARRIER != 0 {
        "a barrier for some lanes of a warp only"
    } else if bits & MEMORY_FENCE != 0 {
        "a memory fence"
    } else {
        "a construct"
    };
    let kernel = kernel.map_or("(unknown)", |kernel| &kernel.name);
    format!("{what} in kernel `{kernel}`, at a place that is not known")
}

/// The constructs that are not modelled, and whether this run executed them.
pub(super) fn find(run: &Run<'_>) -> Vec<NotModelledEntry> {
    let mut executed: Vec<(Position, u32)> = Vec::new();
    let mut list = Vec::new();
    let entries = run.records.entries.iter();
    for entry in entries.filter(|entry| entry.kind == EntryType::NotModelled) {
        let bits = entry.not_modelled;
        match position(run.tables, entry.current.site) {
            Some(position) => executed.push((position, bits)),
            None => list.push(NotModelledEntry {
                file: String::new(),
                line: 0,
                construct: unplaced_construct(bits, run.records.kernels.get(entry.kernel as usize)),
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
    // Found at run time only: a barrier whose mask turned out to be partial, the order that
    // an atomic access asks for.
    list.extend(
        executed
            .into_iter()
            .map(|(position, bits)| NotModelledEntry {
                file: position.file.unwrap_or_default(),
                line: position.line.unwrap_or_default(),
                construct: match position.text.unwrap_or_default() {
                    text if bits & PARTIAL_WARP_BARRIER != 0 => {
                        format!("`{text}` for some lanes of the warp only")
                    }
                    text if bits & MEMORY_FENCE != 0 && !text.contains("fence") => {
                        format!("atomic access to `{text}` that is not relaxed")
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
