//! Barriers, fences, and constructs that order accesses but are not modelled.
//!
//! Renaming barriers works on tokens rather than on the tree. A barrier must be counted wherever it
//! is: in a macro's body, in a function that could not be parsed, in an `#if` branch that was not
//! chosen. Without it the clocks would fall behind, and ordered accesses would look unordered.

mod host_calls;
mod tokens;

use hirace_model::SiteKind;
use hirace_syntax::lexer::Token;
use hirace_syntax::names::{Home, Meaning, Object, meaning_in};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Function, split_name};
use hirace_syntax::words::Words;

use super::calls::NamedCall;
use super::context::Rewriter;
use super::names::bare_name;
use super::names::cuda::{CUB, ordered_atomic, synchronising_library};
use super::role::Role;

/// The beginnings of the names of functions of `cuda::ptx` that order accesses, or make asynchronous ones.
const PTX_FUNCTIONS: [&str; 7] = [
    "barrier_",
    "cp_",
    "fence",
    "mbarrier_",
    "red_async",
    "st_async",
    "st_bulk",
];

/// Parts of the text of statements that may contain constructs to note.
const SUSPICIOUS: Words = Words::of(
    "asm cuda:: ptx:: _async coalesced_threads _partition matrix_sync __pipeline_ __mbarrier_ cub:: \
     __nv_atomic_ barrier_ arrive _parity count_down acquire consumer_ producer_",
);

impl Rewriter<'_> {
    /// Notes the constructs in the statement `node` that order accesses in ways that are not
    /// modelled, and has the program report them when it reaches the statement.
    pub(crate) fn unmodelled(&mut self, node: Node<'_>) {
        let text = self.text(node);
        if !SUSPICIOUS.iter().any(|it| text.contains(it)) && self.facts.synchronising.is_empty() {
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
                Kind::FieldIdentifier => self.unmodelled_method(inner),
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
        let unbraced = node.parent().is_some_and(|parent| {
            matches!(
                parent.kind(),
                Kind::IfStatement
                    | Kind::ElseClause
                    | Kind::WhileStatement
                    | Kind::DoStatement
                    | Kind::ForRangeLoop
                    | Kind::LabeledStatement
            ) || (parent.is(Kind::ForStatement) && node.field() == Field::Body)
        });
        let header = node.parent().is_some_and(|parent| {
            matches!(
                parent.kind(),
                Kind::ForStatement | Kind::ConditionClause | Kind::InitStatement
            )
        });
        if unbraced && node.is(Kind::ExpressionStatement) {
            let start = self.declared_from(node);
            self.edits
                .open(start, format!("{{ ::hirace::not_modelled({id}); "));
            self.edits.close(node.end(), " }");
        } else if !header && !unbraced {
            self.edits.open(
                self.declared_from(node),
                format!("::hirace::not_modelled({id}); "),
            );
        }
    }

    /// Start of a statement, including the qualifiers that the pre-pass blanked.
    fn declared_from(&self, node: Node<'_>) -> usize {
        let start = self.prepass.start_with_qualifiers(node.start());
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
            name if in_cuda && meaning_in(Home::Cuda, name).is_some() => {
                (!self.on_cpu()).then(|| format!("`cuda::{name}`"))
            }
            "memcpy_async" | "memcpy_async_tx" | "barrier_arrive_tx" | "barrier_expect_tx"
                if (in_cuda || in_groups) && !self.on_cpu() =>
            {
                Some(format!("`{name}`"))
            }
            name if text.contains("ptx::")
                && PTX_FUNCTIONS.iter().any(|it| name.starts_with(it)) =>
            {
                (!self.on_cpu()).then(|| format!("`cuda::ptx::{name}`"))
            }
            // The CPU executor has its own versions.
            name if name.starts_with("__barrier_sync")
                || name.starts_with("__cluster_barrier_") =>
            {
                (!self.on_cpu()).then(|| format!("`{name}`"))
            }
            // The executor's own groups report when they synchronise a part of a warp.
            "coalesced_threads" | "labeled_partition" | "binary_partition"
                if in_groups && !self.on_cpu() =>
            {
                Some(format!("group of some of a warp's lanes (`{name}`)"))
            }
            "load_matrix_sync" | "store_matrix_sync" if !self.on_cpu() => {
                let reason = format!("`{name}` accesses memory without hooks");
                self.sites.not_monitored(node.start(), reason);
                None
            }
            _ if name.starts_with("__pipeline_")
                || name.starts_with("__mbarrier_")
                || ordered_atomic(&name).is_some() =>
            {
                (!self.on_cpu()).then(|| format!("`{name}`"))
            }
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

    /// A method that orders accesses, of a group or of an object of libcu++. The CPU executor has its
    /// own.
    fn unmodelled_method(&self, node: Node<'_>) -> Option<String> {
        let name = self.text(node);
        let is_called = node
            .parent()
            .and_then(Node::parent)
            .is_some_and(|it| it.is(Kind::CallExpression));
        if self.on_cpu() || !is_called || self.is_method_of_project(name) {
            return None;
        }
        if matches!(name, "barrier_arrive" | "barrier_wait") {
            return Some(format!("`{name}` of a group"));
        }
        let object = match meaning_in(Home::CudaObject, name)? {
            Meaning::Synchronisation(object) => object,
            _ => return None,
        };
        let class = match object {
            Object::Barrier => "barrier",
            Object::Latch => "latch",
            Object::Semaphore => "counting_semaphore",
            Object::Pipeline => "pipeline",
        };
        (self.facts.cuda_objects).then(|| format!("`cuda::{class}`"))
    }

    fn is_method_of_project(&self, name: &str) -> bool {
        let mut own = self.facts.functions_called(name);
        own.any(|it| it.class.is_some())
    }

    /// Has a function report at its beginning that it gets objects that order accesses: their methods
    /// have no hooks on a GPU. Called after the body has been rewritten.
    pub(crate) fn note_parameters(&mut self, function: &Function<'_>, body: Node<'_>) {
        let block = body.descendants_of(Kind::CompoundStatement).next();
        let (false, Some(block)) = (self.on_cpu(), block) else {
            return;
        };
        let parameters = function.parameters(self.source);
        let found = parameters.iter().find_map(|it| {
            let name = it.declarator.as_ref()?.name?;
            let text = it.type_text(self.source);
            let alias = self.facts.synchronising.get(bare_name(text));
            Some((name, synchronising_library(text).or(alias.copied())?))
        });
        let Some((name, construct)) = found.filter(|it| it.1 != CUB) else {
            return;
        };
        self.sites.not_modelled(name.start(), construct.to_owned());
        if let Some(id) = self.site(SiteKind::Sync, name.range(), "") {
            let call = format!(" ::hirace::not_modelled({id});");
            self.edits.close(block.start() + 1, call);
        }
    }

    /// `cg::sync(group)`; false for any other call.
    pub(crate) fn group_sync_function(&mut self, call: NamedCall<'_>) -> bool {
        let group = call.arguments.first_named();
        let (Some("cg" | "cooperative_groups"), "sync", Some(group)) =
            (call.scope, call.name, group)
        else {
            return false;
        };
        let Some(id) = self.site(SiteKind::Sync, call.node.range(), "") else {
            return false;
        };
        let open = call.callee.start()..call.arguments.start() + 1;
        self.replace(open, format!("::hirace::group_sync({id}, "));
        self.expression(group, Role::Locate);
        true
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
        if self.is_method_of_project("sync") {
            return false;
        }
        let Some(object) = callee.child(Field::Argument) else {
            return false;
        };
        let Some(id) = self.site(SiteKind::Sync, node.range(), "") else {
            return false;
        };
        let star = match callee.operator(self.source) {
            "->" => "*",
            _ => "",
        };
        self.edits
            .open(node.start(), format!("::hirace::group_sync({id}, {star}"));
        self.replace(object.end()..node.end(), ")");
        true
    }
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
