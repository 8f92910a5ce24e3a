//! A program as one text: its own headers replace their `#include` lines.

use std::collections::HashSet;

use super::{Unfit, scope};
use hirace_instrument::Instrumented;
use hirace_instrument::includes::{self, Include, Resolver};
use hirace_instrument::tree::{Role, Tree, normal};
use hirace_syntax::lexer::{TokenKind, lex};
use hirace_toolchain::Arguments;

/// A program that can be put into a namespace.
#[derive(Debug)]
pub(super) struct Flat {
    /// Its text, without includes of external headers.
    pub text: String,
    /// The external headers as the text names them: `<vector>`.
    pub(super) headers: Vec<String>,
    /// The macros that the text defines or undefines.
    pub(super) macros: Vec<String>,
    /// The functions at file scope.
    pub(super) functions: Vec<String>,
}

/// The text of a program; the compiler's messages contain `number` in the names of files.
pub(super) fn of(
    number: usize,
    tree: &Tree,
    instrumented: &Instrumented,
    arguments: &Arguments,
) -> Result<Flat, Unfit> {
    let mut named = (0..tree.files.len()).filter(|&it| tree.files[it].role == Role::Named);
    let (Some(first), None) = (named.next(), named.next()) else {
        return Err(Unfit("several source files"));
    };
    let mut functions = Vec::new();
    for (_, text) in tree.sources() {
        functions.extend(scope::functions(text)?);
    }
    let mut flattening = Flattening {
        number,
        tree,
        instrumented,
        resolver: Resolver::new(arguments),
        open: Vec::new(),
        once: HashSet::new(),
        configured: false,
        text: String::new(),
        headers: Vec::new(),
        macros: Vec::new(),
    };
    flattening.file(first)?;
    Ok(Flat {
        text: scope::with_return(&flattening.text)?,
        headers: flattening.headers,
        macros: flattening.macros,
        functions,
    })
}

struct Flattening<'a> {
    number: usize,
    tree: &'a Tree,
    instrumented: &'a Instrumented,
    resolver: Resolver<'a>,
    /// The chain of files that leads to the current one, which is last.
    open: Vec<usize>,
    /// Files with `#pragma once` that were included.
    once: HashSet<usize>,
    /// Whether a macro was defined that headers might test.
    configured: bool,
    text: String,
    headers: Vec<String>,
    macros: Vec<String>,
}

/// Deeper includes are taken for a cycle; only the preprocessor could tell.
const DEEPEST: usize = 64;

impl Flattening<'_> {
    fn file(&mut self, index: usize) -> Result<(), Unfit> {
        if self.once.contains(&index) {
            return Ok(());
        }
        if self.open.len() > DEEPEST {
            return Err(Unfit("includes itself"));
        }
        self.open.push(index);
        let copy = &self.instrumented.files[index];
        let source = std::str::from_utf8(&copy.bytes).map_err(|_| Unfit("is not UTF-8"))?;
        let source = source.trim_start_matches('\u{feff}');
        let mut place = Place {
            name: copy.display.clone(),
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
            let asked = std::mem::take(&mut guard);
            match word {
                "include" => {
                    self.text.push_str(&source[copied..token.start]);
                    copied = token.end;
                    if self.include(directive)? {
                        let line = place.line_of(source, token.end) + 1;
                        self.mark(&place, line);
                        // The directive's own line break follows.
                        self.text.pop();
                    }
                }
                "line" => {
                    self.text.push_str(&source[copied..token.start]);
                    copied = token.end;
                    let (line, name) = rest.trim().split_once(' ').unwrap_or((rest, ""));
                    place = Place {
                        name: name.trim().trim_matches('"').to_owned(),
                        start: token.end,
                        // The number is that of the line after the directive.
                        line: line.trim().parse::<usize>().unwrap_or(1).saturating_sub(1),
                    };
                    self.mark(&place, place.line + 1);
                    self.text.pop();
                }
                "pragma" if rest.trim() == "once" => {
                    self.text.push_str(&source[copied..token.start]);
                    copied = token.end;
                    self.once.insert(index);
                }
                "pragma" if rest.trim_start().starts_with("unroll") => {}
                "pragma" => return Err(Unfit("a pragma that may affect other programs")),
                "ifndef" => guard = rest.trim(),
                "define" | "undef" => {
                    let name = macro_name(rest);
                    self.configured |= name != asked;
                    if !self.macros.iter().any(|it| it == name) {
                        self.macros.push(name.to_owned());
                    }
                }
                "error" | "warning" | "if" | "ifdef" | "elif" | "else" | "endif" => {}
                _ => return Err(Unfit("an unknown directive")),
            }
        }
        self.text.push_str(&source[copied..]);
        self.text.push('\n');
        self.open.pop();
        Ok(())
    }

    /// Handles an include, and returns whether text replaced it.
    fn include(&mut self, directive: &str) -> Result<bool, Unfit> {
        let include = includes::directives(directive)
            .next()
            .ok_or(Unfit("an include named by a macro"))?;
        if let Some(index) = self.own(include) {
            self.text.push('\n');
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
        if !self.headers.contains(&name) {
            self.headers.push(name);
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

    /// Writes a `#line` directive for the next line.
    fn mark(&mut self, place: &Place, line: usize) {
        let mark = format!("#line {line} \"{}:{}\"\n", self.number, place.name);
        self.text.push_str(&mark);
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
