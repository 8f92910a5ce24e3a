//! Barriers, with the reductions of their predicates.

use hirace_memory_model::litmus::ast::{BarrierKind, Operand, Reduction, ReductionOp};

use super::Writer;

impl Writer<'_> {
    pub(super) fn barrier(
        &mut self,
        kind: BarrierKind,
        number: &Operand,
        count: Option<&Operand>,
        reduction: Option<&Reduction>,
    ) -> Result<(), String> {
        let number = self.word(number);
        let count = self.count(count)?;
        match kind {
            BarrierKind::Red => self.reduction(number, &count, reduction),
            kind => self.push(format!("barrier.cta.{} w{number}, {count};", kind.name())),
        }
        Ok(())
    }

    fn reduction(&mut self, number: usize, count: &str, reduction: Option<&Reduction>) {
        match reduction {
            // Without a result any predicate will do.
            None => self.push(format!("setp.eq.s32 p, w{number}, w{number};")),
            Some(reduction) => {
                let predicate = self.in_register(&reduction.predicate);
                self.push(format!("setp.ne.s64 p, {predicate}, 0;"));
            }
        }
        match reduction.map_or(ReductionOp::Popc, |it| it.op) {
            ReductionOp::Popc => {
                let sum = self.temporary();
                self.push(format!(
                    "barrier.cta.red.popc.u32 w{sum}, w{number}, {count}, p;"
                ));
                if let Some(Reduction { target, .. }) = reduction {
                    self.push(format!("cvt.u64.u32 %[{target}], w{sum};"));
                }
            }
            op => {
                let name = op.name();
                self.push(format!(
                    "barrier.cta.red.{name}.pred q, w{number}, {count}, p;"
                ));
                if let Some(Reduction { target, .. }) = reduction {
                    self.push(format!("selp.b64 %[{target}], 1, 0, q;"));
                }
            }
        }
    }

    /// How many threads meet at a barrier: one thread of a test stands for its warp.
    fn count(&mut self, count: Option<&Operand>) -> Result<String, String> {
        match count {
            None => Ok((32 * self.layout.warps_beside(self.thread)).to_string()),
            Some(Operand::Constant(count)) if count % 32 == 0 => Ok(count.to_string()),
            Some(Operand::Constant(count)) => Ok((32 * count).to_string()),
            Some(Operand::Register(_)) => {
                Err("a barrier whose count is in a register cannot be run".to_owned())
            }
        }
    }
}
