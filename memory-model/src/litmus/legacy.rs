//! Scope trees and memory maps, as in Alglave et al., "GPU Concurrency: Weak Behaviours and
//! Programming Assumptions", ASPLOS 2015.
//!
//! ```text
//! ScopeTree(grid (cta (warp T0) (warp T1)) (cta (warp T2)))
//! x: shared, y: global
//! ```

use hirace_model::error::{Error, Result};

use super::ast::{Placement, Span};
use super::cursor::Cursor;
use super::lexer::Kind;
use super::names::{Locations, ThreadName};

/// Groups of threads; outer ones first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    System,
    Gpu,
    Grid,
    Cta,
    Warp,
}

/// Reads a scope tree.
struct Reader<'c, 's> {
    cursor: &'c mut Cursor<'s>,
    threads: &'c [String],
    found: Vec<Option<Placement>>,
    gpus: u32,
    /// The blocks of the whole tree are numbered, so that no two have the same number.
    ctas: u32,
    warps: u32,
}

/// The groups around a place of the tree.
#[derive(Clone, Copy, Default)]
struct Around {
    level: Option<Level>,
    gpu: u32,
    cta: Option<u32>,
    warp: Option<u32>,
}

/// Reads `ScopeTree(…)`: the placement of each thread.
pub(super) fn scope_tree(cursor: &mut Cursor<'_>, threads: &[String]) -> Result<Vec<Placement>> {
    let span = cursor.here();
    cursor.advance();
    let mut reader = Reader {
        cursor,
        threads,
        found: vec![None; threads.len()],
        gpus: 0,
        ctas: 0,
        warps: 0,
    };
    reader.group(Around::default())?;
    let mut placements = Vec::new();
    for (thread, placement) in threads.iter().zip(reader.found) {
        placements.push(placement.ok_or_else(|| {
            let message = format!("the scope tree does not place thread `{thread}`");
            cursor.source.error(span.clone(), message)
        })?);
    }
    Ok(placements)
}

impl Reader<'_, '_> {
    fn group(&mut self, around: Around) -> Result<()> {
        self.cursor.expect("(")?;
        let span = self.cursor.here();
        let (word, _) = self.cursor.name("`grid`, `cta` or `warp`")?;
        let level = match word.to_ascii_lowercase().as_str() {
            "sys" | "system" => Level::System,
            "gpu" | "device" => Level::Gpu,
            "grid" | "kernel" => Level::Grid,
            "cta" | "block" => Level::Cta,
            "warp" => Level::Warp,
            _ => {
                let message = format!("unknown level `{word}` of the scope tree");
                let help = "the levels are `system`, `gpu`, `grid`, `cta` and `warp`";
                return Err(self.cursor.source.error_with_help(span, message, help));
            }
        };
        let within = self.enter(around, level, word, &span)?;
        loop {
            if self.cursor.eat(")") {
                return Ok(());
            }
            match self.cursor.peek() {
                Some(Kind::Sign("(")) => self.group(within)?,
                Some(Kind::Word(_) | Kind::Number(_)) => self.thread(within)?,
                _ => {
                    return Err(self
                        .cursor
                        .unexpected("a group in parentheses, a thread or `)`"));
                }
            }
        }
    }

    /// A group starts.
    fn enter(&mut self, around: Around, level: Level, word: &str, span: &Span) -> Result<Around> {
        let mut within = Around {
            level: Some(level),
            ..around
        };
        if around.level.is_some_and(|outer| outer >= level) {
            return Err(self.error(span, format!("a `{word}` cannot be inside this group")));
        }
        match level {
            Level::System | Level::Grid => {}
            Level::Gpu => {
                within.gpu = self.gpus;
                self.gpus += 1;
            }
            Level::Cta => {
                within.cta = Some(self.ctas);
                self.ctas += 1;
                self.warps = 0;
            }
            Level::Warp => {
                if around.cta.is_none() {
                    return Err(self.error(span, "a warp must be inside a `cta`".to_owned()));
                }
                within.warp = Some(self.warps);
                self.warps += 1;
            }
        }
        Ok(within)
    }

    fn thread(&mut self, around: Around) -> Result<()> {
        let span = self.cursor.here();
        let name = ThreadName::read(self.cursor)?;
        let thread = name.find(self.cursor.source, self.threads)?;
        let name = &self.threads[thread];
        let Some(cta) = around.cta else {
            return Err(self.error(&span, format!("thread `{name}` must be inside a `cta`")));
        };
        let placement = Placement {
            gpu: around.gpu,
            cluster: None,
            cta,
            warp: around.warp,
        };
        if self.found[thread].is_some() {
            return Err(self.error(&span, format!("the scope tree contains `{name}` twice")));
        }
        self.found[thread] = Some(placement);
        Ok(())
    }

    fn error(&self, span: &Span, message: String) -> Error {
        self.cursor.source.error(span.clone(), message)
    }
}

/// Reads an entry of the memory map, such as `x: shared`.
pub(super) fn memory_map_entry(cursor: &mut Cursor<'_>, locations: &mut Locations) -> Result<()> {
    let (name, span) = cursor.name("a location")?;
    let Some(id) = locations.find(name) else {
        return Err(cursor.source.error(span, format!("no location `{name}`")));
    };
    cursor.expect(":")?;
    let shared = match cursor.peek_keyword().as_deref() {
        Some("shared") => true,
        Some("global") => false,
        _ => return Err(cursor.unexpected("`shared` or `global`")),
    };
    cursor.advance();
    let whole = span.start..cursor.last_end();
    locations.set_space(cursor.source, id, shared, &whole)?;
    if !cursor.eat(",") {
        cursor.eat(";");
    }
    Ok(())
}
