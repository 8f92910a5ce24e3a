//! Macros that define device functions from code that they are given.
//!
//! `#define KERNEL(name, body) __global__ void name(int* a) { body }` is used outside of functions, so that its
//! arguments are no device code by their place. What their text is for follows from where the parameters stand in the
//! macro's body.

use std::collections::HashSet;
use std::ops::Range;

use hirace_syntax::lexer::{Token, lex_inline};
use hirace_syntax::prepass::Prepass;
use hirace_syntax::qualifier::Mark;
use hirace_syntax::words::Words;

use super::{Facts, MacroText};

/// What an argument of such a macro is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    /// No code: a name, a type, text, or nothing.
    Nothing,
    /// An expression of which only the value is used.
    Value,
    Statements,
    /// Statements, or the type of what is declared after it.
    StatementsOrType,
    /// A place that is assigned to.
    Stored,
    /// A place that is changed.
    Updated,
    /// Code that may be used in any way.
    Unknown,
}

/// Words before a parenthesis that call nothing.
const KEYWORDS: Words = Words::of("if while for switch return sizeof");

impl Given {
    /// Whether it is part of an expression.
    pub(crate) fn is_expression(self) -> bool {
        matches!(self, Self::Value | Self::Stored | Self::Updated)
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, it) | (it, Self::Nothing) => it,
            (one, other) if one == other => one,
            (Self::Statements, Self::StatementsOrType)
            | (Self::StatementsOrType, Self::Statements) => Self::Statements,
            _ => Self::Unknown,
        }
    }
}

/// The arguments of a macro with `count` parameters, between the parentheses that `tokens` begin with. The last one has
/// what remains.
pub(crate) fn arguments(source: &str, tokens: &[Token], count: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut depth = 0usize;
    let mut start = 0;
    for token in tokens {
        match token.text(source) {
            "(" | "[" | "{" => {
                depth += 1;
                if depth == 1 {
                    start = token.end;
                }
            }
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    found.push(start..token.start);
                    return found;
                }
            }
            "," if depth == 1 && found.len() + 1 < count => {
                found.push(start..token.start);
                start = token.end;
            }
            _ if depth == 0 => return Vec::new(),
            _ => {}
        }
    }
    Vec::new()
}

/// Whether a text is made of statements.
pub(crate) fn are_statements(text: &str) -> bool {
    text.contains([';', '}'])
}

impl Facts {
    /// The uses of such macros in a file: where the name is, and the arguments.
    fn uses_in<'t>(
        &self,
        source: &'t str,
        tokens: &'t [Token],
    ) -> impl Iterator<Item = (&'t Token, Vec<Range<usize>>)> {
        let names = tokens.iter().enumerate();
        let names = names.filter(|it| self.definer_names.contains(it.1.text(source)));
        names.map(|(index, token)| {
            let definitions = self.macros.get(token.text(source)).into_iter().flatten();
            let counts = definitions.map(|it| it.parameters.as_ref().map_or(0, Vec::len));
            let count = counts.max().unwrap_or(0);
            (token, arguments(source, &tokens[index + 1..], count))
        })
    }

    /// Notes the arguments of such macros in a file that are statements.
    pub(crate) fn note_given_statements(&mut self, source: &str, tokens: &[Token]) {
        let mut found = Vec::new();
        for (token, all) in self.uses_in(source, tokens) {
            let given = all.into_iter().enumerate();
            let given = given.filter(|it| are_statements(&source[it.1.clone()]));
            found.extend(given.map(|it| (token.text(source).to_owned(), it.0)));
        }
        self.given_statements.extend(found);
    }

    /// Hides uses with statements, which are no declarations, from the grammar.
    pub(crate) fn hide_given_statements(&self, source: &str, prepass: &mut Prepass) {
        let mut hidden = Vec::new();
        for (token, all) in self.uses_in(source, &prepass.tokens) {
            let has_statements = all.iter().any(|it| are_statements(&source[it.clone()]));
            let end = all.last().filter(|_| has_statements).map(|it| it.end + 1);
            hidden.extend(end.map(|end| token.start..end));
        }
        for range in hidden {
            let text = &mut prepass.text[range.clone()];
            let shown = text.iter_mut().filter(|it| !it.is_ascii_whitespace());
            shown.for_each(|it| *it = b' ');
            let is_outside = |mark: &Mark| !range.contains(&mark.range.start);
            prepass.marks.retain(is_outside);
        }
    }

    /// Ends the statements that parameters of the macro `name` stand for in its body, so that they are not read as the
    /// beginning of the next one.
    pub(crate) fn end_given_statements(&self, name: &str, body: &str, prepass: &mut Prepass) {
        let definitions = self.macros.get(name).into_iter().flatten();
        let Some(text) = definitions.clone().find(|it| it.body == body) else {
            return;
        };
        let parameters = text.parameters.iter().flatten().enumerate();
        let given =
            parameters.filter(|it| self.given_statements.contains(&(name.to_owned(), it.0)));
        let given: Vec<&String> = given.map(|it| it.1).collect();
        for token in lex_inline(body).tokens {
            let before = body
                .get(..token.start)
                .unwrap_or("")
                .trim_end_matches(is_blank);
            let begins = before.ends_with(['{', ';', '}', ')']);
            if begins && given.iter().any(|it| *it == token.text(body)) {
                prepass.text[token.start..token.end].fill(b' ');
                prepass.text[token.start] = b';';
            }
        }
    }

    /// Finds the macros that pass arguments on to those that define functions themselves.
    pub(crate) fn find_definer_names(&mut self, own: &HashSet<String>) {
        let mut definers = own.clone();
        while !definers.is_empty() {
            let mentions = |text: &MacroText| {
                let tokens = lex_inline(&text.body).tokens;
                let mut words = tokens.iter().map(|it| it.text(&text.body));
                words.any(|it| definers.contains(it))
            };
            let macros = self.macros.iter();
            let new =
                macros.filter(|(name, all)| !definers.contains(*name) && all.iter().any(mentions));
            let new: Vec<String> = new.map(|(name, _)| name.clone()).collect();
            if new.is_empty() {
                break;
            }
            definers.extend(new);
        }
        self.definer_names = definers;
    }

    /// Studies the macros that define device functions; `own` are those that do so themselves.
    pub(crate) fn find_definers(&mut self, own: &HashSet<String>) {
        for name in own {
            let uses = self.uses_of(name, |it| self.parameters(it));
            self.definers.insert(name.clone(), uses);
        }
        // Each round follows one more macro that passes arguments on.
        let others: Vec<String> = self.definer_names.difference(own).cloned().collect();
        for _ in &others {
            for name in &others {
                let uses = self.uses_of(name, |it| self.parameters_passed_on(it));
                self.definers.insert(name.clone(), uses);
                self.pass_statements_on(name);
            }
        }
    }

    /// The parameters of a macro that stand alone as arguments of macros that define functions: the number of each, and
    /// the macro and the number there.
    fn passed_on<'t>(&self, text: &'t MacroText) -> Vec<(usize, &'t str, usize)> {
        let body = text.body.as_str();
        let tokens = lex_inline(body).tokens;
        let parameters = text.parameters.as_deref().unwrap_or(&[]);
        let mut found = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let name = token.text(body);
            let Some(uses) = self.definers.get(name) else {
                continue;
            };
            let given = arguments(body, &tokens[index + 1..], uses.len());
            for (there, range) in given.into_iter().enumerate() {
                let here = parameters
                    .iter()
                    .position(|it| it == body[range.clone()].trim());
                found.extend(here.map(|here| (here, name, there)));
            }
        }
        found
    }

    fn parameters_passed_on(&self, text: &MacroText) -> Vec<Given> {
        let tokens = lex_inline(&text.body).tokens;
        let all = self.passed_on(text);
        let given = |(number, name): (usize, &String)| {
            let places = tokens.iter().filter(|it| it.text(&text.body) == name);
            let passed = all.iter().filter(|it| it.0 == number);
            let uses = passed.clone().map(|it| self.definers[it.1][it.2]);
            match passed.clone().count() == places.count() {
                true => uses.fold(Given::Nothing, Given::and),
                false => Given::Unknown,
            }
        };
        let parameters = text.parameters.iter().flatten();
        parameters.enumerate().map(given).collect()
    }

    fn pass_statements_on(&mut self, name: &str) {
        let definitions = self.macros.get(name).into_iter().flatten();
        let passed = definitions.flat_map(|it| self.passed_on(it));
        let given = passed.filter(|it| self.given_statements.contains(&(name.to_owned(), it.0)));
        let given: Vec<_> = given.map(|it| (it.1.to_owned(), it.2)).collect();
        self.given_statements.extend(given);
    }

    /// What the arguments of all definitions of a macro are.
    fn uses_of(&self, name: &str, of: impl Fn(&MacroText) -> Vec<Given>) -> Vec<Given> {
        let definitions = self.macros.get(name).into_iter().flatten();
        let merge = |one: Vec<Given>, other: Vec<Given>| {
            let count = one.len().max(other.len());
            let at = |all: &[Given], index| all.get(index).copied().unwrap_or(Given::Unknown);
            (0..count)
                .map(|it| at(&one, it).and(at(&other, it)))
                .collect()
        };
        definitions.map(of).reduce(merge).unwrap_or_default()
    }

    fn parameters(&self, text: &MacroText) -> Vec<Given> {
        let body = text.body.as_str();
        let tokens = lex_inline(body).tokens;
        // Before the first body are heads of functions.
        let from = body.find('{').unwrap_or(0);
        let given = |name: &String| {
            let places = tokens
                .iter()
                .filter(|it| it.start > from && it.text(body) == name);
            let uses = places.map(|it| {
                let before = body
                    .get(..it.start)
                    .unwrap_or("")
                    .trim_end_matches(is_blank);
                let after = body
                    .get(it.end..)
                    .unwrap_or("")
                    .trim_start_matches(is_blank);
                self.place(before, after)
            });
            uses.fold(Given::Nothing, Given::and)
        };
        let parameters = text.parameters.as_deref().unwrap_or(&[]);
        parameters.iter().map(given).collect()
    }

    /// What a parameter is that stands between two texts in a macro's body.
    fn place(&self, before: &str, after: &str) -> Given {
        let follows_word = before.ends_with(is_part_of_word) && !before.ends_with("return");
        if before.ends_with('#') || after.starts_with("##") || follows_word {
            return Given::Nothing;
        }
        if before.ends_with(['{', ';', '}', ')']) {
            return match after.chars().next() {
                Some(';' | '}') => Given::Statements,
                Some('=') if !after.starts_with("==") => Given::Stored,
                Some(it) if is_part_of_word(it) => Given::StatementsOrType,
                _ if is_update(after) => Given::Updated,
                _ => Given::Unknown,
            };
        }
        if after.starts_with(is_part_of_word) {
            return Given::Nothing;
        }
        match is_before_value(before) && is_after_value(after) && !self.is_argument(before) {
            true => Given::Value,
            false => Given::Unknown,
        }
    }

    /// Whether a text ends in a call of a function or a macro of the program.
    fn is_argument(&self, before: &str) -> bool {
        let Some(call) = before.strip_suffix('(') else {
            // The first argument decides for the others.
            return before.ends_with(',');
        };
        let start = call
            .trim_end()
            .rfind(|it| !is_part_of_word(it))
            .map_or(0, |it| it + 1);
        let callee = call.trim_end().get(start..).unwrap_or("");
        !callee.is_empty()
            && !KEYWORDS.has(callee)
            && (self.functions.contains_key(callee) || self.macros.contains_key(callee))
    }
}

/// Blanks, and the ends of lines in a macro's body.
fn is_blank(it: char) -> bool {
    it.is_whitespace() || it == '\\'
}

fn is_part_of_word(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

/// Whether a text begins with an operator that changes what stands before it.
fn is_update(after: &str) -> bool {
    let rest = after.trim_start_matches(['<', '>']);
    let rest = match rest.len() < after.len() {
        true => rest,
        false => rest.trim_start_matches(['+', '-', '*', '/', '%', '&', '|', '^']),
    };
    after.starts_with("++")
        || after.starts_with("--")
        || (rest.len() < after.len()
            && rest.starts_with('=')
            && !after.starts_with(">=")
            && !after.starts_with("<="))
}

/// Whether a value may follow a text.
fn is_before_value(before: &str) -> bool {
    // `&` and `*` are operators between values, or take addresses and follow pointers.
    if let Some(rest) = before.strip_suffix(['&', '*']) {
        let rest = rest.trim_end();
        return rest.ends_with(is_part_of_word) || rest.ends_with([')', ']', '&']);
    }
    before.ends_with("return")
        || before.ends_with([
            '=', '(', ',', '?', ':', '[', '+', '-', '/', '%', '<', '>', '|', '^', '!',
        ]) && !before.ends_with("++")
            && !before.ends_with("--")
            && !before.ends_with("->")
            && !before.ends_with("::")
}

/// Whether a text may follow a value that nothing changes.
fn is_after_value(after: &str) -> bool {
    let between = [
        '+', '-', '*', '/', '%', '<', '>', '&', '|', '^', '?', ':', '!',
    ];
    let is_other = after.starts_with("->") || after.starts_with("::") || is_update(after);
    after.starts_with([';', ')', ',', '}', ']'])
        || after.starts_with("==")
        || (after.starts_with(between) && !is_other)
}
