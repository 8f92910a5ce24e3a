//! A thread's code as PTX in inline assembly.
//!
//! A thread is one `asm` statement, so that nvcc moves nothing in it. All registers have 64 bits,
//! so that they can hold addresses; memory holds 32-bit words. A dependency through `xor r, a, a`
//! would be folded by ptxas; it is written as `and r, a, 0` with a zero that the kernel gets as an
//! argument. Alglave et al., "GPU Concurrency", ASPLOS 2015, met the same problem.

use std::fmt::Write as _;

use hirace_memory_model::litmus::ast::{
    Address, ArithmeticOp, AtomicOp, BarrierKind, Comparison, Instruction, Operand, Order, Scope,
    Thread,
};

use super::Layout;
use super::text::{back_edges, registers, targets};

/// Most operands of an `asm` statement.
const MOST_OPERANDS: usize = 30;

/// Rounds of loops after which a thread gives up: its result does not count.
const ROUNDS: u32 = 65_536;

/// The `asm` statement of a thread. Its output registers are written to the variables `v_NAME`.
///
/// # Errors
/// What PTX cannot express.
pub(super) fn body(layout: &Layout<'_>, thread: usize) -> Result<String, String> {
    let code = &layout.test.threads[thread];
    let names = registers(code);
    let locations = layout.locations_of(thread);
    // The registers, the addresses, the zero, the flag.
    if names.len() + locations.len() + 2 > MOST_OPERANDS {
        let name = &code.name;
        return Err(format!(
            "thread {name} has too many registers and locations for an asm statement"
        ));
    }
    let mut writer = Writer {
        layout,
        thread,
        lines: Vec::new(),
        temporaries: 0,
        // Without them a thread cannot wait for ever; with a barrier it must not give up.
        bounded: !back_edges(code).is_empty() && !layout.has_barriers,
    };
    writer.all(code)?;
    let mut text = String::from("      asm volatile(\"{\\n\\t\"\n");
    let line = |text: &mut String, line: &str| {
        let _ = writeln!(text, "        \"{line}\\n\\t\"");
    };
    line(&mut text, ".reg .pred p;");
    line(&mut text, ".reg .b32 rounds;");
    for number in 0..writer.temporaries {
        line(&mut text, &format!(".reg .b64 t{number};"));
        line(&mut text, &format!(".reg .b32 w{number};"));
    }
    for entry in &writer.lines {
        line(&mut text, entry);
    }
    text += "        \"}\"\n";
    let outputs = names.iter().map(|it| format!("[{it}] \"+l\"(v_{it})"));
    let outputs: Vec<_> = outputs.chain(["[cut] \"+r\"(cut)".to_owned()]).collect();
    let inputs = locations
        .iter()
        .map(|id| format!("[at{id}] \"l\"(location[{id}])"));
    let inputs: Vec<_> = inputs.chain(["[zero] \"l\"(zero)".to_owned()]).collect();
    let _ = writeln!(text, "        : {}", outputs.join(", "));
    let _ = writeln!(text, "        : {}", inputs.join(", "));
    text += "        : \"memory\");\n";
    Ok(numbered(&text, &names, &locations))
}

/// nvcc knows no names of operands: replaces them by numbers.
fn numbered(text: &str, registers: &[String], locations: &[usize]) -> String {
    let mut names: Vec<String> = registers.iter().map(|it| format!("%[{it}]")).collect();
    names.push("%[cut]".to_owned());
    names.extend(locations.iter().map(|id| format!("%[at{id}]")));
    names.push("%[zero]".to_owned());
    let mut text = text.to_owned();
    for (number, name) in names.iter().enumerate() {
        text = text.replace(name, &format!("%{number}"));
        text = text.replace(&format!("{} \"", &name[1..]), "\"");
    }
    text
}

struct Writer<'a> {
    layout: &'a Layout<'a>,
    thread: usize,
    lines: Vec<String>,
    /// How many temporary registers there are.
    temporaries: usize,
    /// Whether loops are bounded.
    bounded: bool,
}

impl Writer<'_> {
    fn push(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    fn temporary(&mut self) -> usize {
        self.temporaries += 1;
        self.temporaries - 1
    }

    fn all(&mut self, code: &Thread) -> Result<(), String> {
        if self.bounded {
            self.push(format!("mov.b32 rounds, {ROUNDS};"));
        }
        let targets = targets(code);
        for (at, line) in code.code.iter().enumerate() {
            if targets.contains(&at) {
                self.push(format!("L{at}:"));
            }
            if let Some((register, negated)) = &line.guard {
                let comparison = if *negated { "ne" } else { "eq" };
                self.push(format!("setp.{comparison}.s64 p, %[{register}], 0;"));
                self.push(format!("@p bra SKIP{at};"));
            }
            self.instruction(at, &line.instruction)?;
            if line.guard.is_some() {
                self.push(format!("SKIP{at}:"));
            }
        }
        if targets.contains(&code.code.len()) {
            self.push(format!("L{}:", code.code.len()));
        }
        if self.bounded {
            self.push("bra END;");
            self.push("CUT:");
            self.push("mov.b32 %[cut], 1;");
            self.push("END:");
        }
        Ok(())
    }

    fn instruction(&mut self, at: usize, instruction: &Instruction) -> Result<(), String> {
        match instruction {
            Instruction::Load {
                order,
                scope,
                target,
                address,
                ..
            } => {
                let word = self.temporary();
                let address = self.address(address);
                let kind = access(*order, *scope);
                self.push(format!("ld.{kind}.s32 w{word}, [{address}];"));
                self.push(format!("cvt.s64.s32 %[{target}], w{word};"));
            }
            Instruction::Store {
                order,
                scope,
                address,
                value,
                ..
            } => {
                let word = self.word(value);
                let address = self.address(address);
                let kind = access(*order, *scope);
                self.push(format!("st.{kind}.b32 [{address}], w{word};"));
            }
            Instruction::Atomic { .. } => self.atomic(instruction),
            Instruction::Fence { sc, scope } => {
                let kind = if *sc { "sc" } else { "acq_rel" };
                self.push(format!("fence.{kind}.{};", scope.name()));
            }
            Instruction::ProxyFence { proxy: None } => self.push("fence.proxy.alias;"),
            Instruction::ProxyFence { proxy: Some(_) } => {
                return Err("surfaces, textures and constant memory cannot be run".to_owned());
            }
            Instruction::Barrier {
                kind,
                number,
                count,
            } => {
                return self.barrier(*kind, number, count.as_ref());
            }
            Instruction::Arithmetic {
                op,
                target,
                operands,
            } => self.arithmetic(*op, target, operands),
            Instruction::AddressOf { target, location } => {
                self.push(format!("mov.b64 %[{target}], %[at{location}];"));
            }
            Instruction::Branch {
                comparison,
                left,
                right,
                to,
            } => {
                let (left, right) = (self.long(left), self.long(right));
                let comparison = compare(*comparison);
                self.push(format!("setp.{comparison}.s64 p, {left}, {right};"));
                self.jump(at, *to, "@p ");
            }
            Instruction::Jump { to } => self.jump(at, *to, ""),
        }
        Ok(())
    }

    /// A jump; one that goes back counts rounds.
    fn jump(&mut self, at: usize, to: usize, guard: &str) {
        if self.bounded && to <= at {
            if !guard.is_empty() {
                self.push(format!("@!p bra ON{at};"));
            }
            self.push("sub.s32 rounds, rounds, 1;");
            self.push("setp.eq.s32 p, rounds, 0;");
            self.push("@p bra CUT;");
            self.push(format!("bra L{to};"));
            self.push(format!("ON{at}:"));
        } else {
            self.push(format!("{guard}bra L{to};"));
        }
    }

    fn address(&self, address: &Address) -> String {
        match address {
            Address::Location(id) => format!("%[at{id}]"),
            Address::Register(register) => format!("%[{register}]"),
        }
    }

    /// An operand of 64 bits.
    fn long(&self, operand: &Operand) -> String {
        match operand {
            Operand::Register(register) => format!("%[{register}]"),
            Operand::Constant(value) => value.to_string(),
        }
    }

    /// The number of a temporary word with the operand.
    fn word(&mut self, operand: &Operand) -> usize {
        let word = self.temporary();
        match operand {
            Operand::Register(register) => {
                self.push(format!("cvt.u32.u64 w{word}, %[{register}];"));
            }
            Operand::Constant(value) => self.push(format!("mov.b32 w{word}, {value};")),
        }
        word
    }

    fn barrier(
        &mut self,
        kind: BarrierKind,
        number: &Operand,
        count: Option<&Operand>,
    ) -> Result<(), String> {
        let number = self.word(number);
        let count = self.count(count)?;
        match kind {
            BarrierKind::Sync => self.push(format!("barrier.cta.sync w{number}, {count};")),
            BarrierKind::Arrive => self.push(format!("barrier.cta.arrive w{number}, {count};")),
            BarrierKind::Red => {
                let sum = self.temporary();
                self.push(format!("setp.eq.s32 p, w{number}, w{number};"));
                self.push(format!(
                    "barrier.cta.red.popc.u32 w{sum}, w{number}, {count}, p;"
                ));
            }
        }
        Ok(())
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

    fn atomic(&mut self, instruction: &Instruction) {
        let Instruction::Atomic {
            order,
            scope,
            op,
            target,
            address,
            operands,
        } = instruction
        else {
            return;
        };
        let mut words: Vec<usize> = operands.iter().map(|it| self.word(it)).collect();
        let name = match op {
            AtomicOp::Add | AtomicOp::Sub => "add.s32",
            AtomicOp::Exch => "exch.b32",
            AtomicOp::Cas => "cas.b32",
            AtomicOp::Inc => "inc.u32",
            AtomicOp::Dec => "dec.u32",
            AtomicOp::And => "and.b32",
            AtomicOp::Or => "or.b32",
            AtomicOp::Xor => "xor.b32",
            AtomicOp::Min => "min.s32",
            AtomicOp::Max => "max.s32",
        };
        if *op == AtomicOp::Sub {
            let negated = self.temporary();
            self.push(format!("neg.s32 w{negated}, w{};", words[0]));
            words[0] = negated;
        }
        let words: Vec<_> = words.iter().map(|it| format!("w{it}")).collect();
        let (address, words) = (self.address(address), words.join(", "));
        // PTX has `.volatile` for loads and stores only; it means relaxed.sys.
        let kind = match order {
            Order::Volatile | Order::Weak => "relaxed.sys".to_owned(),
            order => format!("{}.{}", order.name(), scope.name()),
        };
        match target {
            Some(target) => {
                let old = self.temporary();
                self.push(format!("atom.{kind}.{name} w{old}, [{address}], {words};"));
                self.push(format!("cvt.s64.s32 %[{target}], w{old};"));
            }
            None => self.push(format!("red.{kind}.{name} [{address}], {words};")),
        }
    }

    fn arithmetic(&mut self, op: ArithmeticOp, target: &str, operands: &[Operand]) {
        let same = operands.len() == 2 && operands[0] == operands[1];
        let register = matches!(operands.first(), Some(Operand::Register(_)));
        let operands: Vec<_> = operands.iter().map(|it| self.long(it)).collect();
        let list = operands.join(", ");
        let line = |name: &str| format!("{name} %[{target}], {list};");
        let text = match op {
            ArithmeticOp::Xor | ArithmeticOp::Sub if same && register => {
                format!("and.b64 %[{target}], {}, %[zero];", operands[0])
            }
            ArithmeticOp::Mov => line("mov.b64"),
            ArithmeticOp::Add => line("add.s64"),
            ArithmeticOp::Sub => line("sub.s64"),
            ArithmeticOp::Mul => line("mul.lo.s64"),
            ArithmeticOp::And => line("and.b64"),
            ArithmeticOp::Or => line("or.b64"),
            ArithmeticOp::Xor => line("xor.b64"),
            ArithmeticOp::Min => line("min.s64"),
            ArithmeticOp::Max => line("max.s64"),
            ArithmeticOp::Eq => return self.comparison("eq", target, &list),
            ArithmeticOp::Ne => return self.comparison("ne", target, &list),
            ArithmeticOp::Lt => return self.comparison("lt", target, &list),
            ArithmeticOp::Le => return self.comparison("le", target, &list),
            ArithmeticOp::Gt => return self.comparison("gt", target, &list),
            ArithmeticOp::Ge => return self.comparison("ge", target, &list),
        };
        self.push(text);
    }

    fn comparison(&mut self, name: &str, target: &str, operands: &str) {
        self.push(format!("setp.{name}.s64 p, {operands};"));
        self.push(format!("selp.b64 %[{target}], 1, 0, p;"));
    }
}

fn compare(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Eq => "eq",
        Comparison::Ne => "ne",
        Comparison::Lt => "lt",
        Comparison::Le => "le",
        Comparison::Gt => "gt",
        Comparison::Ge => "ge",
    }
}

fn access(order: Order, scope: Option<Scope>) -> String {
    match scope {
        Some(scope) if order != Order::Volatile => format!("{}.{}", order.name(), scope.name()),
        _ => order.name().to_owned(),
    }
}
