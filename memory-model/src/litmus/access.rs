//! Memory accesses: loads, stores and read-modify-writes.

use hirace_model::error::{Error, Result};

use super::ast::{Address, AtomicOp, Instruction, Order, Proxy, Scope, Span, Type};
use super::context::Context;
use super::modifiers::{self, Extra, Modifiers};
use super::statement::Statement;

/// Translates an access, or returns `None` for another instruction.
pub(super) fn translate(
    context: &mut Context<'_, '_>,
    statement: &Statement<'_>,
) -> Result<Option<Instruction>> {
    Ok(Some(match statement.opcode.as_str() {
        "ld" => load(context, statement, Proxy::Generic)?,
        "suld" => load(context, statement, Proxy::Surface)?,
        "tld" => load(context, statement, Proxy::Texture)?,
        "cold" => load(context, statement, Proxy::Constant)?,
        "st" => store(context, statement, Proxy::Generic)?,
        "sust" => store(context, statement, Proxy::Surface)?,
        "atom" => atomic(context, statement, true)?,
        "red" => atomic(context, statement, false)?,
        _ => return Ok(None),
    }))
}

fn load(
    context: &mut Context<'_, '_>,
    statement: &Statement<'_>,
    proxy: Proxy,
) -> Result<Instruction> {
    let modifiers = modifiers::parse(context.source, statement, extra(proxy))?;
    let (order, scope) = strength(context, statement, &modifiers)?;
    if matches!(proxy, Proxy::Texture | Proxy::Constant) && order != Order::Weak {
        let message = format!("`{}` is always weak", statement.opcode);
        return Err(at_order(context, &modifiers, &message));
    }
    if matches!(order, Order::Release | Order::AcqRel) {
        let message = "a load is weak, relaxed, acquire or volatile: it cannot release";
        return Err(at_order(context, &modifiers, message));
    }
    let [target, address] = statement.operands(context.source, "register, address")?;
    let target = context.target(target)?;
    let address_span = &address.span;
    let address = context.address(address)?;
    check_location(context, &address, address_span, proxy, &modifiers)?;
    Ok(Instruction::Load {
        order,
        scope,
        proxy,
        value_type: suffix(&modifiers),
        target,
        address,
    })
}

fn store(
    context: &mut Context<'_, '_>,
    statement: &Statement<'_>,
    proxy: Proxy,
) -> Result<Instruction> {
    let modifiers = modifiers::parse(context.source, statement, extra(proxy))?;
    let (order, scope) = strength(context, statement, &modifiers)?;
    if matches!(order, Order::Acquire | Order::AcqRel) {
        let message = "a store is weak, relaxed, release or volatile: it cannot acquire";
        return Err(at_order(context, &modifiers, message));
    }
    let [address, value] = statement.operands(context.source, "address, value")?;
    let address_span = &address.span;
    let address = context.address(address)?;
    check_location(context, &address, address_span, proxy, &modifiers)?;
    Ok(Instruction::Store {
        order,
        scope,
        proxy,
        value_type: suffix(&modifiers),
        address,
        value: context.value(value)?,
    })
}

fn atomic(
    context: &mut Context<'_, '_>,
    statement: &Statement<'_>,
    returns: bool,
) -> Result<Instruction> {
    let source = context.source;
    let mut modifiers = modifiers::parse(source, statement, Extra::Op)?;
    let Some((op, _)) = modifiers.op else {
        let message = format!("`{}` needs an operation such as `.add`", statement.opcode);
        return Err(source.error(statement.opcode_span.clone(), message));
    };
    if matches!(op, AtomicOp::Inc | AtomicOp::Dec) {
        let span = statement.opcode_span.clone();
        modifiers.value_type.get_or_insert((Type::U32, span));
    }
    let order = modifiers
        .order
        .as_ref()
        .map_or(Order::Relaxed, |(order, _)| *order);
    if matches!(order, Order::Weak | Order::Volatile) {
        let message = "an atomic operation is relaxed, acquire, release or acq_rel";
        return Err(at_order(context, &modifiers, message));
    }
    let (mut target, mut operands) = (None, Vec::new());
    let (to, address, values) = match (returns, op == AtomicOp::Cas) {
        (true, true) => {
            let what = "register, address, expected value, new value";
            let [target, address, expected, new] = statement.operands(source, what)?;
            (Some(target), address, vec![expected, new])
        }
        (true, false) => {
            let [target, address, value] =
                statement.operands(source, "register, address, value")?;
            (Some(target), address, vec![value])
        }
        (false, true) => {
            let what = "address, expected value, new value";
            let [address, expected, new] = statement.operands(source, what)?;
            (None, address, vec![expected, new])
        }
        (false, false) => {
            let [address, value] = statement.operands(source, "address, value")?;
            (None, address, vec![value])
        }
    };
    if let Some(to) = to {
        target = Some(context.target(to)?);
    }
    let address_span = &address.span;
    let address = context.address(address)?;
    check_location(context, &address, address_span, Proxy::Generic, &modifiers)?;
    for value in values {
        operands.push(context.value(value)?);
    }
    Ok(Instruction::Atomic {
        order,
        scope: modifiers.scope.as_ref().map_or(Scope::Gpu, |it| it.0),
        op,
        value_type: suffix(&modifiers),
        target,
        address,
        operands,
    })
}

fn suffix(modifiers: &Modifiers) -> Option<Type> {
    modifiers.value_type.as_ref().map(|(it, _)| *it)
}

fn extra(proxy: Proxy) -> Extra {
    match proxy {
        Proxy::Generic => Extra::Cache,
        Proxy::Surface | Proxy::Texture | Proxy::Constant => Extra::Nothing,
    }
}

/// The order and the scope of a load or store.
fn strength(
    context: &Context<'_, '_>,
    statement: &Statement<'_>,
    modifiers: &Modifiers,
) -> Result<(Order, Option<Scope>)> {
    let source = context.source;
    let order = modifiers
        .order
        .as_ref()
        .map_or(Order::Weak, |(order, _)| *order);
    if let (Some((_, span)), true) = (&modifiers.cache, order != Order::Weak) {
        let message = "only a weak access has a cache operator";
        return Err(source.error(span.clone(), message));
    }
    match (order, &modifiers.scope) {
        (Order::Weak, None) => Ok((order, None)),
        (Order::Volatile, None) => Ok((order, Some(Scope::Sys))),
        (Order::Weak, Some((_, span))) => {
            let message = "a weak access has no scope";
            let opcode = &statement.opcode;
            let help = format!("give an order too, as in `{opcode}.relaxed`, or remove the scope");
            Err(source.error_with_help(span.clone(), message, help))
        }
        (Order::Volatile, Some((_, span))) => {
            let message = "a volatile access has no scope of its own: it is always `.sys`";
            Err(source.error(span.clone(), message))
        }
        (_, Some((scope, _))) => Ok((order, Some(*scope))),
        (_, None) => {
            let message = "a strong access needs a scope: `.cta`, `.cluster`, `.gpu` or `.sys`";
            Err(at_order(context, modifiers, message))
        }
    }
}

/// A mistake in the order, which the text gives.
fn at_order(context: &Context<'_, '_>, modifiers: &Modifiers, message: &str) -> Error {
    let span = modifiers
        .order
        .as_ref()
        .map_or(0..0, |(_, span)| span.clone());
    context.source.error(span, message)
}

/// Compares the location's proxy, state space and size with the instruction's.
fn check_location(
    context: &mut Context<'_, '_>,
    address: &Address,
    span: &Span,
    proxy: Proxy,
    modifiers: &Modifiers,
) -> Result<()> {
    let Address::Location(id) = *address else {
        return Ok(());
    };
    let location = &context.locations.list[id];
    if let Some((declared, _)) = location.alias
        && declared != Proxy::Generic
        && declared != proxy
    {
        let (name, proxy) = (&location.name, format!("{declared:?}").to_lowercase());
        let message = format!("`{name}` is a {proxy} alias, which this instruction cannot access");
        let help = match declared {
            Proxy::Surface => "use `sust` or `suld`",
            Proxy::Texture => "use `tld`",
            Proxy::Constant | Proxy::Generic => "use `cold`",
        };
        return Err(context.source.error_with_help(span.clone(), message, help));
    }
    if let Some((Some(shared), span)) = &modifiers.space {
        context
            .locations
            .set_space(context.source, id, *shared, span)?;
    }
    if let Some((value_type, span)) = &modifiers.value_type {
        context
            .locations
            .set_type(context.source, id, *value_type, span)?;
    }
    Ok(())
}
