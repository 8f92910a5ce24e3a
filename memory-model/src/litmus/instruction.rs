//! Instructions: what a statement means.

use hirace_model::error::{Error, Result};

use super::access;
use super::ast::{ArithmeticOp, Comparison, Instruction, Line};
use super::context::Context;
use super::modifiers;
use super::source::Source;
use super::statement::{RawKind, Statement};
use super::synchronization;

/// Translates an instruction with its guard.
pub(super) fn translate(context: &mut Context<'_, '_>, statement: &Statement<'_>) -> Result<Line> {
    let mut guard = None;
    if let Some((name, span, negated)) = &statement.guard {
        guard = Some((context.register(name, span)?, *negated));
    }
    let instruction = if let Some(access) = access::translate(context, statement)? {
        access
    } else if let Some(instruction) = synchronization::translate(context, statement)? {
        instruction
    } else if let Some(comparison) = comparison(&statement.opcode, "b") {
        branch(context, statement, comparison)?
    } else {
        match statement.opcode.as_str() {
            "goto" | "bra" => jump(context, statement)?,
            "mov" => mov(context, statement)?,
            "setp" => setp(context, statement)?,
            opcode => match arithmetic_op(opcode) {
                Some(op) => arithmetic(context, statement, op)?,
                None => return Err(unknown(context.source, statement)),
            },
        }
    };
    Ok(Line {
        instruction,
        span: statement.span.clone(),
        guard,
    })
}

fn unknown(source: &Source<'_>, statement: &Statement<'_>) -> Error {
    let help = "the instructions are ld, st, atom, red, fence, membar, sust, suld, tld, cold, bar, \
                barrier, mov, add, sub, mul, and, or, xor, min, max, setp, beq, bne, blt, bgt, \
                ble, bge, goto and bra";
    let message = format!("unknown instruction `{}`", statement.opcode);
    source.error_with_help(statement.opcode_span.clone(), message, help)
}

/// The comparison that a word means after `prefix`.
fn comparison(word: &str, prefix: &str) -> Option<Comparison> {
    Some(match word.strip_prefix(prefix)? {
        "eq" => Comparison::Eq,
        "ne" => Comparison::Ne,
        "lt" => Comparison::Lt,
        "le" => Comparison::Le,
        "gt" => Comparison::Gt,
        "ge" => Comparison::Ge,
        _ => return None,
    })
}

fn branch(
    context: &mut Context<'_, '_>,
    statement: &Statement<'_>,
    comparison: Comparison,
) -> Result<Instruction> {
    let value_type = modifiers::value_type(context.source, statement, &[])?;
    let [left, right, label] = statement.operands(context.source, "value, value, label")?;
    Ok(Instruction::Branch {
        comparison,
        value_type,
        left: context.value(left)?,
        right: context.value(right)?,
        to: context.label(label)?,
    })
}

fn jump(context: &Context<'_, '_>, statement: &Statement<'_>) -> Result<Instruction> {
    for (word, span) in &statement.modifiers {
        if word != "uni" {
            let help = "jumps have no modifiers but `.uni`";
            return Err(modifiers::unknown(
                context.source,
                statement,
                word,
                span,
                help,
            ));
        }
    }
    let [label] = statement.operands(context.source, "label")?;
    Ok(Instruction::Jump {
        to: context.label(label)?,
    })
}

fn mov(context: &mut Context<'_, '_>, statement: &Statement<'_>) -> Result<Instruction> {
    let value_type = modifiers::value_type(context.source, statement, &[])?;
    let [target, from] = statement.operands(context.source, "register, value")?;
    let target = context.target(target)?;
    if let RawKind::Bracketed(name) = from.kind {
        let help = format!("`ld` loads a value, and `mov r0, {name}` takes an address");
        let message = "`mov` does not access memory";
        return Err(context
            .source
            .error_with_help(from.span.clone(), message, help));
    }
    if let Some(location) = context.location(from) {
        if value_type.bits < 64 {
            let message = "an address has 64 bits";
            let help = "write `mov.b64`, or `mov` without a type";
            let (_, span) = &statement.modifiers[0];
            return Err(context.source.error_with_help(span.clone(), message, help));
        }
        return Ok(Instruction::AddressOf { target, location });
    }
    Ok(Instruction::Arithmetic {
        op: ArithmeticOp::Mov,
        value_type,
        target,
        operands: vec![context.value(from)?],
    })
}

fn arithmetic_op(opcode: &str) -> Option<ArithmeticOp> {
    Some(match opcode {
        "add" => ArithmeticOp::Add,
        "sub" => ArithmeticOp::Sub,
        "mul" => ArithmeticOp::Mul,
        "and" => ArithmeticOp::And,
        "or" => ArithmeticOp::Or,
        "xor" => ArithmeticOp::Xor,
        "min" => ArithmeticOp::Min,
        "max" => ArithmeticOp::Max,
        _ => return None,
    })
}

fn arithmetic(
    context: &mut Context<'_, '_>,
    statement: &Statement<'_>,
    op: ArithmeticOp,
) -> Result<Instruction> {
    // `mul.lo` is the half of the product that `mul` without modifier means here.
    let others: &[&str] = if op == ArithmeticOp::Mul {
        &["lo"]
    } else {
        &[]
    };
    let value_type = modifiers::value_type(context.source, statement, others)?;
    let [target, left, right] = statement.operands(context.source, "register, value, value")?;
    Ok(Instruction::Arithmetic {
        op,
        value_type,
        target: context.target(target)?,
        operands: vec![context.value(left)?, context.value(right)?],
    })
}

fn setp(context: &mut Context<'_, '_>, statement: &Statement<'_>) -> Result<Instruction> {
    let found = statement
        .modifiers
        .first()
        .and_then(|(word, _)| comparison(word, ""));
    let op = match found {
        Some(Comparison::Eq) => ArithmeticOp::Eq,
        Some(Comparison::Ne) => ArithmeticOp::Ne,
        Some(Comparison::Lt) => ArithmeticOp::Lt,
        Some(Comparison::Le) => ArithmeticOp::Le,
        Some(Comparison::Gt) => ArithmeticOp::Gt,
        Some(Comparison::Ge) => ArithmeticOp::Ge,
        None => {
            let first = statement.modifiers.first();
            let span = first.map_or(&statement.opcode_span, |(_, span)| span);
            let message = "`setp` needs a comparison first";
            let help =
                "the comparisons are eq, ne, lt, le, gt and ge, as in `setp.eq.s32 p, r0, 1`";
            return Err(context.source.error_with_help(span.clone(), message, help));
        }
    };
    for (word, span) in &statement.modifiers[1..] {
        if comparison(word, "").is_some() {
            return Err(modifiers::twice(context.source, word, span));
        }
    }
    let first = &statement.modifiers[0].0;
    let value_type = modifiers::value_type(context.source, statement, &[first.as_str()])?;
    let [target, left, right] = statement.operands(context.source, "predicate, value, value")?;
    Ok(Instruction::Arithmetic {
        op,
        value_type,
        target: context.target(target)?,
        operands: vec![context.value(left)?, context.value(right)?],
    })
}
