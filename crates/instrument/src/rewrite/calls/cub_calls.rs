//! Calls of CUB's primitives, such as `BlockReduce(temp).Sum(x)` and `cub::ThreadLoad<…>(p)`, and
//! of Thrust algorithms in kernels, such as `thrust::sort(thrust::seq, p, p + n)`.
//!
//! The CPU executor has its own versions, which check a primitive's accesses to its storage and to
//! memory. The hooks pass them the site of the call. Only the compiler knows whether an object is
//! one of CUB's; the hook returns any other object unchanged.

use std::ops::Range;

use crate::rewrite::context::Rewriter;
use hirace_model::SiteKind;
use hirace_syntax::tree::{Field, Kind, Node};

/// Methods of block and warp primitives, without those whose names begin as below.
const METHODS: [&str; 11] = [
    "Sum",
    "Reduce",
    "Min",
    "Max",
    "Load",
    "Store",
    "StableSort",
    "InitHistogram",
    "Histogram",
    "Composite",
    "Scan",
];

/// First parts of other method names; sorts and exchanges have many forms.
const BEGINNINGS: [&str; 17] = [
    "Inclusive",
    "Exclusive",
    "HeadSegmented",
    "TailSegmented",
    "Sort",
    "StripedTo",
    "BlockedTo",
    "WarpStripedTo",
    "ScatterTo",
    "Flag",
    "Subtract",
    "Offset",
    "Rotate",
    "Up",
    "Down",
    "Broadcast",
    "RunLength",
];

/// First parts of the names of functions that access memory themselves.
const FUNCTIONS: [&str; 4] = ["ThreadLoad", "ThreadStore", "LoadDirect", "StoreDirect"];

fn is_method(name: &str) -> bool {
    METHODS.contains(&name) || BEGINNINGS.iter().any(|it| name.starts_with(it))
}

/// Whether `name` is a function of CUB that accepts the site of its call.
fn is_function(name: &str) -> bool {
    FUNCTIONS.iter().any(|it| name.starts_with(it))
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
        let variable = self.root(storage(object));
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
        let Some(first) = arguments.first_named() else {
            return false;
        };
        let pointer = arguments
            .named_children()
            .nth(usize::from(!name.starts_with("Thread")));
        let variable = pointer.map(|it| self.root(it)).unwrap_or_default();
        let id = self.place_of_call(SiteKind::Sync, node.range(), &variable);
        let start = self.expression_start(first);
        self.edits.open(start, format!("::hirace::sited({id}, "));
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
        let variable = first.map(|it| self.root(it)).unwrap_or_default();
        let id = self.place_of_call(SiteKind::Sync, node.range(), &variable);
        self.edits
            .open(policy.start(), format!("::hirace::at_site({id}, "));
        self.edits.close(policy.end(), ")");
        self.arguments_of(name, arguments);
        true
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

/// The constructor's argument: the storage of `BlockReduce(storage)`.
fn storage(object: Node<'_>) -> Node<'_> {
    if !object.is(Kind::CallExpression) {
        return object;
    }
    let arguments = object.child(Field::Arguments);
    arguments.and_then(Node::first_named).unwrap_or(object)
}
