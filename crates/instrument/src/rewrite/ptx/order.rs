//! Inline PTX that orders accesses: barriers and fences.

use hirace_model::SiteKind;
use hirace_syntax::tree::Node;
use hirace_syntax::words::Words;

use super::barriers::barrier;
use super::bulk::bulk;
use super::statement::Statement;
use super::syntax::{Instruction, Operand};
use super::warpgroup::warpgroup;
use crate::rewrite::context::Rewriter;
use crate::rewrite::role::Role;

/// The function equivalent to a barrier or a fence, without `::hirace::`.
pub(super) fn equivalent(instruction: &Instruction) -> Option<&'static str> {
    let zero = matches!(&instruction.operands[..], [Operand::Number(number)] if number == "0");
    Some(match instruction.name().as_str() {
        "bar.sync" | "barrier.sync" | "barrier.sync.aligned" if zero => "syncthreads",
        "bar.cta.sync" | "barrier.cta.sync" | "barrier.cta.sync.aligned" if zero => "syncthreads",
        "bar.warp.sync" => "syncwarp",
        "membar.cta" | "fence.sc.cta" => "threadfence_block",
        "fence.sc.cluster" => "threadfence_cluster",
        "membar.gl" | "fence.sc.gpu" => "threadfence",
        "membar.sys" | "fence.sc.sys" => "threadfence_system",
        "fence.acq_rel.cta" | "fence.cta" => "acq_rel_fence_block",
        "fence.acq_rel.cluster" | "fence.cluster" | "fence.mbarrier_init.release.cluster" => {
            "acq_rel_fence_cluster"
        }
        "fence.acq_rel.gpu" | "fence.gpu" => "acq_rel_fence",
        "fence.acq_rel.sys" | "fence.sys" => "acq_rel_fence_system",
        _ => return None,
    })
}

/// The function of the CPU executor for a half of a cluster's barrier.
pub(super) fn cluster_barrier(instruction: &Instruction) -> Option<&'static str> {
    let words = instruction.modifiers();
    let ["cluster", half, rest @ ..] = words.as_slice() else {
        return None;
    };
    let order = rest.iter().find(|it| **it != "aligned").copied();
    match (instruction.head(), *half, order) {
        ("barrier", "arrive", None | Some("release")) => Some("cluster_arrive"),
        ("barrier", "arrive", Some("relaxed")) => Some("cluster_arrive_relaxed"),
        ("barrier", "wait", None | Some("acquire")) => Some("cluster_wait"),
        _ => None,
    }
}

/// Opcodes that order accesses.
const ORDERING: Words = Words::of("bar barrier mbarrier fence membar cp wgmma");

impl Rewriter<'_> {
    /// Replaces inline PTX that is a barrier or fence with an equivalent function by its hook;
    /// false if it is anything else.
    pub(super) fn plain_assembly(&mut self, node: Node<'_>, statement: &Statement<'_>) -> bool {
        let instructions = statement.parsed.as_ref().map(|it| &it.instructions[..]);
        let Ok([instruction]) = instructions else {
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
        self.replace(node.range(), format!("::hirace::{name}({id}{mask})"));
        true
    }

    /// `bar.warp.sync %0`.
    fn warp_barrier(&mut self, node: Node<'_>, statement: &Statement<'_>) -> bool {
        let id = self.site(SiteKind::Sync, node.range(), "");
        let (Some(id), Some(mask)) = (id, statement.arguments.first()) else {
            return false;
        };
        let mask = mask.value;
        let call = format!("::hirace::syncwarp({id}, ");
        self.replace(node.start()..mask.start(), call);
        self.expression(mask, Role::Load);
        self.replace(mask.end()..node.end(), ")");
        true
    }

    /// The construct in the assembly that orders accesses without being modelled, if any.
    pub(crate) fn unordered_assembly(&self, node: Node<'_>) -> Option<String> {
        let statement = Statement::of(node, self);
        let found = match &statement.parsed {
            Ok(assembly) => {
                let is_only = assembly.instructions.len() == 1;
                let modelled = |instruction: &Instruction| {
                    // The CPU's C++ has the hooks, if there is C++ for it at all.
                    let fence = matches!(instruction.head(), "fence" | "membar");
                    match self.on_cpu() {
                        true => {
                            fence
                                || equivalent(instruction).is_some()
                                || cluster_barrier(instruction).is_some()
                                || barrier(instruction, assembly).is_some()
                                || bulk(instruction, assembly).is_some()
                                || warpgroup(instruction, assembly).is_some()
                        }
                        false => {
                            is_only
                                && instruction.guard.is_none()
                                && equivalent(instruction).is_some()
                        }
                    }
                };
                let mut all = assembly.instructions.iter();
                let found = all.find(|it| ORDERING.has(it.head()) && !modelled(it));
                found.map(|it| it.head().to_owned())
            }
            Err(_) => {
                let words = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
                statement
                    .text
                    .split(words)
                    .find(|it| ORDERING.has(it))
                    .map(str::to_owned)
            }
        };
        found.map(|word| match word.as_str() {
            "cp" => "inline PTX `cp.async`".to_owned(),
            word => format!("inline PTX `{word}`"),
        })
    }
}
