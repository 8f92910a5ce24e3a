//! Instructions: what a statement means.

use hirace_model::error::Result;

use super::ast::{Arithmetic, Comparator, Comparison, Instruction, Line};
use super::context::Context;
use super::instructions::{self, Form, MOV, listed};
use super::statement::{RawKind, Statement};
use super::{access, fences_and_barriers, modifiers};

/// Translates an instruction with its guard.
pub(super) fn translate(context: &mut Context<'_, '_>, statement: &Statement<'_>) -> Result<Line> {
    let mut guard = None;
    if let Some((name, span, negated)) = &statement.guard {
        guard = Some((context.register(name, span)?, *negated));
    }
    let Some(opcode) = instructions::named(&statement.opcode) else {
        let known = listed(instructions::opcodes().map(|it| it.name), ", ");
        let message = format!("unknown instruction `{}`", statement.opcode);
        let (span, help) = (
            statement.opcode_span.clone(),
            format!("the instructions are {known}"),
        );
        return Err(context.source.error_with_help(span, message, help));
    };
    let instruction = match &opcode.form {
        Form::Load(proxy) => access::load(context, statement, *proxy),
        Form::Store(proxy) => access::store(context, statement, *proxy),
        Form::Atomic { proxy, returns } => access::atomic(context, statement, *proxy, *returns),
        Form::Fence => fences_and_barriers::fence(statement),
        Form::Membar => fences_and_barriers::membar(statement),
        Form::Barrier => fences_and_barriers::barrier(context, statement),
        Form::Mov => mov(context, statement),
        Form::Arithmetic(op) => arithmetic(context, statement, op),
        Form::Compare => compare(context, statement),
        Form::Branch => branch(context, statement),
        Form::Jump => jump(context, statement),
    };
    Ok(Line {
        instruction: instruction?,
        span: statement.span.clone(),
        guard,
    })
}

fn mov(context: &mut Context<'_, '_>, statement: &Statement<'_>) -> Result<Instruction> {
    let value_type = modifiers::value_type(statement, &[])?;
    let [target, from] = statement.operands("register, value")?;
    let target = context.target(target)?;
    if let RawKind::Bracketed(name) = from.kind {
        let help = format!("`ld` loads a value, and `mov r0, {name}` takes an address");
        let (span, message) = (from.span.clone(), "`mov` does not access memory");
        return Err(context.source.error_with_help(span, message, help));
    }
    if let Some(location) = context.location(from) {
        if value_type.bits < 64 {
            let message = "an address has 64 bits";
            let help = "write `mov.b64`, or `mov` without a type";
            let span = statement.modifiers[0].span.clone();
            return Err(context.source.error_with_help(span, message, help));
        }
        return Ok(Instruction::AddressOf { target, location });
    }
    Ok(Instruction::Arithmetic {
        op: &MOV,
        value_type,
        target,
        operands: vec![context.value(from)?],
    })
}

fn arithmetic(
    context: &mut Context<'_, '_>,
    statement: &Statement<'_>,
    op: &'static Arithmetic,
) -> Result<Instruction> {
    // `mul.lo` is the half of the product that `mul` without modifier means here.
    let others: Vec<_> = op.ptx.split('.').skip(1).collect();
    let value_type = modifiers::value_type(statement, &others)?;
    let [target, left, right] = statement.operands("register, value, value")?;
    Ok(Instruction::Arithmetic {
        op,
        value_type,
        target: context.target(target)?,
        operands: vec![context.value(left)?, context.value(right)?],
    })
}

fn compare(context: &mut Context<'_, '_>, statement: &Statement<'_>) -> Result<Instruction> {
    let first = statement.modifiers.first();
    let Some(comparator) = first.and_then(|it| Comparator::named(&it.word)) else {
        let span = first.map_or(&statement.opcode_span, |it| &it.span).clone();
        let message = "`setp` needs a comparison first";
        let help = "the comparisons are eq, ne, lt, le, gt and ge, as in `setp.eq.s32 p, r0, 1`";
        return Err(context.source.error_with_help(span, message, help));
    };
    let mut others = statement.modifiers.iter().skip(1);
    if let Some(second) = others.find(|it| Comparator::named(&it.word).is_some()) {
        return Err(statement.repeated(second));
    }
    let value_type = modifiers::value_type(statement, &[comparator.name])?;
    let [target, left, right] = statement.operands("predicate, value, value")?;
    Ok(Instruction::Compare {
        target: context.target(target)?,
        comparison: Comparison {
            comparator,
            value_type,
            operands: [context.value(left)?, context.value(right)?],
        },
    })
}

fn branch(context: &mut Context<'_, '_>, statement: &Statement<'_>) -> Result<Instruction> {
    let comparator = Comparator::named(&statement.opcode[1..]);
    let value_type = modifiers::value_type(statement, &[])?;
    let [left, right, label] = statement.operands("value, value, label")?;
    Ok(Instruction::Branch {
        comparison: Comparison {
            comparator: comparator.expect("a branch is called b and a comparison"),
            value_type,
            operands: [context.value(left)?, context.value(right)?],
        },
        to: context.label(label)?,
    })
}

fn jump(context: &Context<'_, '_>, statement: &Statement<'_>) -> Result<Instruction> {
    if let Some(other) = statement.modifiers.iter().find(|it| it.word != "uni") {
        return Err(statement.unknown(other, "jumps have no modifiers but `.uni`"));
    }
    let [label] = statement.operands("label")?;
    Ok(Instruction::Jump {
        to: context.label(label)?,
    })
}
