//! What the intervals between a kernel's barriers say of its shared variables.
//!
//! A tiled kernel fills its tiles, waits, reads them many times and waits again. Nothing is written
//! between the two barriers, so the reads need no look at the shadow. Such reads are *stable*;
//! their hook only checks that they stay within their variable. `hirace_ir::intervals` has the rule,
//! and why nothing is missed.
//!
//! Variables that are atomic for a time are named in the file's table, for the executor to choose its engine by.

use std::collections::BTreeSet;

use hirace_ir::AccessKind;
use hirace_ir::function::Root;
use hirace_ir::intervals::{atomic_for_a_time, stable_reads};

use super::context::Rewriter;
use super::hooked::Checks;
use super::lowering::Lowered;

impl Rewriter<'_> {
    /// Gives each stable read of a rewritten kernel a hook that skips the check, and notes for the executor which
    /// variables are atomic for a time.
    pub(crate) fn use_intervals(&mut self, kernel: &str, lowered: &Lowered) {
        if self.options.skip.stable_reads {
            self.mark_stable_reads(lowered);
        }
        let accesses = &lowered.function.accesses;
        if !accesses.iter().any(|it| it.kind == AccessKind::Atomic) {
            return;
        }
        // Variables of dynamic size are at one address.
        let is_static = |name: &&str| {
            let mut variables = lowered.variables.iter();
            variables.any(|it| it.is_static && it.name == *name)
        };
        let found = atomic_for_a_time(&lowered.function).into_iter();
        let found: BTreeSet<String> = found.filter(is_static).map(str::to_owned).collect();
        let same = self.atomic_for_a_time.entry(kernel.to_owned());
        // Kernels may have the same name.
        same.and_modify(|it| it.retain(|name| found.contains(name)))
            .or_insert(found);
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
