//! Fences and barriers.

use hirace_model::error::Result;

use super::ast::{BarrierKind, Instruction, Operand, Proxy, Reduction, ReductionOp, Scope};
use super::context::Context;
use super::statement::{RawKind, Statement};

/// `fence`.
pub(super) fn fence(statement: &Statement<'_>) -> Result<Instruction> {
    const HELP: &str = "fences are `fence.sc.SCOPE`, `fence.acq_rel.SCOPE`, `fence.SCOPE` and \
                        `fence.proxy.KIND`; scopes are cta, cluster, gpu and sys";
    if statement
        .modifiers
        .first()
        .is_some_and(|it| it.word == "proxy")
    {
        return proxy_fence(statement);
    }
    let (mut sc, mut scope) = (None, None);
    for modifier in &statement.modifiers {
        let repeated = match (modifier.word.as_str(), Scope::named(&modifier.word)) {
            (_, Some(found)) => scope.replace(found).is_some(),
            ("sc", None) => sc.replace(true).is_some(),
            ("acq_rel", None) => sc.replace(false).is_some(),
            _ => return Err(statement.unknown(modifier, HELP)),
        };
        if repeated {
            return Err(statement.repeated(modifier));
        }
    }
    let scope = scope.ok_or_else(|| {
        let message = "a fence needs a scope: `.cta`, `.cluster`, `.gpu` or `.sys`";
        statement.incomplete(message, HELP)
    })?;
    let [] = statement.operands("none")?;
    let sc = sc.unwrap_or(false);
    Ok(Instruction::Fence { sc, scope })
}

fn proxy_fence(statement: &Statement<'_>) -> Result<Instruction> {
    const HELP: &str = "proxy fences are `fence.proxy.alias`, `fence.proxy.surface`, \
                        `fence.proxy.texture` and `fence.proxy.constant`";
    let Some(kind) = statement.modifiers.get(1) else {
        return Err(statement.incomplete("a proxy fence needs a kind such as `.alias`", HELP));
    };
    let proxy = match (kind.word.as_str(), Proxy::named(&kind.word)) {
        ("alias", _) => None,
        (_, Some(proxy)) if proxy != Proxy::Generic => Some(proxy),
        _ => return Err(statement.unknown(kind, HELP)),
    };
    if let Some(third) = statement.modifiers.get(2) {
        return Err(statement.unknown(third, HELP));
    }
    let [] = statement.operands("none")?;
    Ok(Instruction::ProxyFence { proxy })
}

/// `membar`.
pub(super) fn membar(statement: &Statement<'_>) -> Result<Instruction> {
    const HELP: &str = "these are `membar.cta`, `membar.gl` and `membar.sys`";
    let Some(level) = statement.modifiers.first() else {
        return Err(statement.incomplete("`membar` needs a level", HELP));
    };
    let scope = match level.word.as_str() {
        "cta" => Scope::Cta,
        "gl" => Scope::Gpu,
        "sys" => Scope::Sys,
        _ => return Err(statement.unknown(level, HELP)),
    };
    if let Some(second) = statement.modifiers.get(1) {
        return Err(statement.unknown(second, HELP));
    }
    let [] = statement.operands("none")?;
    Ok(Instruction::Fence { sc: true, scope })
}

/// `bar` or `barrier`.
pub(super) fn barrier(
    context: &mut Context<'_, '_>,
    statement: &Statement<'_>,
) -> Result<Instruction> {
    let (kind, op) = barrier_kind(statement)?;
    let (result, operands) = match (kind, statement.operands.as_slice()) {
        (BarrierKind::Red, [target, rest @ .., predicate]) if !rest.is_empty() => {
            (Some((target, predicate)), rest)
        }
        (_, all) => (None, all),
    };
    let (number, count) = match (kind, operands) {
        (_, [number]) => (number, None),
        (_, [number, count]) => (number, Some(count)),
        // Some tools number the instructions, so that the copies of an unrolled one belong together.
        // Which threads meet is a matter of the barrier's own number.
        (BarrierKind::Sync | BarrierKind::Arrive, [own, number, count]) => {
            if !matches!(own.kind, RawKind::Number(_)) {
                return Err(context.error(own, "the instruction's own number must be a constant"));
            }
            (number, Some(count))
        }
        (_, []) => return Err(statement.wrong_count(1, "barrier")),
        (BarrierKind::Red, _) => {
            let what = "register, barrier, count of threads, predicate";
            return Err(statement.wrong_count(4, what));
        }
        (BarrierKind::Sync | BarrierKind::Arrive, _) => {
            let what = "the instruction's own number, barrier, count of threads";
            return Err(statement.wrong_count(3, what));
        }
    };
    let reduction = match (result, op) {
        (None, _) => None,
        (Some((target, predicate)), Some(op)) => Some(Reduction {
            op,
            target: context.target(target)?,
            predicate: context.value(predicate)?,
        }),
        (Some(_), None) => {
            const HELP: &str = "reductions are `bar.cta.red.popc r0, BARRIER, r1`, `.red.and` and \
                                `.red.or`, with or without the count of threads after the barrier";
            let message = "a reduction with a result needs `.popc`, `.and` or `.or`";
            return Err(statement.incomplete(message, HELP));
        }
    };
    let id = context.value(number)?;
    if matches!(id, Operand::Constant(..0)) {
        return Err(context.error(number, "the number of a barrier cannot be negative"));
    }
    let threads = count.map(|count| context.value(count)).transpose()?;
    if let (Some(Operand::Constant(..=0)), Some(count)) = (&threads, count) {
        return Err(context.error(count, "the count of threads must be positive"));
    }
    Ok(Instruction::Barrier {
        kind,
        number: id,
        count: threads,
        reduction,
    })
}

/// What the barrier does, and what it computes.
fn barrier_kind(statement: &Statement<'_>) -> Result<(BarrierKind, Option<ReductionOp>)> {
    const HELP: &str = "barriers are `bar.cta.sync`, `bar.cta.arrive` and `bar.cta.red`, with or \
                        without `.cta` and `.aligned`; `.red` is followed by `.popc`, `.and` or \
                        `.or`";
    let (mut kind, mut op, mut seen) = (None, None, Vec::new());
    for modifier in &statement.modifiers {
        let word = modifier.word.as_str();
        let reduces = kind == Some(BarrierKind::Red);
        let known = if let Some(found) = BarrierKind::named(word) {
            kind.replace(found).is_none()
        } else if let Some(found) = ReductionOp::named(word) {
            reduces && op.replace(found).is_none()
        } else {
            match word {
                "cta" => kind.is_none(),
                "aligned" => true,
                "pred" | "u32" => reduces,
                _ => false,
            }
        };
        if !known || seen.contains(&word) {
            return Err(statement.unknown(modifier, HELP));
        }
        seen.push(word);
    }
    let kind = kind.ok_or_else(|| {
        let message = format!("`{}` needs `.sync`, `.arrive` or `.red`", statement.opcode);
        statement.incomplete(message, HELP)
    })?;
    Ok((kind, op))
}
