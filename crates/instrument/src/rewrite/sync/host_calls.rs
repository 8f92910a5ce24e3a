//! Calls that work in a stream, of host code and of kernels: copies, fills, stream-ordered allocations, and functions
//! of CUB, thrust, cuBLAS, cuFFT and cuRAND. On the CPU executor, reports name their places.

use super::closing;
use super::tokens::begins_expression;
use crate::rewrite::context::{Extent, Rewriter};
use crate::rewrite::sites::fold;
use hirace_model::SiteKind;
use hirace_syntax::lexer::{Token, TokenKind};
use hirace_syntax::names::{Home, Meaning, meaning, meaning_in};

/// First parts of the names of functions of cuBLAS that only concern its handle.
const OF_HANDLE: [&str; 12] = [
    "Create",
    "Destroy",
    "SetStream",
    "GetStream",
    "SetPointerMode",
    "GetPointerMode",
    "SetMathMode",
    "GetMathMode",
    "SetAtomicsMode",
    "GetAtomicsMode",
    "SetWorkspace",
    "GetStatus",
];

/// Whether `word` is a function of cuBLAS that accesses memory.
fn is_of_cublas(word: &str) -> bool {
    let name = word.strip_prefix("cublas");
    name.is_some_and(|it| {
        it.starts_with(char::is_uppercase)
            && !it.ends_with("_t")
            && !OF_HANDLE.iter().any(|handle| it.starts_with(handle))
    })
}

impl Rewriter<'_> {
    /// Has the program note the place of a call of a function that works in a stream: the one whose
    /// name is token `index` of `text`, which starts at `base`.
    pub(super) fn host_call(
        &mut self,
        text: &str,
        tokens: &[Token],
        index: usize,
        base: usize,
        around: Option<&Extent>,
    ) {
        let word = tokens[index].text(text);
        let is_called = tokens.get(index + 1).map(|it| it.text(text)) == Some("(");
        let device_only = around.is_some_and(|it| it.device_only);
        if !self.on_cpu()
            || !is_called
            || (device_only && meaning(word) != Some(Meaning::StreamWork))
        {
            return;
        }
        let Some(first) = self.first_of_call(text, tokens, index, word) else {
            return;
        };
        if self.facts.macros.contains_key(word)
            || (first == index && self.facts.functions.contains_key(word))
        {
            return;
        }
        let end = closing(text, tokens, index + 1);
        // The call does not end within reach.
        if end <= tokens[index + 1].end {
            return;
        }
        let inside = tokens[index..].iter().take_while(|it| it.end <= end);
        if meaning(word) == Some(Meaning::Launch)
            && inside
                .into_iter()
                .any(|it| self.facts.is_kernel(it.text(text)))
        {
            return;
        }
        let range = base + tokens[first].start..base + end;
        let function = around.map_or("", |it| it.name.as_str()).to_owned();
        let called = fold(self.source[range.clone()].as_bytes());
        let id = self
            .sites
            .add(SiteKind::Call, range.clone(), called, "", &function);
        if let Some(id) = id {
            let place = if device_only { "in_kernel" } else { "HostCall" };
            self.edits
                .enclose(range, format!("(::hirace::{place}({id}), "));
        }
    }

    /// The first token of the name that ends with token `index`, with its scopes; none if it is not the
    /// name of such a function, or not in a call.
    fn first_of_call(
        &self,
        text: &str,
        tokens: &[Token],
        index: usize,
        word: &str,
    ) -> Option<usize> {
        let before = |at: usize, offset: usize| {
            at.checked_sub(offset)
                .and_then(|at| tokens.get(at))
                .map_or("", |it| it.text(text))
        };
        let scoped = before(index, 1) == "::";
        let is_runtime = matches!(meaning(word), Some(Meaning::StreamWork | Meaning::Launch));
        let first = if is_runtime || is_of_cublas(word) {
            index
        } else if scoped && before(index, 2) == "thrust" && meaning_in(Home::Thrust, word).is_some()
        {
            index - 2
        } else if scoped && self.facts.cub && before(index, 2).starts_with("Device") {
            let in_cub = before(index, 3) == "::" && before(index, 4) == "cub";
            index - if in_cub { 4 } else { 2 }
        } else {
            return None;
        };
        let global = before(first, 1) == "::";
        let first = first - usize::from(global);
        // A member, or a name in another scope, or one that is declared.
        let previous = first.checked_sub(1).map(|at| tokens[at]);
        let is_name = previous.is_some_and(|it| {
            it.kind == TokenKind::Word && !begins_expression(it.text(text))
                || matches!(it.text(text), "." | "->")
        });
        (!is_name).then_some(first)
    }
}
