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
use hirace_syntax::tree::{Field, Node};
use hirace_syntax::words::Words;

/// The methods that access the value of an atomic object.
const ATOMIC_METHODS: Words = Words::of(
    "load store exchange compare_exchange_weak compare_exchange_strong fetch_add fetch_sub \
     fetch_and fetch_or fetch_xor fetch_min fetch_max wait test test_and_set clear",
);

/// The methods of barriers and pipelines.
const BARRIER_METHODS: Words = Words::of(
    "arrive arrive_and_wait arrive_and_drop try_wait test_wait wait_parity try_wait_parity \
     try_wait_for try_wait_until try_wait_parity_for try_wait_parity_until producer_acquire \
     producer_commit consumer_wait consumer_release",
);

/// The functions of `cuda::ptx` that access memory or order accesses, other than bulk copies of a name of their own.
const PTX_FUNCTIONS: Words = Words::of(
    "barrier_cluster_arrive barrier_cluster_wait cp_async_bulk cp_async_mbarrier_arrive \
     cp_async_mbarrier_arrive_noinc cp_reduce_async_bulk cp_reduce_async_bulk_tensor elect_sync \
     fence_mbarrier_init fence_sync_restrict mbarrier_arrive mbarrier_arrive_drop mbarrier_arrive_expect_tx \
     mbarrier_arrive_no_complete mbarrier_complete_tx mbarrier_expect_tx mbarrier_init mbarrier_test_wait \
     mbarrier_test_wait_parity mbarrier_try_wait mbarrier_try_wait_parity red_async st_async \
     tensormap_cp_fenceproxy tensormap_replace_box_dim tensormap_replace_element_size \
     tensormap_replace_element_stride tensormap_replace_elemtype tensormap_replace_fill_mode \
     tensormap_replace_global_address tensormap_replace_global_dim tensormap_replace_global_stride \
     tensormap_replace_interleave_layout tensormap_replace_rank tensormap_replace_swizzle_mode",
);

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
        let (kind, range) = if ATOMIC_METHODS.has(method) {
            (SiteKind::Atomic, object.range())
        } else if BARRIER_METHODS.has(method) {
            (SiteKind::Sync, node.range())
        } else {
            return false;
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
        if self.is_users(call.name) {
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
        if !here || !self.on_cpu() || self.is_users(call.name) {
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
        let here = self.on_cpu() && (PTX_FUNCTIONS.has(name) || is_bulk_copy || is_fence);
        if !here || self.is_users(call.name) {
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
