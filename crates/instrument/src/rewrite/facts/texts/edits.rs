//! The edits that pass on what users wrote.

use std::ops::Range;

use hirace_syntax::lexer::{Token, lex};

use super::definition::Definition;
use super::uses::{Use, escaped, joined, uses};
use super::{Shape, Texts};

/// What the names of further parameters begin with.
const PREFIX: &str = "hirace_text_";

/// The further parameter for `...`.
const REST: &str = "hirace_text_rest";

impl Texts {
    /// What is inserted, or replaced, in a file, in order.
    pub(crate) fn edits(&self, text: &str) -> Vec<(Range<usize>, String)> {
        if self.extended.is_empty() {
            return Vec::new();
        }
        let mut edits = Vec::new();
        let tokens = lex(text).tokens;
        for call in self.known_uses(text, &tokens) {
            self.use_in_file(text, &tokens, &call, &mut edits);
        }
        for definition in Definition::all(text) {
            self.definition(&definition, &mut edits);
        }
        edits.sort_by_key(|(range, _)| range.start);
        edits
    }

    /// For a GPU: what gives `assert` its argument as written. (On the executor, a function that `assert` calls takes the
    /// hooks out of the text.)
    pub(crate) fn assertions(&self, text: &str) -> Vec<(Range<usize>, String)> {
        let mut edits = Vec::new();
        if !self.keeps_assertions || !text.contains("assert") {
            return edits;
        }
        let tokens = lex(text).tokens;
        let shape = Shape {
            named: 1,
            variadic: false,
        };
        for call in uses(text, &tokens, |it| it == "assert") {
            let before = call
                .at
                .checked_sub(1)
                .map_or("", |it| tokens[it].text(text));
            if !call.fits(shape, text, &tokens) || matches!(before, "." | "->" | "::") {
                continue;
            }
            let argument = &tokens[call.arguments[0].clone()];
            let written = joined(argument, |_, it| it.text(text).to_owned());
            let name = tokens[call.at];
            edits.push((name.start..name.end, "HIRACE_ASSERT".to_owned()));
            let at = tokens[call.at + 1].end;
            edits.push((at..at, format!("{written}, ")));
        }
        edits
    }

    fn use_in_file(
        &self,
        text: &str,
        tokens: &[Token],
        call: &Use<'_>,
        edits: &mut Vec<(Range<usize>, String)>,
    ) {
        let written = |range: Range<usize>, whole: bool| match whole {
            true => format!("\"{}\"", joined(&tokens[range], |_, it| escaped(text, it))),
            false => joined(&tokens[range], |_, it| it.text(text).to_owned()),
        };
        self.pass_on(call, tokens, written, edits);
    }

    /// Gives a use the texts of its arguments. `written` is asked for the text of tokens, and whether it must be a
    /// literal: those for `...` may contain commas.
    fn pass_on(
        &self,
        call: &Use<'_>,
        tokens: &[Token],
        written: impl Fn(Range<usize>, bool) -> String,
        edits: &mut Vec<(Range<usize>, String)>,
    ) {
        let Some(slots) = self.extended.get(call.name) else {
            return;
        };
        let named = self.shapes.get(call.name).map_or(0, |it| it.named);
        let mut all = String::new();
        for slot in slots {
            let range = match call.arguments.get(*slot) {
                Some(first) if *slot == named => {
                    let last = call.arguments.last().unwrap_or(first);
                    first.start..last.end
                }
                Some(argument) => argument.clone(),
                None => 0..0,
            };
            all += &written(range, *slot == named);
            all += ", ";
        }
        let at = tokens[call.at + 1].end;
        edits.push((at..at, all));
    }

    /// A definition: its parameters, the operands of `#`, and what it passes on to other macros.
    fn definition(&self, definition: &Definition<'_>, edits: &mut Vec<(Range<usize>, String)>) {
        let (text, body) = (definition.text, &definition.body);
        let named = definition.named.len();
        let own = self.extended.get(definition.name).map_or(&[][..], |it| it);
        let parameters = own.iter().map(|slot| match definition.named.get(*slot) {
            Some(name) => format!("{PREFIX}{name}, "),
            None => format!("{REST}, "),
        });
        let parameters: String = parameters.collect();
        if !parameters.is_empty() {
            edits.push((definition.open_end..definition.open_end, parameters));
        }
        let slot = |at: usize| definition.slot(at).filter(|it| own.contains(it));
        let written = |range: Range<usize>, whole: bool| match whole {
            true => self.pieces(definition, range),
            false => joined(&body[range.clone()], |at, token| {
                let renamed = slot(range.start + at).is_some_and(|it| it < named);
                let prefix = if renamed { PREFIX } else { "" };
                format!("{prefix}{}", token.text(text))
            }),
        };
        let calls = self.known_uses(text, body);
        for call in &calls {
            self.pass_on(call, body, written, edits);
        }
        for at in 0..body.len() {
            let Some(slot) = slot(at) else { continue };
            let ignored = calls.iter().any(|call| {
                let index = call.argument_at(at);
                let slot = index.map(|it| (call.name.to_owned(), self.slot_of(call.name, it)));
                slot.is_some_and(|it| self.not_evaluated.contains(&it))
            });
            let start = body[at].start;
            if definition.is_text(at) && slot == named {
                edits.push((body[at - 1].start..body[at].end, REST.to_owned()));
            } else if (definition.is_text(at) || ignored) && slot < named {
                edits.push((start..start, PREFIX.to_owned()));
            }
        }
    }

    /// Tokens of a body as adjacent string literals, in which `#` gives the text of parameters.
    fn pieces(&self, definition: &Definition<'_>, range: Range<usize>) -> String {
        let (text, body) = (definition.text, &definition.body);
        let own = self.extended.get(definition.name).map_or(&[][..], |it| it);
        // The parts between parameters, with the blanks around them.
        let mut pieces: Vec<String> = Vec::new();
        let mut between = String::new();
        for at in range.clone() {
            if at > range.start && body[at - 1].end < body[at].start {
                between.push(' ');
            }
            let Some(slot) = definition.slot(at) else {
                between += &escaped(text, &body[at]);
                continue;
            };
            if !between.is_empty() {
                pieces.push(format!("\"{}\"", std::mem::take(&mut between)));
            }
            let name = body[at].text(text);
            pieces.push(match own.contains(&slot) {
                true if slot == definition.named.len() => REST.to_owned(),
                true => format!("#{PREFIX}{name}"),
                false => format!("#{name}"),
            });
        }
        if !between.is_empty() || pieces.is_empty() {
            pieces.push(format!("\"{between}\""));
        }
        pieces.join(" ")
    }
}
