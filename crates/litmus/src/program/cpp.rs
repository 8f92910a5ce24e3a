//! A thread's code as C++ for the CPU executor, which runs no PTX.
//!
//! The threads of a test are those of one block, which the executor runs one at a time; at each
//! `pause_from()` another one may continue. So every execution is sequentially consistent, and scopes,
//! orders and fences make no difference.

use std::fmt::Write as _;

use hirace_memory_model::litmus::ast::{
    Address, ArithmeticOp, AtomicOp, BarrierKind, Comparison, Instruction, Operand, Thread,
};

use super::Layout;
use super::text::{back_edges, targets};

/// Rounds of loops after which a thread gives up: its result does not count.
const ROUNDS: u32 = 4096;

/// The barriers of a block, as many as in `executor.cuh`.
const BARRIERS: usize = 16;

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
            target, address, ..
        } => format!("pause_from(noise); v_{target} = *{};", pointer(address)),
        Instruction::Store { address, value, .. } => {
            format!(
                "pause_from(noise); *{} = (int){};",
                pointer(address),
                long(value)
            )
        }
        Instruction::Atomic {
            op,
            target,
            address,
            operands,
            ..
        } => {
            let result = target
                .as_ref()
                .map_or_else(String::new, |it| format!("v_{it} = "));
            let operands: Vec<_> = operands.iter().map(long).collect();
            let call = atomic(*op, &pointer(address), &operands.join(", "));
            format!("pause_from(noise); {result}{call};")
        }
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
        } => {
            let number = long(number);
            barrier(layout, thread, *kind, &number, count.as_ref())
        }
        Instruction::Arithmetic {
            op,
            target,
            operands,
        } => format!("v_{target} = {};", arithmetic(*op, operands)),
        Instruction::AddressOf { target, location } => {
            format!("v_{target} = (long long)location[{location}];")
        }
        Instruction::Branch {
            comparison,
            left,
            right,
            to,
        } => {
            let sign = sign(*comparison);
            format!(
                "if ({} {sign} {}) {{ {} }}",
                long(left),
                long(right),
                go(*to)
            )
        }
        Instruction::Jump { to } => go(*to),
    })
}

fn barrier(
    layout: &Layout<'_>,
    thread: usize,
    kind: BarrierKind,
    number: &str,
    count: Option<&Operand>,
) -> String {
    let count = match count {
        None => layout.threads_beside(thread).to_string(),
        // One thread of a test stands for its warp.
        Some(Operand::Constant(count)) if count % 32 == 0 => (count / 32).to_string(),
        Some(count) => long(count),
    };
    let waits = kind != BarrierKind::Arrive;
    let first = BARRIERS * layout.places[thread].block;
    format!("barrier_at(arrived + {first}, {number}, (int){count}, {waits}, noise);")
}

fn pointer(address: &Address) -> String {
    match address {
        Address::Location(id) => format!("location[{id}]"),
        Address::Register(register) => format!("(int *)v_{register}"),
    }
}

fn long(operand: &Operand) -> String {
    match operand {
        Operand::Register(register) => format!("v_{register}"),
        Operand::Constant(value) => format!("{value}ll"),
    }
}

fn atomic(op: AtomicOp, address: &str, operands: &str) -> String {
    let word = |name: &str| format!("(int){name}((unsigned *){address}, {operands})");
    match op {
        AtomicOp::Add => format!("atomicAdd({address}, {operands})"),
        AtomicOp::Sub => format!("atomicSub({address}, {operands})"),
        AtomicOp::Exch => format!("atomicExch({address}, {operands})"),
        AtomicOp::Cas => format!("atomicCAS({address}, {operands})"),
        AtomicOp::Inc => word("atomicInc"),
        AtomicOp::Dec => word("atomicDec"),
        AtomicOp::And => format!("atomicAnd({address}, {operands})"),
        AtomicOp::Or => format!("atomicOr({address}, {operands})"),
        AtomicOp::Xor => format!("atomicXor({address}, {operands})"),
        AtomicOp::Min => format!("atomicMin({address}, {operands})"),
        AtomicOp::Max => format!("atomicMax({address}, {operands})"),
    }
}

fn arithmetic(op: ArithmeticOp, operands: &[Operand]) -> String {
    let operand = |at: usize| operands.get(at).map_or_else(|| "0ll".to_owned(), long);
    let (a, b) = (operand(0), operand(1));
    match op {
        ArithmeticOp::Mov => a,
        ArithmeticOp::Add => format!("{a} + {b}"),
        ArithmeticOp::Sub => format!("{a} - {b}"),
        ArithmeticOp::Mul => format!("{a} * {b}"),
        ArithmeticOp::And => format!("{a} & {b}"),
        ArithmeticOp::Or => format!("{a} | {b}"),
        ArithmeticOp::Xor => format!("{a} ^ {b}"),
        ArithmeticOp::Min => format!("{a} < {b} ? {a} : {b}"),
        ArithmeticOp::Max => format!("{a} > {b} ? {a} : {b}"),
        ArithmeticOp::Eq => format!("{a} == {b}"),
        ArithmeticOp::Ne => format!("{a} != {b}"),
        ArithmeticOp::Lt => format!("{a} < {b}"),
        ArithmeticOp::Le => format!("{a} <= {b}"),
        ArithmeticOp::Gt => format!("{a} > {b}"),
        ArithmeticOp::Ge => format!("{a} >= {b}"),
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
