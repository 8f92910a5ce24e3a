//! Preprocessor lines: macro definitions, and which `#if` branches are kept.
//!
//! The grammar sees one flat text, so only branches of a conditional that may follow one another
//! are kept. A branch with a known condition is kept or dropped by its value. If no condition is
//! known, all branches are kept if each consists of whole statements or declarations; otherwise
//! only the first. Text of dropped branches is not instrumented.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::condition::Environment;
use super::defines::Defines;
use super::lexer::{Token, TokenKind, lex_inline};

mod branch_shape;
mod definition;

use branch_shape::BranchShape;

pub use definition::MacroDefinition;

/// The directives of a file.
#[derive(Debug, Default)]
pub struct Directives {
    pub macros: Vec<MacroDefinition>,
    /// For each token: whether it is in a branch that is kept.
    pub live: Vec<bool>,
    /// Byte ranges whose presence depends on an unknown condition.
    pub uncertain: Vec<Range<usize>>,
    /// Those of them that are absent if a macro is not defined: its name.
    pub only_if_defined: Vec<(Range<usize>, String)>,
    /// Dropped byte ranges that may be compiled.
    pub unchosen: Vec<Range<usize>>,
    /// Byte ranges of dropped branches, in order.
    pub dropped: Vec<Range<usize>>,
    /// Colons before a constructor's initialisers that continue those of another branch.
    pub joined: Vec<usize>,
    /// An `#if` without `#endif`, or the other way round.
    pub unbalanced: Option<(usize, &'static str)>,
    /// Names that conditions test; such a macro's body must not be changed.
    pub tested_names: HashSet<String>,
}

/// Reads all directives among `tokens`.
pub fn read(source: &str, tokens: &[Token], defines: &Defines) -> Directives {
    let mut reader = Reader {
        source,
        tokens,
        environment: Environment::new(defines),
        groups: Vec::new(),
        assumed: HashMap::new(),
        before: None,
        out: Directives {
            live: vec![true; tokens.len()],
            ..Directives::default()
        },
    };
    for (index, token) in tokens.iter().enumerate() {
        if token.kind == TokenKind::Directive {
            reader.directive(index);
        } else {
            reader.before = Some(index);
        }
    }
    if let Some(group) = reader.groups.first() {
        let start = tokens[group.branches[0].directive].start;
        reader
            .out
            .unbalanced
            .get_or_insert((start, "this conditional has no #endif"));
    }
    while !reader.groups.is_empty() {
        reader.close(tokens.len());
    }
    reader.out.dropped.sort_by_key(|range| range.start);
    reader.out.uncertain.sort_by_key(|range| range.start);
    reader.out
}

/// Splits a directive into its keyword and the text after it.
fn split(source: &str, token: Token) -> (&str, Range<usize>) {
    let text = token.text(source);
    let lexed = lex_inline(&text[1..]);
    let Some(word) = lexed.tokens.first() else {
        return ("", token.end..token.end);
    };
    let keyword = &text[1 + word.start..1 + word.end];
    (keyword, token.start + 1 + word.end..token.end)
}

struct Branch {
    /// Index of the `#if`, `#elif` or `#else` token.
    directive: usize,
    /// `None` if it is unknown.
    verdict: Option<bool>,
    /// For `#ifdef X`-like conditions: the name, and whether it must be defined.
    names: Option<(String, bool)>,
}

struct Group {
    branches: Vec<Branch>,
    /// Whether a branch before the last one is known to be the live one.
    taken: bool,
    /// Whether a branch before the last one is not known to be dead.
    unsure: bool,
    /// Whether the text around it is certainly compiled.
    certain: bool,
    /// Whether it is inside a branch known to be dead.
    dead: bool,
    /// The last token before it that is not a directive.
    before: Option<usize>,
}

impl Group {
    /// The macro that must be defined for a branch to be compiled.
    fn needed_by(&self, index: usize) -> Option<&str> {
        let own = self.branches[index].names.as_ref();
        let is_else = own.is_none() && (index, self.branches.len()) == (1, 2);
        let (names, wanted) = match is_else {
            true => (self.branches[0].names.as_ref(), false),
            false => (own, true),
        };
        let (name, defined) = names?;
        (*defined == wanted).then_some(name.as_str())
    }
}

/// Deeper conditionals than this are kept whole: examining each level's text would take time
/// quadratic in the depth.
const DEPTH_LIMIT: usize = 64;

struct Reader<'a> {
    source: &'a str,
    tokens: &'a [Token],
    environment: Environment,
    groups: Vec<Group>,
    /// Names assumed to be defined or not, to make unbalanced branches fit together.
    assumed: HashMap<String, bool>,
    /// The last token so far that is not a directive.
    before: Option<usize>,
    out: Directives,
}

impl Reader<'_> {
    fn certain(&self) -> bool {
        self.groups.last().is_none_or(|group| {
            group.certain
                && group
                    .branches
                    .last()
                    .is_some_and(|it| it.verdict == Some(true))
        })
    }

    fn dead(&self) -> bool {
        self.groups.last().is_some_and(|group| {
            group.dead
                || group
                    .branches
                    .last()
                    .is_some_and(|it| it.verdict == Some(false))
        })
    }

    fn directive(&mut self, index: usize) {
        let (keyword, rest) = split(self.source, self.tokens[index]);
        let text = &self.source[rest.clone()];
        match keyword {
            "if" | "ifdef" | "ifndef" => {
                let (mut verdict, names) = self.condition(keyword, text);
                if keyword == "ifndef" && verdict.is_none() && self.is_guard(index, text.trim()) {
                    verdict = Some(true);
                }
                let branch = Branch {
                    directive: index,
                    verdict,
                    names,
                };
                let (certain, dead, before) = (self.certain(), self.dead(), self.before);
                self.groups.push(Group {
                    branches: vec![branch],
                    taken: false,
                    unsure: false,
                    certain,
                    dead,
                    before,
                });
            }
            "elif" | "elifdef" | "elifndef" | "else" => {
                let (own, names) = if keyword == "else" {
                    (Some(true), None)
                } else {
                    self.condition(keyword.trim_start_matches("el"), text)
                };
                let Some(group) = self.groups.last_mut() else {
                    let start = self.tokens[index].start;
                    self.out
                        .unbalanced
                        .get_or_insert((start, "this has no #if"));
                    return;
                };
                let last = group.branches.last().and_then(|branch| branch.verdict);
                group.taken |= last == Some(true);
                group.unsure |= last.is_none();
                let verdict = match own {
                    _ if group.taken => Some(false),
                    Some(true) if group.unsure => None,
                    own => own,
                };
                group.branches.push(Branch {
                    directive: index,
                    verdict,
                    names,
                });
            }
            "endif" => {
                if self.groups.is_empty() {
                    let start = self.tokens[index].start;
                    self.out
                        .unbalanced
                        .get_or_insert((start, "this has no #if"));
                } else {
                    self.close(index);
                }
            }
            "define" if !self.dead() => self.define(rest),
            "undef" if !self.dead() => {
                let certain = self.certain();
                self.environment.undefine(text.trim(), certain);
            }
            _ => {}
        }
    }

    /// An include guard: `#ifndef X` as the file's first line, then `#define X`.
    fn is_guard(&self, index: usize, name: &str) -> bool {
        self.before.is_none()
            && self.out.macros.is_empty()
            && self.tokens.get(index + 1).is_some_and(|next| {
                next.kind == TokenKind::Directive && {
                    let (keyword, rest) = split(self.source, *next);
                    keyword == "define" && self.source[rest].trim() == name
                }
            })
    }

    fn condition(&mut self, keyword: &str, text: &str) -> (Option<bool>, Option<(String, bool)>) {
        let lexed = lex_inline(text);
        for token in &lexed.tokens {
            if token.kind == TokenKind::Word {
                self.out.tested_names.insert(token.text(text).to_owned());
            }
        }
        let words: Vec<&str> = lexed.tokens.iter().map(|token| token.text(text)).collect();
        let names = match (keyword, words.as_slice()) {
            ("ifdef", [name, ..]) => Some((*name, true)),
            ("ifndef", [name, ..]) => Some((*name, false)),
            ("if", ["defined", "(", name, ")"] | ["defined", name] | [name]) => Some((*name, true)),
            ("if", ["!", "defined", "(", name, ")"] | ["!", "defined", name]) => {
                Some((*name, false))
            }
            _ => None,
        };
        let verdict = match (keyword, names) {
            ("ifdef" | "ifndef", Some((name, wanted))) => self
                .environment
                .is_defined(name)
                .map(|defined| defined == wanted),
            ("ifdef" | "ifndef", None) => None,
            _ => self.environment.evaluate(text),
        };
        (
            verdict,
            names.map(|(name, wanted)| (name.to_owned(), wanted)),
        )
    }

    fn define(&mut self, rest: Range<usize>) {
        let Some(definition) = MacroDefinition::of(self.source, rest) else {
            return;
        };
        let value = match definition.parameters {
            None => Some(&self.source[definition.body.clone()]),
            Some(_) => None,
        };
        let certain = self.certain();
        self.environment.define(&definition.name, value, certain);
        self.out.macros.push(definition);
    }

    /// Decides which branches of the innermost conditional to keep.
    fn close(&mut self, end: usize) {
        let depth = self.groups.len();
        let Some(group) = self.groups.pop() else {
            return;
        };
        if depth > DEPTH_LIMIT {
            return;
        }
        let ends: Vec<usize> = group
            .branches
            .iter()
            .skip(1)
            .map(|branch| branch.directive)
            .chain([end])
            .collect();
        let shapes: Vec<BranchShape> = group
            .branches
            .iter()
            .zip(&ends)
            .map(|(branch, end)| {
                let seen = (branch.directive + 1..*end).filter(|it| self.is_seen(*it));
                BranchShape::of(seen.map(|it| self.tokens[it].text(self.source)))
            })
            .collect();
        let open: Vec<usize> = (0..group.branches.len())
            .filter(|index| group.branches[*index].verdict.is_none() && !shapes[*index].empty)
            .collect();
        let before = group
            .before
            .map_or("", |at| self.tokens[at].text(self.source));
        // An `else` cannot follow another `else`.
        let alternatives = open.len() > 1 && open.iter().any(|index| shapes[*index].alternative);
        let whole = matches!(before, "" | ";" | "{" | "}" | ":" | ")" | "else" | "do")
            && !alternatives
            && open.iter().all(|index| shapes[*index].whole);
        let balanced = open.iter().all(|index| shapes[*index].balanced);
        // `#if A` `: x(1)` `#else` `: x(2)` `#endif`: the grammar sees one list.
        let lists = matches!(before, ")" | "noexcept")
            && balanced
            && open.iter().all(|index| shapes[*index].initialises);
        if lists && !group.dead {
            for index in open.iter().skip(1) {
                let first = group.branches[*index].directive + 1..ends[*index];
                let colon = first.into_iter().find(|it| self.is_seen(*it));
                self.out
                    .joined
                    .extend(colon.map(|it| self.tokens[it].start));
            }
        }
        let chosen = if group.dead || whole || lists || (balanced && open.len() == 1) {
            None
        } else {
            self.choose(&group, &open, balanced)
        };
        for (index, branch) in group.branches.iter().enumerate() {
            let kept = match branch.verdict {
                Some(verdict) => verdict,
                None => chosen.is_none_or(|chosen| chosen == Some(index)),
            };
            let (first, last) = (branch.directive + 1, ends[index]);
            let start = self.tokens[branch.directive].end;
            let stop = self
                .tokens
                .get(last)
                .map_or(self.source.len(), |token| token.start);
            if !kept {
                self.out.live[first..last].fill(false);
                if branch.verdict.is_none() && !shapes[index].empty && !group.dead {
                    self.out.unchosen.push(start..stop);
                }
                self.out.dropped.push(start..stop);
            } else if branch.verdict.is_none() {
                let name = group.needed_by(index);
                self.out
                    .only_if_defined
                    .extend(name.map(|it| (start..stop, it.to_owned())));
                self.out.uncertain.push(start..stop);
            }
        }
    }

    /// The branch to keep if not all can be kept; `Some(None)` for none.
    fn choose(&mut self, group: &Group, open: &[usize], balanced: bool) -> Option<Option<usize>> {
        let meets = |assumed: &HashMap<String, bool>, index: usize| -> Option<bool> {
            let (name, wanted) = group.branches[index].names.as_ref()?;
            assumed.get(name).map(|defined| defined == wanted)
        };
        for index in open {
            if meets(&self.assumed, *index) == Some(true) {
                return Some(Some(*index));
            }
        }
        let chosen = open
            .iter()
            .copied()
            .find(|index| meets(&self.assumed, *index).is_none());
        if !balanced
            && let Some((name, wanted)) = chosen.and_then(|it| group.branches[it].names.clone())
        {
            self.assumed.insert(name, wanted);
        }
        Some(chosen)
    }

    /// Whether the grammar will see the token at `index`.
    fn is_seen(&self, index: usize) -> bool {
        self.out.live[index] && self.tokens[index].kind != TokenKind::Directive
    }
}
