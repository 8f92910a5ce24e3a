//! Templates with alternatives, from which the built-in programs are generated.
//!
//! A directive is a line of its own:
//!
//! ```text
//! //@ if warp & !syncBug | block     lines only for certain tags
//! //@ elif thread
//! //@ else
//! //@ serial                         lines without bugs
//! //@ end
//! //@ use edges                      another template, indented like the directive
//! ```

use std::collections::BTreeSet;

/// The templates, by name.
pub type Templates = &'static [(&'static str, &'static str)];

/// The chosen tags.
pub type Tags<'a> = BTreeSet<&'a str>;

/// Expands the template `name` with these tags. `bugs` are the tags that sequential code does not have.
///
/// # Panics
/// A directive is unknown or not closed, or a template is missing: all are embedded in this
/// crate.
#[must_use]
pub fn expand(templates: Templates, name: &str, tags: &Tags<'_>, bugs: &Tags<'_>) -> String {
    let mut expansion = Expansion {
        templates,
        bugs,
        text: String::new(),
    };
    expansion.template(name, tags, "");
    expansion.text
}

/// The words in the conditions of a text.
#[cfg(test)]
pub fn words(text: &str) -> BTreeSet<&str> {
    text.lines()
        .filter_map(directive)
        .filter(|(word, _)| matches!(*word, "if" | "elif"))
        .flat_map(|(_, condition)| condition.split(['&', '|']))
        .map(|word| word.trim().trim_start_matches('!'))
        .collect()
}

/// An open `if` or `serial`.
struct Block {
    /// Whether its lines are currently included.
    taken: bool,
    /// Whether one of its alternatives was included.
    decided: bool,
    /// Whether bugs are ignored in it.
    serial: bool,
}

struct Expansion<'a> {
    templates: Templates,
    bugs: &'a Tags<'a>,
    text: String,
}

impl Expansion<'_> {
    fn template(&mut self, name: &str, tags: &Tags<'_>, indent: &str) {
        let found = self.templates.iter().find(|(known, _)| *known == name);
        let (_, source) = found.unwrap_or_else(|| panic!("there is no template `{name}`"));
        let mut open: Vec<Block> = Vec::new();
        for (number, line) in (1..).zip(source.lines()) {
            let there = open.iter().all(|block| block.taken);
            let Some((word, rest)) = directive(line) else {
                if there {
                    self.line(indent, line);
                }
                continue;
            };
            let misplaced = || -> ! { panic!("{name}:{number}: `{word}` cannot stand here") };
            let serial = open.iter().any(|block| block.serial);
            let without;
            let tags = if serial {
                without = tags.difference(self.bugs).copied().collect();
                &without
            } else {
                tags
            };
            match word {
                "if" => {
                    let taken = holds(rest, tags);
                    open.push(Block {
                        taken,
                        decided: taken,
                        serial: false,
                    });
                }
                "elif" | "else" => {
                    let block = open.last_mut().unwrap_or_else(|| misplaced());
                    block.taken = !block.decided && (word == "else" || holds(rest, tags));
                    block.decided |= block.taken;
                }
                "serial" => open.push(Block {
                    taken: true,
                    decided: true,
                    serial: true,
                }),
                "end" => drop(open.pop().unwrap_or_else(|| misplaced())),
                "use" if there => {
                    let own = &line[..line.len() - line.trim_start().len()];
                    self.template(rest, tags, &format!("{indent}{own}"));
                }
                "use" => {}
                _ => misplaced(),
            }
        }
        assert!(open.is_empty(), "{name}: `end` is missing");
    }

    fn line(&mut self, indent: &str, line: &str) {
        if !line.is_empty() {
            self.text.push_str(indent);
            self.text.push_str(line);
        }
        self.text.push('\n');
    }
}

/// The word of a directive, and the text after it.
fn directive(line: &str) -> Option<(&str, &str)> {
    let text = line.trim_start().strip_prefix("//@")?.trim();
    Some(text.split_once(' ').unwrap_or((text, "")))
}

/// Whether a condition holds: alternatives of words that are chosen or, with `!`, not chosen.
fn holds(condition: &str, tags: &Tags<'_>) -> bool {
    let is = |word: &str| match word.trim().strip_prefix('!') {
        Some(word) => !tags.contains(word),
        None => tags.contains(word.trim()),
    };
    condition.split('|').any(|all| all.split('&').all(is))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEMPLATES: Templates = &[
        (
            "top",
            "a\n//@ if x & !y | z\nb\n  //@ use inner\n//@ elif y\nc\n//@ else\nd\n//@ end\n\
             //@ serial\n//@ use inner\n//@ end\n",
        ),
        ("inner", "//@ if bug\nwrong\n//@ else\nright\n\n//@ end\n"),
        ("open", "//@ if x\n"),
        ("odd", "//@ ifdef x\n"),
    ];

    #[track_caller]
    fn check(name: &str, tags: &[&'static str], expect: &str) {
        let tags = tags.iter().copied().collect();
        assert_eq!(expand(TEMPLATES, name, &tags, &["bug"].into()), expect);
    }

    #[test]
    fn alternatives_and_nested_templates() {
        check("top", &["x"], "a\nb\n  right\n\nright\n\n");
        check("top", &["x", "bug"], "a\nb\n  wrong\nright\n\n");
        check("top", &["z", "y"], "a\nb\n  right\n\nright\n\n");
        check("top", &["x", "y"], "a\nc\nright\n\n");
        check("top", &[], "a\nd\nright\n\n");
    }

    #[test]
    #[should_panic(expected = "open: `end` is missing")]
    fn an_alternative_that_is_not_closed() {
        check("open", &[], "");
    }

    #[test]
    #[should_panic(expected = "odd:1: `ifdef` cannot stand here")]
    fn a_directive_that_is_not_known() {
        check("odd", &[], "");
    }
}
