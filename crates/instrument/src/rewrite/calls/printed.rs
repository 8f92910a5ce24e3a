//! `printf` in device code, whose result differs from that of the C library.

use super::NamedCall;
use crate::rewrite::context::Rewriter;
use crate::rewrite::role::Role;
use hirace_syntax::tree::Kind;

impl Rewriter<'_> {
    /// A call of `printf` whose result is used; false for any other call. If the result is not used
    /// the call stays as it is, so that the compiler checks its format.
    pub(super) fn printed(&mut self, call: NamedCall<'_>) -> bool {
        let parent = call.node.parent();
        let unused = parent.is_some_and(|it| it.is(Kind::ExpressionStatement));
        let here = call.name == "printf" && self.on_cpu() && self.on_device();
        if !here || unused || self.is_users(call) {
            return false;
        }
        self.replace(call.callee.range(), "::hirace::cpu::kernel_printf");
        self.expressions(call.arguments, Role::Argument);
        true
    }
}
