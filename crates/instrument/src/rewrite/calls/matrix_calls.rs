//! Loads and stores of the matrix fragments of `nvcuda::wmma`: accesses of all lanes of a warp inside
//! a call.

use crate::rewrite::context::Rewriter;
use crate::rewrite::role::Role;
use hirace_model::SiteKind;
use hirace_syntax::tree::Node;

impl Rewriter<'_> {
    /// `load_matrix_sync(fragment, pointer, …)` or `store_matrix_sync(pointer, fragment, …)`; false
    /// for any other call `node`.
    pub(super) fn matrix_access(
        &mut self,
        node: Node<'_>,
        arguments: Node<'_>,
        name: &str,
        scope: Option<&str>,
    ) -> bool {
        let (kind, pointer, fragment) = match name {
            "load_matrix_sync" => (SiteKind::Read, 1, 0),
            "store_matrix_sync" => (SiteKind::Write, 0, 1),
            _ => return false,
        };
        let in_library = scope.is_none_or(|it| it.ends_with("wmma"));
        if !in_library || self.facts.functions.contains_key(name) {
            return false;
        }
        for (index, argument) in arguments.named_children().enumerate() {
            if index == fragment {
                self.expression(argument, Role::Locate);
            } else if index == pointer && self.on_cpu() {
                // A GPU has no hook for them; `unmodelled_name` says so.
                let variable = self.root(argument);
                let id = self.place_of_call(kind, node.range(), &variable);
                let start = self.expression_start(argument);
                self.edits.open(start, format!("::hirace::sited({id}, "));
                self.expression(argument, Role::Load);
                self.edits.close(argument.end(), ")");
            } else {
                self.expression(argument, Role::Load);
            }
        }
        true
    }
}
