//! A program as one text: its own headers replace their `#include` lines.

use std::collections::HashSet;

use super::Unfit;
use hirace_instrument::includes::{self, Include, Resolver};
use hirace_instrument::tree::{Role, Tree, normal};
use hirace_syntax::lexer::{TokenKind, lex};
use hirace_toolchain::Arguments;

/// A program that can be put into a namespace.
#[derive(Debug)]
pub struct Flat {
    /// The number of its namespace, which the compiler's messages contain in the names of files.
    pub(super) number: usize,
    /// Its text, without includes of external headers.
    pub(super) text: String,
    /// The external headers as the text names them: `<vector>`.
    pub headers: Vec<String>,
    /// The macros that the text defines or undefines.
    pub(super) macros: Vec<String>,
}

impl Flat {
    /// Flattens the program that consists of the files of `tree`, whose contents are `texts`.
    ///
    /// # Errors
    /// The program might mean something else in a namespace.
    pub fn of<'a>(
        number: usize,
        tree: &Tree,
        texts: impl IntoIterator<Item = &'a [u8]>,
        arguments: &Arguments,
    ) -> Result<Self, Unfit> {
        let mut named = (0..tree.files.len()).filter(|&it| tree.files[it].role == Role::Named);
        let (Some(first), None) = (named.next(), named.next()) else {
            return Err(Unfit("several source files"));
        };
        let mut flattening = Flattening {
            tree,
            texts: texts.into_iter().collect(),
            resolver: Resolver::new(arguments),
            open: Vec::new(),
            once: HashSet::new(),
            configured: false,
            flat: Self {
                number,
                text: String::new(),
                headers: Vec::new(),
                macros: Vec::new(),
            },
        };
        flattening.file(first)?;
        if names_global_scope(&flattening.flat.text) {
            return Err(Unfit("uses the global namespace by name"));
        }
        Ok(flattening.flat)
    }
}

/// Whether a program uses `::NAME`, which in a namespace may be a name of its own.
///
/// Hooks use `::hirace`, which is declared before the programs. After a name or a closing bracket,
/// `::` names a member.
fn names_global_scope(text: &str) -> bool {
    text.match_indices("::").any(|(at, _)| {
        let is_member = text[..at]
            .ends_with(|it: char| it.is_alphanumeric() || matches!(it, '_' | '>' | ')' | ':'));
        let name = &text[at + 2..];
        !is_member
            && name.starts_with(|it: char| it.is_alphabetic() || it == '_')
            && !name.starts_with("hirace::")
    })
}

struct Flattening<'a> {
    tree: &'a Tree,
    /// The contents of the tree's files.
    texts: Vec<&'a [u8]>,
    resolver: Resolver<'a>,
    /// The chain of files that leads to the current one, which is last.
    open: Vec<usize>,
    /// Files with `#pragma once` that were included.
    once: HashSet<usize>,
    /// Whether a macro was defined that headers might test.
    configured: bool,
    flat: Flat,
}

/// Beginnings of pragmas that end with what they concern. A copy saves and restores the user's macros.
const HARMLESS: [&str; 3] = ["unroll", "push_macro", "pop_macro"];

/// Deeper includes are taken for a cycle; only the preprocessor could tell.
const MAX_DEPTH: usize = 64;

impl Flattening<'_> {
    fn file(&mut self, index: usize) -> Result<(), Unfit> {
        if self.once.contains(&index) {
            return Ok(());
        }
        if self.open.len() > MAX_DEPTH {
            return Err(Unfit("includes itself"));
        }
        self.open.push(index);
        let bytes = self.texts.get(index).copied().unwrap_or_default();
        let source = std::str::from_utf8(bytes).map_err(|_| Unfit("is not UTF-8"))?;
        let source = source.trim_start_matches('\u{feff}');
        let mut place = Place {
            name: self.tree.files[index].display.clone(),
            start: 0,
            line: 1,
        };
        self.mark(&place, 1);
        let mut copied = 0;
        let mut guard = "";
        for token in lex(source).tokens {
            if token.kind != TokenKind::Directive {
                continue;
            }
            let directive = token.text(source);
            let body = directive.trim_start_matches('#').trim_start();
            let (word, rest) = body
                .split_once(|it: char| !it.is_ascii_alphanumeric())
                .unwrap_or((body, ""));
            let tested = std::mem::take(&mut guard);
            match word {
                "include" => {
                    self.flat.text.push_str(&source[copied..token.start]);
                    copied = token.end;
                    if self.include(directive)? {
                        let line = place.line_of(source, token.end) + 1;
                        self.mark(&place, line);
                        // The directive's own line break follows.
                        self.flat.text.pop();
                    }
                }
                "line" => {
                    self.flat.text.push_str(&source[copied..token.start]);
                    copied = token.end;
                    let (line, name) = rest.trim().split_once(' ').unwrap_or((rest, ""));
                    place = Place {
                        name: name.trim().trim_matches('"').to_owned(),
                        start: token.end,
                        // The number is that of the line after the directive.
                        line: line.trim().parse::<usize>().unwrap_or(1).saturating_sub(1),
                    };
                    self.mark(&place, place.line + 1);
                    self.flat.text.pop();
                }
                "pragma" if rest.trim() == "once" => {
                    self.flat.text.push_str(&source[copied..token.start]);
                    copied = token.end;
                    self.once.insert(index);
                }
                "pragma" if HARMLESS.iter().any(|it| rest.trim_start().starts_with(it)) => {}
                "pragma" => return Err(Unfit("a pragma that may affect other programs")),
                "ifndef" => guard = rest.trim(),
                "define" | "undef" => {
                    let name = macro_name(rest);
                    self.configured |= name != tested;
                    if !self.flat.macros.iter().any(|it| it == name) {
                        self.flat.macros.push(name.to_owned());
                    }
                }
                "error" | "warning" | "if" | "ifdef" | "elif" | "else" | "endif" => {}
                _ => return Err(Unfit("an unknown directive")),
            }
        }
        self.flat.text.push_str(&source[copied..]);
        self.flat.text.push('\n');
        self.open.pop();
        Ok(())
    }

    /// Handles an include, and returns whether text replaced it.
    fn include(&mut self, directive: &str) -> Result<bool, Unfit> {
        let include = includes::directives(directive)
            .next()
            .ok_or(Unfit("an include named by a macro"))?;
        if let Some(index) = self.own(include) {
            self.flat.text.push('\n');
            self.file(index)?;
            return Ok(true);
        }
        let name = match include.quoted {
            true => format!("\"{}\"", include.name),
            false => format!("<{}>", include.name),
        };
        // Our own first header is already included, and no macro changes it.
        if self.configured && !include.name.starts_with("hirace/") {
            return Err(Unfit("macros before a header that may test them"));
        }
        if !self.flat.headers.contains(&name) {
            self.flat.headers.push(name);
        }
        Ok(false)
    }

    /// The program's file that `include` in the current file refers to.
    fn own(&self, include: Include<'_>) -> Option<usize> {
        let file = &self.tree.files[*self.open.last()?];
        let directory = file.path.parent()?;
        let found = self.resolver.find(include, directory)?;
        let path = normal(&found.path).ok()?;
        self.tree.files.iter().position(|it| it.path == path)
    }

    /// Writes a `#line` directive for the next line. The program's number is a folder, so that a
    /// path in debugging information still ends with the file's own name.
    fn mark(&mut self, place: &Place, line: usize) {
        let mark = format!("#line {line} \"{}:/{}\"\n", self.flat.number, place.name);
        self.flat.text.push_str(&mark);
    }
}

/// The origin of a text according to its `#line` directives.
struct Place {
    name: String,
    /// The byte from which on this holds.
    start: usize,
    /// The line of that byte.
    line: usize,
}

impl Place {
    fn line_of(&self, source: &str, offset: usize) -> usize {
        let text = &source.as_bytes()[self.start..offset];
        self.line + text.iter().filter(|&&it| it == b'\n').count()
    }
}

/// The name in a `#define` or `#undef`.
fn macro_name(rest: &str) -> &str {
    let rest = rest.trim_start();
    let end = rest.find(|it: char| !(it.is_ascii_alphanumeric() || it == '_' || it == '$'));
    &rest[..end.unwrap_or(rest.len())]
}
