//! The paths that a thread can take, for all values that its reads may return.

mod memory;
mod state;

use std::collections::{BTreeMap, BTreeSet};

use hirace_model::error::{Error, Mistake, Result};

use crate::deadline::Deadline;
use crate::event::Action;
use crate::litmus::ast::{Instruction, Span, Test, Value};
use crate::settings::Settings;
use state::{Head, State};

/// The values that reads of each location may return.
pub type Domains = Vec<BTreeSet<Value>>;

/// Registers hold addresses as numbers from this one on, in the order of the locations.
pub const FIRST_ADDRESS: Value = 1 << 48;

/// How a path ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// After the last instruction.
    #[default]
    Finished,
    /// In a loop whose last round changed nothing: if its reads return the same values forever,
    /// the thread never leaves it. The reads are those from this step on.
    Spinning(usize),
    /// At the limit of rounds of a loop.
    Cut,
}

/// One step of a path, which becomes an event.
#[derive(Clone, Debug)]
pub struct Step {
    /// What happens.
    pub action: Action,
    /// The instruction.
    pub span: Span,
}

/// One path through a thread.
#[derive(Clone, Debug, Default)]
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

/// The largest number of steps of a trace, so that they fit into [`Steps`].
const MAX_STEPS: usize = 120;

/// All paths through `thread`.
///
/// # Errors
/// A register does not hold what an instruction needs, or there are too many paths.
pub fn traces(
    test: &Test,
    (name, text): (&str, &str),
    thread: usize,
    domains: &Domains,
    settings: &Settings,
    deadline: &Deadline<'_>,
) -> Result<Vec<Trace>> {
    let walk = Walk {
        test,
        name,
        text,
        thread,
        domains,
        unroll: settings.unroll,
    };
    let mut done = Vec::new();
    let mut open = vec![walk.start()];
    while let Some(state) = open.pop() {
        deadline.check()?;
        walk.step(state, &mut open, &mut done)?;
        if (done.len() + open.len()) as u64 > settings.limit {
            let first = test.threads[thread].code.first();
            let span = first.map_or(0..0, |it| it.span.clone());
            let message = format!(
                "there are more than {} paths through thread {}: values that its reads may return, and \
                 rounds of its loops",
                settings.limit, test.threads[thread].name
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
    unroll: u32,
}

impl Walk<'_> {
    fn start(&self) -> State {
        let own = self.test.registers.iter().filter(|it| it.0 == self.thread);
        let registers = own.map(|(_, name, value)| (name.clone(), (*value, 0)));
        State {
            at: 0,
            registers: registers.collect(),
            guard: 0,
            decided: 0,
            trace: Trace::default(),
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
        if state.trace.steps.len() + 2 > MAX_STEPS {
            done.push(state.finish(End::Cut));
            return Ok(());
        }
        state.at += 1;
        state.guard = 0;
        if let Some((register, negated)) = &line.guard {
            let (value, reads) = state.register(register);
            state.guard = reads;
            if (value != 0) == *negated {
                open.push(state);
                return Ok(());
            }
        }
        match &line.instruction {
            Instruction::Load { operation, target } => {
                self.load(&state, line, operation, target, open)?;
            }
            Instruction::Store { operation, value } => {
                self.store(state, line, operation, value, open)?;
            }
            Instruction::Atomic { .. } => self.atomic(&state, line, open)?,
            Instruction::Fence { sc, scope } => {
                let (sc, scope) = (*sc, *scope);
                state.push(Action::Fence { sc, scope }, &line.span);
                open.push(state);
            }
            Instruction::ProxyFence { proxy } => {
                state.push(Action::ProxyFence(*proxy), &line.span);
                open.push(state);
            }
            Instruction::Barrier { .. } => self.barrier(state, line, open),
            Instruction::Arithmetic {
                op,
                value_type,
                target,
                operands,
            } => {
                let (values, reads) = state.operands(operands);
                state.assign(target, op.result(*value_type, &values), reads);
                open.push(state);
            }
            Instruction::Compare { comparison, target } => {
                let (holds, reads) = state.compare(comparison);
                state.assign(target, holds.into(), reads);
                open.push(state);
            }
            Instruction::AddressOf { target, location } => {
                let address = FIRST_ADDRESS + i64::try_from(*location).unwrap_or(0);
                state.assign(target, address, 0);
                open.push(state);
            }
            Instruction::Branch { comparison, to } => {
                let (holds, reads) = state.compare(comparison);
                state.decided |= reads | state.guard;
                if holds {
                    self.jump(state, *to, open, done);
                } else {
                    open.push(state);
                }
            }
            Instruction::Jump { to } => {
                state.decided |= state.guard;
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
            if rounds > self.unroll {
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
