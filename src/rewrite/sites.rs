//! The table of hooked places, and what is said about the others.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;

use crate::model::{NotModelled, NotMonitored, Site, SiteKind};

/// Most sites of one file: their index has 20 bits.
const SITE_LIMIT: usize = 1 << 20;

/// Longest text of a site, in bytes.
const TEXT_LIMIT: usize = 240;

/// Collects sites and remarks while a file is rewritten.
pub(crate) struct Sites {
    file_number: u32,
    list: Vec<Site>,
    not_monitored: BTreeSet<(usize, String)>,
    not_modelled: BTreeSet<(usize, String)>,
}

/// A count of sites and remarks to come back to.
pub(crate) struct Checkpoint(usize);

impl Sites {
    pub(crate) fn new(file_number: u32) -> Self {
        Self {
            file_number,
            list: Vec::new(),
            not_monitored: BTreeSet::new(),
            not_modelled: BTreeSet::new(),
        }
    }

    /// Adds a site; its id as a C++ literal, or none when the table is full.
    pub(crate) fn add(
        &mut self,
        kind: SiteKind,
        range: Range<usize>,
        text: String,
        variable: &str,
        function: &str,
    ) -> Option<String> {
        if self.list.len() >= SITE_LIMIT {
            let reason = "more hooked places than one file can number".to_owned();
            self.not_monitored.insert((range.start, reason));
            return None;
        }
        let id = (self.file_number << 20) | u32::try_from(self.list.len()).unwrap_or(0);
        self.list.push(Site {
            text,
            range,
            line: 0,
            column: 0,
            variable: variable.to_owned(),
            function: function.to_owned(),
            kind,
        });
        Some(format!("0x{id:08x}u"))
    }

    /// Notes code at `offset` that runs without checks.
    pub(crate) fn not_monitored(&mut self, offset: usize, reason: impl Into<String>) {
        self.not_monitored.insert((offset, reason.into()));
    }

    /// Notes a construct at `offset` that may order accesses unseen.
    pub(crate) fn not_modelled(&mut self, offset: usize, construct: impl Into<String>) {
        self.not_modelled.insert((offset, construct.into()));
    }

    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint(self.list.len())
    }

    /// Takes back the sites added since.
    pub(crate) fn rewind(&mut self, checkpoint: &Checkpoint) {
        self.list.truncate(checkpoint.0);
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Fills in lines and columns.
    pub(crate) fn finish(
        mut self,
        source: &str,
        path: &str,
    ) -> (Vec<Site>, Vec<NotMonitored>, Vec<NotModelled>) {
        let mut positions: Vec<(usize, Option<usize>)> = self
            .list
            .iter()
            .enumerate()
            .map(|(index, site)| (site.range.start, Some(index)))
            .collect();
        let remarks = self.not_monitored.iter().chain(&self.not_modelled);
        positions.extend(remarks.map(|(offset, _)| (*offset, None)));
        positions.sort_unstable();
        let mut lines = Vec::new();
        let (mut line, mut column, mut at) = (1u32, 1u32, 0usize);
        for (offset, index) in positions {
            let from = at.min(offset);
            for character in source.get(from..offset).unwrap_or("").chars() {
                if character == '\n' {
                    line += 1;
                    column = 1;
                } else if character != '\u{feff}' {
                    column += 1;
                }
            }
            at = offset;
            match index {
                Some(index) => (self.list[index].line, self.list[index].column) = (line, column),
                None => lines.push((offset, line)),
            }
        }
        let line_of = |offset: usize| {
            let at = lines.partition_point(|(start, _)| *start < offset);
            lines.get(at).map_or(1, |(_, line)| *line)
        };
        let mut seen = BTreeSet::new();
        let not_monitored = self
            .not_monitored
            .into_iter()
            .map(|(offset, reason)| NotMonitored {
                file: path.to_owned(),
                line: line_of(offset),
                reason,
            })
            .filter(|it| seen.insert((it.line, it.reason.clone())))
            .collect();
        let mut seen = BTreeSet::new();
        let not_modelled = self
            .not_modelled
            .into_iter()
            .map(|(offset, construct)| NotModelled {
                file: path.to_owned(),
                line: line_of(offset),
                construct,
            })
            .filter(|it| seen.insert((it.line, it.construct.clone())))
            .collect();
        (self.list, not_monitored, not_modelled)
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
        out.push_str(word);
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

/// Writes `text` as the inside of a C++ string literal.
pub(crate) fn escape(text: &str) -> String {
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

/// The name of a kind in `hirace::SiteKind`.
pub(crate) fn kind_name(kind: SiteKind) -> &'static str {
    match kind {
        SiteKind::Read => "read",
        SiteKind::Write => "write",
        SiteKind::Update => "update",
        SiteKind::Atomic => "atomic",
        SiteKind::Sync => "sync",
        SiteKind::Launch => "launch",
    }
}
