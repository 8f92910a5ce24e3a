//! Barriers, fences, and constructs that order accesses but are not modelled.
//!
//! Renaming barriers works on tokens rather than on the tree. A barrier must be counted wherever it
//! is: in a macro's body, in a function that could not be parsed, in an `#if` branch that was not
//! chosen. Without it the clocks would fall behind, and ordered accesses would look unordered.

mod tokens;

use hirace_model::SiteKind;
use hirace_syntax::lexer::Token;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::split_name;

use super::context::Rewriter;
use super::names::cuda::CUB;
use super::nodes::operator;

impl Rewriter<'_> {
    /// Notes the constructs in the statement `node` that order accesses in ways that are not
    /// modelled, and has the program report them when it reaches the statement.
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

    /// Start of a statement, including the qualifiers that the pre-pass blanked.
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
            // The executor's own versions are checked, and report when they order accesses in ways
            // that are not modelled.
            "pipeline"
            | "counting_semaphore"
            | "binary_semaphore"
            | "latch"
            | "make_pipeline"
            | "atomic_thread_fence"
            | "atomic"
            | "atomic_ref"
            | "atomic_flag"
            | "barrier"
                if in_cuda =>
            {
                (!self.on_cpu()).then(|| format!("`cuda::{name}`"))
            }
            "memcpy_async" if (in_cuda || in_groups) && !self.on_cpu() => {
                Some("`memcpy_async`".to_owned())
            }
            // The executor's own groups report when they synchronise a part of a warp.
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
            // The CPU executor has its own versions.
            "reduce" | "inclusive_scan" | "exclusive_scan"
                if in_groups && scope.is_some() && !self.on_cpu() =>
            {
                Some(format!("`cooperative_groups::{name}`"))
            }
            // The CPU executor has its own CUB, whose barriers it counts.
            _ if text.starts_with("cub::") || text.starts_with("::cub::") => {
                (!self.on_cpu()).then(|| CUB.to_owned())
            }
            _ => self
                .facts
                .synchronising
                .get(&name)
                // The CPU executor has its own versions of them.
                .filter(|_| !self.on_cpu())
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

/// A cheap test for text that may contain such constructs.
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

/// The end of the parentheses that token `at` opens.
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
