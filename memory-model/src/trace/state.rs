//! A thread between two instructions.

use std::collections::BTreeMap;

use super::{End, MOST_STEPS, Step, Steps, Trace};
use crate::event::Action;
use crate::litmus::ast::{Operand, Span, Value};

#[derive(Clone)]
pub(super) struct State {
    pub(super) at: usize,
    pub(super) registers: BTreeMap<String, (Value, Steps)>,
    /// The reads that decided on the way here.
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

    /// Appends a step, which depends on all decisions so far; returns its index.
    pub(super) fn push(&mut self, action: Action, span: &Span, guard: Steps) -> usize {
        let step = self.trace.steps.len();
        self.trace.steps.push(Step {
            action,
            span: span.clone(),
        });
        let decided = self.decided | guard;
        self.depend(decided, step, |it| &mut it.control);
        step
    }

    pub(super) fn depend(
        &mut self,
        reads: Steps,
        step: usize,
        list: impl Fn(&mut Trace) -> &mut Vec<(usize, usize)>,
    ) {
        for read in (0..MOST_STEPS).filter(|it| reads >> it & 1 == 1) {
            list(&mut self.trace).push((read, step));
        }
    }
}
