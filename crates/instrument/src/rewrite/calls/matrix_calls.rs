//! The functions of `nvcuda::wmma`, which all lanes of a warp call together: loads and stores of
//! matrix fragments, which access memory inside the call, and products.

use super::NamedCall;
use crate::rewrite::context::Rewriter;
use crate::rewrite::role::Role;
use hirace_model::SiteKind;

/// How a function gets the site of its call.
struct Sited {
    kind: SiteKind,
    /// The argument that the hook is around: the pointer, or the fragment for the result.
    argument: usize,
    hook: &'static str,
    /// The fragments among the arguments.
    fragments: std::ops::Range<usize>,
}

impl Sited {
    fn of(name: &str) -> Option<Self> {
        let (kind, argument, hook, fragments) = match name {
            "load_matrix_sync" => (SiteKind::Read, 1, "sited", 0..1),
            "store_matrix_sync" => (SiteKind::Write, 0, "sited", 1..2),
            "mma_sync" | "bmma_sync" => (SiteKind::Sync, 0, "sited_object", 0..4),
            _ => return None,
        };
        Some(Self {
            kind,
            argument,
            hook,
            fragments,
        })
    }
}

impl Rewriter<'_> {
    /// `load_matrix_sync(fragment, pointer, …)` and relatives; false for any other call.
    pub(super) fn matrix_function(&mut self, call: NamedCall<'_>) -> bool {
        let Some(sited) = Sited::of(call.name) else {
            return false;
        };
        let in_library = call.scope.is_none_or(|it| it.ends_with("wmma"));
        if !in_library || self.is_users(call) {
            return false;
        }
        for (index, argument) in call.arguments.named_children().enumerate() {
            // A GPU has no hook for them; `unmodelled_name` says so.
            let hook = index == sited.argument && self.on_cpu();
            if hook {
                let site = (sited.kind, call.node.range());
                self.open_sited(site, Some(argument), sited.hook, argument);
            }
            let role = match sited.fragments.contains(&index) {
                true => Role::Locate,
                false => Role::Load,
            };
            self.expression(argument, role);
            if hook {
                self.edits.close(argument.end(), ")");
            }
        }
        true
    }
}
