//! Inline PTX that orders accesses: barriers and fences.

use hirace_model::SiteKind;
use hirace_syntax::tree::Node;

use super::statement::Statement;
use super::syntax::{Instruction, Operand};
use crate::rewrite::context::Rewriter;
use crate::rewrite::role::Role;

/// The function equivalent to a barrier or a fence, without `::hirace::`.
pub(super) fn equivalent(instruction: &Instruction) -> Option<&'static str> {
    let zero = matches!(&instruction.operands[..], [Operand::Number(number)] if number == "0");
    Some(match instruction.name().as_str() {
        "bar.sync" | "barrier.sync" | "barrier.sync.aligned" if zero => "syncthreads",
        "barrier.cta.sync" | "barrier.cta.sync.aligned" if zero => "syncthreads",
        "bar.warp.sync" => "syncwarp",
        "membar.cta" | "fence.sc.cta" => "threadfence_block",
        "membar.gl" | "fence.sc.cluster" | "fence.sc.gpu" => "threadfence",
        "membar.sys" | "fence.sc.sys" => "threadfence_system",
        "fence.acq_rel.cta" => "acq_rel_fence_block",
        "fence.acq_rel.cluster" | "fence.acq_rel.gpu" => "acq_rel_fence",
        "fence.acq_rel.sys" => "acq_rel_fence_system",
        _ => return None,
    })
}

/// Words that order accesses.
fn orders(word: &str) -> bool {
    matches!(
        word,
        "bar" | "barrier" | "mbarrier" | "fence" | "membar" | "cp"
    )
}

impl Rewriter<'_> {
    /// Replaces inline PTX that is a barrier or fence with an equivalent function by its hook;
    /// false if it is anything else.
    pub(super) fn plain_assembly(&mut self, node: Node<'_>, statement: &Statement<'_>) -> bool {
        let Ok(assembly) = &statement.parsed else {
            return false;
        };
        let [instruction] = &assembly.instructions[..] else {
            return false;
        };
        let Some(name) = equivalent(instruction).filter(|_| instruction.guard.is_none()) else {
            return false;
        };
        let mask = match (name, &instruction.operands[..]) {
            ("syncwarp", [Operand::Number(mask)]) => Some(mask.clone()),
            ("syncwarp", [mask]) if statement.arguments.len() == 1 => {
                return statement.input(mask).is_some() && self.warp_barrier(node, statement);
            }
            ("syncwarp", _) => return false,
            _ => None,
        };
        if !statement.arguments.is_empty() {
            return false;
        }
        let Some(id) = self.site(SiteKind::Sync, node.range(), "") else {
            return false;
        };
        let mask = mask.map_or_else(String::new, |it| format!(", {it}"));
        self.edits.replace(
            self.source,
            node.range(),
            format!("::hirace::{name}({id}{mask})"),
        );
        true
    }

    /// `bar.warp.sync %0`.
    fn warp_barrier(&mut self, node: Node<'_>, statement: &Statement<'_>) -> bool {
        let Some(mask) = statement.arguments.first().map(|it| it.value) else {
            return false;
        };
        let Some(id) = self.site(SiteKind::Sync, node.range(), "") else {
            return false;
        };
        let call = format!("::hirace::syncwarp({id}, ");
        self.edits
            .replace(self.source, node.start()..mask.start(), call);
        self.expression(mask, Role::Load);
        self.edits.replace(self.source, mask.end()..node.end(), ")");
        true
    }

    /// The construct in the assembly that orders accesses without being modelled, if any.
    pub(crate) fn unordered_assembly(&self, node: Node<'_>) -> Option<String> {
        let statement = Statement::of(node, self);
        let found = match &statement.parsed {
            Ok(assembly) => {
                let alone = assembly.instructions.len() == 1;
                let modelled = |it: &Instruction| {
                    // The CPU's C++ has the hooks, if there is C++ for it at all.
                    let fence = matches!(it.head(), "fence" | "membar");
                    match self.on_cpu() {
                        true => fence || equivalent(it).is_some(),
                        false => alone && it.guard.is_none() && equivalent(it).is_some(),
                    }
                };
                let mut all = assembly.instructions.iter();
                let found = all.find(|it| orders(it.head()) && !modelled(it));
                found.map(|it| it.head().to_owned())
            }
            Err(_) => {
                let words = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
                statement
                    .text
                    .split(words)
                    .find(|it| orders(it))
                    .map(str::to_owned)
            }
        };
        found.map(|word| match word.as_str() {
            "cp" => "inline PTX `cp.async`".to_owned(),
            word => format!("inline PTX `{word}`"),
        })
    }
}
