//! Tables on their way through a program: what the instrumenter writes into it, and what
//! `device/hirace/records/table_file.h` writes behind the race records.
//!
//! Little endian; a text is its length and its bytes.
//!
//! ```text
//! magic "HRTABLE1" | bytes that follow u32 | base u32 | key u64 | path | notes (JSON)
//!   | sites u32 | line u32, column u32, length u32, kind u32, text, variable, function | …
//! ```

use super::lines::Lines;
use super::{Notes, Table};
use crate::{Site, SiteKind};

const MAGIC: &[u8; 8] = b"HRTABLE1";

/// The kinds by their numbers in `device/hirace/hooks/site.h`.
const KINDS: [SiteKind; 6] = [
    SiteKind::Read,
    SiteKind::Write,
    SiteKind::Update,
    SiteKind::Atomic,
    SiteKind::Sync,
    SiteKind::Launch,
];

impl Notes {
    /// The notes as the text that a program carries.
    #[must_use]
    pub fn carried(&self) -> String {
        let mut notes = self.clone();
        // The table has it.
        notes.set_file("");
        // Texts and numbers only: nothing in notes can fail to serialise.
        serde_json::to_string(&notes).unwrap_or_default()
    }
}

/// Reads all tables. The second value is false where some bytes make none: the program was
/// built by another version, or the disk was full.
#[must_use]
pub fn parse(bytes: &[u8]) -> (Vec<Table>, bool) {
    let mut tables = Vec::new();
    let mut rest = Reader(bytes);
    while !rest.0.is_empty() {
        let Some(table) = rest.block().and_then(Reader::table) else {
            return (tables, false);
        };
        tables.push(table);
    }
    (tables, true)
}

/// Bytes that may be anything.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn text(&mut self) -> Option<String> {
        let length = self.u32()? as usize;
        Some(String::from_utf8_lossy(self.take(length)?).into_owned())
    }

    fn block(&mut self) -> Option<Self> {
        (self.take(8)? == MAGIC).then_some(())?;
        let length = self.u32()? as usize;
        self.take(length).map(Self)
    }

    fn table(mut self) -> Option<Table> {
        let (base, key) = (self.u32()?, self.u64()?);
        let path = self.text()?;
        let mut notes: Notes = serde_json::from_str(&self.text()?).ok()?;
        notes.set_file(&path);
        let count = self.u32()?;
        let sites = (0..count).map(|_| self.site()).collect::<Option<_>>()?;
        Some(Table {
            path,
            base,
            key,
            sites,
            notes,
        })
    }

    fn site(&mut self) -> Option<Site> {
        let (line, column, length) = (self.u32()?, self.u32()?, self.u32()?);
        let kind = *KINDS.get(self.u32()? as usize)?;
        Some(Site {
            // The start follows from line and column once the file is at hand.
            range: 0..length as usize,
            line,
            column,
            kind,
            text: self.text()?,
            variable: self.text()?,
            function: self.text()?,
        })
    }
}

/// Moves the ranges of `sites`, which start at 0, to where line and column say in `source`.
pub fn locate(sites: &mut [Site], source: &str) {
    let lines = Lines::new(source);
    for site in sites {
        if let Some(start) = lines.offset(site.line, site.column) {
            site.range = start..start + site.range.len();
        }
    }
}
