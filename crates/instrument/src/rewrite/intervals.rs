//! What the intervals between a kernel's barriers say of its shared variables.
//!
//! A tiled kernel fills its tiles, waits, reads them many times and waits again. Nothing is written
//! between the two barriers, so the reads need no look at the shadow. Such reads are *stable*;
//! their hook only checks that they stay within their variable. `hirace_ir::intervals` has the rule,
//! and why nothing is missed.

use std::collections::BTreeSet;

use super::context::Rewriter;
use super::hooked::Checks;
use hirace_ir::AccessKind;
use hirace_ir::function::Root;
use hirace_ir::intervals::{atomic_for_a_time, stable_reads};

use hirace_syntax::tree::Node;

use super::lowering::Lowered;

impl Rewriter<'_> {
    /// Gives each stable read of a rewritten kernel a hook that skips the check, and notes for the executor which
    /// variables are atomic for a time.
    pub(crate) fn use_intervals(&mut self, kernel: &str, body: Node<'_>, lowered: &Lowered) {
        if self.options.skip.stable_reads {
            self.mark_stable_reads(lowered);
        }
        let function = &lowered.function;
        if function
            .accesses
            .iter()
            .any(|it| it.kind == AccessKind::Atomic)
        {
            // Variables of dynamic size are at one address.
            let declared = self.shared_variables(body).unwrap_or_default();
            let is_static =
                |name: &&str| declared.iter().any(|it| it.is_static && it.name == *name);
            let variables = atomic_for_a_time(function).into_iter().filter(is_static);
            let variables: BTreeSet<String> = variables.map(str::to_owned).collect();
            let same = self.atomic_for_a_time.entry(kernel.to_owned());
            // Kernels may have the same name.
            same.and_modify(|it| it.retain(|name| variables.contains(name)))
                .or_insert(variables);
        }
    }

    fn mark_stable_reads(&mut self, lowered: &Lowered) {
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
