//! The selection of IndigoSuite programs: `configure.txt`.
//!
//! The file begins with a comment that ends with a `**/` line. After it, `bug: {…}`,
//! `pattern: {…}`, `option: {…}` and `dataType: {…}` list words, up to an `INPUTS` line. Words
//! select the same programs as in IndigoSuite's generator, including its oddities.

use std::path::Path;

use super::files::with_plain_lines;
use crate::error::{Error, Result};

const TYPES: [&str; 6] = ["int", "short", "long", "float", "double", "char"];

/// A selection of programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    bugs: Bugs,
    patterns: Vec<Word>,
    options: Vec<Word>,
    types: Vec<Word>,
}

/// A word of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    text: String,
    /// Its line, from 1.
    line: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bugs {
    Any,
    Some,
    None,
}

impl Selection {
    /// All programs.
    #[must_use]
    pub fn everything() -> Self {
        let all = || {
            let text = "all".into();
            vec![Word { text, line: 1 }]
        };
        Self {
            bugs: Bugs::Any,
            patterns: all(),
            options: all(),
            types: all(),
        }
    }

    /// Reads the `text` of the file `path`.
    ///
    /// # Errors
    /// A list is missing, or `bug` or `dataType` has an unknown word.
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        let mistake = |line, message| Error::Mistake {
            path: path.into(),
            line,
            message,
        };
        let mut lists: [List; 4] = ["bug:", "pattern:", "option:", "dataType:"].map(List::new);
        let mut begun = false;
        let mut lines = 0;
        for (number, line) in (1..).zip(with_plain_lines(text).lines()) {
            lines = number;
            let mut line = line.to_owned();
            if line.contains("**/") {
                begun = true;
            } else if begun {
                line.retain(|character| !matches!(character, ' ' | '\t' | '{' | '}'));
                for list in &mut lists {
                    list.read(&mut line, number);
                }
            }
            if begun && line.contains("INPUTS") {
                break;
            }
        }
        if !begun {
            let message = "no line with `**/` ends the comment at the top";
            return Err(mistake(lines.max(1), message.into()));
        }
        if let Some(missing) = lists.iter().find(|list| list.words.is_empty()) {
            let message = format!("there is no `{} {{…}}` up to here", missing.key);
            return Err(mistake(lines, message));
        }
        let [bug, pattern, option, data_type] = lists;
        let bugs = bugs(&bug.words).map_err(|message| mistake(bug.words[0].line, message))?;
        if let Some(word) = data_type.words.iter().find(|word| !is_type(&word.text)) {
            let types = TYPES.join(", ");
            let message = format!("`{}` is not a data type; there are all, {types}", word.text);
            return Err(mistake(word.line, message));
        }
        Ok(Self {
            bugs,
            patterns: pattern.words,
            options: option.words,
            types: data_type.words,
        })
    }

    /// Whether the selection includes any program of the source called `stem`.
    #[must_use]
    pub fn has_source(&self, stem: &str) -> bool {
        let wanted = |pattern: &Word| pattern.text == "all" || stem.contains(&pattern.text);
        self.patterns.iter().any(wanted)
    }

    /// The first pattern that is in no source's name, or option that no source has, with its line
    /// and a description.
    ///
    /// IndigoSuite's generator ignores such words, so a typing error selects nothing.
    pub fn unknown(
        &self,
        mut is_pattern: impl FnMut(&str) -> bool,
        mut is_option: impl FnMut(&str) -> bool,
    ) -> Option<(usize, String)> {
        let is_restriction = |word: &&Word| !["", "all"].contains(&word.text.as_str());
        let pattern = self
            .patterns
            .iter()
            .filter(is_restriction)
            .find(|word| !is_pattern(&word.text))
            .map(|word| {
                (
                    word.line,
                    format!("no source has `{}` in its name", word.text),
                )
            });
        let mut has_option = |word: &&Word| is_option(&option(&word.text).tag());
        let no_option = |word: &Word| {
            let message = format!("no source has the option `{}`", option(&word.text).tag());
            (word.line, message)
        };
        pattern.or_else(|| {
            let mut options = self.options.iter().filter(is_restriction);
            options.find(|word| !has_option(word)).map(no_option)
        })
    }

    /// Whether the selection includes the program `name` of the source `stem`, if it includes the
    /// source.
    #[must_use]
    pub fn has_program(&self, stem: &str, name: &str) -> bool {
        let buggy = ["bug", "Bug", "race"]
            .iter()
            .any(|word| name.contains(word));
        let bugs = match self.bugs {
            Bugs::Any => true,
            Bugs::Some => buggy,
            Bugs::None => !buggy,
        };
        bugs && self.has_options(stem, name) && self.has_type(name)
    }

    fn has_options(&self, stem: &str, name: &str) -> bool {
        let small = name.to_lowercase();
        // A shuffle has no barrier that could be omitted.
        if small.contains("syncbug") && small.contains("shfl") {
            return false;
        }
        let rest = name.replace(stem, "");
        let mut chosen: Vec<&str> = rest.split('_').collect();
        // Drops the text before the first tag, and one occurrence of each data type.
        for dropped in std::iter::once("").chain(TYPES) {
            if let Some(at) = chosen.iter().position(|tag| *tag == dropped) {
                chosen.remove(at);
            }
        }
        self.options.iter().any(|word| match option(&word.text) {
            Choice::Any => true,
            Choice::Only(tag) => chosen == [tag],
            Choice::Without(tag) => !chosen.contains(&tag.as_str()),
            Choice::With(tag) => chosen.contains(&tag.as_str()),
        })
    }

    fn has_type(&self, name: &str) -> bool {
        let has = |word: &str| self.types.iter().any(|one| one.text == word);
        if has("all") {
            return true;
        }
        let mut named = name
            .split('_')
            .filter(|part| TYPES.contains(part))
            .peekable();
        if named.peek().is_none() {
            return has("int");
        }
        // The negation is a separate word; `~int` is not a negation.
        named.any(|part| has(part) != has("~"))
    }
}

/// The words after a key.
struct List {
    key: &'static str,
    words: Vec<Word>,
}

impl List {
    fn new(key: &'static str) -> Self {
        Self {
            key,
            words: Vec::new(),
        }
    }

    /// Takes the words of a line that has the key, and removes them from the line.
    fn read(&mut self, line: &mut String, number: usize) {
        if line.contains(self.key) {
            *line = line.replace(self.key, "");
            self.words.extend(line.split(',').map(|text| Word {
                text: text.to_owned(),
                line: number,
            }));
        }
    }
}

/// How a word of `option` restricts the tags of a program.
enum Choice {
    Any,
    Only(String),
    Without(String),
    With(String),
}

impl Choice {
    fn tag(self) -> String {
        match self {
            Self::Any => "all".into(),
            Self::Only(tag) | Self::Without(tag) | Self::With(tag) => tag,
        }
    }
}

fn option(word: &str) -> Choice {
    if word == "all" {
        Choice::Any
    } else if word.contains("only") {
        Choice::Only(word.replace("only_", ""))
    } else if word.contains('~') {
        Choice::Without(word.replace('~', ""))
    } else {
        Choice::With(word.replace("all_", ""))
    }
}

/// Whether a word is allowed in `dataType`. A negated type is, though it selects nothing.
fn is_type(word: &str) -> bool {
    let word = word.strip_prefix('~').unwrap_or(word);
    ["", "all"].contains(&word) || TYPES.contains(&word)
}

fn bugs(words: &[Word]) -> Result<Bugs, String> {
    let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    match words.as_slice() {
        ["all"] => Ok(Bugs::Any),
        ["hasbug"] => Ok(Bugs::Some),
        ["nobug"] => Ok(Bugs::None),
        // Both kinds.
        [a, b]
            if ["all", "hasbug", "nobug"].contains(a) && ["all", "hasbug", "nobug"].contains(b) =>
        {
            Ok(Bugs::Any)
        }
        _ => Err(format!(
            "`bug: {{{}}}` is none of {{all}}, {{hasbug}}, {{nobug}} and {{hasbug, nobug}}",
            words.join(", ")
        )),
    }
}

#[cfg(test)]
mod tests;
