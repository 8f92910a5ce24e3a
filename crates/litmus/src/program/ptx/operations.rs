//! Atomic operations, arithmetic and comparisons, with the types that PTX has for them.

use hirace_memory_model::litmus::ast::{
    Arithmetic, AtomicOp, Comparison, MemoryOperation, Operand, Type,
};

use super::super::check_atomic;
use super::{Writer, access, conversion, typed, wide};

impl Writer<'_> {
    pub(super) fn atomic(
        &mut self,
        operation: &MemoryOperation,
        op: &AtomicOp,
        target: Option<&String>,
        operands: &[Operand],
    ) -> Result<(), String> {
        let value_type = self.layout.type_of(operation)?;
        check_atomic(op, value_type)?;
        let name = typed(op.ptx, value_type);
        let narrow = value_type.bits == 32;
        let mut values: Vec<String> = Vec::new();
        for operand in operands {
            values.push(if narrow {
                format!("w{}", self.word(operand))
            } else {
                self.in_register(operand)
            });
        }
        if op.negated {
            let negated = self.temporary();
            let (bits, letter) = if narrow { (32, 'w') } else { (64, 't') };
            self.push(format!("neg.s{bits} {letter}{negated}, {};", values[0]));
            values[0] = format!("{letter}{negated}");
        }
        let (address, values) = (self.address(&operation.address), values.join(", "));
        let kind = access(operation);
        match target {
            Some(target) if narrow => {
                let old = self.temporary();
                self.push(format!("atom.{kind}.{name} w{old}, [{address}], {values};"));
                self.push(format!("{} %[{target}], w{old};", conversion(value_type)));
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
        op: &Arithmetic,
        value_type: Type,
        target: &str,
        operands: &[Operand],
    ) {
        if let [first @ Operand::Register(_), second] = operands
            && first == second
            && matches!(op.name, "xor" | "sub")
        {
            let operand = self.in_register(first);
            return self.push(format!("and.b64 %[{target}], {operand}, %[zero];"));
        }
        let operands: Vec<_> = operands
            .iter()
            .map(|it| self.fitted(it, value_type))
            .collect();
        let name = typed(op.ptx, wide(value_type));
        self.push(format!("{name} %[{target}], {};", operands.join(", ")));
        if value_type.bits < 64 {
            let convert = conversion(value_type);
            self.push(format!("{convert} %[{target}], %[{target}];"));
        }
    }

    /// Sets the predicate `p`.
    pub(super) fn compare(&mut self, comparison: &Comparison) {
        let value_type = comparison.value_type;
        let [left, right] = comparison
            .operands
            .each_ref()
            .map(|it| self.fitted(it, value_type));
        let name = comparison.comparator.name;
        let value_type = typed("#", wide(value_type));
        self.push(format!("setp.{name}.{value_type} p, {left}, {right};"));
    }
}
