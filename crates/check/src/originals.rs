//! The source files of a program that was built elsewhere, if they still exist.

use std::collections::HashSet;
use std::path::Path;

use super::Relocation;
use hirace_model::source_text;
use hirace_model::table::{Tables, Texts, carried, digest};

/// The originals that were found.
#[derive(Debug, Default)]
pub(super) struct Originals {
    pub texts: Texts,
    /// What the report lacks, one sentence each.
    pub notes: Vec<String>,
}

/// Names each file relative to the current directory, as `relocation` says, and reads it for excerpts if it has not
/// changed since the build.
pub(super) fn find(tables: &mut Tables, relocation: Option<Relocation<'_>>) -> Originals {
    let here = super::here();
    let mut found = Originals::default();
    let mut changed = HashSet::new();
    for table in tables.iter_mut() {
        let Some(location) = table.notes.location.clone() else {
            continue;
        };
        // From here, the name on the compiler's command line may refer to no file or another one.
        let location = Path::new(&location);
        let named = relocation.map_or_else(|| location.to_owned(), |it| it.of(location));
        let inside = here.as_ref().and_then(|it| named.strip_prefix(it).ok());
        table.path = inside.unwrap_or(&named).display().to_string();
        table.notes.set_file(&table.path);
        let Ok(bytes) = std::fs::read(location) else {
            continue;
        };
        let text = source_text::decode(bytes);
        if digest(&text) == table.notes.digest {
            carried::locate(&mut table.sites, &text);
            let display = source_text::lossy(&text).into_owned();
            found.texts.insert(table.path.clone(), display);
        } else {
            changed.insert(table.path.clone());
        }
    }
    let mut changed: Vec<_> = changed.into_iter().collect();
    changed.sort();
    found.notes.extend(changed.into_iter().map(|file| {
        format!("`{file}` has changed since the program was built; line numbers may be wrong")
    }));
    found
}
