//! Sources with alternatives (`.idg`), and the programs that they generate.
//!
//! A line `default /*@a@*/ first /*@b@*/ second` has three texts. The lines with the same first tag
//! are one *dimension*: none of their tags is chosen, or one of those on the first such line. A
//! program is a choice in every dimension, and its name consists of the chosen tags.
//!
//! A program's text equals that of IndigoSuite's generator to the byte, so its rules apply:
//! - A line takes the last of its texts that was chosen, in any dimension.
//! - The text before the first tag counts as chosen if any dimension has none of its tags chosen.
//!   If every dimension has one, a line without any of these is dropped.
//! - Before the function `serial_code`, a chosen bug is marked by a comment: a bug that changes a
//!   text at that text, a bounds bug where it removes a text.
//! - Indentation is recomputed, by two for each line that ends with a brace.

use std::collections::BTreeMap;
use std::path::Path;

use super::files::with_plain_lines;
use crate::error::{Error, Result};

/// More programs than this indicate a mistake in the source.
const MAX_PROGRAMS: usize = 1 << 16;

/// A source with alternatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    lines: Vec<Line>,
    dimensions: Vec<Dimension>,
}

/// A program that a source generates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<'a> {
    /// The chosen tag of each dimension, or none.
    tags: Vec<&'a str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Dimension {
    /// Its first line, from 1.
    line: usize,
    /// The tags on that line.
    tags: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Line {
    /// The same in all programs. Its line end does not matter, but an empty line stays.
    Fixed(String),
    /// The text before the first tag, and each tag with the text after it.
    Tagged(String, Vec<(String, String)>),
}

impl Source {
    /// Reads the source `text` of the file `path`.
    ///
    /// # Errors
    /// A tag is malformed or can never be chosen, or there are too many programs.
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        let mistake = |line, message| Error::Mistake {
            path: path.into(),
            line,
            message,
        };
        let text = with_plain_lines(text);
        let mut lines = Vec::new();
        let mut dimensions: Vec<Dimension> = Vec::new();
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let line = Line::parse(line).map_err(|message| mistake(number, message))?;
            if let Line::Tagged(_, alternatives) = &line {
                let first = &alternatives[0].0;
                if !dimensions.iter().any(|known| known.tags[0] == *first) {
                    dimensions.push(Dimension {
                        line: number,
                        tags: alternatives.iter().map(|(tag, _)| tag.clone()).collect(),
                    });
                }
            }
            lines.push(line);
        }
        let source = Self { lines, dimensions };
        if let Some((line, message)) = source.dangling_tag() {
            return Err(mistake(line, message));
        }
        let sizes = source.dimensions.iter().map(|one| one.tags.len() + 1);
        let programs = sizes.clone().try_fold(1_usize, usize::checked_mul);
        if programs.is_none_or(|programs| programs > MAX_PROGRAMS) {
            let last = source.dimensions.last().map_or(1, |one| one.line);
            return Err(mistake(
                last,
                format!(
                    "{} dimensions make more than {MAX_PROGRAMS} programs",
                    sizes.len()
                ),
            ));
        }
        Ok(source)
    }

    /// A tag that no dimension has, so that no program contains its text.
    fn dangling_tag(&self) -> Option<(usize, String)> {
        for (number, line) in (1..).zip(&self.lines) {
            let Line::Tagged(_, alternatives) = line else {
                continue;
            };
            for (tag, _) in alternatives {
                if self.dimensions.iter().any(|one| one.tags.contains(tag)) {
                    continue;
                }
                let first = &alternatives[0].0;
                let dimension = self.dimensions.iter().find(|one| one.tags[0] == *first)?;
                return Some((
                    number,
                    format!(
                        "tag `{tag}` can never be chosen: the alternatives of `{first}` are those \
                         of line {}",
                        dimension.line
                    ),
                ));
            }
        }
        None
    }

    /// Whether `tag` can be chosen in a program.
    #[must_use]
    pub fn has_tag(&self, tag: &str) -> bool {
        let mut tags = self.dimensions.iter().flat_map(|dimension| &dimension.tags);
        tags.any(|one| one == tag)
    }

    /// All choices by the names of their programs. If several have one name, the last one counts.
    #[must_use]
    pub fn choices(&self, stem: &str) -> BTreeMap<String, Choice<'_>> {
        let mut choices = vec![Vec::new()];
        for dimension in &self.dimensions {
            let alternatives =
                || std::iter::once("").chain(dimension.tags.iter().map(String::as_str));
            choices = choices
                .into_iter()
                .flat_map(|choice| {
                    alternatives().map(move |tag| [choice.as_slice(), &[tag]].concat())
                })
                .collect();
        }
        let named = |tags: Vec<_>| {
            let choice = Choice { tags };
            (choice.name(stem), choice)
        };
        choices.into_iter().map(named).collect()
    }

    /// The text of the program for a choice.
    #[must_use]
    pub fn text(&self, choice: &Choice<'_>) -> String {
        let mut out = Writer::default();
        for line in &self.lines {
            match line {
                Line::Fixed(text) => out.fixed(text),
                Line::Tagged(default, alternatives) => out.tagged(default, alternatives, choice),
            }
        }
        out.text
    }
}

impl<'a> Choice<'a> {
    /// The chosen tags, in the order of their dimensions.
    pub fn tags(&self) -> impl Iterator<Item = &'a str> {
        self.tags.iter().copied().filter(|tag| !tag.is_empty())
    }

    fn name(&self, stem: &str) -> String {
        let mut name = stem.to_owned();
        for tag in self.tags() {
            name.push('_');
            name.push_str(tag);
        }
        name
    }

    fn has(&self, tag: &str) -> bool {
        self.tags.contains(&tag)
    }
}

impl Line {
    fn parse(line: &str) -> Result<Self, String> {
        let mut parts = line.split("/*@");
        let before = parts.next().unwrap_or_default();
        let alternatives = parts
            .map(|part| {
                let (tag, text) = part
                    .split_once("@*/")
                    .filter(|(tag, _)| is_tag(tag))
                    .ok_or(
                        "`/*@` begins no tag; tags are letters and digits, as in `/*@cond1@*/`",
                    )?;
                Ok((tag.to_owned(), text.trim().to_owned()))
            })
            .collect::<Result<Vec<_>, String>>()?;
        Ok(if alternatives.is_empty() {
            Self::Fixed(line.to_owned())
        } else {
            Self::Tagged(before.trim().to_owned(), alternatives)
        })
    }
}

/// Letters, then digits.
fn is_tag(text: &str) -> bool {
    !text.is_empty()
        && text
            .trim_start_matches(|character: char| character.is_ascii_alphabetic())
            .bytes()
            .all(|byte| byte.is_ascii_digit())
}

/// Writes a program line by line.
#[derive(Default)]
struct Writer {
    text: String,
    /// Negative if there were more closing braces than opening ones.
    indent: isize,
    /// In the sequential function or after it, where bugs are not marked.
    sequential: bool,
}

impl Writer {
    fn fixed(&mut self, line: &str) {
        self.sequential |= line.contains("serial_code");
        let code = line.trim();
        if code.is_empty() {
            // Lines of blanks are dropped; empty ones stay.
            if line == "\n" {
                self.text.push('\n');
            }
        } else {
            self.line(code);
        }
    }

    fn tagged(&mut self, default: &str, alternatives: &[(String, String)], choice: &Choice<'_>) {
        let texts =
            || std::iter::once(default).chain(alternatives.iter().map(|(_, text)| text.as_str()));
        self.sequential |= texts().any(|text| text.contains("serial_code"));
        let mut code = String::new();
        if choice.has("") {
            default.clone_into(&mut code);
        }
        for (tag, text) in alternatives.iter().filter(|(tag, _)| choice.has(tag)) {
            text.clone_into(&mut code);
            if !self.sequential && needs_comment(tag, text) {
                code = format!("// {tag} here\n{}{text}", self.indentation());
            }
        }
        if !code.is_empty() {
            self.line(&code);
        }
    }

    fn indentation(&self) -> String {
        " ".repeat(usize::try_from(self.indent).unwrap_or(0))
    }

    fn line(&mut self, code: &str) {
        if code.starts_with('}') {
            self.indent -= 2;
        }
        self.text.push_str(&self.indentation());
        self.text.push_str(code);
        self.text.push('\n');
        if code.ends_with('{') {
            self.indent += 2;
        }
    }
}

/// Whether a bug must be marked in a line that it chose.
fn needs_comment(tag: &str, text: &str) -> bool {
    let tag = tag.to_ascii_lowercase();
    if tag.contains("boundsbug") {
        text.is_empty()
    } else {
        tag.contains("bug") && !text.is_empty()
    }
}

#[cfg(test)]
mod tests;
