//! Calls of CUB's primitives, such as `BlockReduce(temp).Sum(x)` and `cub::ThreadLoad<…>(p)`, and
//! of Thrust algorithms in kernels, such as `thrust::sort(thrust::seq, p, p + n)`.
//!
//! The CPU executor has its own versions, which check a primitive's accesses to its storage and to
//! memory. The hooks pass them the site of the call. Only the compiler knows whether an object is
//! one of CUB's; the hook returns any other object unchanged.

use super::NamedCall;
use crate::rewrite::context::Rewriter;
use hirace_model::SiteKind;
use hirace_syntax::names::is_collective;
use hirace_syntax::tree::{Kind, Node};

/// First parts of the names of functions that access memory themselves.
const FUNCTION_PREFIXES: [&str; 4] = ["ThreadLoad", "ThreadStore", "LoadDirect", "StoreDirect"];

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
        if !self.on_cpu() || !self.facts.cub || !is_collective(method) {
            return false;
        }
        let site = (SiteKind::Sync, node.range());
        self.open_sited(site, Some(first_argument(object)), "at_site", object);
        true
    }

    /// Passes the site of a call to a function of CUB. Returns whether it is one.
    pub(super) fn cub_function(&mut self, call: NamedCall<'_>) -> bool {
        let here = call.scope.is_none_or(|it| it == "cub") && is_function(call.name);
        if !self.on_cpu() || !self.facts.cub || !here || self.is_users(call) {
            return false;
        }
        let pointer = usize::from(!call.name.starts_with("Thread"));
        self.sited_call(call, "sited", call.arguments.named_children().nth(pointer))
    }

    /// Passes the site of a call to a Thrust algorithm that names a policy. Returns whether it is
    /// one.
    pub(super) fn thrust_algorithm(&mut self, call: NamedCall<'_>) -> bool {
        let policies = ["thrust::seq", "thrust::device"];
        let named = call
            .arguments
            .first_named()
            .is_some_and(|it| policies.contains(&self.text(it).trim_start_matches("::")));
        if !self.on_cpu() || call.scope != Some("thrust") || !named {
            return false;
        }
        self.sited_call(call, "at_site", call.arguments.named_children().nth(1))
    }

    /// Puts a hook around the first argument of a call, which accesses memory through the argument
    /// `pointer`. Returns whether it has arguments.
    pub(super) fn sited_call(
        &mut self,
        call: NamedCall<'_>,
        hook: &str,
        pointer: Option<Node<'_>>,
    ) -> bool {
        let Some(first) = call.arguments.first_named() else {
            return false;
        };
        self.open_sited((SiteKind::Sync, call.node.range()), pointer, hook, first);
        let whose = self.whose(call.callee);
        self.arguments_of(call.name, call.arguments, &whose);
        self.edits.close(first.end(), ")");
        true
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
