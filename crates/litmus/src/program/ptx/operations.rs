//! Atomic operations and arithmetic, with the types that PTX has for them.

use hirace_memory_model::litmus::ast::{ArithmeticOp, AtomicOp, Instruction, Operand, Order, Type};

use super::{Writer, extending, wide};

impl Writer<'_> {
    pub(super) fn atomic(&mut self, instruction: &Instruction) -> Result<(), String> {
        let Instruction::Atomic {
            order,
            scope,
            op,
            value_type,
            target,
            address,
            operands,
        } = instruction
        else {
            return Ok(());
        };
        let value_type = self.layout.type_of(address, *value_type)?;
        let name = atomic_name(*op, value_type)?;
        let narrow = value_type.bits == 32;
        let mut values: Vec<String> = Vec::new();
        for operand in operands {
            values.push(if narrow {
                format!("w{}", self.word(operand))
            } else {
                self.in_register(operand)
            });
        }
        if *op == AtomicOp::Sub {
            let negated = self.temporary();
            let (bits, letter) = if narrow { (32, 'w') } else { (64, 't') };
            self.push(format!("neg.s{bits} {letter}{negated}, {};", values[0]));
            values[0] = format!("{letter}{negated}");
        }
        let (address, values) = (self.address(address), values.join(", "));
        // PTX has `.volatile` for loads and stores only; it means relaxed.sys.
        let kind = match order {
            Order::Volatile | Order::Weak => "relaxed.sys".to_owned(),
            order => format!("{}.{}", order.name(), scope.name()),
        };
        match target {
            Some(target) if narrow => {
                let old = self.temporary();
                let (wide, narrow) = (wide(value_type), extending(value_type));
                self.push(format!("atom.{kind}.{name} w{old}, [{address}], {values};"));
                self.push(format!("cvt.{wide}.{narrow} %[{target}], w{old};"));
            }
            Some(target) => {
                self.push(format!(
                    "atom.{kind}.{name} %[{target}], [{address}], {values};"
                ));
            }
            None => self.push(format!("red.{kind}.{name} [{address}], {values};")),
        }
        Ok(())
    }

    pub(super) fn arithmetic(
        &mut self,
        op: ArithmeticOp,
        value_type: Type,
        target: &str,
        operands: &[Operand],
    ) {
        let same = operands.len() == 2 && operands[0] == operands[1];
        let register = matches!(operands.first(), Some(Operand::Register(_)));
        if same && register && matches!(op, ArithmeticOp::Xor | ArithmeticOp::Sub) {
            let operand = self.in_register(&operands[0]);
            return self.push(format!("and.b64 %[{target}], {operand}, %[zero];"));
        }
        let operands: Vec<_> = operands
            .iter()
            .map(|it| self.fitted(it, value_type))
            .collect();
        let list = operands.join(", ");
        let (name, wide) = (arithmetic_name(op), wide(value_type));
        match op {
            ArithmeticOp::Mov | ArithmeticOp::And | ArithmeticOp::Or | ArithmeticOp::Xor => {
                self.push(format!("{name}.b64 %[{target}], {list};"));
            }
            ArithmeticOp::Add
            | ArithmeticOp::Sub
            | ArithmeticOp::Mul
            | ArithmeticOp::Min
            | ArithmeticOp::Max => self.push(format!("{name}.{wide} %[{target}], {list};")),
            _ => {
                self.push(format!("setp.{name}.{wide} p, {list};"));
                return self.push(format!("selp.b64 %[{target}], 1, 0, p;"));
            }
        }
        if value_type.bits < 64 {
            let narrow = extending(value_type);
            self.push(format!("cvt.{wide}.{narrow} %[{target}], %[{target}];"));
        }
    }
}

/// The instruction, or for a comparison what `setp` compares.
fn arithmetic_name(op: ArithmeticOp) -> &'static str {
    match op {
        ArithmeticOp::Mov => "mov",
        ArithmeticOp::Add => "add",
        ArithmeticOp::Sub => "sub",
        ArithmeticOp::Mul => "mul.lo",
        ArithmeticOp::And => "and",
        ArithmeticOp::Or => "or",
        ArithmeticOp::Xor => "xor",
        ArithmeticOp::Min => "min",
        ArithmeticOp::Max => "max",
        ArithmeticOp::Eq => "eq",
        ArithmeticOp::Ne => "ne",
        ArithmeticOp::Lt => "lt",
        ArithmeticOp::Le => "le",
        ArithmeticOp::Gt => "gt",
        ArithmeticOp::Ge => "ge",
    }
}

/// The operation with the type that PTX has for it.
fn atomic_name(op: AtomicOp, value_type: Type) -> Result<String, String> {
    let bits = value_type.bits;
    if bits < 32 {
        return Err(format!("atomic operations of {bits} bits cannot be run"));
    }
    let sign = if value_type.is_signed() { 's' } else { 'u' };
    Ok(match op {
        AtomicOp::Add | AtomicOp::Sub => format!("add.u{bits}"),
        AtomicOp::Exch => format!("exch.b{bits}"),
        AtomicOp::Cas => format!("cas.b{bits}"),
        AtomicOp::Inc | AtomicOp::Dec if bits > 32 => {
            return Err("PTX has `inc` and `dec` for 32 bits only".to_owned());
        }
        AtomicOp::Inc => "inc.u32".to_owned(),
        AtomicOp::Dec => "dec.u32".to_owned(),
        AtomicOp::And => format!("and.b{bits}"),
        AtomicOp::Or => format!("or.b{bits}"),
        AtomicOp::Xor => format!("xor.b{bits}"),
        AtomicOp::Min => format!("min.{sign}{bits}"),
        AtomicOp::Max => format!("max.{sign}{bits}"),
    })
}
