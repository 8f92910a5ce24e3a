//! What instructions compute.

use crate::litmus::ast::{ArithmeticOp, AtomicOp, Comparison, Order, Type, Value};

/// The order of the read or the write of an atomic operation.
pub(super) fn part(order: Order, read: bool) -> Order {
    match (order, read) {
        (Order::AcqRel | Order::Acquire, true) => Order::Acquire,
        (Order::AcqRel | Order::Release, false) => Order::Release,
        _ => Order::Relaxed,
    }
}

pub(super) fn arithmetic(op: ArithmeticOp, value_type: Type, values: &[Value]) -> Value {
    let operand = |at: usize| value_type.fit(values.get(at).copied().unwrap_or(0));
    let (a, b) = (operand(0), operand(1));
    let holds = |comparison| i64::from(compare(comparison, value_type, a, b));
    value_type.fit(match op {
        ArithmeticOp::Mov => a,
        ArithmeticOp::Add => a.wrapping_add(b),
        ArithmeticOp::Sub => a.wrapping_sub(b),
        ArithmeticOp::Mul => a.wrapping_mul(b),
        ArithmeticOp::And => a & b,
        ArithmeticOp::Or => a | b,
        ArithmeticOp::Xor => a ^ b,
        ArithmeticOp::Min if value_type.less(b, a) => b,
        ArithmeticOp::Max if value_type.less(a, b) => b,
        ArithmeticOp::Min | ArithmeticOp::Max => a,
        ArithmeticOp::Eq => holds(Comparison::Eq),
        ArithmeticOp::Ne => holds(Comparison::Ne),
        ArithmeticOp::Lt => holds(Comparison::Lt),
        ArithmeticOp::Le => holds(Comparison::Le),
        ArithmeticOp::Gt => holds(Comparison::Gt),
        ArithmeticOp::Ge => holds(Comparison::Ge),
    })
}

pub(super) fn compare(comparison: Comparison, value_type: Type, a: Value, b: Value) -> bool {
    let (a, b) = (value_type.fit(a), value_type.fit(b));
    match comparison {
        Comparison::Eq => a == b,
        Comparison::Ne => a != b,
        Comparison::Lt => value_type.less(a, b),
        Comparison::Le => !value_type.less(b, a),
        Comparison::Gt => value_type.less(b, a),
        Comparison::Ge => !value_type.less(a, b),
    }
}

/// What an atomic operation writes (PTX ISA, "atom"); none for a `cas` that fails. The old value is
/// one of the type.
pub(super) fn result(
    op: AtomicOp,
    value_type: Type,
    old: Value,
    operands: &[Value],
) -> Option<Value> {
    let operand = |at: usize| value_type.fit(operands.get(at).copied().unwrap_or(0));
    let first = operand(0);
    let less = |a, b| value_type.less(a, b);
    Some(value_type.fit(match op {
        AtomicOp::Add => old.wrapping_add(first),
        AtomicOp::Sub => old.wrapping_sub(first),
        AtomicOp::Exch => first,
        AtomicOp::Cas if old == first => operand(1),
        AtomicOp::Cas => return None,
        AtomicOp::Inc if !less(old, first) => 0,
        AtomicOp::Inc => old.wrapping_add(1),
        AtomicOp::Dec if old == 0 || less(first, old) => first,
        AtomicOp::Dec => old.wrapping_sub(1),
        AtomicOp::And => old & first,
        AtomicOp::Or => old | first,
        AtomicOp::Xor => old ^ first,
        AtomicOp::Min if less(first, old) => first,
        AtomicOp::Max if less(old, first) => first,
        AtomicOp::Min | AtomicOp::Max => old,
    }))
}
