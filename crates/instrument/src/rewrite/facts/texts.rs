//! Macros that turn arguments into text with `#`, so that users see what they wrote, without hooks.
//!
//! - An argument that is only turned into text is not evaluated, so it gets no hooks ([`Texts::unread`]).
//! - For an argument that is evaluated as well, the macro gets one more parameter, and each use gives it the
//!   argument as written:
//!
//! ```text
//! #define SHOW(v) printf("%s = %d", #v, v)   →  #define SHOW(hirace_text_v, v) printf("%s = %d", #hirace_text_v, v)
//! SHOW(p[t]);                                →  SHOW(p[t], ::hirace::read(S1, p[t]));
//! ```
//!
//! The text is a literal as before, on both backends. This works if all uses of the macro can be changed. If one
//! cannot, for example because the macro's name is an argument of another macro, none is.

mod definition;
mod edits;
mod needed;
mod uses;

use std::collections::{BTreeMap, HashMap, HashSet};

use hirace_syntax::lexer::{TokenKind, lex};

use crate::rewrite::Source;
use definition::Definition;
use uses::{Use, uses};

/// A macro and the number of one of its parameters. That of `...` follows those of the named ones.
type Slot = (String, usize);

/// How macros turn their arguments into text.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    /// The function-like macros whose definitions all have the same parameters.
    shapes: HashMap<String, Shape>,
    /// Parameters that are turned into text and not evaluated.
    not_evaluated: HashSet<Slot>,
    /// Whether the text of assertions can be kept on a GPU, too: the files neither define `assert` nor change whether it
    /// does anything.
    pub(crate) keeps_assertions: bool,
    /// Macros that get further parameters: the numbers of the parameters whose text these take.
    extended: BTreeMap<String, Vec<usize>>,
}

/// The parameters of a macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    named: usize,
    variadic: bool,
}

/// How a parameter occurs in a macro's body.
struct Occurrence {
    slot: usize,
    /// It is the operand of `#`.
    direct: bool,
    /// The parameters of other macros that it is passed to.
    passed: Vec<Slot>,
}

/// The definitions of a project, and how they use their parameters.
struct Project<'a> {
    definitions: Vec<Definition<'a>>,
    occurrences: HashMap<String, Vec<Occurrence>>,
}

impl Texts {
    /// Reads the macros of a project. `on_device` tells which macros device code uses.
    pub(crate) fn of(files: &[&Source<'_>], on_device: &HashSet<String>) -> Self {
        let turns_into_text = |text: &str| {
            let defines = text.lines().any(|line| {
                let line = line.trim_start();
                line.strip_prefix('#')
                    .is_some_and(|rest| rest.trim_start().starts_with("define"))
            });
            defines && Definition::all(text).iter().any(Definition::has_text)
        };
        let changes_assert =
            |it: &&Source<'_>| it.text.contains("NDEBUG") || defines_assert(it.text);
        let keeps_assertions = !files.iter().any(changes_assert);
        if !files.iter().any(|it| turns_into_text(it.text)) {
            return Self {
                keeps_assertions,
                ..Self::default()
            };
        }
        let definitions = files.iter().flat_map(|it| Definition::all(it.text));
        let definitions: Vec<Definition<'_>> = definitions.collect();
        let mut texts = Self {
            shapes: shapes(&definitions),
            keeps_assertions,
            ..Self::default()
        };
        let mut project = Project {
            definitions,
            occurrences: HashMap::new(),
        };
        for definition in &project.definitions {
            let found = texts.occurrences(definition);
            let all = project.occurrences.entry(definition.name.to_owned());
            all.or_default().extend(found);
        }
        let evaluated = texts.find_texts(&project);
        texts.extend_macros(files, &project, &evaluated, on_device);
        texts
    }

    /// The number of the parameter that takes argument `index` of `name`.
    fn slot_of(&self, name: &str, index: usize) -> usize {
        self.shapes
            .get(name)
            .map_or(index, |shape| index.min(shape.named))
    }

    /// Where the parameters of a macro occur in its body.
    fn occurrences(&self, definition: &Definition<'_>) -> Vec<Occurrence> {
        if !self.shapes.contains_key(definition.name) {
            return Vec::new();
        }
        let calls = self.known_uses(definition.text, &definition.body);
        let mut found = Vec::new();
        for at in 0..definition.body.len() {
            let Some(slot) = definition.slot(at) else {
                continue;
            };
            let passed = calls.iter().filter_map(|call| {
                let index = call.argument_at(at)?;
                Some((call.name.to_owned(), self.slot_of(call.name, index)))
            });
            found.push(Occurrence {
                slot,
                direct: definition.is_text(at),
                passed: passed.collect(),
            });
        }
        found
    }

    /// The uses of the macros with parameters in `tokens`.
    fn known_uses<'a>(
        &self,
        text: &'a str,
        tokens: &[hirace_syntax::lexer::Token],
    ) -> Vec<Use<'a>> {
        uses(text, tokens, |name| self.shapes.contains_key(name))
    }

    /// Finds the parameters that are turned into text: notes those that are not evaluated, and returns the others.
    fn find_texts(&mut self, project: &Project<'_>) -> HashSet<Slot> {
        let mut texts: HashSet<Slot> = HashSet::new();
        loop {
            let before = (texts.len(), self.not_evaluated.len());
            for (name, all) in &project.occurrences {
                let Some(shape) = self.shapes.get(name) else {
                    continue;
                };
                for slot in 0..=shape.named {
                    let all = || all.iter().filter(|it| it.slot == slot);
                    // Several arguments can only be passed on to `...` alone.
                    let keeps = |(to, index): &Slot| {
                        let target = self.shapes.get(to);
                        let alone = target.is_some_and(|it| it.variadic && it.named == 0);
                        slot < shape.named || (alone && *index == 0)
                    };
                    let turned = |it: &Slot| texts.contains(it) && keeps(it);
                    if !all().any(|it| it.direct || it.passed.iter().any(turned)) {
                        continue;
                    }
                    let ignored = |it: &Slot| self.not_evaluated.contains(it);
                    if all().all(|it| it.direct || it.passed.iter().any(ignored)) {
                        self.not_evaluated.insert((name.clone(), slot));
                    }
                    texts.insert((name.clone(), slot));
                }
            }
            if before == (texts.len(), self.not_evaluated.len()) {
                break;
            }
        }
        texts.retain(|it| !self.not_evaluated.contains(it));
        texts
    }

    /// The bytes of a file in arguments that are turned into text and not evaluated.
    pub(crate) fn unread(&self, text: &str) -> Vec<std::ops::Range<usize>> {
        if self.not_evaluated.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut note = |text: &str, tokens: &[hirace_syntax::lexer::Token]| {
            for call in self.known_uses(text, tokens) {
                for (index, range) in call.arguments.iter().enumerate() {
                    let slot = (call.name.to_owned(), self.slot_of(call.name, index));
                    if self.not_evaluated.contains(&slot) && !range.is_empty() {
                        found.push(tokens[range.start].start..tokens[range.end - 1].end);
                    }
                }
            }
        };
        note(text, &lex(text).tokens);
        for definition in Definition::all(text) {
            note(text, &definition.body);
        }
        found
    }
}

/// The parameters of those macros that are defined alike wherever they are.
fn shapes(definitions: &[Definition<'_>]) -> HashMap<String, Shape> {
    let mut shapes: HashMap<String, Option<Shape>> = HashMap::new();
    for definition in definitions {
        let shape = definition.function_like.then(|| Shape {
            named: definition.named.len(),
            variadic: definition.rest.is_some(),
        });
        let known = shapes.entry(definition.name.to_owned()).or_insert(shape);
        if *known != shape {
            *known = None;
        }
    }
    let fit = shapes
        .into_iter()
        .filter_map(|(name, it)| Some((name, it?)));
    fit.collect()
}

/// Whether a file has its own `assert`.
fn defines_assert(text: &str) -> bool {
    text.contains("assert") && Definition::all(text).iter().any(|it| it.name == "assert")
}

/// Whether a token is a word.
fn is_word(token: &hirace_syntax::lexer::Token) -> bool {
    token.kind == TokenKind::Word
}
