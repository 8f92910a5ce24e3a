//! A thread between two instructions.

use std::collections::BTreeMap;

use super::{End, MAX_STEPS, Step, Steps, Trace};
use crate::event::Action;
use crate::litmus::ast::{Comparison, Operand, Span, Value};

#[derive(Clone)]
pub(super) struct State {
    pub(super) at: usize,
    pub(super) registers: BTreeMap<String, (Value, Steps)>,
    /// The reads that decided that the current instruction is executed.
    pub(super) guard: Steps,
    /// The reads that decided so far.
    pub(super) decided: Steps,
    pub(super) trace: Trace,
    /// For targets of backward jumps: rounds, registers and step at the last visit, and the number
    /// of changes of memory until then.
    pub(super) heads: BTreeMap<usize, Head>,
    pub(super) changes: usize,
}

#[derive(Clone)]
pub(super) struct Head {
    pub(super) rounds: u32,
    pub(super) registers: BTreeMap<String, Value>,
    pub(super) step: usize,
    pub(super) changes: usize,
}

impl State {
    pub(super) fn finish(mut self, end: End) -> Trace {
        self.trace.registers = self.values();
        self.trace.end = end;
        self.trace
    }

    pub(super) fn values(&self) -> BTreeMap<String, Value> {
        let registers = self.registers.iter();
        registers.map(|(name, it)| (name.clone(), it.0)).collect()
    }

    pub(super) fn register(&self, name: &str) -> (Value, Steps) {
        self.registers.get(name).copied().unwrap_or((0, 0))
    }

    pub(super) fn value(&self, operand: &Operand) -> (Value, Steps) {
        match operand {
            Operand::Constant(value) => (*value, 0),
            Operand::Register(name) => self.register(name),
        }
    }

    /// The values of operands, and the reads that they depend on.
    pub(super) fn operands(&self, operands: &[Operand]) -> (Vec<Value>, Steps) {
        let values: Vec<_> = operands.iter().map(|it| self.value(it)).collect();
        let reads = values.iter().fold(0, |reads, it| reads | it.1);
        (values.iter().map(|it| it.0).collect(), reads)
    }

    /// Whether a comparison is true, and the reads that this depends on.
    pub(super) fn compare(&self, comparison: &Comparison) -> (bool, Steps) {
        let (values, reads) = self.operands(&comparison.operands);
        let of = comparison.value_type;
        let holds = (comparison.comparator.holds)(of, of.fit(values[0]), of.fit(values[1]));
        (holds, reads)
    }

    /// The current instruction writes a register, with a value that depends on these reads.
    pub(super) fn assign(&mut self, target: &str, value: Value, reads: Steps) {
        self.registers
            .insert(target.to_owned(), (value, reads | self.guard));
    }

    /// Appends a step, which depends on all decisions so far; returns its index.
    pub(super) fn push(&mut self, action: Action, span: &Span) -> usize {
        let step = self.trace.steps.len();
        self.trace.steps.push(Step {
            action,
            span: span.clone(),
        });
        let decided = self.decided | self.guard;
        self.depend(decided, step, |it| &mut it.control);
        step
    }

    pub(super) fn depend(
        &mut self,
        reads: Steps,
        step: usize,
        list: impl Fn(&mut Trace) -> &mut Vec<(usize, usize)>,
    ) {
        for read in (0..MAX_STEPS).filter(|it| reads >> it & 1 == 1) {
            list(&mut self.trace).push((read, step));
        }
    }
}
