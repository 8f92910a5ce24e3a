//! The ways that one thread can take, for all values that its reads may return.

mod memory;
mod operations;
mod state;

use std::collections::{BTreeMap, BTreeSet};

use hirace_model::error::{Error, Mistake, Result};

use crate::deadline::Deadline;
use crate::event::Action;
use crate::litmus::ast::{Instruction, LocationId, Span, Test, Value};
use operations::{arithmetic, compare};
use state::{Head, State};

/// The values that reads of each location may return.
pub type Domains = Vec<BTreeSet<Value>>;

/// Registers hold addresses as numbers from this one on.
const FIRST_ADDRESS: Value = 1 << 48;

/// How a way ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// After the last instruction.
    Finished,
    /// In a loop whose last round changed nothing: if its reads return the same values for ever,
    /// the thread never leaves it. The reads are those from this step on.
    Spinning(usize),
    /// At the limit of rounds of a loop.
    Cut,
}

/// One step of a way, which becomes an event.
#[derive(Clone, Debug)]
pub struct Step {
    /// What happens.
    pub action: Action,
    /// The instruction.
    pub span: Span,
}

/// One way through a thread.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The steps, in program order.
    pub steps: Vec<Step>,
    /// Reads and writes of the same atomic operation.
    pub rmw: Vec<(usize, usize)>,
    /// From reads to the accesses whose address depends on them.
    pub address: Vec<(usize, usize)>,
    /// From reads to the writes whose value depends on them, and to the barriers whose predicate
    /// does; from such barriers to what depends on their results.
    pub data: Vec<(usize, usize)>,
    /// From reads to the steps that are reached depending on them.
    pub control: Vec<(usize, usize)>,
    /// The registers at the end.
    pub registers: BTreeMap<String, Value>,
    /// How it ends.
    pub end: End,
}

/// A set of steps of a trace, by bits.
type Steps = u128;

/// Most steps of a trace, so that they fit into [`Steps`].
const MOST_STEPS: usize = 120;

/// What bounds the search.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Most rounds of a loop.
    pub unroll: u32,
    /// Most traces of a thread.
    pub traces: usize,
}

/// All ways through `thread`.
///
/// # Errors
/// A register does not hold what an instruction needs, or there are too many ways.
pub fn traces(
    test: &Test,
    (name, text): (&str, &str),
    thread: usize,
    domains: &Domains,
    bounds: Bounds,
    deadline: &Deadline<'_>,
) -> Result<Vec<Trace>> {
    let walk = Walk {
        test,
        name,
        text,
        thread,
        domains,
        bounds,
    };
    let mut done = Vec::new();
    let mut open = vec![walk.start()];
    while let Some(state) = open.pop() {
        deadline.check()?;
        walk.step(state, &mut open, &mut done)?;
        if done.len() + open.len() > bounds.traces {
            let first = test.threads[thread].code.first();
            let span = first.map_or(0..0, |it| it.span.clone());
            let message = format!(
                "there are more than {} ways through thread {}: values that its reads may return, and \
                 rounds of its loops",
                bounds.traces, test.threads[thread].name
            );
            let mistake = Mistake::new(name, text, span, message);
            let help = "raise --limit, or lower --unroll".to_owned();
            return Err(Error::Syntax(mistake.with_help(Some(help))));
        }
    }
    Ok(done)
}

struct Walk<'a> {
    test: &'a Test,
    name: &'a str,
    text: &'a str,
    thread: usize,
    domains: &'a Domains,
    bounds: Bounds,
}

impl Walk<'_> {
    fn start(&self) -> State {
        let own = self.test.registers.iter().filter(|it| it.0 == self.thread);
        let registers = own.map(|(_, name, value)| (name.clone(), (*value, 0)));
        State {
            at: 0,
            registers: registers.collect(),
            decided: 0,
            trace: Trace {
                steps: Vec::new(),
                rmw: Vec::new(),
                address: Vec::new(),
                data: Vec::new(),
                control: Vec::new(),
                registers: BTreeMap::new(),
                end: End::Finished,
            },
            heads: BTreeMap::new(),
            changes: 0,
        }
    }

    fn error(&self, span: &Span, message: String) -> Error {
        Error::Syntax(Mistake::new(self.name, self.text, span.clone(), message))
    }

    /// Executes one instruction; a read continues in one state for each value.
    // Long: one arm for each instruction.
    fn step(&self, mut state: State, open: &mut Vec<State>, done: &mut Vec<Trace>) -> Result<()> {
        let code = &self.test.threads[self.thread].code;
        let Some(line) = code.get(state.at) else {
            done.push(state.finish(End::Finished));
            return Ok(());
        };
        if state.trace.steps.len() + 2 > MOST_STEPS {
            done.push(state.finish(End::Cut));
            return Ok(());
        }
        state.at += 1;
        let mut guard = 0;
        if let Some((register, negated)) = &line.guard {
            let (value, reads) = state.register(register);
            guard = reads;
            if (value != 0) == *negated {
                open.push(state);
                return Ok(());
            }
        }
        let span = &line.span;
        match &line.instruction {
            Instruction::Load { .. } => self.load(&state, line, guard, open)?,
            Instruction::Store { .. } => self.store(state, line, guard, open)?,
            Instruction::Atomic { .. } => self.atomic(&state, line, guard, open)?,
            Instruction::Fence { sc, scope } => {
                let fence = Action::Fence {
                    sc: *sc,
                    scope: *scope,
                };
                state.push(fence, span, guard);
                open.push(state);
            }
            Instruction::ProxyFence { proxy } => {
                state.push(Action::ProxyFence(*proxy), span, guard);
                open.push(state);
            }
            Instruction::Barrier { .. } => self.barrier(state, line, guard, open),
            Instruction::Arithmetic {
                op,
                value_type,
                target,
                operands,
            } => {
                let values: Vec<_> = operands.iter().map(|it| state.value(it)).collect();
                let reads = values.iter().fold(guard, |reads, it| reads | it.1);
                let values: Vec<_> = values.iter().map(|it| it.0).collect();
                let value = arithmetic(*op, *value_type, &values);
                state.registers.insert(target.clone(), (value, reads));
                open.push(state);
            }
            Instruction::AddressOf { target, location } => {
                let address = FIRST_ADDRESS + i64::try_from(*location).unwrap_or(0);
                state.registers.insert(target.clone(), (address, guard));
                open.push(state);
            }
            Instruction::Branch {
                comparison,
                value_type,
                left,
                right,
                to,
            } => {
                let (left, right) = (state.value(left), state.value(right));
                state.decided |= left.1 | right.1 | guard;
                if compare(*comparison, *value_type, left.0, right.0) {
                    self.jump(state, *to, open, done);
                } else {
                    open.push(state);
                }
            }
            Instruction::Jump { to } => {
                state.decided |= guard;
                self.jump(state, *to, open, done);
            }
        }
        Ok(())
    }

    /// Continues at `to`. A round of a loop that changed nothing is not repeated: an execution
    /// without it has the same results.
    fn jump(&self, mut state: State, to: usize, open: &mut Vec<State>, done: &mut Vec<Trace>) {
        if to < state.at {
            let registers: BTreeMap<_, _> = state.values();
            let step = state.trace.steps.len();
            let before = state.heads.get(&to);
            let rounds = before.map_or(0, |it| it.rounds) + 1;
            let same =
                before.is_some_and(|it| it.registers == registers && it.changes == state.changes);
            if same {
                let first = before.map_or(0, |it| it.step);
                return done.push(state.finish(End::Spinning(first)));
            }
            if rounds > self.bounds.unroll {
                return done.push(state.finish(End::Cut));
            }
            let head = Head {
                rounds,
                registers,
                step,
                changes: state.changes,
            };
            state.heads.insert(to, head);
        }
        state.at = to;
        open.push(state);
    }
}

/// The location that `location` is an alias of, or itself.
#[must_use]
pub fn memory(test: &Test, location: LocationId) -> LocationId {
    let alias = test.locations[location].alias;
    alias.map_or(location, |(_, memory)| memory)
}
