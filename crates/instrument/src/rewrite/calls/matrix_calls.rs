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
        callee: Node<'_>,
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
                continue;
            }
            let hook = (index == pointer).then(|| self.matrix_site(node, callee, argument, kind));
            if let Some(id) = hook.as_ref().filter(|it| !it.is_empty()) {
                let start = self.expression_start(argument);
                self.edits.open(start, format!("::hirace::sited({id}, "));
            }
            self.expression(argument, Role::Load);
            if hook.is_some_and(|it| !it.is_empty()) {
                self.edits.close(argument.end(), ")");
            }
        }
        true
    }

    /// The site of the call `node`, which accesses the matrix at `pointer`; empty if the call gets no
    /// hook.
    fn matrix_site(
        &mut self,
        node: Node<'_>,
        callee: Node<'_>,
        pointer: Node<'_>,
        kind: SiteKind,
    ) -> String {
        if self.on_cpu() {
            let variable = self.root(pointer);
            return self.place_of_call(kind, node.range(), &variable);
        }
        let reason = format!("`{}` accesses memory without hooks", self.folded(callee));
        self.sites.not_monitored(callee.start(), reason);
        String::new()
    }
}
