//! The site table of each instrumented file, and the notes on the file for a report.
//!
//! The program carries its tables (`device/hirace/hooks/site.h`) and writes them after its race
//! records, so that hirace can report on a program that another process has built.
//!
//! Site numbers have [`SITE_BITS`] bits. Each table owns a range that starts at its base. Files
//! that are instrumented together get consecutive ranges. A file that is instrumented separately gets
//! its base from a hash of its text: this needs no state, equal text has equal numbers, and two
//! tables overlap only by bad luck, which [`Tables::find`] detects.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::{Coverage, Hidden, NotModelled, NotMonitored, Site, SiteKind, SwitchedOff, Warning};

pub mod carried;
pub mod lines;

pub use crate::wire::numbers::SITE_BITS;

/// How a table's sites are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// From `base` on. No other table of the program may have the `key`.
    Given {
        /// The number of the first site, from 1.
        base: u32,
        /// The key, below 2^44.
        key: u64,
    },
    /// Base and key are derived from the instrumented text.
    ByContent,
}

/// In the text of a site that is an instruction of PTX with a line of the source: what stands between the instruction and
/// the number of its own line.
pub const PTX_LINE: &str = " (PTX line ";

/// A hash of a file's text: FNV-1a, with the finaliser of splitmix64 so that its low bits are as
/// good as its high ones. Programs contain it, so it must never change, unlike the hashes of the
/// standard library.
#[must_use]
pub fn digest(text: &str) -> u64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// Base and key derived from `text`, with room for `count` sites.
#[must_use]
pub fn by_content(text: &str, count: usize) -> Numbering {
    let hash = digest(text);
    let bases = (1u64 << SITE_BITS) - 1 - (count as u64).min(1 << (SITE_BITS - 1));
    Numbering::Given {
        base: u32::try_from(1 + hash % bases).unwrap_or(1),
        key: key_of(hash),
    }
}

/// The key derived from a [`digest`].
#[must_use]
pub fn key_of(digest: u64) -> u64 {
    digest >> 20
}

/// What a report says about a file besides its races.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Notes {
    /// The absolute path of the original.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// [`digest`] of the original.
    pub digest: u64,
    /// The kernels with a body in the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kernels: Vec<String>,
    /// Places in device code that run unchecked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_monitored: Vec<NotMonitored>,
    /// Constructs that may order accesses unseen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_modelled: Vec<NotModelled>,
    /// Code that the user chose not to check.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub switched_off: Vec<SwitchedOff>,
    /// Comments that hide findings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<Hidden>,
    /// Mistakes in comments that address hirace.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// Branches with sites in several arms.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<Branch>,
    /// Calls of the project's functions in device code.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    /// Shared and device variables.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Variable>,
    /// Sites of atomic operations that the user chose not to check, counted from the base of the table. They take part
    /// in what orders other accesses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order_only: Vec<u32>,
    /// The coverage of the file.
    pub coverage: Coverage,
}

/// Why accesses in a function run unchecked whose definition is not known where it is called.
#[must_use]
pub fn outside_project(function: &str) -> String {
    format!("`{function}` is not part of the project, so its accesses are not checked")
}

/// A branch of device code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// Its line, from 1.
    pub line: u32,
    /// What it is: `if`, `switch` or `?:`.
    pub construct: String,
    /// The sites in each of its arms, counted from the base of the table.
    pub arms: Vec<Vec<u32>>,
}

/// A call in device code, or the use of a macro with accesses.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Call {
    /// The function that calls, without its class and namespace.
    pub caller: String,
    /// The function that is called, likewise.
    pub callee: String,
    /// The line, from 1.
    pub line: u32,
    /// What is called is a macro.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_macro: bool,
}

/// A variable whose accesses a program reports by a key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Its number in the file; see [`variable_key`].
    pub number: u32,
    /// Its name.
    pub name: String,
    /// It is the dynamic shared memory of a launch, which may have other names, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_dynamic: bool,
}

/// Bits of a variable's number in its key.
const VARIABLE_BITS: u32 = 20;

/// The key of a variable, from the key of its table and its number in the file.
#[must_use]
pub fn variable_key(table: u64, number: u32) -> u64 {
    table << VARIABLE_BITS | u64::from(number & ((1 << VARIABLE_BITS) - 1))
}

impl Branch {
    /// Whether two sites are in different arms.
    fn separates(&self, a: u32, b: u32) -> bool {
        let arm = |site| self.arms.iter().position(|it| it.contains(&site));
        matches!((arm(a), arm(b)), (Some(a), Some(b)) if a != b)
    }
}

impl Notes {
    /// Whether the notes contain nothing for a report.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.coverage == Coverage::default()
            && self.kernels.is_empty()
            && self.not_monitored.is_empty()
            && self.not_modelled.is_empty()
            && self.switched_off.is_empty()
            && self.hidden.is_empty()
            && self.warnings.is_empty()
    }

    /// Sets the file's name in all notes.
    pub fn set_file(&mut self, file: &str) {
        let remarks = self.not_monitored.iter_mut().map(|it| &mut it.file);
        let remarks = remarks
            .chain(self.not_modelled.iter_mut().map(|it| &mut it.file))
            .chain(self.switched_off.iter_mut().map(|it| &mut it.file))
            .chain(self.hidden.iter_mut().map(|it| &mut it.file))
            .chain(self.warnings.iter_mut().map(|it| &mut it.file));
        for name in remarks {
            file.clone_into(name);
        }
    }
}

/// The site table of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The file as the user would name it.
    pub path: String,
    /// The number of its first site.
    pub base: u32,
    /// Distinguishes tables with the same base.
    pub key: u64,
    /// Its sites, in order of their numbers.
    pub sites: Vec<Site>,
    /// The notes on the file.
    pub notes: Notes,
}

impl Table {
    fn get(&self, id: u32) -> Option<(&str, &Site)> {
        let index = id.checked_sub(self.base)?;
        Some((&self.path, self.sites.get(index as usize)?))
    }
}

/// The site or sites of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SitesOf<'a> {
    /// No known site.
    Nothing,
    /// This site.
    One(&'a str, &'a Site),
    /// One of these, because the ranges of their tables overlap.
    Several(Vec<(&'a str, &'a Site)>),
}

/// The tables of a program.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// In order of their bases.
    list: Vec<Table>,
    /// The number of sites in the longest table.
    longest: u32,
}

impl Tables {
    /// Adds a table, unless it has already been added.
    pub fn add(&mut self, table: Table) {
        let order = |it: &Table| (it.base, it.key);
        let at = self.list.partition_point(|it| order(it) < order(&table));
        let same = self.list[at..]
            .iter()
            .take_while(|it| order(it) == order(&table));
        if same.into_iter().any(|it| *it == table) {
            return;
        }
        let count = u32::try_from(table.sites.len()).unwrap_or(u32::MAX);
        self.longest = self.longest.max(count);
        self.list.insert(at, table);
    }

    /// Drops what the tables say of functions that are unknown in the file of a call: another file defines some.
    pub fn link(&mut self) {
        let sites = self.list.iter().flat_map(|it| &it.sites);
        let names = sites.filter(|it| it.kind != SiteKind::Sync);
        let reasons = names.map(|it| outside_project(&it.function));
        let known: HashSet<String> = reasons.collect();
        for notes in self.list.iter_mut().map(|it| &mut it.notes) {
            let coverage = &mut notes.coverage;
            notes.not_monitored.retain(|it| {
                let is_known = known.contains(&it.reason);
                let accesses = if is_known { it.accesses } else { 0 };
                coverage.not_monitored = coverage.not_monitored.saturating_sub(accesses);
                !is_known
            });
        }
    }

    /// The tables, in order of their bases.
    pub fn iter(&self) -> impl Iterator<Item = &Table> {
        self.list.iter()
    }

    /// The tables, for changes.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Table> {
        self.list.iter_mut()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The site or sites with the number `id`.
    #[must_use]
    pub fn find(&self, id: u32) -> SitesOf<'_> {
        let after = self.list.partition_point(|table| table.base <= id);
        let near = self.list[..after]
            .iter()
            .rev()
            .take_while(|table| id - table.base < self.longest);
        let mut found: Vec<_> = near.filter_map(|table| table.get(id)).collect();
        // Equal sites at the same position are one site, even if the rest of their files differs.
        found.sort_by_key(|(path, site)| (*path, site.line, site.column));
        found.dedup();
        match found.as_slice() {
            [] => SitesOf::Nothing,
            [(path, site)] => SitesOf::One(path, site),
            _ => SitesOf::Several(found),
        }
    }

    /// The site with the number `id`, if it is unambiguous.
    #[must_use]
    pub fn site(&self, id: u32) -> Option<(&str, &Site)> {
        match self.find(id) {
            SitesOf::One(path, site) => Some((path, site)),
            SitesOf::Nothing | SitesOf::Several(_) => None,
        }
    }

    /// Whether an access at a site was not to be checked, but only to order others.
    #[must_use]
    pub fn is_order_only(&self, id: u32) -> bool {
        let has = |it: &Table| {
            let number = id.checked_sub(it.base);
            number.is_some_and(|number| it.notes.order_only.contains(&number))
        };
        self.site(id).is_some() && self.list.iter().any(has)
    }

    /// The branch that has the sites with two numbers in different arms; none if a number is
    /// ambiguous.
    #[must_use]
    pub fn branch_between(&self, a: u32, b: u32) -> Option<&Branch> {
        self.site(a).and(self.site(b))?;
        self.list.iter().find_map(|table| {
            let [a, b] = [a, b].map(|id| id.checked_sub(table.base));
            let (a, b) = (a?, b?);
            table.notes.branches.iter().find(|it| it.separates(a, b))
        })
    }

    /// All calls in device code, each with its file. Those of a header that several files include count once.
    #[must_use]
    pub fn calls(&self) -> BTreeSet<(&str, &Call)> {
        let tables = self.list.iter();
        let calls =
            tables.flat_map(|it| it.notes.calls.iter().map(|call| (it.path.as_str(), call)));
        calls.collect()
    }

    /// The variable with a [`variable_key`].
    #[must_use]
    pub fn variable(&self, key: u64) -> Option<&Variable> {
        let tables = self.list.iter();
        let tables = tables.filter(|it| it.key == key >> VARIABLE_BITS);
        let mut variables = tables.flat_map(|it| {
            let own = it.notes.variables.iter();
            own.filter(|own| variable_key(it.key, own.number) == key)
        });
        variables.next()
    }

    /// The coverage of all files together. A header that several separately instrumented files
    /// include counts once, if its instrumented form is the same in all of them.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        let mut files: HashMap<&str, Vec<&Notes>> = HashMap::new();
        for table in &self.list {
            let known = files.entry(&table.path).or_default();
            if !known.contains(&&table.notes) {
                known.push(&table.notes);
            }
        }
        files
            .values()
            .flatten()
            .map(|notes| notes.coverage)
            .fold(Coverage::default(), |all, one| all + one)
    }
}

/// The texts of the user's files by name, for excerpts.
pub type Texts = HashMap<String, String>;

#[cfg(test)]
mod tests;
