//! The table of sites.

use std::fmt::Write as _;
use std::ops::Range;

use hirace_model::source_text;
use hirace_model::table::{Numbering, SITE_BITS};
use hirace_model::{ResultUse, Site, SiteKind};

use super::remarks::{self, Positions, Remarks};

/// Longest text of a site, in bytes.
const TEXT_LIMIT: usize = 240;

/// Collects sites and remarks while a file is rewritten.
pub(crate) struct Sites {
    base: u32,
    key: u64,
    list: Vec<Site>,
    pub(crate) remarks: Remarks,
}

impl Sites {
    pub fn new(numbering: Numbering) -> Self {
        let (base, key) = match numbering {
            Numbering::Given { base, key } => (base, key),
            Numbering::ByContent => (1, 0),
        };
        Self {
            base,
            key,
            list: Vec::new(),
            remarks: Remarks::default(),
        }
    }

    /// The last sites added, as long as they are in a range of the source.
    pub(crate) fn within(&self, range: &Range<usize>) -> impl Iterator<Item = &Site> {
        let last = self.list.iter().rev();
        last.take_while(|it| range.contains(&it.range.start))
    }

    /// Whether reads within a range of the source have a site.
    pub(crate) fn has_reads(&self, within: &Range<usize>) -> bool {
        self.within(within).any(|it| it.kind == SiteKind::Read)
    }

    /// How many there are, if that can be a number of one.
    pub(crate) fn count(&self) -> Option<u32> {
        u32::try_from(self.list.len()).ok()
    }

    /// Adds a site and returns its number as a C++ literal; none if the table is full.
    pub(crate) fn add(
        &mut self,
        kind: SiteKind,
        range: Range<usize>,
        text: String,
        variable: &str,
        function: &str,
    ) -> Option<String> {
        let next = self.count();
        let id = next.and_then(|next| self.base.checked_add(next));
        let Some(id) = id.filter(|id| *id < 1 << SITE_BITS) else {
            self.not_monitored(range.start, "more sites than can be numbered");
            return None;
        };
        self.list.push(Site {
            text,
            range,
            line: 0,
            column: 0,
            variable: variable.to_owned(),
            function: function.to_owned(),
            kind,
            result: ResultUse::Used,
        });
        Some(format!("0x{id:08x}u"))
    }

    /// How the value of the expression around the last site is used.
    pub(crate) fn last_result(&mut self, result: ResultUse) {
        if let Some(site) = self.list.last_mut() {
            site.result = result;
        }
    }

    /// Notes an access at `offset` that runs without a check.
    pub(crate) fn not_monitored(&mut self, offset: usize, reason: impl Into<String>) {
        self.remarks.not_monitored(offset, reason.into(), 1);
    }

    /// Notes code at `offset` that runs without checks. The number of accesses is estimated from
    /// `text`, which could not be parsed.
    pub(crate) fn not_read(&mut self, offset: usize, text: &str, reason: impl Into<String>) {
        let accesses = remarks::estimate(text);
        self.remarks.not_monitored(offset, reason.into(), accesses);
    }

    /// Notes a construct at `offset` that may order accesses without being modelled.
    pub(crate) fn not_modelled(&mut self, offset: usize, construct: impl Into<String>) {
        self.remarks.not_modelled(offset, construct.into());
    }

    pub(crate) fn base(&self) -> u32 {
        self.base
    }

    pub(crate) fn key(&self) -> u64 {
        self.key
    }

    /// Fills in lines and columns.
    pub(crate) fn finish(mut self, source: &str) -> (Vec<Site>, Remarks) {
        let positions = Positions::of(source, self.list.iter().map(|site| site.range.start));
        for site in &mut self.list {
            (site.line, site.column) = positions.at(site.range.start);
        }
        (self.list, self.remarks)
    }
}

/// Folds white space to single blanks and cuts very long text.
pub(crate) fn fold(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(&text[..text.len().min(4 * TEXT_LIMIT)]);
    let mut out = String::new();
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&source_text::lossy(word));
    }
    if out.len() > TEXT_LIMIT {
        let end = (0..=TEXT_LIMIT - 3)
            .rev()
            .find(|at| out.is_char_boundary(*at))
            .unwrap_or(0);
        out.truncate(end);
        out.push('…');
    }
    out
}

/// Escapes `text` for a C++ string literal.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                out.push('\\');
                out.push(character);
            }
            // A trigraph would otherwise change meaning under -std=c++14.
            '?' => out.push_str("\\?"),
            character if (character as u32) < 0x20 || character as u32 == 0x7f => {
                let _ = write!(out, "\\{:03o}", character as u32);
            }
            character => out.push(character),
        }
    }
    out
}

/// The name of a site kind in `hirace::SiteKind`.
pub(crate) fn kind_name(kind: SiteKind) -> &'static str {
    match kind {
        SiteKind::Read => "read",
        SiteKind::Write => "write",
        SiteKind::Update => "update",
        SiteKind::Atomic => "atomic",
        SiteKind::Sync => "sync",
        SiteKind::Launch => "launch",
        SiteKind::Call => "call",
    }
}
