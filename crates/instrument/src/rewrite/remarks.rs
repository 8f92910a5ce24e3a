//! Remarks on code without hooks, and the coverage.
//!
//! The coverage is counted where hooks are made, not on the IR: it is about the edits, whichever blocks they are in, and
//! counts text that has no blocks, such as bodies of macros and what could not be parsed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use hirace_model::{Hidden, NotModelled, NotMonitored, SwitchedOff, Warning};
use hirace_syntax::lexer::{TokenKind, lex_inline};
use hirace_syntax::prepass::Prepass;

use super::Instrumented;
use super::optout::{OptOut, OptOuts};

/// The maximum number of texts to show for a comment that switches checks off.
const MAX_TEXTS: usize = 3;

/// Remarks on a file while it is rewritten.
#[derive(Debug, Default)]
pub(crate) struct Remarks {
    /// Accesses by place and reason.
    not_monitored: BTreeMap<(usize, String), usize>,
    not_modelled: BTreeSet<(usize, String)>,
    /// Accesses that the configuration switches off: first position and number.
    configured: BTreeMap<String, (usize, usize)>,
    pub(crate) optouts: OptOuts,
    /// Accesses that need no check.
    pub(crate) private: usize,
    /// Functions left unchanged.
    pub(crate) untouched: usize,
    /// Those among them that are not counted as functions elsewhere.
    pub(crate) unread: usize,
}

impl Remarks {
    pub(crate) fn not_monitored(&mut self, offset: usize, reason: String, accesses: usize) {
        let known = self.not_monitored.entry((offset, reason)).or_default();
        // A place may be visited twice; its accesses count once.
        *known = accesses.max(*known);
    }

    pub(crate) fn not_modelled(&mut self, offset: usize, construct: String) {
        self.not_modelled.insert((offset, construct));
    }

    /// Whether a comment switches off the code at `offset`.
    pub(crate) fn is_commented(&mut self, offset: usize) -> bool {
        self.optouts.covering(offset).is_some()
    }

    /// Notes whether a comment switches off the access or launch `text` at `offset`.
    pub(crate) fn commented_out(&mut self, offset: usize, text: &str, accesses: usize) -> bool {
        let Some(comment) = self.optouts.covering(offset) else {
            return false;
        };
        comment.used = true;
        comment.accesses += accesses;
        if !comment.texts.iter().any(|it| it == text) {
            comment.texts.push(text.to_owned());
        }
        true
    }

    /// Notes accesses that the configuration switches off.
    pub(crate) fn configured_out(&mut self, offset: usize, what: String, accesses: usize) {
        let known = self.configured.entry(what).or_insert((offset, 0));
        known.1 += accesses;
    }

    /// Writes lists and counts into `out`, whose sites are complete.
    pub(crate) fn finish(
        mut self,
        source: &str,
        path: &str,
        prepass: &Prepass,
        out: &mut Instrumented,
    ) {
        // Code that cannot be monitored and is switched off counts as switched off.
        for ((offset, reason), accesses) in std::mem::take(&mut self.not_monitored) {
            if !self.commented_out(offset, &reason, accesses) {
                self.not_monitored.insert((offset, reason), accesses);
            }
        }
        let mistakes: Vec<_> = self.optouts.idle(source, prepass);
        let mistakes: BTreeSet<_> = mistakes
            .into_iter()
            .chain(std::mem::take(&mut self.optouts.misread))
            .collect();
        let remarks = self.not_monitored.keys().chain(&self.not_modelled);
        let offsets = remarks.chain(&mistakes).map(|(offset, _)| *offset);
        let offsets = offsets
            .chain(self.configured.values().map(|(offset, _)| *offset))
            .chain(self.optouts.list.iter().map(|it| it.at))
            .chain(
                self.optouts
                    .suppressing()
                    .flat_map(|it| [it.covers().start, it.covers().end]),
            );
        let positions = Positions::of(source, offsets);
        let line = |offset: usize| positions.at(offset).0;
        let file = || path.to_owned();

        out.not_monitored = not_monitored(self.not_monitored, path, &positions);
        out.not_modelled = not_modelled(self.not_modelled, path, &positions);
        let configured = self
            .configured
            .into_iter()
            .map(|(what, (offset, accesses))| SwitchedOff {
                file: file(),
                line: line(offset),
                what,
                by: "configuration".to_owned(),
                accesses,
            });
        out.hidden = hidden(&self.optouts, path, &positions);
        let used = self.optouts.list.into_iter().filter(|it| it.used);
        let commented = used.map(|it| SwitchedOff {
            file: file(),
            line: line(it.at),
            what: match it.function {
                Some(name) => format!("function `{name}`"),
                None => some_of(&it.texts),
            },
            by: "comment".to_owned(),
            accesses: it.accesses,
        });
        out.switched_off = configured.chain(commented).collect();
        out.switched_off.sort_by_key(|it| it.line);
        out.warnings = mistakes
            .into_iter()
            .map(|(offset, message)| {
                let (line, column) = positions.at(offset);
                Warning {
                    file: file(),
                    line,
                    column,
                    message,
                }
            })
            .collect();

        let coverage = &mut out.coverage;
        coverage.functions = out.device_functions + self.unread;
        coverage.untouched = self.untouched;
        coverage.monitored = out.sites.iter().filter(|it| it.kind.is_access()).count();
        coverage.private = self.private;
        coverage.switched_off = out.switched_off.iter().map(|it| it.accesses).sum();
        coverage.not_monitored = out.not_monitored.iter().map(|it| it.accesses).sum();
    }
}

/// The code that is not monitored, with the accesses of one line and reason added up.
fn not_monitored(
    found: BTreeMap<(usize, String), usize>,
    path: &str,
    positions: &Positions,
) -> Vec<NotMonitored> {
    let mut all: Vec<NotMonitored> = Vec::new();
    for ((offset, reason), accesses) in found {
        let line = positions.at(offset).0;
        let mut here = all.iter_mut().rev().take_while(|it| it.line == line);
        if let Some(same) = here.find(|it| it.reason == reason) {
            same.accesses += accesses;
            continue;
        }
        all.push(NotMonitored {
            file: path.to_owned(),
            line,
            reason,
            accesses,
        });
    }
    all
}

/// The constructs that are not modelled, each once per line.
fn not_modelled(
    found: BTreeSet<(usize, String)>,
    path: &str,
    positions: &Positions,
) -> Vec<NotModelled> {
    let mut all: Vec<NotModelled> = Vec::new();
    for (offset, construct) in found {
        let entry = NotModelled {
            file: path.to_owned(),
            line: positions.at(offset).0,
            construct,
        };
        let mut here = all.iter().rev().take_while(|it| it.line == entry.line);
        if !here.any(|it| *it == entry) {
            all.push(entry);
        }
    }
    all
}

/// The comments that hide findings, and the lines that they cover.
fn hidden(optouts: &OptOuts, path: &str, positions: &Positions) -> Vec<Hidden> {
    let one = |comment: &OptOut| {
        let (line, column) = positions.at(comment.at);
        Hidden {
            file: path.to_owned(),
            line,
            column,
            first: positions.at(comment.covers().start).0,
            last: positions.at(comment.covers().end).0,
            codes: comment.codes.clone(),
            words: comment.words(),
        }
    };
    optouts.suppressing().map(one).collect()
}

/// The first few texts.
fn some_of(texts: &[String]) -> String {
    let quoted = |text: &String| match text.contains('`') {
        true => text.clone(),
        false => format!("`{text}`"),
    };
    let first: Vec<_> = texts.iter().take(MAX_TEXTS).map(quoted).collect();
    match texts.len() - first.len() {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// Estimates the number of accesses in code that could not be parsed: its `[]`, its `->` and
/// apparent dereferences. Declarations of arrays and pointers count too: the estimate should be too
/// high rather than overstate the coverage.
pub fn estimate(text: &str) -> usize {
    let mut count = 0;
    let mut operand = false;
    for token in lex_inline(text).tokens {
        let word = token.text(text);
        count += usize::from(match word {
            "[" => operand,
            "->" => true,
            "*" => !operand,
            _ => false,
        });
        operand = match token.kind {
            TokenKind::Word => !matches!(word, "return" | "else" | "do" | "case"),
            TokenKind::Number => true,
            _ => matches!(word, ")" | "]"),
        };
    }
    count
}

/// Lines and columns of some offsets, both from 1.
pub(crate) struct Positions(HashMap<usize, (u32, u32)>);

impl Positions {
    pub(crate) fn of(source: &str, offsets: impl Iterator<Item = usize>) -> Self {
        let mut offsets: Vec<usize> = offsets.collect();
        offsets.sort_unstable();
        offsets.dedup();
        let mut positions = HashMap::with_capacity(offsets.len());
        let (mut line, mut column, mut at) = (1u32, 1u32, 0usize);
        for offset in offsets {
            for character in source.get(at..offset).unwrap_or("").chars() {
                if character == '\n' {
                    line += 1;
                    column = 1;
                } else if character != '\u{feff}' {
                    column += 1;
                }
            }
            at = offset;
            positions.insert(offset, (line, column));
        }
        Self(positions)
    }

    pub(crate) fn at(&self, offset: usize) -> (u32, u32) {
        self.0.get(&offset).copied().unwrap_or((1, 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates() {
        for (text, accesses) in [
            ("a[i] = b[j] * c;", 2),
            ("*p = q->x * 2;", 2),
            ("return *p;", 1),
            ("[&](int i) { f(i); }", 0),
        ] {
            assert_eq!(estimate(text), accesses, "{text}");
        }
    }
}
