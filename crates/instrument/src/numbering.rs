//! The numbers of sites, and the keys of tables.

use hirace_model::table::{self, Numbering};

use crate::Bases;
use crate::rewrite::Source;

/// The first site number, if files are numbered consecutively.
pub(super) fn first_base(bases: Bases, sources: &[Source<'_>]) -> Option<u32> {
    match bases {
        Bases::From(base) => Some(base),
        Bases::Tree => {
            let keys: Vec<_> = sources.iter().map(|it| key(it).to_string()).collect();
            // As much room above it as possible.
            match table::by_content(&keys.join(" "), usize::MAX) {
                Numbering::Given { base, .. } => Some(base),
                Numbering::ByContent => None,
            }
        }
        Bases::File => None,
    }
}

/// The key of a file's table: the same file at the same place may have the same key.
pub(super) fn key(source: &Source<'_>) -> u64 {
    table::key_of(table::digest(source.path) ^ table::digest(source.text).rotate_left(1))
}
