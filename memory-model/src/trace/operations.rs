//! What instructions compute.

use crate::litmus::ast::{ArithmeticOp, AtomicOp, Comparison, Order, Value};

/// The order of the read or the write of an atomic operation.
pub(super) fn part(order: Order, read: bool) -> Order {
    match (order, read) {
        (Order::AcqRel | Order::Acquire, true) => Order::Acquire,
        (Order::AcqRel | Order::Release, false) => Order::Release,
        _ => Order::Relaxed,
    }
}

pub(super) fn arithmetic(op: ArithmeticOp, values: &[Value]) -> Value {
    let (a, b) = (
        values.first().copied().unwrap_or(0),
        values.get(1).copied().unwrap_or(0),
    );
    match op {
        ArithmeticOp::Mov => a,
        ArithmeticOp::Add => a.wrapping_add(b),
        ArithmeticOp::Sub => a.wrapping_sub(b),
        ArithmeticOp::Mul => a.wrapping_mul(b),
        ArithmeticOp::And => a & b,
        ArithmeticOp::Or => a | b,
        ArithmeticOp::Xor => a ^ b,
        ArithmeticOp::Min => a.min(b),
        ArithmeticOp::Max => a.max(b),
        ArithmeticOp::Eq => i64::from(a == b),
        ArithmeticOp::Ne => i64::from(a != b),
        ArithmeticOp::Lt => i64::from(a < b),
        ArithmeticOp::Le => i64::from(a <= b),
        ArithmeticOp::Gt => i64::from(a > b),
        ArithmeticOp::Ge => i64::from(a >= b),
    }
}

pub(super) fn compare(comparison: Comparison, a: Value, b: Value) -> bool {
    match comparison {
        Comparison::Eq => a == b,
        Comparison::Ne => a != b,
        Comparison::Lt => a < b,
        Comparison::Le => a <= b,
        Comparison::Gt => a > b,
        Comparison::Ge => a >= b,
    }
}

/// What an atomic operation writes (PTX ISA, "atom"); none for a `cas` that fails.
pub(super) fn result(op: AtomicOp, old: Value, operands: &[Value]) -> Option<Value> {
    let operand = operands.first().copied().unwrap_or(0);
    Some(match op {
        AtomicOp::Add => old.wrapping_add(operand),
        AtomicOp::Sub => old.wrapping_sub(operand),
        AtomicOp::Exch => operand,
        AtomicOp::Cas if old == operand => operands.get(1).copied().unwrap_or(0),
        AtomicOp::Cas => return None,
        AtomicOp::Inc if old >= operand => 0,
        AtomicOp::Inc => old + 1,
        AtomicOp::Dec if old == 0 || old > operand => operand,
        AtomicOp::Dec => old - 1,
        AtomicOp::And => old & operand,
        AtomicOp::Or => old | operand,
        AtomicOp::Xor => old ^ operand,
        AtomicOp::Min => old.min(operand),
        AtomicOp::Max => old.max(operand),
    })
}
