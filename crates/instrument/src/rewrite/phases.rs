//! Reads of shared memory that cannot race.
//!
//! A tiled kernel fills its tiles, waits, reads them many times and waits again. Between the
//! two barriers nobody writes, so that the reads need no look at the shadow. Such reads are
//! *stable*; their hook only makes sure that they stay within their variable.
//!
//! # The rule
//!
//! An *interval* begins at the kernel's entry or at a block barrier that stands as a statement
//! of its own. R(b), for the interval that begins at b, are the places that control can reach
//! from b without passing another such barrier. A read is stable if no interval whose R(b)
//! holds it holds a store, an update or an atomic to any shared variable of the kernel.
//!
//! The rule is applied to a kernel as a whole or not at all: where one shared variable is used
//! other than by naming a complete element of it, or where control flow, the preprocessor or
//! the grammar leave a doubt, the kernel keeps all its checks.
//!
//! # Why nothing is missed
//!
//! Let a thread read v at p and another write the same bytes at w, both in one block, not
//! ordered; p stable.
//!
//! 1. *The write is in the text of the kernel.* v is declared in the kernel, and its address
//!    goes nowhere: each mention of it is a complete element with a known use. What is not a
//!    mention of v but lands in it is an index beyond the bounds of another object; where that
//!    is a shared variable of the kernel, p is not stable, because a store to *any* of them
//!    speaks against it. (Beyond the bounds of a variable of another function, or of the
//!    memory behind a parameter, the executor's red zones watch.) The kernels that this one
//!    launches cannot reach its shared memory.
//! 2. *Both are in one interval.* All threads of a block come to the same barriers in the same
//!    order: others are a fault of their own, which the executor reports. (On a GPU nobody
//!    does, and CUDA gives such a kernel no meaning.) Two accesses without
//!    a barrier between them that both threads passed have, then, the same last barrier b of
//!    those that count here, and both p and w are in R(b). Then p is not stable.
//!
//! A thread that has returned made its accesses in intervals that the others have left or are
//! still in: the second point holds for it up to its last barrier. A barrier that this
//! analysis does not see – in a called function, in CUB, for a part of the block – only makes
//! intervals larger than they are, and larger ones have fewer stable reads.
//!
//! # Why nothing else changes
//!
//! What a stable read would have left in the shadow word could only matter to a write in the
//! same interval, of which there is none, or to one behind a barrier, with which a read does
//! not race. An index out of v's bounds takes the whole check, and so does what a loop without
//! barriers asks before it goes on: checks are how the executor notices threads that poll.

mod flow;
pub(super) mod text;
mod uses;
mod values;

use super::context::{Hooked, Rewriter};
use hirace_syntax::tree::Node;

impl Rewriter<'_> {
    /// Forgets the hooks of the function before.
    pub(crate) fn begin_phases(&mut self) {
        self.hooked.clear();
    }

    /// Gives the stable reads of a kernel, which has been rewritten, a hook of their own.
    pub(crate) fn end_phases(&mut self, node: Node<'_>, body: Node<'_>) {
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

    /// The stable reads of a kernel, with their variables; none where there is any doubt.
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
