//! `printf` in device code, whose result differs from that of the C library.

use crate::rewrite::context::Rewriter;
use crate::rewrite::role::Role;
use hirace_syntax::tree::{Kind, Node};

impl Rewriter<'_> {
    /// A call of `printf` whose result is used; false for any other call `node`. If the result is
    /// not used the call stays as it is, so that the compiler checks its format.
    pub(super) fn printed(
        &mut self,
        node: Node<'_>,
        callee: Node<'_>,
        arguments: Node<'_>,
        name: &str,
    ) -> bool {
        let unused = node
            .parent()
            .is_some_and(|it| it.is(Kind::ExpressionStatement));
        let here = name == "printf" && self.on_cpu() && self.on_device();
        if !here || unused || self.facts.functions.contains_key(name) {
            return false;
        }
        self.replace(callee.range(), "::hirace::cpu::kernel_printf");
        self.expressions(arguments, Role::Argument);
        true
    }
}
