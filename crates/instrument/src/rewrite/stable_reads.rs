//! Reads of shared memory that cannot race.
//!
//! A tiled kernel fills its tiles, waits, reads them many times and waits again. Nothing is written
//! between the two barriers, so the reads need no look at the shadow. Such reads are *stable*;
//! their hook only checks that they stay within their variable.
//!
//! # The rule
//!
//! An *interval* begins at the kernel's entry or at a block barrier that is a statement of its own.
//! R(b), for the interval that begins at b, is the set of places that control can reach from b
//! without passing another such barrier. A read is stable if no interval whose R(b) contains it
//! also contains a store, an update or an atomic to any shared variable of the kernel.
//!
//! The rule applies to a kernel as a whole or not at all. The kernel keeps all its checks if a
//! shared variable is used other than by naming a complete element of it, or if control flow, the
//! preprocessor or the grammar leave any doubt.
//!
//! # Why nothing is missed
//!
//! Let one thread read v at p, where p is stable, and another thread of the block write the same
//! bytes at w, such that the two accesses are unordered.
//!
//! 1. *The write is in the text of the kernel.* v is declared in the kernel and its address does
//!    not escape: each mention of it is a complete element with a known use. Only an index beyond
//!    the bounds of another object could write v without naming it. If that object is a shared
//!    variable of the kernel, p is not stable, because a store to *any* of them prevents that. (The
//!    executor's red zones detect accesses beyond the bounds of a variable of another function, or
//!    of the memory behind a parameter.) Kernels that this one launches cannot reach its shared
//!    memory.
//! 2. *Both are in one interval.* All threads of a block reach the same barriers in the same order;
//!    anything else is a fault, which the executor reports. (On a GPU it is not reported, but CUDA
//!    leaves such a kernel undefined.) So two accesses without a barrier between them that both
//!    threads passed have the same last barrier b of those that begin intervals, and both p and w
//!    are in R(b). Then p is not stable.
//!
//! A thread that has returned made its accesses in intervals that the others have left or are still
//! in: point 2 holds for it up to its last barrier. A barrier that this analysis does not see – in
//! a called function, in CUB, for a part of the block – only makes intervals larger, and larger
//! intervals have fewer stable reads.
//!
//! # Why nothing else changes
//!
//! The shadow word that a stable read does not update could only matter to a write in the same
//! interval, of which there is none, or to one after a barrier, which does not race with the read.
//! An index out of v's bounds takes the whole check. So does the condition of a loop without
//! barriers, because the executor recognises polling threads by their checks.

mod flow;
pub(super) mod text;
mod uses;
mod values;

use super::context::{Hooked, Rewriter};
use hirace_syntax::tree::Node;

impl Rewriter<'_> {
    /// Gives each stable read of a rewritten kernel a hook that skips the check.
    pub(crate) fn mark_stable_reads(&mut self, node: Node<'_>, body: Node<'_>) {
        let wanted = self.options.skip.stable_reads && self.body.is_none();
        if !wanted || node.has_error() {
            return;
        }
        for (access, variable) in self.stable_reads(node, body).unwrap_or_default() {
            let hook = match access.name {
                "read" => "read_stable",
                "copy" => "copy_stable",
                _ => continue,
            };
            let text = format!("::hirace::{hook}({}, {variable}, ", access.id);
            self.edits.reword(access.edit, text);
        }
    }

    /// The stable reads of a kernel, with their variables; none if there is any doubt.
    fn stable_reads(&self, node: Node<'_>, body: Node<'_>) -> Option<Vec<(Hooked, String)>> {
        let variables = self.shared_variables(body)?;
        if !variables.iter().any(|it| it.is_static) {
            return None;
        }
        self.is_plain_text(node, body, &variables)?;
        let uses = self.uses_of_shared(node, body, &variables)?;
        let barriers = self.block_barriers(body)?;
        let stable = flow::stable(body, &uses, &barriers)?;
        let reads = uses.into_iter().zip(stable).filter(|(_, stable)| *stable);
        let reads = reads.filter_map(|(it, _)| {
            let variable = variables.get(it.variable).filter(|it| it.is_static)?;
            Some((it.hooked?, variable.name.clone()))
        });
        Some(reads.collect())
    }
}
