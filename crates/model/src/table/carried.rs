//! Tables that a program carries: the instrumenter writes them into it, and the program writes them
//! after its race records, in the layout of [`crate::wire::tables`].

use super::lines::Lines;
use super::{Notes, Table};
use crate::wire::stream::{Stream as _, Streamed as _};
use crate::wire::tables::{MAGIC, SiteRow, TableHead};
use crate::{ResultUse, Site, SiteKind};

impl Notes {
    /// The notes in the text form that a program carries.
    #[must_use]
    pub fn carried(&self) -> String {
        let mut notes = self.clone();
        // The table already contains the name.
        notes.set_file("");
        // Serialising texts and numbers cannot fail.
        serde_json::to_string(&notes).unwrap_or_default()
    }
}

/// Reads all tables. The second value is false if some bytes are not a table: the program was
/// built by another version, or the disk was full.
#[must_use]
pub fn parse(mut bytes: &[u8]) -> (Vec<Table>, bool) {
    let mut tables = Vec::new();
    while !bytes.is_empty() {
        let Some(table) = block(&mut bytes).and_then(table) else {
            return (tables, false);
        };
        tables.push(table);
    }
    (tables, true)
}

/// Takes the bytes of a table off the front.
fn block<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    (bytes.split_off(..MAGIC.len())? == MAGIC).then_some(())?;
    let length = u32::read(bytes)? as usize;
    bytes.split_off(..length)
}

fn table(mut bytes: &[u8]) -> Option<Table> {
    let head = TableHead::read(&mut bytes)?;
    let mut notes: Notes = serde_json::from_str(&head.notes).ok()?;
    notes.set_file(&head.path);
    let sites = (0..head.count).map(|_| site(SiteRow::read(&mut bytes)?));
    Some(Table {
        sites: sites.collect::<Option<_>>()?,
        path: head.path,
        base: head.base,
        key: head.key,
        notes,
    })
}

fn site(row: SiteRow) -> Option<Site> {
    Some(Site {
        // The start is computed from line and column when the file is read.
        range: 0..row.length as usize,
        line: row.line,
        column: row.column,
        kind: SiteKind::of(row.kind.into())?,
        text: row.text,
        variable: row.variable,
        function: row.function,
        result: ResultUse::Used,
    })
}

/// Moves the ranges of `sites`, which start at 0, to their line and column in `source`.
pub fn locate(sites: &mut [Site], source: &str) {
    let lines = Lines::new(source);
    for site in sites {
        if let Some(start) = lines.offset(site.line, site.column) {
            site.range = start..start + site.range.len();
        }
    }
}
