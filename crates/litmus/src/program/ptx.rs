//! A thread's code as PTX in inline assembly.
//!
//! A thread is one `asm` statement, so that nvcc moves nothing in it. All registers have 64 bits,
//! so that they can hold addresses; each instruction extends its result to them as its type says. A
//! dependency through `xor r, a, a` would be folded by ptxas; it is written as `and r, a, 0` with a
//! zero that the kernel gets as an argument. Alglave et al., "GPU Concurrency", ASPLOS 2015, met the same problem.

mod barriers;
mod operations;

use std::fmt::Write as _;

use hirace_memory_model::litmus::ast::{
    Address, Instruction, MemoryOperation, Operand, Order, Thread, Type,
};

use super::Layout;
use super::text::{back_edges, registers, targets};

/// The largest number of operands of an `asm` statement.
const MAX_OPERANDS: usize = 30;

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
    if names.len() + locations.len() + 2 > MAX_OPERANDS {
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
        // Without them a thread cannot wait forever; with a barrier it must not give up.
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
            Instruction::Load { operation, target } => {
                let value_type = typed("#", self.layout.type_of(operation)?);
                let (kind, address) = (access(operation), self.address(&operation.address));
                self.push(format!("ld.{kind}.{value_type} %[{target}], [{address}];"));
            }
            Instruction::Store { operation, value } => {
                let value_type = typed("b", self.layout.type_of(operation)?);
                let value = self.in_register(value);
                let (kind, address) = (access(operation), self.address(&operation.address));
                self.push(format!("st.{kind}.{value_type} [{address}], {value};"));
            }
            Instruction::Atomic {
                operation,
                op,
                target,
                operands,
            } => return self.atomic(operation, op, target.as_ref(), operands),
            Instruction::Fence { sc, scope } => {
                let kind = if *sc { "sc" } else { "acq_rel" };
                self.push(format!("fence.{kind}.{};", scope.name()));
            }
            Instruction::ProxyFence { .. } => self.push("fence.proxy.alias;"),
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
            } => self.arithmetic(op, *value_type, target, operands),
            Instruction::Compare { comparison, target } => {
                self.compare(comparison);
                self.push(format!("selp.b64 %[{target}], 1, 0, p;"));
            }
            Instruction::AddressOf { target, location } => {
                self.push(format!("mov.b64 %[{target}], %[at{location}];"));
            }
            Instruction::Branch { comparison, to } => {
                self.compare(comparison);
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
                let convert = conversion(value_type);
                self.push(format!("{convert} t{long}, %[{register}];"));
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
}

/// PTX's name of an operation or type: `name` with the size of the type, and its sign for `#`.
fn typed(name: &str, value_type: Type) -> String {
    let sign = if value_type.is_signed() { "s" } else { "u" };
    format!("{}{}", name.replace('#', sign), value_type.bits)
}

/// The type of 64 bits with the same sign.
fn wide(value_type: Type) -> Type {
    Type {
        bits: 64,
        ..value_type
    }
}

/// The instruction that extends a number of the type to 64 bits; `cvt` knows no `.b`.
fn conversion(value_type: Type) -> String {
    format!(
        "cvt.{}.{}",
        typed("#", wide(value_type)),
        typed("#", value_type)
    )
}

/// The order and the scope of an access.
fn access(operation: &MemoryOperation) -> String {
    let order = operation.order;
    match operation.scope {
        Some(scope) if order != Order::Volatile => format!("{}.{}", order.name(), scope.name()),
        _ => order.name().to_owned(),
    }
}
