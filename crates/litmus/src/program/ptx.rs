//! A thread's code as PTX in inline assembly.
//!
//! A thread is one `asm` statement, so that nvcc moves nothing in it. All registers have 64 bits,
//! so that they can hold addresses; each instruction extends its result to them as its type says. A
//! dependency through `xor r, a, a` would be folded by ptxas; it is written as `and r, a, 0` with a
//! zero that the kernel gets as an argument. Alglave et al., "GPU Concurrency", ASPLOS 2015, met the same problem.

mod operations;

use std::fmt::Write as _;

use hirace_memory_model::litmus::ast::{
    Address, BarrierKind, Comparison, Instruction, Operand, Order, Reduction, ReductionOp, Scope,
    Thread, Type,
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
    line(&mut text, ".reg .pred p, q;");
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
                value_type,
                target,
                address,
                ..
            } => {
                let value_type = extending(self.layout.type_of(address, *value_type)?);
                let address = self.address(address);
                let kind = access(*order, *scope);
                self.push(format!("ld.{kind}.{value_type} %[{target}], [{address}];"));
            }
            Instruction::Store {
                order,
                scope,
                value_type,
                address,
                value,
                ..
            } => {
                let bits = self.layout.type_of(address, *value_type)?.bits;
                let value = self.in_register(value);
                let address = self.address(address);
                let kind = access(*order, *scope);
                self.push(format!("st.{kind}.b{bits} [{address}], {value};"));
            }
            Instruction::Atomic { .. } => return self.atomic(instruction),
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
                reduction,
            } => {
                return self.barrier(*kind, number, count.as_ref(), reduction.as_ref());
            }
            Instruction::Arithmetic {
                op,
                value_type,
                target,
                operands,
            } => self.arithmetic(*op, *value_type, target, operands),
            Instruction::AddressOf { target, location } => {
                self.push(format!("mov.b64 %[{target}], %[at{location}];"));
            }
            Instruction::Branch {
                comparison,
                value_type,
                left,
                right,
                to,
            } => {
                let left = self.fitted(left, *value_type);
                let right = self.fitted(right, *value_type);
                let comparison = compare(*comparison);
                let wide = wide(*value_type);
                self.push(format!("setp.{comparison}.{wide} p, {left}, {right};"));
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

    /// A register of 64 bits with the operand.
    fn in_register(&mut self, operand: &Operand) -> String {
        match operand {
            Operand::Register(register) => format!("%[{register}]"),
            Operand::Constant(value) => {
                let long = self.temporary();
                self.push(format!("mov.b64 t{long}, {value};"));
                format!("t{long}")
            }
        }
    }

    /// The operand as a number of the type, in 64 bits.
    fn fitted(&mut self, operand: &Operand, value_type: Type) -> String {
        match operand {
            Operand::Register(register) if value_type.bits < 64 => {
                let long = self.temporary();
                let (wide, narrow) = (wide(value_type), extending(value_type));
                self.push(format!("cvt.{wide}.{narrow} t{long}, %[{register}];"));
                format!("t{long}")
            }
            Operand::Register(register) => format!("%[{register}]"),
            Operand::Constant(value) => value_type.fit(*value).to_string(),
        }
    }

    /// The number of a temporary word with the operand.
    fn word(&mut self, operand: &Operand) -> usize {
        let word = self.temporary();
        match operand {
            Operand::Register(register) => {
                self.push(format!("cvt.u32.u64 w{word}, %[{register}];"));
            }
            Operand::Constant(value) => {
                let value = Type::S32.fit(*value);
                self.push(format!("mov.b32 w{word}, {value};"));
            }
        }
        word
    }

    fn barrier(
        &mut self,
        kind: BarrierKind,
        number: &Operand,
        count: Option<&Operand>,
        reduction: Option<&Reduction>,
    ) -> Result<(), String> {
        let number = self.word(number);
        let count = self.count(count)?;
        match kind {
            BarrierKind::Sync => self.push(format!("barrier.cta.sync w{number}, {count};")),
            BarrierKind::Arrive => self.push(format!("barrier.cta.arrive w{number}, {count};")),
            BarrierKind::Red => self.reduction(number, &count, reduction),
        }
        Ok(())
    }

    fn reduction(&mut self, number: usize, count: &str, reduction: Option<&Reduction>) {
        let Some(reduction) = reduction else {
            let sum = self.temporary();
            self.push(format!("setp.eq.s32 p, w{number}, w{number};"));
            self.push(format!(
                "barrier.cta.red.popc.u32 w{sum}, w{number}, {count}, p;"
            ));
            return;
        };
        let target = &reduction.target;
        let predicate = self.in_register(&reduction.predicate);
        self.push(format!("setp.ne.s64 p, {predicate}, 0;"));
        let op = match reduction.op {
            ReductionOp::Popc => {
                let sum = self.temporary();
                self.push(format!(
                    "barrier.cta.red.popc.u32 w{sum}, w{number}, {count}, p;"
                ));
                self.push(format!("cvt.u64.u32 %[{target}], w{sum};"));
                return;
            }
            ReductionOp::And => "and",
            ReductionOp::Or => "or",
        };
        self.push(format!(
            "barrier.cta.red.{op}.pred q, w{number}, {count}, p;"
        ));
        self.push(format!("selp.b64 %[{target}], 1, 0, q;"));
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

/// The type of 64 bits with the same sign.
fn wide(value_type: Type) -> &'static str {
    if value_type.is_signed() { "s64" } else { "u64" }
}

/// The type of which PTX extends values to 64 bits as tests do: `cvt` knows no `.b`.
fn extending(value_type: Type) -> String {
    let sign = if value_type.is_signed() { 's' } else { 'u' };
    format!("{sign}{}", value_type.bits)
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
