//! Objects of libcu++ and asynchronous copies: `counter.fetch_add(1)`,
//! `barrier->arrive_and_wait()`, `memcpy_async(group, to, from, n)`.
//!
//! The CPU executor has its own versions, which check the accesses. The hooks pass them the site.
//! Only the compiler knows whether an object is one of theirs; the hook returns any other object
//! unchanged.

use super::NamedCall;
use super::cub_calls::first_argument;
use crate::rewrite::context::Rewriter;
use crate::rewrite::role::Role;
use hirace_model::SiteKind;
use hirace_syntax::names::{Home, Meaning, Object, meaning_in};
use hirace_syntax::tree::{Field, Node};

impl Rewriter<'_> {
    /// Opens the hook around the object of a call `node` of `method`. Returns whether there
    /// is one.
    pub(super) fn open_cuda_object(
        &mut self,
        node: Node<'_>,
        callee: Node<'_>,
        object: Node<'_>,
        method: &str,
    ) -> bool {
        let (kind, range) = match meaning_in(Home::CudaObject, method) {
            Some(Meaning::AtomicMethod) => (SiteKind::Atomic, object.range()),
            Some(
                Meaning::Synchronisation(Object::Barrier | Object::Pipeline) | Meaning::Waiting,
            ) => (SiteKind::Sync, node.range()),
            _ => return false,
        };
        if !self.on_cpu() || !self.facts.cuda_objects || callee.child(Field::Member).is_none() {
            return false;
        }
        let place = Some(first_argument(object));
        self.open_sited((kind, range), place, "at_site", object);
        if callee.operator(self.source) == "->" {
            self.edits.open(self.expression_start(object), "*(");
        }
        true
    }

    /// Closes the hook. Its result is not a pointer, so `->` becomes `.`.
    pub(super) fn close_cuda_object(&mut self, callee: Node<'_>, object: Node<'_>, opened: bool) {
        let (true, Some(member)) = (opened, callee.child(Field::Member)) else {
            return;
        };
        if callee.operator(self.source) == "->" {
            self.edits.close(object.end(), "))");
            let arrow = object.end()..member.start();
            let between = self.source.get(arrow.clone()).unwrap_or("");
            let dot = between.replacen("->", ".", 1);
            self.replace(arrow, dot);
        } else {
            self.edits.close(object.end(), ")");
        }
    }

    /// `init(&barrier, count)`; false for any other call.
    pub(super) fn initialised_object(&mut self, call: NamedCall<'_>) -> bool {
        let here = call.name == "init" && self.on_cpu() && self.facts.cuda_objects;
        let mut given = call.arguments.named_children();
        let (true, Some(object), Some(_)) = (here, given.next(), given.next()) else {
            return false;
        };
        if self.is_users(call) {
            return false;
        }
        let site = (SiteKind::Write, call.node.range());
        self.open_sited(site, Some(object), "made_object", object);
        self.close_first_argument(call.arguments, object);
        true
    }

    /// An asynchronous copy; false for any other call.
    pub(super) fn asynchronous_copy(&mut self, call: NamedCall<'_>) -> bool {
        let here = matches!(
            call.name,
            "memcpy_async" | "memcpy_async_tx" | "__pipeline_memcpy_async"
        );
        if !here || !self.on_cpu() || self.is_users(call) {
            return false;
        }
        let Some(first) = call.arguments.first_named() else {
            return false;
        };
        // The destination follows the group, if there is one, and the source comes after it.
        let arguments = call.arguments.named_children();
        let mut pointers = arguments.filter(|it| self.is_pointer(*it));
        let places = [pointers.next(), pointers.next()];
        let [to, from] = places.map(|place| {
            let variable = place.map(|it| self.root(it)).unwrap_or_default();
            self.place_of_call(SiteKind::Sync, call.node.range(), &variable)
        });
        let start = self.expression_start(first);
        self.edits
            .open(start, format!("::hirace::sited_copy({to}, {from}, "));
        self.close_first_argument(call.arguments, first);
        true
    }

    /// A function of namespace `cuda::ptx`, or one of libcu++'s bulk copies; false for any other call, and for those
    /// without arguments.
    pub(super) fn ptx_function(&mut self, call: NamedCall<'_>) -> bool {
        let name = call.name;
        let is_bulk_copy = name.starts_with("cp_async_bulk_") && !name.contains("wait_group");
        // Other libraries have functions of this name.
        let is_fence = name == "fence" && call.scope.is_some_and(|it| it.ends_with("ptx"));
        let here = self.on_cpu()
            && (meaning_in(Home::CudaPtx, name).is_some() || is_bulk_copy || is_fence);
        if !here || self.is_users(call) {
            return false;
        }
        // The first pointer of a copy into a tensor is the map, which names neither of the two places.
        let target = call.arguments.first_named().map_or("", |it| self.text(it));
        let to_global = name.ends_with("_shared_to_global") || target.ends_with("space_global");
        let names_place = !(to_global && name.contains("_tensor"));
        let mut pointers = call.arguments.named_children();
        let place = pointers.find(|it| names_place && self.is_pointer(*it));
        self.sited_call(call, "sited", place)
    }

    /// Whether an argument is the address of memory, as far as the text shows.
    fn is_pointer(&self, argument: Node<'_>) -> bool {
        let shape = self.shape(argument);
        shape.pointers > 0 || shape.rank > 0 || argument.operator(self.source) == "&"
    }

    /// Closes the hook around the first argument, and rewrites all arguments.
    fn close_first_argument(&mut self, arguments: Node<'_>, first: Node<'_>) {
        self.expressions(arguments, Role::Argument);
        self.edits.close(first.end(), ")");
    }
}
