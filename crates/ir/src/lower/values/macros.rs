//! What the texts of macros compute, and what they may change.

use hirace_syntax::lexer::{Token, TokenKind, lex_inline};
use hirace_syntax::names::{is_pure, meaning, takes_numbers};
use hirace_syntax::words::Words;

use super::{Lowering, Program};
use crate::function::Place;
use crate::values::Value;

/// The maximum depth of macros within macros to follow.
const MAX_MACRO_DEPTH: usize = 8;

/// The number of arguments to ask for of a function that a macro calls.
const MAX_ARGUMENTS: usize = 8;

/// Words before parentheses that call nothing.
const CALL_NOTHING: Words = Words::of(
    "if for while switch return sizeof alignof decltype static_cast reinterpret_cast const_cast defined printf assert",
);

/// A macro's text, in tokens.
struct Tokens<'p> {
    text: &'p str,
    tokens: Vec<Token>,
}

impl<'p> Tokens<'p> {
    fn of(text: &'p str) -> Self {
        let tokens = lex_inline(text).tokens;
        Self { text, tokens }
    }

    fn text(&self, index: usize) -> &'p str {
        let token = self.tokens.get(index);
        token.map_or("", |it| it.text(self.text))
    }

    fn before(&self, index: usize) -> &'p str {
        index.checked_sub(1).map_or("", |it| self.text(it))
    }

    /// Whether a token follows another without a space.
    fn is_joined(&self, index: usize) -> bool {
        index > 0 && self.tokens[index - 1].end == self.tokens[index].start
    }

    fn is_word(&self, index: usize) -> bool {
        let token = self.tokens.get(index);
        token.is_some_and(|it| it.kind == TokenKind::Word)
    }

    fn is_member(&self, index: usize) -> bool {
        let before = self.before(index);
        [".", "->"].contains(&before)
    }

    fn is_called(&self, index: usize) -> bool {
        self.is_word(index) && self.text(index + 1) == "("
    }

    /// The tokens without parentheses around all of them.
    fn inner(&self) -> std::ops::Range<usize> {
        let mut range = 0..self.tokens.len();
        while range.len() > 2 && self.closes(&range) {
            range = range.start + 1..range.end - 1;
        }
        range
    }

    /// Whether the first token of a range is a parenthesis that its last one closes.
    fn closes(&self, range: &std::ops::Range<usize>) -> bool {
        let mut depth = 0;
        let closing = range.clone().find(|it| {
            match self.text(*it) {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        self.text(range.start) == "(" && closing == Some(range.end - 1)
    }

    /// Whether a token assigns to something, or takes its address.
    fn changes(&self, index: usize) -> bool {
        let [before, here, after] = [self.before(index), self.text(index), self.text(index + 1)];
        match here {
            "=" if self.is_joined(index) && ["<", ">"].contains(&before) => {
                self.before(index - 1) == before
            }
            "=" if self.is_joined(index) && ["=", "!"].contains(&before) => false,
            "=" => after != "=",
            "+" | "-" => before == here && self.is_joined(index),
            "&" if before == "&" || after == "&" => false,
            "&" => before.is_empty() || "(,=?:;{&|<>+-*/!~[".contains(before) || before == "return",
            "##" | "asm" => true,
            _ => false,
        }
    }
}

/// Whether the text of a macro may change a variable that it names, or that is its argument.
pub(super) fn may_change(program: &dyn Program, name: &str) -> bool {
    changes(program, name, MAX_MACRO_DEPTH)
}

fn changes(program: &dyn Program, name: &str, depth: usize) -> bool {
    let texts = program.macro_texts(name);
    depth == 0
        || texts.into_iter().map(Tokens::of).any(|it| {
            let mut all = 0..it.tokens.len();
            all.any(|index| {
                let word = it.text(index);
                let is_macro =
                    it.is_word(index) && word != name && !program.macro_texts(word).is_empty();
                it.changes(index)
                    || is_macro && changes(program, word, depth - 1)
                    || it.is_called(index) && !is_macro && may_change_by_call(program, &it, index)
            })
        })
}

/// Whether a function that a macro's text calls may change an argument, or an object.
fn may_change_by_call(program: &dyn Program, tokens: &Tokens<'_>, index: usize) -> bool {
    let word = tokens.text(index);
    if tokens.is_member(index) {
        return program.may_change_object(word) || !program.has_definition(word);
    }
    let is_known = is_pure(word) || takes_numbers(word) || meaning(word).is_some();
    match program.has_definition(word) {
        true => {
            let mut arguments = 0..MAX_ARGUMENTS;
            arguments.any(|it| program.may_change_argument(word, it, true))
        }
        false => !is_known && !CALL_NOTHING.has(word),
    }
}

/// The name with which the text of a macro begins: of the object that it stands for, if it stands for one.
pub(super) fn root<'p>(program: &'p dyn Program, name: &str) -> Option<&'p str> {
    let texts = program.macro_texts(name);
    let [text] = texts[..] else {
        return None;
    };
    let tokens = Tokens::of(text);
    let first = (0..tokens.tokens.len()).find(|it| !["(", "*"].contains(&tokens.text(*it)))?;
    let word = tokens.text(first);
    let is_name = tokens.is_word(first) && program.macro_texts(word).is_empty();
    is_name.then_some(word)
}

impl Lowering<'_, '_> {
    /// The values that the text of a macro is computed from.
    pub(super) fn of_text(&mut self, text: &str, place: Place) -> Value {
        let tokens = Tokens::of(text);
        let inner = tokens.inner();
        if inner.len() == 1 && tokens.tokens[inner.start].kind == TokenKind::Number {
            return Value::Constant(self.source.program.integer(tokens.text(inner.start)));
        }
        if inner.len() == 3 && tokens.text(inner.start + 1) == "." && tokens.is_word(inner.start) {
            let object = self.named(tokens.text(inner.start), place);
            let member = tokens.text(inner.start + 2).to_owned();
            return Value::Member(Box::new(object), member);
        }
        let mut parts = Vec::new();
        for index in 0..tokens.tokens.len() {
            let word = tokens.text(index);
            let is_unknown = match tokens.is_called(index) {
                true if tokens.is_member(index) => true,
                true => {
                    !is_pure(word)
                        && !takes_numbers(word)
                        && !CALL_NOTHING.has(word)
                        && self.source.program.macro_texts(word).is_empty()
                }
                false => ["##", "asm"].contains(&word),
            };
            if is_unknown {
                parts.push(Value::Unknown);
            }
            if tokens.is_word(index) && !tokens.is_member(index) {
                parts.push(self.named(word, place));
            }
        }
        Value::of_parts(parts)
    }
}
