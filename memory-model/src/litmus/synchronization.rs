//! Fences and barriers.

use hirace_model::error::{Error, Result};

use super::ast::{BarrierKind, Instruction, Operand, Proxy, Reduction, ReductionOp, Scope, Span};
use super::context::Context;
use super::modifiers;
use super::statement::Statement;

/// Translates a fence or barrier, or returns `None` for another instruction.
pub(super) fn translate(
    context: &mut Context<'_, '_>,
    statement: &Statement<'_>,
) -> Result<Option<Instruction>> {
    let instruction = match statement.opcode.as_str() {
        "fence" => fence(context, statement)?,
        "membar" => membar(context, statement)?,
        "bar" | "barrier" => return barrier(context, statement).map(Some),
        _ => return Ok(None),
    };
    let [] = statement.operands(context.source, "none")?;
    Ok(Some(instruction))
}

fn fence(context: &Context<'_, '_>, statement: &Statement<'_>) -> Result<Instruction> {
    const HELP: &str = "fences are `fence.sc.SCOPE`, `fence.acq_rel.SCOPE`, `fence.SCOPE` and \
                        `fence.proxy.KIND`; scopes are cta, cluster, gpu and sys";
    if statement
        .modifiers
        .first()
        .is_some_and(|(word, _)| word == "proxy")
    {
        return proxy_fence(context, statement);
    }
    let (mut sc, mut scope) = (None, None);
    for (word, span) in &statement.modifiers {
        let repeated = match (word.as_str(), modifiers::scope(word)) {
            (_, Some(found)) => scope.replace(found).is_some(),
            ("sc", None) => sc.replace(true).is_some(),
            ("acq_rel", None) => sc.replace(false).is_some(),
            _ => {
                return Err(modifiers::unknown(
                    context.source,
                    statement,
                    word,
                    span,
                    HELP,
                ));
            }
        };
        if repeated {
            let message = format!("`.{word}` repeats or contradicts an earlier modifier");
            return Err(context.source.error(span.clone(), message));
        }
    }
    let Some(scope) = scope else {
        let message = "a fence needs a scope: `.cta`, `.cluster`, `.gpu` or `.sys`";
        return Err(context
            .source
            .error_with_help(opcode_and_modifiers(statement), message, HELP));
    };
    Ok(Instruction::Fence {
        sc: sc.unwrap_or(false),
        scope,
    })
}

fn proxy_fence(context: &Context<'_, '_>, statement: &Statement<'_>) -> Result<Instruction> {
    const HELP: &str = "proxy fences are `fence.proxy.alias`, `fence.proxy.surface`, \
                        `fence.proxy.texture` and `fence.proxy.constant`";
    let Some((word, span)) = statement.modifiers.get(1) else {
        let message = "a proxy fence needs a kind such as `.alias`";
        return Err(context
            .source
            .error_with_help(opcode_and_modifiers(statement), message, HELP));
    };
    let proxy = match word.as_str() {
        "alias" => None,
        "surface" => Some(Proxy::Surface),
        "texture" => Some(Proxy::Texture),
        "constant" => Some(Proxy::Constant),
        _ => {
            return Err(modifiers::unknown(
                context.source,
                statement,
                word,
                span,
                HELP,
            ));
        }
    };
    if let Some((word, span)) = statement.modifiers.get(2) {
        return Err(modifiers::unknown(
            context.source,
            statement,
            word,
            span,
            HELP,
        ));
    }
    Ok(Instruction::ProxyFence { proxy })
}

fn membar(context: &Context<'_, '_>, statement: &Statement<'_>) -> Result<Instruction> {
    const HELP: &str = "these are `membar.cta`, `membar.gl` and `membar.sys`";
    let scope = match statement.modifiers.as_slice() {
        [] => {
            let span = opcode_and_modifiers(statement);
            return Err(context
                .source
                .error_with_help(span, "`membar` needs a level", HELP));
        }
        [(word, span), rest @ ..] => {
            let scope = match word.as_str() {
                "cta" => Scope::Cta,
                "gl" => Scope::Gpu,
                "sys" => Scope::Sys,
                _ => {
                    return Err(modifiers::unknown(
                        context.source,
                        statement,
                        word,
                        span,
                        HELP,
                    ));
                }
            };
            if let [(word, span), ..] = rest {
                return Err(modifiers::unknown(
                    context.source,
                    statement,
                    word,
                    span,
                    HELP,
                ));
            }
            scope
        }
    };
    Ok(Instruction::Fence { sc: true, scope })
}

fn barrier(context: &mut Context<'_, '_>, statement: &Statement<'_>) -> Result<Instruction> {
    let (kind, op) = barrier_kind(context, statement)?;
    let source = context.source;
    let mut result = None;
    let (number, count) = match (kind, statement.operands.as_slice()) {
        (BarrierKind::Arrive, [number, count]) => (number, Some(count)),
        (BarrierKind::Arrive, all) => {
            return Err(statement.wrong_count(source, 2, all.len(), "barrier, count of threads"));
        }
        (_, [number]) => (number, None),
        (_, [number, count]) => (number, Some(count)),
        (BarrierKind::Red, [target, number, predicate]) => {
            result = Some((target, predicate));
            (number, None)
        }
        (BarrierKind::Red, [target, number, count, predicate]) => {
            result = Some((target, predicate));
            (number, Some(count))
        }
        (_, []) => return Err(statement.wrong_count(source, 1, 0, "barrier")),
        (BarrierKind::Red, all) => {
            let what = "register, barrier, count of threads, predicate";
            return Err(statement.wrong_count(source, 4, all.len(), what));
        }
        (_, all) => {
            let what = "barrier, count of threads";
            return Err(statement.wrong_count(source, 2, all.len(), what));
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
            let message = "a reduction with a result needs `.popc`, `.and` or `.or`";
            let span = opcode_and_modifiers(statement);
            return Err(source.error_with_help(span, message, REDUCTIONS));
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

const REDUCTIONS: &str = "reductions are `bar.cta.red.popc r0, BARRIER, r1`, `.red.and` and \
                          `.red.or`, with or without the count of threads after the barrier";

/// What the barrier does, and what it computes.
fn barrier_kind(
    context: &Context<'_, '_>,
    statement: &Statement<'_>,
) -> Result<(BarrierKind, Option<ReductionOp>)> {
    const HELP: &str = "barriers are `bar.cta.sync`, `bar.cta.arrive` and `bar.cta.red`, with or \
                        without `.cta` and `.aligned`; `.red` is followed by `.popc`, `.and` or \
                        `.or`";
    let (mut kind, mut op, mut seen) = (None, None, Vec::new());
    for (word, span) in &statement.modifiers {
        let reduces = kind == Some(BarrierKind::Red);
        let known = match word.as_str() {
            "sync" => kind.replace(BarrierKind::Sync).is_none(),
            "arrive" => kind.replace(BarrierKind::Arrive).is_none(),
            "red" => kind.replace(BarrierKind::Red).is_none(),
            "cta" => kind.is_none(),
            "aligned" => true,
            "popc" => reduces && op.replace(ReductionOp::Popc).is_none(),
            "and" => reduces && op.replace(ReductionOp::And).is_none(),
            "or" => reduces && op.replace(ReductionOp::Or).is_none(),
            "pred" | "u32" => reduces,
            _ => false,
        };
        if !known || seen.contains(&word) {
            return Err(modifiers::unknown(
                context.source,
                statement,
                word,
                span,
                HELP,
            ));
        }
        seen.push(word);
    }
    let kind = kind.ok_or_else(|| missing_kind(context, statement, HELP))?;
    Ok((kind, op))
}

fn missing_kind(context: &Context<'_, '_>, statement: &Statement<'_>, help: &str) -> Error {
    let message = format!("`{}` needs `.sync`, `.arrive` or `.red`", statement.opcode);
    context
        .source
        .error_with_help(opcode_and_modifiers(statement), message, help)
}

fn opcode_and_modifiers(statement: &Statement<'_>) -> Span {
    let start = statement.opcode_span.clone();
    start.start
        ..statement
            .modifiers
            .last()
            .map_or(start.end, |(_, span)| span.end)
}
