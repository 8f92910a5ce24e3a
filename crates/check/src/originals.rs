//! The source files of a program that was built elsewhere, as far as they are still there.

use std::collections::HashSet;
use std::path::Path;

use hirace_model::table::{Tables, Texts, carried, digest};

/// What became of the originals.
#[derive(Debug, Default)]
pub(super) struct Originals {
    pub texts: Texts,
    /// What the report lacks, a sentence each.
    pub notes: Vec<String>,
}

/// Gives each file the name that it has from here, and reads it for excerpts if it is as it
/// was when the program was built.
pub(super) fn find(tables: &mut Tables) -> Originals {
    let here = super::here();
    let mut found = Originals::default();
    let mut changed = HashSet::new();
    for table in tables.iter_mut() {
        let Some(location) = table.notes.location.clone() else {
            continue;
        };
        // The name that the compiler was given may mean nothing here, or another file.
        let location = Path::new(&location);
        let inside = here.as_ref().and_then(|it| location.strip_prefix(it).ok());
        table.path = inside.unwrap_or(location).display().to_string();
        table.notes.set_file(&table.path);
        let text = match found.texts.get(&table.path) {
            Some(text) => text.clone(),
            None => match std::fs::read_to_string(location) {
                Ok(text) => text,
                Err(_) => continue,
            },
        };
        if digest(&text) == table.notes.digest {
            carried::locate(&mut table.sites, &text);
            found.texts.insert(table.path.clone(), text);
        } else {
            changed.insert(table.path.clone());
        }
    }
    let mut changed: Vec<_> = changed.into_iter().collect();
    changed.sort();
    found.notes.extend(changed.into_iter().map(|file| {
        format!("`{file}` has changed since the program was built; lines are those of then")
    }));
    found
}
