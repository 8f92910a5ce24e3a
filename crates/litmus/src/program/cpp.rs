//! A thread's code as C++ for the CPU executor, which runs no PTX.
//!
//! The threads of a test are those of one block, which the executor runs one at a time; at each
//! `pause_from()` another one may continue. So every execution is sequentially consistent, and scopes,
//! orders and fences make no difference.

use std::fmt::Write as _;

use hirace_memory_model::litmus::ast::{
    Address, ArithmeticOp, AtomicOp, BarrierKind, Comparison, Instruction, Operand, Reduction,
    ReductionOp, Thread, Type,
};

use super::Layout;
use super::text::{back_edges, targets};

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
        Instruction::Load {
            value_type,
            target,
            address,
            ..
        } => {
            let value_type = layout.type_of(address, *value_type)?;
            format!(
                "pause_from(noise); v_{target} = *{};",
                pointer(address, value_type)
            )
        }
        Instruction::Store {
            value_type,
            address,
            value,
            ..
        } => {
            let value_type = layout.type_of(address, *value_type)?;
            let (pointer, name) = (pointer(address, value_type), c_type(value_type));
            format!("pause_from(noise); *{pointer} = ({name}){};", long(value))
        }
        Instruction::Atomic { .. } => atomic(layout, instruction)?,
        Instruction::Fence { .. } | Instruction::ProxyFence { proxy: None } => {
            "pause_from(noise);".into()
        }
        Instruction::ProxyFence { proxy: Some(_) } => {
            return Err("surfaces, textures and constant memory cannot be run".to_owned());
        }
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
        } => format!("v_{target} = {};", arithmetic(*op, *value_type, operands)),
        Instruction::AddressOf { target, location } => {
            format!("v_{target} = (long long)location[{location}];")
        }
        Instruction::Branch {
            comparison,
            value_type,
            left,
            right,
            to,
        } => {
            let (sign, name) = (sign(*comparison), c_type(*value_type));
            let (left, right) = (long(left), long(right));
            format!(
                "if (({name}){left} {sign} ({name}){right}) {{ {} }}",
                go(*to)
            )
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

fn pointer(address: &Address, value_type: Type) -> String {
    let name = c_type(value_type);
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

/// An atomic operation. CUDA's functions for words with sign are not all there for 64 bits: only
/// minimum and maximum need the sign.
fn atomic(layout: &Layout<'_>, instruction: &Instruction) -> Result<String, String> {
    let Instruction::Atomic {
        op,
        value_type,
        target,
        address,
        operands,
        ..
    } = instruction
    else {
        return Ok(String::new());
    };
    let value_type = layout.type_of(address, *value_type)?;
    if value_type.bits < 32 {
        let bits = value_type.bits;
        return Err(format!("atomic operations of {bits} bits cannot be run"));
    }
    let compares = matches!(op, AtomicOp::Min | AtomicOp::Max);
    let word = match (value_type.bits, compares && value_type.is_signed()) {
        (32, true) => "int",
        (32, false) => "unsigned",
        (_, true) => "long long",
        (_, false) => "unsigned long long",
    };
    let name = match op {
        AtomicOp::Add | AtomicOp::Sub => "atomicAdd",
        AtomicOp::Exch => "atomicExch",
        AtomicOp::Cas => "atomicCAS",
        AtomicOp::Inc | AtomicOp::Dec if value_type.bits > 32 => {
            return Err("PTX has `inc` and `dec` for 32 bits only".to_owned());
        }
        AtomicOp::Inc => "atomicInc",
        AtomicOp::Dec => "atomicDec",
        AtomicOp::And => "atomicAnd",
        AtomicOp::Or => "atomicOr",
        AtomicOp::Xor => "atomicXor",
        AtomicOp::Min => "atomicMin",
        AtomicOp::Max => "atomicMax",
    };
    let minus = if *op == AtomicOp::Sub { "0 - " } else { "" };
    let operands: Vec<_> = operands
        .iter()
        .map(|it| format!("{minus}({word}){}", long(it)))
        .collect();
    let pointer = match address {
        Address::Location(id) => format!("location[{id}]"),
        Address::Register(register) => format!("v_{register}"),
    };
    let call = format!("{name}(({word} *){pointer}, {})", operands.join(", "));
    let result = target.as_ref().map_or_else(String::new, |it| {
        format!("v_{it} = ({})", c_type(value_type))
    });
    Ok(format!("pause_from(noise); {result}{call};"))
}

/// An expression of type `long long`. Sums wrap without sign.
fn arithmetic(op: ArithmeticOp, value_type: Type, operands: &[Operand]) -> String {
    let name = c_type(value_type);
    let text = |at: usize| operands.get(at).map_or_else(|| "0ll".to_owned(), long);
    let (a, b) = (text(0), text(1));
    let wrapped =
        |sign: &str| format!("({name})((unsigned long long){a} {sign} (unsigned long long){b})");
    let (x, y) = (format!("({name}){a}"), format!("({name}){b}"));
    match op {
        ArithmeticOp::Mov => x,
        ArithmeticOp::Add => wrapped("+"),
        ArithmeticOp::Sub => wrapped("-"),
        ArithmeticOp::Mul => wrapped("*"),
        ArithmeticOp::And => wrapped("&"),
        ArithmeticOp::Or => wrapped("|"),
        ArithmeticOp::Xor => wrapped("^"),
        ArithmeticOp::Min => format!("{y} < {x} ? {y} : {x}"),
        ArithmeticOp::Max => format!("{x} < {y} ? {y} : {x}"),
        ArithmeticOp::Eq => format!("{x} == {y}"),
        ArithmeticOp::Ne => format!("{x} != {y}"),
        ArithmeticOp::Lt => format!("{x} < {y}"),
        ArithmeticOp::Le => format!("{x} <= {y}"),
        ArithmeticOp::Gt => format!("{x} > {y}"),
        ArithmeticOp::Ge => format!("{x} >= {y}"),
    }
}

fn sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Eq => "==",
        Comparison::Ne => "!=",
        Comparison::Lt => "<",
        Comparison::Le => "<=",
        Comparison::Gt => ">",
        Comparison::Ge => ">=",
    }
}
