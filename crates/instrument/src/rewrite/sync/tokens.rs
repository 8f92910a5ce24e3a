//! Barriers, fences and runtime functions by name, renamed token by token.

use super::closing;
use crate::rewrite::context::{Extent, Rewriter};
use crate::rewrite::sites::fold;
use hirace_model::SiteKind;
use hirace_syntax::lexer::{Token, TokenKind, lex_inline};
use hirace_syntax::names::{Meaning, meaning};
use hirace_syntax::words::Words;

/// Functions of the CUDA runtime that the GPU backend wraps: those that allocate memory, and those
/// that wait for kernels.
const WRAPPED: Words = Words::of(
    "cudaMalloc cudaFree cudaMallocManaged cudaMallocAsync cudaFreeAsync cudaMallocFromPoolAsync \
     cudaMallocPitch cudaMalloc3D cudaMallocHost cudaHostAlloc cudaFreeHost cudaHostRegister \
     cudaHostUnregister cudaDeviceReset cudaDeviceSynchronize cudaStreamSynchronize \
     cudaEventSynchronize cudaMemcpy cudaLaunchKernel cudaLaunchCooperativeKernel",
);

impl Rewriter<'_> {
    /// Renames barriers and, for the GPU, functions of the runtime in the whole file.
    pub fn tokens(&mut self) {
        let prepass = self.prepass;
        let mut extents = std::mem::take(&mut self.extents);
        extents.sort_by_key(|extent| extent.range.start);
        let mut open: Vec<usize> = Vec::new();
        let mut next = 0;
        for (index, token) in prepass.tokens.iter().enumerate() {
            if token.kind != TokenKind::Word {
                continue;
            }
            while extents
                .get(next)
                .is_some_and(|it| it.range.start <= token.start)
            {
                open.push(next);
                next += 1;
            }
            while open
                .last()
                .is_some_and(|at| extents[*at].range.end <= token.start)
            {
                open.pop();
            }
            let around = open.last().map(|at| &extents[*at]);
            self.token(self.source, &prepass.tokens, index, 0, around);
        }
        for definition in &prepass.directives.macros {
            let body = &self.source[definition.body.clone()];
            let lexed = lex_inline(body);
            let around = Extent {
                range: definition.body.clone(),
                name: definition.name.clone(),
                on_device: false,
                device_only: false,
            };
            for index in 0..lexed.tokens.len() {
                self.token(
                    body,
                    &lexed.tokens,
                    index,
                    definition.body.start,
                    Some(&around),
                );
            }
        }
        self.list_dropped_branches(&extents);
        self.extents = extents;
    }

    /// The type of a texture or surface reference, `texture<float, 2>`, which is in a namespace of the executor's,
    /// because CUDA 12 has no such name any more.
    fn reference_type(&mut self, text: &str, tokens: &[Token], index: usize, base: usize) {
        let at = |index: usize| tokens.get(index).map_or("", |it| it.text(text));
        let word = at(index);
        let own = self.facts.is_type(word) || self.facts.variables.contains_key(word);
        let previous = index.checked_sub(1).map(|at| &tokens[at]);
        let begins = previous.is_none_or(|it| begins_type(it, text));
        if !self.on_cpu() || own || !begins || at(index + 1) != "<" {
            return;
        }
        let close = (index + 2..).find(|it| matches!(at(*it), ">" | ";" | "(" | "{" | ""));
        let Some(close) = close.filter(|it| at(*it) == ">") else {
            return;
        };
        let declares = tokens.get(close + 1).is_some_and(|it| {
            it.kind == TokenKind::Word || matches!(it.text(text), "&" | "*" | ">" | ",")
        });
        if declares {
            let start = base + tokens[index].start;
            self.edits.open(start, "::hirace::cpu::");
        }
    }

    /// The hook for a function that orders accesses, or may do so.
    fn hook_of_barrier(&self, word: &str) -> Option<String> {
        let name = word.strip_prefix("__")?;
        match meaning(word)? {
            Meaning::BlockBarrier
            | Meaning::WarpBarrier
            | Meaning::WarpVote
            | Meaning::Fence(_)
            | Meaning::FenceOfArgument => Some(name.to_owned()),
            Meaning::WarpExchange => self.on_cpu().then(|| format!("converged_{name}")),
            _ => None,
        }
    }

    /// What a call of such a function becomes.
    fn hook_at(&self, position: usize, name: &str) -> String {
        match self.region_barriers.contains(&position) {
            true => "HIRACE_REGION_BARRIER".to_owned(),
            false => format!("::hirace::{name}"),
        }
    }

    /// One word among the tokens of `text`, which starts at `base`.
    fn token(
        &mut self,
        text: &str,
        tokens: &[Token],
        index: usize,
        base: usize,
        around: Option<&Extent>,
    ) {
        let token = tokens[index];
        if self.is_not_evaluated(base + token.start) {
            return;
        }
        let word = token.text(text);
        if word == "decltype"
            && let (Some(around), [open, name, close]) =
                (around, tokens.get(index + 1..index + 4).unwrap_or(&[]))
            && open.text(text) == "("
            && close.text(text) == ")"
        {
            let range = base + token.start..base + close.end;
            let name = name.text(text).to_owned();
            let function = around.name.clone();
            return self.shared_decltype(&function, &name, range);
        }
        if matches!(word, "texture" | "surface") {
            return self.reference_type(text, tokens, index, base);
        }
        self.host_call(text, tokens, index, base, around);
        let first = word.as_bytes().first();
        if !matches!(first, Some(b'_' | b'c')) || token.kind != TokenKind::Word {
            return;
        }
        let at = |offset: usize| tokens.get(index + offset).map_or("", |it| it.text(text));
        let before = |offset: usize| {
            index
                .checked_sub(offset)
                .and_then(|at| tokens.get(at))
                .map_or("", |it| it.text(text))
        };
        // A call; a template's argument list may be in between.
        let called = at(1) == "(" || (at(1) == "<" && WRAPPED.has(word));
        if !called || matches!(before(1), "." | "->") {
            return;
        }
        let qualified = before(1) == "::";
        // The word's scope or, in a declaration, its type.
        let previous = index.checked_sub(1 + usize::from(qualified));
        let previous = previous.and_then(|at| tokens.get(at));
        if previous
            .is_some_and(|it| it.kind == TokenKind::Word && !begins_expression(it.text(text)))
        {
            return;
        }
        let start = if qualified {
            tokens[index - 1].start
        } else {
            token.start
        };
        if self.facts.macros.contains_key(word) || self.facts.functions.contains_key(word) {
            return;
        }
        if let Some(name) = self.hook_of_barrier(word) {
            let end = closing(text, tokens, index + 1);
            let function = around.map_or("", |it| it.name.as_str()).to_owned();
            let range = base + token.start..base + end;
            let text = fold(self.source[range.clone()].as_bytes());
            let Some(id) = self.sites.add(SiteKind::Sync, range, text, "", &function) else {
                return;
            };
            let range = base + start..base + tokens[index + 1].end;
            let comma = if at(2) == ")" { "" } else { ", " };
            let hook = self.hook_at(base + token.start, &name);
            self.replace(range, format!("{hook}({id}{comma}"));
        } else if !self.on_cpu() && WRAPPED.has(word) && !around.is_some_and(|it| it.device_only) {
            let range = base + start..base + token.end;
            self.replace(range, format!("::hirace::gpu::{word}"));
        }
    }
}

/// Whether a type may follow a token.
fn begins_type(token: &Token, text: &str) -> bool {
    match token.text(text) {
        ";" | "}" | "{" | "(" | "," | ">" | ":" => true,
        word => token.kind == TokenKind::Directive || matches!(word, "static" | "extern" | "const"),
    }
}

/// Whether an expression may follow a word. Otherwise a name follows, and the word is its type or
/// scope.
pub(super) fn begins_expression(word: &str) -> bool {
    matches!(word, "return" | "else" | "do" | "case" | "co_return")
}
