//! Calls of CUB's primitives, such as `BlockReduce(temp).Sum(x)` and `cub::ThreadLoad<…>(p)`, and
//! of Thrust algorithms in kernels, such as `thrust::sort(thrust::seq, p, p + n)`.
//!
//! The CPU executor has its own versions, which check a primitive's accesses to its storage and to
//! memory. The hooks pass them the site of the call. Only the compiler knows whether an object is
//! one of CUB's; the hook returns any other object unchanged.

use std::ops::Range;

use crate::rewrite::context::Rewriter;
use hirace_model::SiteKind;
use hirace_syntax::tree::{Kind, Node};
use hirace_syntax::words::Words;

/// Methods of block and warp primitives, except those in [`METHOD_PREFIXES`].
const METHODS: Words =
    Words::of("Sum Reduce Min Max Load Store StableSort InitHistogram Histogram Composite Scan");

/// First parts of other method names; sorts and exchanges have many forms.
const METHOD_PREFIXES: Words = Words::of(
    "Inclusive Exclusive HeadSegmented TailSegmented Sort StripedTo BlockedTo WarpStripedTo \
     ScatterTo Flag Subtract Offset Rotate Up Down Broadcast RunLength",
);

/// First parts of the names of functions that access memory themselves.
const FUNCTION_PREFIXES: [&str; 4] = ["ThreadLoad", "ThreadStore", "LoadDirect", "StoreDirect"];

fn is_method(name: &str) -> bool {
    METHODS.has(name) || METHOD_PREFIXES.iter().any(|it| name.starts_with(it))
}

/// Whether `name` is a function of CUB that accepts the site of its call.
fn is_function(name: &str) -> bool {
    FUNCTION_PREFIXES.iter().any(|it| name.starts_with(it))
}

impl Rewriter<'_> {
    /// Opens the hook around the object of a call `node` of `method`. Returns whether there is a
    /// hook; it ends where the object does.
    pub(super) fn open_cub_object(
        &mut self,
        node: Node<'_>,
        object: Node<'_>,
        method: &str,
    ) -> bool {
        if !self.on_cpu() || !self.facts.cub || !is_method(method) {
            return false;
        }
        let variable = self.root(first_argument(object));
        let id = self.place_of_call(SiteKind::Sync, node.range(), &variable);
        let start = self.expression_start(object);
        self.edits.open(start, format!("::hirace::at_site({id}, "));
        true
    }

    /// Passes the site of the call `node` to a function of CUB. Returns whether `name` is one.
    pub(super) fn cub_function(
        &mut self,
        node: Node<'_>,
        arguments: Node<'_>,
        name: &str,
        scope: Option<&str>,
    ) -> bool {
        let here = scope.is_none_or(|it| it == "cub") && is_function(name);
        if !self.on_cpu() || !self.facts.cub || !here || self.facts.functions.contains_key(name) {
            return false;
        }
        let pointer = usize::from(!name.starts_with("Thread"));
        let pointer = arguments.named_children().nth(pointer);
        let Some(first) = self.open_first_argument(node, arguments, "sited", pointer) else {
            return false;
        };
        self.arguments_of(name, arguments);
        self.edits.close(first.end(), ")");
        true
    }

    /// Passes the site of the call `node` to a Thrust algorithm that names a policy. Returns
    /// whether it is one.
    pub(super) fn thrust_algorithm(
        &mut self,
        node: Node<'_>,
        arguments: Node<'_>,
        name: &str,
        scope: Option<&str>,
    ) -> bool {
        let Some(policy) = arguments.first_named() else {
            return false;
        };
        let policies = ["thrust::seq", "thrust::device"];
        let named = policies.contains(&self.text(policy).trim_start_matches("::"));
        if !self.on_cpu() || scope != Some("thrust") || !named {
            return false;
        }
        let first = arguments.named_children().nth(1);
        self.open_first_argument(node, arguments, "at_site", first);
        self.edits.close(policy.end(), ")");
        self.arguments_of(name, arguments);
        true
    }

    /// Opens a hook around the first argument of the call `node`, which accesses memory through
    /// the argument `pointer`. Returns the first argument; the hook ends where it does.
    pub(super) fn open_first_argument<'t>(
        &mut self,
        node: Node<'_>,
        arguments: Node<'t>,
        hook: &str,
        pointer: Option<Node<'_>>,
    ) -> Option<Node<'t>> {
        let first = arguments.first_named()?;
        let variable = pointer.map(|it| self.root(it)).unwrap_or_default();
        let id = self.place_of_call(SiteKind::Sync, node.range(), &variable);
        let start = self.expression_start(first);
        self.edits.open(start, format!("::hirace::{hook}({id}, "));
        Some(first)
    }

    /// A site for the accesses of a library in a call. If they are not to be monitored, the site
    /// switches the library's checks off.
    pub(super) fn place_of_call(
        &mut self,
        kind: SiteKind,
        range: Range<usize>,
        variable: &str,
    ) -> String {
        if !self.wanted(range.clone(), variable) {
            return "::hirace::unchecked_site".to_owned();
        }
        let id = self.site(kind, range, variable);
        id.unwrap_or_else(|| "::hirace::unknown_site".to_owned())
    }
}

/// The constructor's argument of an object: the storage of `BlockReduce(storage)`, or the object
/// that `atomic_ref<int>(counter)` refers to. Any other object itself.
pub(super) fn first_argument(object: Node<'_>) -> Node<'_> {
    let first = object.arguments().next();
    first
        .filter(|_| object.is(Kind::CallExpression))
        .unwrap_or(object)
}
