//! A thread's code as C++ for the CPU executor, which runs no PTX.
//!
//! The threads of a test are those of one block, which the executor runs one at a time; at each
//! `pause_from()` another one may continue. So every execution is sequentially consistent, and scopes,
//! orders and fences make no difference.

use std::fmt::Write as _;

use hirace_memory_model::litmus::ast::{
    Address, AtomicOp, BarrierKind, Comparison, Instruction, MemoryOperation, Operand, Reduction,
    ReductionOp, Thread, Type,
};

use super::text::{back_edges, targets};
use super::{Layout, check_atomic};

/// Rounds of loops after which a thread gives up: its result does not count.
const ROUNDS: u32 = 4096;

/// The words for the barriers of a block, as many as in `executor.cuh`.
const BARRIER_WORDS: usize = 16 * 5;

/// The statements of a thread. Its registers are the variables `v_NAME`.
///
/// # Errors
/// What the program cannot express.
pub(super) fn body(layout: &Layout<'_>, thread: usize) -> Result<String, String> {
    let code: &Thread = &layout.test.threads[thread];
    let (targets, back) = (targets(code), back_edges(code));
    let mut text = format!("      int rounds = {ROUNDS};\n      (void)rounds;\n");
    for (at, line) in code.code.iter().enumerate() {
        if targets.contains(&at) {
            let _ = writeln!(text, "    L{thread}_{at}:;");
        }
        let guard = line.guard.as_ref().map_or_else(String::new, |it| {
            let not = if it.1 { "!" } else { "" };
            format!("if ({not}v_{}) ", it.0)
        });
        let statement = statement(layout, thread, &line.instruction, back.contains(&at))?;
        let _ = writeln!(text, "      {guard}{{ {statement} }}");
    }
    if targets.contains(&code.code.len()) {
        let _ = writeln!(text, "    L{thread}_{}:;", code.code.len());
    }
    Ok(text)
}

fn statement(
    layout: &Layout<'_>,
    thread: usize,
    instruction: &Instruction,
    goes_back: bool,
) -> Result<String, String> {
    let go = |to: usize| match goes_back {
        true => format!("if (--rounds == 0) {{ cut = 1; return; }} goto L{thread}_{to};"),
        false => format!("goto L{thread}_{to};"),
    };
    Ok(match instruction {
        Instruction::Load { operation, target } => {
            let value_type = layout.type_of(operation)?;
            let pointer = pointer(&operation.address, c_type(value_type));
            format!("pause_from(noise); v_{target} = *{pointer};")
        }
        Instruction::Store { operation, value } => {
            let name = c_type(layout.type_of(operation)?);
            let pointer = pointer(&operation.address, name);
            format!("pause_from(noise); *{pointer} = ({name}){};", long(value))
        }
        Instruction::Atomic {
            operation,
            op,
            target,
            operands,
        } => atomic(
            layout.type_of(operation)?,
            operation,
            op,
            target.as_ref(),
            operands,
        )?,
        Instruction::Fence { .. } | Instruction::ProxyFence { .. } => "pause_from(noise);".into(),
        Instruction::Barrier {
            kind,
            number,
            count,
            reduction,
        } => {
            let count = barrier_count(layout, thread, count.as_ref());
            let first = BARRIER_WORDS * layout.places[thread].block;
            barrier(*kind, first, &long(number), &count, reduction.as_ref())
        }
        Instruction::Arithmetic {
            op,
            value_type,
            target,
            operands,
        } => {
            let name = c_type(*value_type);
            let mut expression = op.cpp.to_owned();
            for (placeholder, operand) in ["$a", "$b"].into_iter().zip(operands) {
                let operand = format!("({name}){}", long(operand));
                expression = expression.replace(placeholder, &operand);
            }
            format!("v_{target} = ({name})({expression});")
        }
        Instruction::Compare { comparison, target } => {
            format!("v_{target} = {};", compared(comparison))
        }
        Instruction::AddressOf { target, location } => {
            format!("v_{target} = (long long)location[{location}];")
        }
        Instruction::Branch { comparison, to } => {
            format!("if ({}) {{ {} }}", compared(comparison), go(*to))
        }
        Instruction::Jump { to } => go(*to),
    })
}

fn barrier_count(layout: &Layout<'_>, thread: usize, count: Option<&Operand>) -> String {
    match count {
        None => layout.threads_beside(thread).to_string(),
        // One thread of a test stands for its warp.
        Some(Operand::Constant(count)) if count % 32 == 0 => (count / 32).to_string(),
        Some(count) => long(count),
    }
}

fn barrier(
    kind: BarrierKind,
    first: usize,
    number: &str,
    count: &str,
    reduction: Option<&Reduction>,
) -> String {
    let waits = kind != BarrierKind::Arrive;
    let call = |predicate: &str| {
        format!(
            "barrier_at(arrived + {first}, {number}, (int){count}, {waits}, {predicate}, noise)"
        )
    };
    let Some(reduction) = reduction else {
        return format!("{};", call("false"));
    };
    let sum = call(&format!("{} != 0", long(&reduction.predicate)));
    let target = &reduction.target;
    match reduction.op {
        ReductionOp::Popc => format!("v_{target} = {sum};"),
        ReductionOp::And => format!("v_{target} = {sum} == (int){count};"),
        ReductionOp::Or => format!("v_{target} = {sum} != 0;"),
    }
}

/// A pointer to words of the C++ type `name`.
fn pointer(address: &Address, name: &str) -> String {
    match address {
        Address::Location(id) => format!("({name} *)location[{id}]"),
        Address::Register(register) => format!("({name} *)v_{register}"),
    }
}

/// The type in C++.
pub(super) fn c_type(value_type: Type) -> &'static str {
    match (value_type.bits, value_type.is_signed()) {
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned",
        (_, true) => "long long",
        (_, false) => "unsigned long long",
    }
}

fn long(operand: &Operand) -> String {
    match operand {
        Operand::Register(register) => format!("v_{register}"),
        Operand::Constant(value) => format!("(long long){}ull", value.cast_unsigned()),
    }
}

/// An expression that is true if the comparison is.
fn compared(comparison: &Comparison) -> String {
    let name = c_type(comparison.value_type);
    let [left, right] = comparison.operands.each_ref().map(long);
    let sign = comparison.comparator.cpp;
    format!("({name}){left} {sign} ({name}){right}")
}

/// An atomic operation. CUDA does not have all its functions for signed words of 64 bits: those
/// that do not depend on the sign are called for unsigned words.
fn atomic(
    value_type: Type,
    operation: &MemoryOperation,
    op: &AtomicOp,
    target: Option<&String>,
    operands: &[Operand],
) -> Result<String, String> {
    check_atomic(op, value_type)?;
    let word = match (
        value_type.bits,
        op.ptx.contains('#') && value_type.is_signed(),
    ) {
        (32, true) => "int",
        (32, false) => "unsigned",
        (_, true) => "long long",
        (_, false) => "unsigned long long",
    };
    let minus = if op.negated { "0 - " } else { "" };
    let operands: Vec<_> = operands
        .iter()
        .map(|it| format!("{minus}({word}){}", long(it)))
        .collect();
    let pointer = pointer(&operation.address, word);
    let result = target.map_or_else(String::new, |it| {
        format!("v_{it} = ({})", c_type(value_type))
    });
    let (function, operands) = (op.cuda, operands.join(", "));
    Ok(format!(
        "pause_from(noise); {result}{function}({pointer}, {operands});"
    ))
}
