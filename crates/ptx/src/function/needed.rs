//! Reads whose values are needed only where a predicate holds.
//!
//! All threads of a Triton program load a scalar, and one of them stores what they make of it. In the others the value is
//! dead, so that it does not matter which one they read: their reads are no part of a race. So it is with blocks of fewer
//! elements than threads, which several threads load. A value is dead where a predicate is false if it reaches, through
//! arithmetic, only instructions that the predicate guards.

use std::collections::{HashMap, HashSet};

use hirace_instrument::rewrite::ptx::{
    self, Assembly, Guard, Instruction, Operand, Plan, condition,
};
use hirace_syntax::words::Words;

use super::Lowering;
use crate::module::{Statement, StatementKind};
use crate::sites::Sites;

/// Instructions without effects other than on their first operand.
const ARITHMETIC: Words = Words::of(
    "abs add and bfe bfi bfind brev clz cnot copysign cos cvt div dp2a dp4a ex2 fma lg2 lop3 mad mad24 max min mov mul \
     mul24 neg not or popc prmt rcp rem rsqrt sad selp set shf shl shr sin slct sqrt sub tanh xor",
);

/// Special registers that are the same all the time in a thread.
const NUMBERS: Words = Words::of("tid ntid ctaid nctaid laneid");

/// Modifiers of accesses that may synchronise.
const STRONG: [&str; 5] = ["acquire", "mmio", "relaxed", "release", "volatile"];

/// The reads of a function whose values are needed only under a guard, by the numbers of their statements.
#[derive(Default)]
pub(super) struct Needed {
    guards: HashMap<usize, Guard>,
    /// Those whose predicate is computed later, by the statement that does it.
    later: HashMap<usize, Vec<usize>>,
    /// The instructions that compute the predicate, in order, of those whose predicate is the same all the time in a
    /// thread: it is computed twice.
    invariant: HashMap<usize, Vec<usize>>,
}

impl Needed {
    pub(super) fn of(body: &[Statement], instructions: &HashMap<usize, Instruction>) -> Self {
        let flow = Flow::of(body, instructions);
        let mut out = Self::default();
        for (at, instruction) in &flow.ordered {
            let is_read = instruction.head() == "ld" && is_weak(instruction);
            let Some(guard) = is_read.then(|| flow.only_guard(*at)).flatten() else {
                continue;
            };
            let [definition] = flow.definitions(&guard.register)[..] else {
                continue;
            };
            let is_local = flow.is_local(*at);
            let is_known = definition < *at
                && (flow.blocks[&definition] == 0
                    || is_local && flow.blocks[&definition] == flow.blocks[at]);
            if is_known {
                out.guards.insert(*at, guard);
            } else if is_local && flow.may_wait(*at, definition) {
                out.guards.insert(*at, guard);
                out.later.entry(definition).or_default().push(*at);
            } else if let Some(steps) = flow.invariant(&guard.register, *at) {
                out.guards.insert(*at, guard);
                out.invariant.insert(*at, steps);
            }
        }
        out
    }

    /// The guard under which a read is needed, if there is one.
    pub(super) fn guard(&self, at: usize) -> Option<&Guard> {
        self.guards.get(&at)
    }

    /// The reads that are checked after a statement.
    pub(super) fn after(&self, at: usize) -> &[usize] {
        self.later.get(&at).map_or(&[], Vec::as_slice)
    }

    pub(super) fn is_checked_later(&self, at: usize) -> bool {
        self.later.values().any(|it| it.contains(&at))
    }
}

impl Lowering<'_> {
    /// The check of a read under the guard that it is needed under, if it has one.
    pub(super) fn late_check(&self, at: usize, sites: &Sites) -> Option<String> {
        let instruction = &self.instructions[&at];
        let id = self.sites.get(&at).map(|it| sites.id(*it))?;
        let own = condition(instruction, &self.assembly)?;
        let guard = self.guard_of(at)?;
        let Plan::Access {
            access, pointer, ..
        } = ptx::plan(instruction, &self.assembly)?
        else {
            return None;
        };
        let check = access.checked(&id, None, &pointer);
        Some(format!(" {own}{guard}{{ (void)({check}); }}"))
    }

    /// The condition under which the value of a read is needed.
    pub(super) fn guard_of(&self, at: usize) -> Option<String> {
        let guarded = Instruction {
            guard: Some(self.needed.guard(at)?.clone()),
            opcode: Vec::new(),
            operands: Vec::new(),
        };
        let condition = condition(&guarded, &self.assembly)?;
        let Some(steps) = self.needed.invariant.get(&at) else {
            return Some(condition);
        };
        // In variables of the same names.
        let mut code = String::new();
        let mut own = Assembly::default();
        for step in steps {
            let instruction = &self.instructions[step];
            let Plan::Plain(text) = ptx::plan(instruction, &self.assembly)? else {
                return None;
            };
            let defined = targets(instruction);
            let all = self.assembly.registers.iter();
            let defined = all.filter(|it| defined.contains(&it.0.as_str()));
            own.registers.extend(defined.cloned());
            code += &format!("{{ {text} }} ");
        }
        let declarations = ptx::declarations(&own);
        Some(format!(
            "if ([&] {{ {declarations}{code}{condition}return true; return false; }}()) "
        ))
    }
}

/// Which instructions use and define registers, and the basic blocks.
struct Flow<'f> {
    ordered: Vec<(usize, &'f Instruction)>,
    /// The number of its block for each instruction; that of the entry is 0.
    blocks: HashMap<usize, usize>,
    uses: HashMap<&'f str, Vec<usize>>,
}

impl<'f> Flow<'f> {
    fn of(body: &'f [Statement], instructions: &'f HashMap<usize, Instruction>) -> Self {
        let mut targets: HashSet<&str> = HashSet::new();
        for statement in body {
            match &statement.kind {
                StatementKind::Targets(_, names) => {
                    targets.extend(names.iter().map(String::as_str));
                }
                StatementKind::Instruction(it, _) if matches!(it.head(), "bra" | "brx") => {
                    it.operands
                        .iter()
                        .for_each(|it| targets.extend(registers(it)));
                }
                _ => {}
            }
        }
        let mut out = Self {
            ordered: Vec::new(),
            blocks: HashMap::new(),
            uses: HashMap::new(),
        };
        let mut block = 0;
        for (at, statement) in body.iter().enumerate() {
            match &statement.kind {
                StatementKind::Label(name) if targets.contains(name.as_str()) => block += 1,
                StatementKind::Instruction(..) => {
                    let instruction = &instructions[&at];
                    out.ordered.push((at, instruction));
                    out.blocks.insert(at, block);
                    if matches!(instruction.head(), "bra" | "brx" | "ret" | "exit") {
                        block += 1;
                    }
                    for name in used(instruction) {
                        out.uses.entry(name).or_default().push(at);
                    }
                }
                _ => {}
            }
        }
        out
    }

    fn instruction(&self, at: usize) -> Option<&'f Instruction> {
        let index = self.ordered.binary_search_by_key(&at, |it| it.0);
        index.ok().map(|it| self.ordered[it].1)
    }

    /// The instructions whose first operand has a register.
    fn definitions(&self, register: &str) -> Vec<usize> {
        let defines = |it: &Instruction| {
            let mut targets = it.operands.first().into_iter().flat_map(registers);
            targets.any(|it| it == register)
        };
        let all = self.ordered.iter().filter(|it| defines(it.1));
        all.map(|it| it.0).collect()
    }

    /// The instructions that the value of one may reach through arithmetic, which included; none if the value may
    /// decide on a branch or on whether an instruction executes.
    fn reached(&self, at: usize) -> Option<Vec<usize>> {
        let mut reached: Vec<usize> = Vec::new();
        let mut waiting = targets(self.instruction(at)?);
        let mut known: HashSet<&str> = waiting.iter().copied().collect();
        while let Some(register) = waiting.pop() {
            for &user in self.uses.get(register).into_iter().flatten() {
                let instruction = self.instruction(user)?;
                if instruction
                    .guard
                    .as_ref()
                    .is_some_and(|it| it.register == register)
                {
                    return None;
                }
                if !reached.contains(&user) {
                    reached.push(user);
                }
                if instruction.guard.is_none() && is_arithmetic(instruction) {
                    let more = targets(instruction).into_iter();
                    waiting.extend(more.filter(|it| known.insert(it)));
                }
            }
        }
        Some(reached)
    }

    /// The guard of all instructions that need the value of one.
    fn only_guard(&self, at: usize) -> Option<Guard> {
        let users = self.reached(at)?;
        let users = users.into_iter().filter_map(|it| self.instruction(it));
        let mut guards = users
            .filter(|it| it.guard.is_some() || !is_arithmetic(it))
            .map(|it| it.guard.clone());
        let first = guards.next()??;
        guards
            .all(|it| it.as_ref() == Some(&first))
            .then_some(first)
    }

    /// The instructions that compute a register, in order, if a thread always computes the same: from what the entry block
    /// has before `at`, and from the thread's numbers.
    fn invariant(&self, register: &'f str, at: usize) -> Option<Vec<usize>> {
        /// Predicates of deeper expressions are not computed twice.
        const DEPTH: usize = 12;
        let mut steps = Vec::new();
        self.add_steps(register, at, DEPTH, &mut steps)?;
        Some(steps)
    }

    fn add_steps(
        &self,
        register: &str,
        at: usize,
        depth: usize,
        steps: &mut Vec<usize>,
    ) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        let [definition] = self.definitions(register)[..] else {
            return None;
        };
        if steps.contains(&definition) || (definition < at && self.blocks[&definition] == 0) {
            return Some(());
        }
        let instruction = self.instruction(definition)?;
        let computes = is_arithmetic(instruction) || instruction.head() == "setp";
        let mut special = instruction.operands.iter().filter_map(|it| match it {
            Operand::Special(name) => Some(name.split('.').next().unwrap_or(name)),
            _ => None,
        });
        if !computes || instruction.guard.is_some() || !special.all(|it| NUMBERS.has(it)) {
            return None;
        }
        for operand in instruction.operands.iter().skip(1) {
            for name in registers(operand) {
                self.add_steps(name, at, depth, steps)?;
            }
        }
        steps.push(definition);
        Some(())
    }

    /// Whether the value of an instruction is only used behind it in its block: not in another iteration of a loop.
    fn is_local(&self, at: usize) -> bool {
        let block = self.blocks[&at];
        self.reached(at)
            .is_some_and(|all| all.iter().all(|it| *it > at && self.blocks[it] == block))
    }

    /// Whether the check of a read may wait until after another instruction: nothing synchronises in between, and the
    /// address stays the same.
    fn may_wait(&self, at: usize, until: usize) -> bool {
        let between = self.ordered.iter().filter(|it| at < it.0 && it.0 <= until);
        let address = self.instruction(at).and_then(|it| it.operands.get(1));
        let base: Vec<&str> = address.into_iter().flat_map(registers).collect();
        let is_quiet = |it: &Instruction| {
            let is_access = matches!(it.head(), "ld" | "st") && is_weak(it);
            let keeps_address = targets(it).iter().all(|it| !base.contains(it));
            (is_arithmetic(it) || it.head() == "setp" || is_access) && keeps_address
        };
        let is_ahead = until > at && self.blocks[&until] == self.blocks[&at];
        is_ahead && between.clone().all(|it| is_quiet(it.1))
    }
}

/// Whether an instruction only computes its first operand. One that sets the carry (`.cc`) tells later ones, too.
fn is_arithmetic(instruction: &Instruction) -> bool {
    ARITHMETIC.has(instruction.head()) && !instruction.modifiers().contains(&"cc")
}

fn is_weak(instruction: &Instruction) -> bool {
    let modifiers = instruction.modifiers();
    !modifiers.iter().any(|it| STRONG.contains(it))
}

/// The registers that an instruction defines.
fn targets(instruction: &Instruction) -> Vec<&str> {
    let first = instruction.operands.first();
    let has_target = !matches!(instruction.head(), "st" | "red" | "bra");
    let first = first.filter(|it| has_target && !matches!(it, Operand::Address(..)));
    first.into_iter().flat_map(registers).collect()
}

/// The registers that an instruction uses, as far as it is known: any of its operands but the target of arithmetic and
/// of loads, and its guard.
fn used(instruction: &Instruction) -> HashSet<&str> {
    let has_target = is_arithmetic(instruction) || instruction.head() == "ld";
    let operands = instruction.operands.iter().skip(usize::from(has_target));
    let guard = instruction.guard.iter().map(|it| it.register.as_str());
    operands.flat_map(registers).chain(guard).collect()
}

/// The registers in an operand.
fn registers(operand: &Operand) -> Vec<&str> {
    match operand {
        Operand::Register(name) => vec![name],
        Operand::Address(base, offset) => {
            let offset = offset.iter().flat_map(|it| registers(it));
            registers(base).into_iter().chain(offset).collect()
        }
        Operand::Tensor(map, first) => {
            let first = first.iter().flat_map(registers);
            registers(map).into_iter().chain(first).collect()
        }
        Operand::Vector(elements) => elements.iter().flat_map(registers).collect(),
        Operand::Not(inner) => registers(inner),
        Operand::Pair(first, second) => [registers(first), registers(second)].concat(),
        Operand::Argument(_) | Operand::Special(_) | Operand::Number(_) | Operand::Other => {
            Vec::new()
        }
    }
}
