//! Reads of shared memory that cannot race.
//!
//! A tiled kernel fills its tiles, waits, reads them many times and waits again. Nothing is written
//! between the two barriers, so the reads need no look at the shadow. Such reads are *stable*;
//! their hook only checks that they stay within their variable. `hirace_ir::intervals` has the rule,
//! and why nothing is missed.

use super::context::Rewriter;
use super::hooked::Checks;
use hirace_ir::function::Root;
use hirace_ir::intervals::stable_reads;
use hirace_syntax::tree::Node;

impl Rewriter<'_> {
    /// Gives each stable read of a rewritten kernel a hook that skips the check.
    pub(crate) fn mark_stable_reads(&mut self, node: Node<'_>, body: Node<'_>) {
        let wanted = self.options.skip.stable_reads && self.body.is_none();
        if !wanted || !self.has_static_shared(body) {
            return;
        }
        let lowered = self.lower(node, body);
        for number in stable_reads(&lowered.function).ones() {
            let access = &lowered.function.accesses[number];
            let (Some(hook), Root::Shared(variable)) = (lowered.hooks[number], &access.root) else {
                continue;
            };
            let hook = &mut self.hooked[hook];
            if matches!(hook.name, "read" | "copy") {
                hook.checks = Checks::Bounds(variable.clone());
            }
        }
    }
}
