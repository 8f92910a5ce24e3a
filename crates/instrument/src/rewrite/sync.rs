//! Barriers, fences, and what orders accesses without being modelled.
//!
//! Renaming barriers works on tokens rather than on the tree. A barrier must be
//! counted wherever it stands: in a macro's body, in a function that could not
//! be parsed, in an `#if` branch that was not chosen. One that is missed would
//! leave the clocks behind and make ordered accesses look unordered.

use hirace_model::SiteKind;
use hirace_syntax::lexer::{Token, TokenKind, lex_inline};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::split_name;

use super::classify::operator;
use super::context::{Extent, Rewriter};
use super::sites::fold;

/// Functions that order accesses, without the leading `__`.
const BARRIERS: [&str; 14] = [
    "syncthreads",
    "syncthreads_count",
    "syncthreads_and",
    "syncthreads_or",
    "syncwarp",
    "shfl_sync",
    "shfl_up_sync",
    "shfl_down_sync",
    "shfl_xor_sync",
    "ballot_sync",
    "any_sync",
    "all_sync",
    "threadfence",
    "threadfence_block",
];

/// More of them; apart because arrays of this length read badly.
const MORE_BARRIERS: [&str; 9] = [
    "threadfence_system",
    "match_any_sync",
    "match_all_sync",
    "reduce_add_sync",
    "reduce_min_sync",
    "reduce_max_sync",
    "reduce_and_sync",
    "reduce_or_sync",
    "reduce_xor_sync",
];

/// Functions of the CUDA runtime that the GPU backend wraps: those that allocate, and those
/// that wait for kernels.
const WRAPPED: [&str; 20] = [
    "cudaMalloc",
    "cudaFree",
    "cudaMallocManaged",
    "cudaMallocAsync",
    "cudaFreeAsync",
    "cudaMallocFromPoolAsync",
    "cudaMallocPitch",
    "cudaMalloc3D",
    "cudaMallocHost",
    "cudaHostAlloc",
    "cudaFreeHost",
    "cudaHostRegister",
    "cudaHostUnregister",
    "cudaDeviceReset",
    "cudaDeviceSynchronize",
    "cudaStreamSynchronize",
    "cudaEventSynchronize",
    "cudaMemcpy",
    "cudaLaunchKernel",
    "cudaLaunchCooperativeKernel",
];

/// Whether an expression may follow a word, rather than a name that it is the type or scope of.
fn begins_expression(word: &str) -> bool {
    matches!(word, "return" | "else" | "do" | "case" | "co_return")
}

fn barrier(word: &str) -> Option<&'static str> {
    let name = word.strip_prefix("__")?;
    BARRIERS
        .iter()
        .chain(&MORE_BARRIERS)
        .find(|it| **it == name)
        .copied()
}

impl Rewriter<'_> {
    /// Renames barriers and, for the GPU, functions of the runtime, in the whole file.
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
        // A call; a template's argument list may stand between.
        let called = at(1) == "(" || (at(1) == "<" && WRAPPED.contains(&word));
        if !called || matches!(before(1), "." | "->") {
            return;
        }
        let qualified = before(1) == "::";
        // A scope, or in a declaration the type.
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
        if let Some(name) = barrier(word) {
            let end = closing(text, tokens, index + 1);
            let function = around.map_or("", |it| it.name.as_str()).to_owned();
            let range = base + token.start..base + end;
            let text = fold(self.source[range.clone()].as_bytes());
            let Some(id) = self.sites.add(SiteKind::Sync, range, text, "", &function) else {
                return;
            };
            let range = base + start..base + tokens[index + 1].end;
            let comma = if at(2) == ")" { "" } else { ", " };
            self.edits
                .replace(self.source, range, format!("::hirace::{name}({id}{comma}"));
        } else if !self.on_cpu()
            && WRAPPED.contains(&word)
            && !around.is_some_and(|it| it.device_only)
        {
            let range = base + start..base + token.end;
            self.edits
                .replace(self.source, range, format!("::hirace::gpu::{word}"));
        }
    }

    /// Notes constructs that order accesses in ways that are not modelled, in
    /// the statement `node`, and has the program say so when it gets there.
    pub(crate) fn unmodelled(&mut self, node: Node<'_>) {
        if !suspicious(self.text(node)) && self.facts.synchronising.is_empty() {
            return;
        }
        let mut found: Option<String> = None;
        for inner in node.descendants() {
            let construct = match inner.kind() {
                Kind::GnuAsmExpression => self.unordered_assembly(inner),
                Kind::QualifiedIdentifier
                | Kind::Identifier
                | Kind::TypeIdentifier
                | Kind::TemplateFunction => self.unmodelled_name(inner),
                Kind::LambdaExpression => break,
                _ => None,
            };
            if let Some(construct) = construct {
                self.sites.not_modelled(inner.start(), construct.clone());
                found.get_or_insert(construct);
            }
        }
        if found.is_none() {
            return;
        }
        let Some(id) = self.site(SiteKind::Sync, node.range(), "") else {
            return;
        };
        let alone = node.parent().is_some_and(|it| {
            matches!(
                it.kind(),
                Kind::IfStatement
                    | Kind::ElseClause
                    | Kind::WhileStatement
                    | Kind::DoStatement
                    | Kind::ForRangeLoop
                    | Kind::LabeledStatement
            ) || (it.is(Kind::ForStatement) && node.field() == Field::Body)
        });
        let header = node.parent().is_some_and(|it| {
            matches!(
                it.kind(),
                Kind::ForStatement | Kind::ConditionClause | Kind::InitStatement
            )
        });
        if alone && node.is(Kind::ExpressionStatement) {
            let start = self.declared_from(node);
            self.edits
                .open(start, format!("{{ ::hirace::not_modelled({id}); "));
            self.edits.close(node.end(), " }");
        } else if !header && !alone {
            self.edits.open(
                self.declared_from(node),
                format!("::hirace::not_modelled({id}); "),
            );
        }
    }

    /// Start of a statement with the qualifiers that the pre-pass blanked.
    fn declared_from(&self, node: Node<'_>) -> usize {
        let leading = self.prepass.leading(node.start());
        let start = leading
            .first()
            .map_or(node.start(), |mark| mark.range.start);
        if self.body.is_some() {
            return start;
        }
        self.prepass.begin(self.source, start, |_| true)
    }

    fn unmodelled_name(&mut self, node: Node<'_>) -> Option<String> {
        let text = self.folded(node);
        let (name, scope) = split_name(node, self.source);
        let in_cuda = text.starts_with("cuda::") || text.starts_with("::cuda::");
        let in_groups =
            text.starts_with("cg::") || text.starts_with("cooperative_groups::") || scope.is_none();
        match name.as_str() {
            "pipeline"
            | "counting_semaphore"
            | "binary_semaphore"
            | "latch"
            | "make_pipeline"
            | "atomic_thread_fence"
                if in_cuda =>
            {
                // The pipeline of one thread orders nothing between threads.
                let whole = node.parent().map_or("", |it| self.text(it));
                let alone =
                    whole.contains("thread_scope_thread") || whole.ends_with("make_pipeline()");
                (!self.on_cpu() || !alone).then(|| format!("`cuda::{name}`"))
            }
            // The executor's own are checked, and tell when they order accesses in ways
            // that are not modelled.
            "atomic" | "atomic_ref" | "atomic_flag" | "barrier" if in_cuda => {
                (!self.on_cpu()).then(|| format!("`cuda::{name}`"))
            }
            "memcpy_async" if (in_cuda || in_groups) && !self.on_cpu() => {
                Some("`memcpy_async`".to_owned())
            }
            // The executor's own groups tell when they synchronise a part of a warp.
            "coalesced_threads" | "labeled_partition" | "binary_partition"
                if in_groups && !self.on_cpu() =>
            {
                Some(format!("group of some of a warp's lanes (`{name}`)"))
            }
            "load_matrix_sync" | "store_matrix_sync" => {
                let reason = format!("`{name}` accesses memory without hooks");
                self.sites.not_monitored(node.start(), reason);
                None
            }
            _ if name.starts_with("__pipeline_") => (!self.on_cpu()).then(|| format!("`{name}`")),
            _ if name.starts_with("__mbarrier_") => Some(format!("`{name}`")),
            // The CPU executor has these of its own.
            "reduce" | "inclusive_scan" | "exclusive_scan"
                if in_groups && scope.is_some() && !self.on_cpu() =>
            {
                Some(format!("`cooperative_groups::{name}`"))
            }
            // So it has CUB, whose barriers it counts.
            _ if text.starts_with("cub::") || text.starts_with("::cub::") => {
                (!self.on_cpu()).then(|| CUB.to_owned())
            }
            _ => self
                .facts
                .synchronising
                .get(&name)
                .filter(|it| !(self.on_cpu() && is_checked_on_cpu(it)))
                .map(|it| (*it).to_owned()),
        }
    }

    /// `group.sync()`; false if it is another class's `sync`.
    pub(crate) fn group_sync(
        &mut self,
        node: Node<'_>,
        callee: Node<'_>,
        arguments: Node<'_>,
    ) -> bool {
        if arguments.first_named().is_some() {
            return false;
        }
        let own = self.facts.functions.get("sync").into_iter().flatten();
        if own.into_iter().any(|it| it.class.is_some()) {
            return false;
        }
        let Some(object) = callee.child(Field::Argument) else {
            return false;
        };
        let Some(id) = self.site(SiteKind::Sync, node.range(), "") else {
            return false;
        };
        let star = if operator(callee, self.source) == "->" {
            "*"
        } else {
            ""
        };
        self.edits
            .open(node.start(), format!("::hirace::group_sync({id}, {star}"));
        self.edits
            .replace(self.source, object.end()..node.end(), ")");
        true
    }
}

/// What is said of aliases for references that make atomic accesses.
pub(crate) const ATOMIC_REF: &str = "`cuda::atomic_ref`";

/// What is said of CUB, whose headers have barriers of their own.
const CUB: &str = "barriers inside CUB";

/// The library whose barriers a type's spelling brings in.
pub(crate) fn synchronising_library(text: &str) -> Option<&'static str> {
    if text.contains("cub::") {
        return Some(CUB);
    }
    let names = [
        ("cuda::barrier", "`cuda::barrier`"),
        ("cuda::pipeline", "`cuda::pipeline`"),
        ("cuda::atomic_ref", ATOMIC_REF),
        ("cuda::std::atomic_ref", ATOMIC_REF),
        ("cuda::atomic", "`cuda::atomic`"),
        ("cuda::std::atomic", "`cuda::std::atomic`"),
        ("cuda::counting_semaphore", "`cuda::counting_semaphore`"),
        ("cuda::binary_semaphore", "`cuda::binary_semaphore`"),
        ("cuda::latch", "`cuda::latch`"),
    ];
    names
        .iter()
        .find(|(name, _)| text.contains(name))
        .map(|(_, construct)| *construct)
}

/// Whether the CPU executor's own headers tell what such a class orders.
fn is_checked_on_cpu(construct: &str) -> bool {
    construct == CUB || construct.contains("atomic") || construct.contains("barrier")
}

/// A quick look for text worth a closer one.
fn suspicious(text: &str) -> bool {
    [
        "asm",
        "cuda::",
        "_async",
        "coalesced_threads",
        "_partition",
        "matrix_sync",
        "__pipeline_",
        "__mbarrier_",
        "cub::",
    ]
    .iter()
    .any(|word| text.contains(word))
}

/// End of the parentheses that open at token `at`.
fn closing(text: &str, tokens: &[Token], at: usize) -> usize {
    let mut depth = 0usize;
    for token in tokens.iter().skip(at).take(2048) {
        match token.text(text) {
            "(" => depth += 1,
            ")" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return token.end;
                }
            }
            _ => {}
        }
    }
    tokens.get(at).map_or(0, |token| token.end)
}
